"""Carries out one action on the active tab; what came of it is an outcome, never an exception."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from riskchainbench.browser.fixtures import SET_DIRECTLY, FixtureCycle
from riskchainbench.browser.guards import Layer, NetworkLog, action_allowed
from riskchainbench.browser.reader import FrameContext, PageGoneError
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.tabs import Tabs
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Outcome,
    OutcomeStatus,
)
from riskchainbench.core.text import folded

_KEY_EVENTS = frozenset({"keydown", "keypress", "keyup"})
_POINTER_EVENTS = frozenset(
    {"click", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"}
)
_FILLABLE_TAGS = frozenset({"input", "textarea"})


@dataclass(frozen=True)
class Known:
    """A control that was shown in an earlier observation, and where it lives."""

    element: Element
    frame: FrameContext
    tab: int


@dataclass(frozen=True)
class _Target:
    element: Element
    frame: FrameContext
    aim: dict[str, Any]

    @property
    def point(self) -> tuple[float, float]:
        return self.aim["x"] + self.frame.left, self.aim["y"] + self.frame.top


_DONE = Outcome(status=OutcomeStatus.DONE)


class Actor:
    """Acts on the tabs of one episode."""

    def __init__(
        self,
        tabs: Tabs,
        fixtures: FixtureCycle,
        network: NetworkLog,
        settings: BrowserSettings,
    ) -> None:
        self._tabs = tabs
        self._fixtures = fixtures
        self._network = network
        self._settings = settings
        self._pointer: tuple[Page, float, float] | None = None

    @property
    def points(self) -> bool:
        """Whether the mouse is somewhere on the active tab."""
        return self._pointer is not None and self._pointer[0] is self._tabs.active

    def rest_pointer(self) -> None:
        """Move the mouse to where it is, so that what it hovers over never depends on timing."""
        if self._pointer is None or not self.points:
            return
        page, x, y = self._pointer
        with contextlib.suppress(PlaywrightError):
            page.mouse.move(x, y)

    def _press(self, target: _Target) -> None:
        page = self._tabs.active
        self._pointer = (page, *target.point)
        page.mouse.click(*target.point)

    def act(self, action: Action, known: Mapping[str, Known]) -> Outcome:
        """Carry out `action`; `known` holds every control shown so far by id."""
        try:
            if action.action in (
                ActionKind.CLICK,
                ActionKind.FILL,
                ActionKind.CHOOSE,
                ActionKind.SUBMIT,
            ):
                return self._on_element(action, known)
            return self._on_tab(action.action)
        except PlaywrightTimeoutError:
            return Outcome(status=OutcomeStatus.TIMEOUT, detail="the page did not answer in time")
        except PageGoneError:
            return Outcome(status=OutcomeStatus.DETACHED, detail="the page went away meanwhile")
        except PlaywrightError:
            return Outcome(status=OutcomeStatus.DETACHED, detail="the page could not carry it out")

    def _on_tab(self, kind: ActionKind) -> Outcome:
        if kind in (ActionKind.SCROLL_DOWN, ActionKind.SCROLL_UP):
            reader = self._tabs.reader()
            direction = 1 if kind is ActionKind.SCROLL_DOWN else -1
            moved = reader.call(reader.main(), "scroll", direction)
            end = "end" if direction > 0 else "top"
            if moved:
                return _DONE
            return Outcome(status=OutcomeStatus.NO_EFFECT, detail=f"already at the {end}")
        if kind is ActionKind.BACK:
            return self._back()
        if kind is ActionKind.RELOAD:
            self._tabs.active.reload(wait_until="commit", timeout=self._settings.load_cap * 1000)
            return _DONE
        return _DONE

    def _back(self) -> Outcome:
        reader = self._tabs.reader()
        index, entries = reader.history()
        earlier = [
            entry for entry in entries[:index] if not entry["url"].startswith(("about:", "chrome"))
        ]
        if earlier:
            reader.go_to_entry(earlier[-1]["id"])
            return _DONE
        if len(self._tabs.pages) > 1:
            self._tabs.close_active()
            return Outcome(status=OutcomeStatus.DONE, detail="the tab was closed")
        return Outcome(status=OutcomeStatus.NO_EFFECT, detail="there is no earlier page")

    def _on_element(self, action: Action, known: Mapping[str, Known]) -> Outcome:
        found = known.get(action.element or "")
        if found is None:
            return Outcome(
                status=OutcomeStatus.UNKNOWN_ELEMENT, detail="no control of that id was shown"
            )
        if found.tab != id(self._tabs.active):
            return Outcome(
                status=OutcomeStatus.DETACHED, detail="the control belongs to another tab"
            )
        target = self._aimed(found)
        if isinstance(target, Outcome):
            return target
        if action.action is ActionKind.CLICK:
            return self._click(target)
        if action.action is ActionKind.FILL:
            return self._fill(target)
        if action.action is ActionKind.CHOOSE:
            return self._choose(target, action.option)
        return self._submit(target)

    def _aimed(self, found: Known) -> _Target | Outcome:
        reader = self._tabs.reader()
        element = found.element
        aim = reader.call(found.frame, "aim", element.element_id)
        frame = reader.moved(found.frame)
        status = aim["status"]
        if status == "detached":
            return Outcome(
                status=OutcomeStatus.DETACHED, detail="the control is no longer on the page"
            )
        if status == "disabled":
            return Outcome(status=OutcomeStatus.DISABLED, detail="the control is disabled")
        if status == "covered":
            return Outcome(status=OutcomeStatus.COVERED, detail=_cover(aim["detail"]))
        target = _Target(element, frame, aim)
        if frame.clip is not None:
            above = reader.call(reader.main(), "hitFrame", *target.point)
            if above:
                return Outcome(status=OutcomeStatus.COVERED, detail=_cover(above))
        return target

    def _click(self, target: _Target) -> Outcome:
        href = target.aim["href"]
        if not action_allowed(href):
            self._network.refuse(Layer.ACTION, "click", href)
            return Outcome(status=OutcomeStatus.BLOCKED, detail="the link's scheme is not allowed")
        if not target.aim["native"] and self._answers_keys_alone(target):
            return self._enter(target)
        self._press(target)
        return _DONE

    def _answers_keys_alone(self, target: _Target) -> bool:
        """Tell whether a control that is no native one listens to keys and to no pointer."""
        kinds = self._tabs.reader().listens_to(target.frame, target.element.element_id)
        return bool(kinds & _KEY_EVENTS) and not kinds & _POINTER_EVENTS

    def _enter(self, target: _Target) -> Outcome:
        reader = self._tabs.reader()
        if not reader.call(target.frame, "focus", target.element.element_id):
            return Outcome(status=OutcomeStatus.DETACHED, detail="the control went away")
        reader.press_enter()
        return Outcome(status=OutcomeStatus.DONE)

    def _fill(self, target: _Target) -> Outcome:
        aim = target.aim
        fillable = target.element.kind is ElementKind.FIELD
        if not fillable or not (aim["editable"] or aim["tag"] in _FILLABLE_TAGS):
            return _not_applicable("only a field can be filled")
        if aim["readonly"]:
            return Outcome(status=OutcomeStatus.DISABLED, detail="the field is read-only")
        value = self._fixtures.next(aim["path"], aim["field"], aim["type"])
        reader = self._tabs.reader()
        element_id = target.element.element_id
        if aim["type"] in SET_DIRECTLY:
            reader.call(target.frame, "assign", element_id, value.value)
        else:
            self._press(target)
            if not reader.call(target.frame, "focusAll", element_id):
                return Outcome(status=OutcomeStatus.DETACHED, detail="the field went away")
            reader.insert_text(value.value)
        return Outcome(status=OutcomeStatus.DONE, fixture=value.name)

    def _choose(self, target: _Target, option: str | None) -> Outcome:
        if target.element.kind is not ElementKind.CHOICE:
            return _not_applicable("only a choice can be chosen from")
        if target.aim["tag"] != "select":
            return self._click(target)
        if option is None:
            return _not_applicable("name one of the control's options")
        reader = self._tabs.reader()
        if reader.call(target.frame, "select", target.element.element_id, folded(option)):
            return _DONE
        return _not_applicable("the control offers no such option")

    def _submit(self, target: _Target) -> Outcome:
        if target.aim["submits"]:
            return self._click(target)
        reader = self._tabs.reader()
        made = reader.call(target.frame, "submit", target.element.element_id)
        if not made["form"]:
            return _not_applicable("the control belongs to no form")
        if "button" not in made:
            return _DONE
        aim = reader.call(target.frame, "aim", made["button"])
        if aim["status"] != "ok":
            detail = _cover(aim.get("detail", ""))
            return Outcome(status=OutcomeStatus(aim["status"]), detail=detail)
        return self._click(_Target(target.element, reader.moved(target.frame), aim))


def _cover(what: str) -> str:
    return f"covered by {what}" if what else "no part of the control can be reached"


def _not_applicable(detail: str) -> Outcome:
    return Outcome(status=OutcomeStatus.NOT_APPLICABLE, detail=detail)
