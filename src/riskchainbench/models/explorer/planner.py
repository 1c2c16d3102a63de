"""The next action: one pure choice from the present page and what was done before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    EventKind,
    Observation,
)
from riskchainbench.models.explorer.frontier import MAX_OBSTACLES, Frontier, act
from riskchainbench.models.explorer.history import (
    History,
    PageKey,
    PageMemory,
    keyed,
    page_key,
)
from riskchainbench.models.explorer.lexicon import Lexicon

ACTIONS_AFTER_ENOUGH = 6
"""How long the explorer goes on looking for counter-evidence once a type is complete."""

MAX_SCROLLS = 8
MAX_IDLE = 5
MAX_GATE_NAME = 40

_BROKEN = frozenset({EventKind.LOAD_ERROR, EventKind.PAGE_CRASH})


def plan(
    present: Observation, history: History, lexicon: Lexicon, satisfied_since: int | None
) -> Action:
    """Return the next action.

    Args:
        present: what is seen now.
        history: what was done before, completed by `present`.
        lexicon: what controls are called.
        satisfied_since: the step at which a complete set of components had been seen, if any.
    """
    planner = Planner(present, history, lexicon, satisfied_since)
    found: Action | None = None
    if not planner.enough:
        for look in (
            planner.gate,
            planner.scroll,
            planner.form,
            planner.press,
            planner.revive,
            planner.travel,
        ):
            found = look()
            if found is not None:
                break
    return found or Action(action=ActionKind.STOP, reason="Nothing new is left to look at.")


@dataclass(frozen=True)
class Planner:
    """The present situation; each method looks for one kind of action."""

    present: Observation
    history: History
    lexicon: Lexicon
    satisfied_since: int | None

    @property
    def enough(self) -> bool:
        """Whether enough was seen, or looking on has stopped being of use."""
        if self.present.remaining_actions <= 0 or self.history.idle >= MAX_IDLE:
            return True
        if self.satisfied_since is None:
            return False
        return self.present.step - self.satisfied_since >= ACTIONS_AFTER_ENOUGH

    @cached_property
    def _frontier(self) -> Frontier:
        return Frontier(self.history, self.lexicon)

    @property
    def _memory(self) -> PageMemory:
        return self.history.memory(self.present)

    def gate(self) -> Action | None:
        """Accept a gate: age, cookies, a dialog that lies over the page."""
        for key, element in keyed(self.present):
            if element.disabled or not self._gate_like(element):
                continue
            tries = self.history.tried[key]
            # A gate may ask again before it opens.
            again = tries.fruitful and tries.settled < MAX_OBSTACLES
            if (tries.settled == 0 or again) and tries.unsettled < MAX_OBSTACLES:
                return act(ActionKind.CLICK, element, "Opens what a gate keeps closed.")
        return None

    def _gate_like(self, element: Element) -> bool:
        if element.kind not in (ElementKind.BUTTON, ElementKind.LINK):
            return False
        called, name = self.lexicon.called, element.name
        return len(name) <= MAX_GATE_NAME and called("gate", name) and not called("decline", name)

    def scroll(self) -> Action | None:
        """See the rest of the page."""
        memory, scroll = self._memory, self.present.scroll
        if memory.scrolls >= MAX_SCROLLS or memory.stuck:
            return None
        if scroll.top > memory.seen_to + 1:
            return Action(action=ActionKind.SCROLL_UP, reason="The part above was not seen.")
        below = memory.seen_to + 2 < scroll.page_height
        # A part of the page may scroll by itself; only controls out of sight tell of it.
        fits = scroll.page_height <= scroll.viewport_height + 2
        inside = fits and any(not element.in_viewport for element in self.present.elements)
        if below or inside:
            return Action(action=ActionKind.SCROLL_DOWN, reason="The page goes on below.")
        return None

    def form(self) -> Action | None:
        """Go on with the forms of the page."""
        return self._frontier.form_step(self.present)

    def press(self) -> Action | None:
        """Press the most promising link or button of the page that was not pressed yet."""
        found = self._frontier.open_controls(self.present)
        if not found:
            return None
        best = min(enumerate(found), key=lambda item: (self._dullness(item[1]), item[0]))[1]
        return act(ActionKind.CLICK, best, "Not opened yet.")

    def _dullness(self, element: Element) -> tuple[bool, bool]:
        wanted = "interesting" if self.satisfied_since is None else "counter"
        by_id = {e.element_id: key for key, e in keyed(self.present)}
        hindered = self._memory.tries[by_id[element.element_id]].unsettled > 0
        return hindered, not self.lexicon.called(wanted, element.name)

    def revive(self) -> Action | None:
        """Load a page again, once, that shows nothing or failed to load."""
        if self.history.reloads > 0:
            return None
        blank = not self.present.text.strip() and not self.present.elements
        broken = any(event.kind in _BROKEN for event in self.present.events)
        if not blank and not broken:
            return None
        return Action(action=ActionKind.RELOAD, reason="The page shows nothing.")

    def travel(self) -> Action | None:
        """Go one step toward the nearest known page on which something is left to try."""
        wanted = {
            key
            for key, memory in self.history.pages.items()
            if self._frontier.anything(memory.observation)
        }
        return self._first_step(wanted) if wanted else None

    def _first_step(self, wanted: set[PageKey]) -> Action | None:
        start = page_key(self.present)
        queue: deque[tuple[PageKey, Action]] = deque(
            (target, act(ActionKind.CLICK, element, "Leads on to what was not opened yet."))
            for element, target in self._ways(start)
        )
        if len(self.history.back_stack) > 1 and self.history.dead_backs == 0:
            back = Action(action=ActionKind.BACK, reason="This page holds nothing more.")
            queue.append((self.history.back_stack[-2], back))
        seen = {start}
        while queue:
            page, action = queue.popleft()
            if page in seen:
                continue
            if page in wanted:
                return action
            seen.add(page)
            queue.extend((target, action) for _, target in self._ways(page))
        return self._blind_back()

    def _ways(self, page: PageKey) -> Iterator[tuple[Element, PageKey]]:
        memory = self.history.pages.get(page)
        if memory is None:
            return
        for key, element in keyed(memory.observation):
            target = memory.targets.get(key, self.history.targets.get(key))
            if target is not None and not element.disabled:
                yield element, target

    def _blind_back(self) -> Action | None:
        if len(self.history.back_stack) < 2 or self.history.dead_backs > 0:
            return None
        return Action(action=ActionKind.BACK, reason="This page holds nothing more.")
