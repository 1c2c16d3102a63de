"""A website of a few pages held in memory, with a controller, for tests of the explorer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from riskchainbench.core.codebook import Codebook, default_codebook
from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Observation,
    Outcome,
    OutcomeStatus,
    Scroll,
    Step,
    Timing,
)
from riskchainbench.core.system import ActionRequest, ConclusionRequest, text_message
from riskchainbench.models.explorer import RulesExplorer

VIEWPORT = (1280, 720)
CODEBOOK = default_codebook()


@dataclass(frozen=True)
class Control:
    """One control of a page; `to` is the page it leads to, None if nothing happens."""

    name: str
    kind: ElementKind = ElementKind.LINK
    to: str | None = None
    options: tuple[str, ...] = ()
    status: OutcomeStatus | None = None
    disabled: bool = False
    in_viewport: bool = True


@dataclass(frozen=True)
class Page:
    """A page as the texts of its viewports, from top to bottom, and its controls.

    `inner` pages scroll in a part of themselves, so that the window's scroll tells nothing.
    """

    title: str
    screens: tuple[str, ...]
    controls: tuple[Control, ...] = ()
    inner: bool = False


Fill = Callable[[int], str]


@dataclass
class Site:
    """The controller of a website in memory.

    `accepts` is a value that some field must hold for a form to be accepted; a form that is
    not loses what was filled in where `forgets` is set. `chat` holds the answers that pressing
    "Send" gets, one after the other; `asks_again` what a gate says the first time.
    """

    pages: dict[str, Page]
    start: str = "home"
    horizon: int = 30
    accepts: str | None = None
    forgets: bool = False
    chat: tuple[str, ...] = ()
    asks_again: str = ""
    at: str = ""
    screen: int = 0
    visits: int = 0
    values: dict[str, str] = field(default_factory=dict)
    fills: dict[str, int] = field(default_factory=dict)
    stack: list[str] = field(default_factory=list)
    note: str = ""
    visited: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._go(self.start)

    def _go(self, page: str) -> None:
        self.at, self.screen, self.note = page, 0, ""
        self.values = {}
        self.visits += 1
        self.visited.append(page)

    def observe(self, step: int, outcome: Outcome | None) -> Observation:
        page = self.pages[self.at]
        text = "\n".join(part for part in (page.screens[self.screen], self.note) if part)
        elements = tuple(
            Element(
                element_id=f"v{self.visits}-{number}",
                kind=control.kind,
                role=control.kind.value,
                name=control.name,
                value=self.values.get(control.name, ""),
                options=control.options,
                disabled=control.disabled,
                in_viewport=control.in_viewport,
            )
            for number, control in enumerate(page.controls)
        )
        height = 720.0
        return Observation(
            step=step,
            screenshot=None,
            title=page.title,
            text=text,
            elements=elements,
            scroll=Scroll(
                top=0 if page.inner else self.screen * height,
                page_height=height if page.inner else len(page.screens) * height,
                viewport_height=height,
            ),
            outcome=outcome,
            remaining_actions=self.horizon - step,
            page_state=sha256_text(f"{self.at}|{text}|{sorted(self.values.items())}"),
        )

    def apply(self, action: Action) -> Outcome:
        page = self.pages[self.at]
        if action.action is ActionKind.SCROLL_DOWN:
            moved = self.screen + 1 < len(page.screens)
            self.screen += moved
            return Outcome(status=OutcomeStatus.DONE if moved else OutcomeStatus.NO_EFFECT)
        if action.action is ActionKind.BACK:
            if not self.stack:
                return Outcome(status=OutcomeStatus.NO_EFFECT)
            self._go(self.stack.pop())
            return Outcome(status=OutcomeStatus.DONE)
        if action.element is None:
            return Outcome(status=OutcomeStatus.DONE)
        return self._use(action, page.controls[int(action.element.split("-")[1])])

    def _use(self, action: Action, control: Control) -> Outcome:
        if control.status is not None:
            return Outcome(status=control.status)
        if action.action is ActionKind.FILL:
            self.fills[control.name] = self.fills.get(control.name, 0) + 1
            self.values[control.name] = f"value {self.fills[control.name]}"
            return Outcome(status=OutcomeStatus.DONE, fixture=self.values[control.name])
        if action.action is ActionKind.CHOOSE:
            self.values[control.name] = action.option or ""
            return Outcome(status=OutcomeStatus.DONE)
        if action.action is ActionKind.SUBMIT and self.accepts not in (None, *self.values.values()):
            self.note = "The code is wrong."
            self.values = {} if self.forgets else self.values
            return Outcome(status=OutcomeStatus.DONE)
        if control.name == "Send" and self.chat and any(self.values.values()):
            answer, *rest = self.chat
            self.note, self.chat, self.values = f"{self.note}\n{answer}", tuple(rest), {}
            return Outcome(status=OutcomeStatus.DONE)
        if self.asks_again and control.name == "I am over 18":
            self.note, self.asks_again = self.asks_again, ""
            return Outcome(status=OutcomeStatus.DONE)
        if control.to is None:
            return Outcome(status=OutcomeStatus.NO_EFFECT)
        self.stack.append(self.at)
        self._go(control.to)
        return Outcome(status=OutcomeStatus.DONE)


def act_request(steps: tuple[Step, ...], present: Observation) -> ActionRequest:
    return ActionRequest(
        prompt=(text_message("user", ""),),
        fingerprint="0" * 64,
        codebook=CODEBOOK,
        scaffold=(),
        steps=steps,
        observation=present,
        remaining_seconds=600.0,
        images=lambda _: b"",
    )


def explore(site: Site, explorer: RulesExplorer | None = None) -> tuple[Step, ...]:
    """Run the explorer on a site until it stops or the horizon ends."""
    explorer = explorer or RulesExplorer()
    steps: tuple[Step, ...] = ()
    present = site.observe(0, None)
    while present.remaining_actions > 0:
        action = explorer.next_action(act_request(steps, present))
        if action.action is ActionKind.STOP:
            break
        steps += (Step(observation=present, action=action, timing=Timing(observed_at=0.0)),)
        present = site.observe(len(steps), site.apply(action))
    return (*steps, Step(observation=present, timing=Timing(observed_at=0.0)))


def conclude(steps: tuple[Step, ...], codebook: Codebook = CODEBOOK) -> Conclusion:
    request = ConclusionRequest(
        prompt=(text_message("user", ""),),
        fingerprint="0" * 64,
        codebook=codebook,
        scaffold=(),
        steps=steps,
        viewport=VIEWPORT,
        images=lambda _: b"",
    )
    return RulesExplorer().conclude(request)


def one_page(text: str, title: str = "Page", controls: tuple[Control, ...] = ()) -> Conclusion:
    """Conclude on a site of one page."""
    return conclude(explore(Site({"home": Page(title, (text,), controls)})))
