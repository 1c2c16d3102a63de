"""What the explorer has done so far, worked out afresh from the recorded steps.

Pages and controls are told apart by what they are called, since ids change when a page is
loaded again.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Observation,
    OutcomeStatus,
    Step,
)
from riskchainbench.core.text import folded

SLACK = 24
"""Pixels that cannot hide a line of text."""

_TITLE_PARTS = re.compile(r"\s+[-–—|·»]+\s+|[|｜_]")

_DIGITS = re.compile(r"\d+")

_UNSETTLED = frozenset(
    {
        OutcomeStatus.COVERED,
        OutcomeStatus.DISABLED,
        OutcomeStatus.DETACHED,
        OutcomeStatus.TIMEOUT,
        OutcomeStatus.UNKNOWN_ELEMENT,
    }
)
"""Outcomes that say nothing of what the control would do."""

_PRESSES = frozenset({ActionKind.CLICK, ActionKind.SUBMIT})
_SCROLLS = frozenset({ActionKind.SCROLL_DOWN, ActionKind.SCROLL_UP})


class PageKey(NamedTuple):
    """A page by its title and the controls on it."""

    title: str
    controls: frozenset[tuple[str, str]]


class ControlKey(NamedTuple):
    """A control by its kind, name and place among equals on its page."""

    kind: str
    name: str
    ordinal: int


TitledKey = tuple[str, ControlKey]
"""A control of all pages that share a title."""


def plain(text: str) -> str:
    """Return a name without what counts or changes: digits, case, white space."""
    return _DIGITS.sub("#", folded(text)).casefold()


def title_parts(title: str) -> list[str]:
    """Return the parts of a page's title, its own heading first, without what changes."""
    return [part for part in (plain(p) for p in _TITLE_PARTS.split(title)) if part]


def page_key(observation: Observation) -> PageKey:
    """Return the identity of the page that `observation` shows."""
    controls = frozenset((e.kind.value, plain(e.name)) for e in observation.elements)
    return PageKey(plain(observation.title), controls)


def keyed(observation: Observation) -> list[tuple[ControlKey, Element]]:
    """Return the controls of the inventory with their keys, in order."""
    seen: Counter[tuple[str, str]] = Counter()
    found: list[tuple[ControlKey, Element]] = []
    for element in observation.elements:
        name = (element.kind.value, plain(element.name))
        found.append((ControlKey(*name, seen[name]), element))
        seen[name] += 1
    return found


def lines(observation: Observation) -> set[str]:
    """Return the distinct lines of text that the observation shows."""
    return {folded(line) for line in observation.text.splitlines() if line.strip()}


@dataclass
class Tries:
    """How often a control was acted on, when last, and what came of it.

    `settled` tries ended for good; `unsettled` ones met an obstacle. `fruitful` says
    whether the last one showed words that had not been seen; `barren` counts those that did not.
    """

    settled: int = 0
    barren: int = 0
    unsettled: int = 0
    last: int = -1
    fruitful: bool = False
    not_applicable: bool = False


@dataclass
class Form:
    """What became of the fields and submits of the pages that share a title."""

    presses: int = 0
    last_press: int = -1
    refused: bool = False
    fruitful: bool = False
    answer: str = ""


@dataclass
class PageMemory:
    """What is known of one page; `seen_to` is the depth seen from its top, in pixels."""

    observation: Observation
    tries: dict[ControlKey, Tries] = field(default_factory=lambda: defaultdict(Tries))
    targets: dict[ControlKey, PageKey] = field(default_factory=dict)
    seen_to: float = 0.0
    scrolls: int = 0
    stuck: bool = False
    growths: int = 0

    @property
    def finished(self) -> bool:
        """Whether the page was seen to its end."""
        return self.seen_to + SLACK >= self.observation.scroll.page_height

    def look(self, observation: Observation) -> None:
        """Take in what an observation of this page shows."""
        self.observation = observation
        top = observation.scroll.top
        if top <= self.seen_to + 1:
            self.seen_to = max(self.seen_to, top + observation.scroll.viewport_height)


@dataclass
class History:
    """Everything worked out from the steps so far.

    `opened` is the last step at which a form or gate let the visitor on, after which controls
    that did nothing may do something. `dull_scrolls` counts, by title, the scrolls that showed
    nothing new since a control last did; `headings` are the pages by what their titles call
    them; `barren_choices` are lists of options whose choice,
    once sent, showed nothing new. `idle` counts the latest actions in a row that tried
    nothing new and showed nothing new.
    """

    pages: dict[PageKey, PageMemory] = field(default_factory=dict)
    tried: dict[ControlKey, Tries] = field(default_factory=lambda: defaultdict(Tries))
    titled: dict[TitledKey, Tries] = field(default_factory=lambda: defaultdict(Tries))
    forms: dict[str, Form] = field(default_factory=lambda: defaultdict(Form))
    targets: dict[ControlKey, PageKey] = field(default_factory=dict)
    dull_scrolls: Counter[str] = field(default_factory=Counter)
    barren_choices: set[ControlKey] = field(default_factory=set)
    headings: dict[str, PageKey] = field(default_factory=dict)
    back_stack: list[PageKey] = field(default_factory=list)
    seen_lines: set[str] = field(default_factory=set)
    opened: int = -1
    idle: int = 0
    reloads: int = 0
    dead_backs: int = 0

    def memory(self, observation: Observation) -> PageMemory:
        """Return what is known of the page shown."""
        return self.pages[page_key(observation)]

    def named(self, name: str) -> PageKey | None:
        """Return the page seen whose heading `name` is, or ends with after some lead-in.

        The name of the website, the last part of titles, stands for the first page.
        """
        called = plain(name)
        for heading, page in self.headings.items():
            lead = called.removesuffix(heading)
            if lead != called and not lead[-1:].isalnum():
                return page
        return None

    def _visit(self, observation: Observation) -> PageMemory:
        key = page_key(observation)
        if key not in self.pages:
            self.pages[key] = PageMemory(observation)
        if not self.back_stack:
            self.back_stack.append(key)
        self.pages[key].look(observation)
        self._name(key, observation.title)
        return self.pages[key]

    def _name(self, key: PageKey, title: str) -> None:
        heading, *rest = title_parts(title) or [""]
        if heading and rest:
            self.headings[heading] = key
            self.headings.setdefault(rest[-1], key)

    def _learn(self, index: int, before: Observation, action: Action, after: Observation) -> None:
        memory = self.pages[page_key(before)]
        new = lines(after) - self.seen_lines
        moved = page_key(after) != page_key(before)
        useful = bool(new)
        if action.action in _SCROLLS:
            memory.scrolls += 1
            memory.stuck = after.scroll.top == before.scroll.top and not new
            memory.growths += after.scroll.page_height > before.scroll.page_height + SLACK
            self.dull_scrolls[plain(before.title)] += not new
        elif action.action is ActionKind.BACK:
            self._went_back(moved)
        elif action.action is ActionKind.RELOAD:
            self.reloads += 1
        elif action.element is not None:
            useful |= self._tried(index, memory, before, action, after, new)
            if new:
                self.dull_scrolls[plain(after.title)] = 0
            if moved:
                self.back_stack.append(page_key(after))
                self.dead_backs = 0
            elif new and after.scroll.top == before.scroll.top:
                memory.seen_to = min(memory.seen_to, after.scroll.top)
        self.idle = 0 if useful else self.idle + 1

    def _went_back(self, moved: bool) -> None:
        if not moved:
            self.dead_backs += 1
        elif len(self.back_stack) > 1:
            self.back_stack.pop()

    def _tried(
        self,
        index: int,
        memory: PageMemory,
        before: Observation,
        action: Action,
        after: Observation,
        new: set[str],
    ) -> bool:
        """Record a try of a control; return whether it was the first of its kind."""
        by_id = {element.element_id: key for key, element in keyed(before)}
        key = by_id.get(action.element or "")
        if key is None:
            return False
        title = plain(before.title)
        status = OutcomeStatus.DONE if after.outcome is None else after.outcome.status
        records = (memory.tries[key], self.tried[key], self.titled[title, key])
        first = records[0].settled + records[0].unsettled == 0
        for tries in records:
            if status in _UNSETTLED:
                tries.unsettled += 1
            else:
                tries.settled += 1
                tries.barren += not new
            tries.last = index
            tries.fruitful = bool(new)
            tries.not_applicable = status is OutcomeStatus.NOT_APPLICABLE
        if action.action in _PRESSES and status not in _UNSETTLED:
            self._pressed(index, memory, key, before, after, new)
        return first or action.action is ActionKind.FILL

    def _pressed(
        self,
        index: int,
        memory: PageMemory,
        key: ControlKey,
        before: Observation,
        after: Observation,
        new: set[str],
    ) -> None:
        target = page_key(after)
        if target != page_key(before):
            memory.targets[key] = target
            self.targets[key] = target
            if key.kind != ElementKind.LINK.value:
                self.opened = index
        inputs = (ElementKind.FIELD, ElementKind.CHOICE)
        fields = {k for k, e in keyed(before) if e.kind in inputs}
        if not fields:
            return
        form = self.forms[plain(before.title)]
        remaining = fields & {k for k, _ in keyed(after)}
        same_title = plain(before.title) == plain(after.title)
        form.last_press = index
        form.fruitful = bool(new) and target == page_key(before)
        if key.kind == ElementKind.SUBMIT.value:
            form.presses += 1
            if not new:
                self.barren_choices |= {k for k, e in keyed(before) if e.options}
            answered = bool(new) or form.refused
            form.refused = same_title and bool(remaining) and answered
            form.answer = "\n".join(sorted(new))


def recall(steps: Sequence[Step], present: Observation) -> History:
    """Work out the history that the recorded steps and the present observation amount to."""
    history = History()
    observations = [*(step.observation for step in steps), present]
    for index, (before, after) in enumerate(pairwise(observations)):
        history._visit(before)
        history.seen_lines |= lines(before)
        action = steps[index].action
        if action is None:
            history.idle += 1
        else:
            history._learn(index, before, action, after)
    history._visit(present)
    return history
