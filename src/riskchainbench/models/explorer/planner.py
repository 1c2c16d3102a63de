"""The next action: one pure choice from the present page and what was done before."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
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
    plain,
)
from riskchainbench.models.explorer.lexicon import Lexicon

ACTIONS_AFTER_ENOUGH = 6
"""How long the explorer goes on looking for counter-evidence once a type is complete."""

MAX_SCROLLS = 8
MAX_GROWTHS = 1
"""How often a page is followed that grows as it is scrolled; what comes is more of its kind."""

MAX_IDLE = 5

MAX_BLIND = 2
"""After how many idle actions the explorer no longer goes back in search of what is left."""
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
            planner.sift,
            planner.travel_to_sift,
            planner.retreat,
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
        if memory.scrolls >= MAX_SCROLLS or memory.stuck or memory.growths > MAX_GROWTHS:
            return None
        if self._read_before():
            return None
        if scroll.top > memory.seen_to + 1:
            return Action(action=ActionKind.SCROLL_UP, reason="The part above was not seen.")
        below = not memory.finished
        # A part of the page may scroll by itself; only controls out of sight tell of it.
        fits = scroll.page_height <= scroll.viewport_height + 2
        inside = fits and any(not element.in_viewport for element in self.present.elements)
        if below or inside:
            return Action(action=ActionKind.SCROLL_DOWN, reason="The page goes on below.")
        return None

    def _read_before(self) -> bool:
        """Tell whether a page of this title was read, and scrolling on showed nothing new."""
        title = plain(self.present.title)
        if self.history.dull_scrolls[title] == 0:
            return False
        return any(
            key.title == title and (memory.finished or memory.growths > MAX_GROWTHS)
            for key, memory in self.history.pages.items()
        )

    def form(self) -> Action | None:
        """Go on with the forms of the page, but for those that only sift or sort it."""
        return None if self._frontier.sifts(self.present) else self.sift()

    def sift(self) -> Action | None:
        """Go on with the forms of the page, whatever they are."""
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
        return self._toward(self._frontier.leads_on)

    def travel_to_sift(self) -> Action | None:
        """Go one step toward a page that can still be sifted or sorted."""
        return self._toward(self._frontier.anything)

    def _toward(self, worth: Callable[[Observation], bool]) -> Action | None:
        pages = self.history.pages.items()
        wanted = {key for key, memory in pages if worth(memory.observation)}
        return self._first_step(wanted) if wanted else None

    def _first_step(self, wanted: set[PageKey]) -> Action | None:
        start = page_key(self.present)
        queue: deque[tuple[PageKey, Action]] = deque(
            (target, act(ActionKind.CLICK, element, "Leads on to what was not opened yet."))
            for element, target in self._ways(start)
        )
        if self.history.dead_backs == 0:
            back = Action(action=ActionKind.BACK, reason="This page holds nothing more.")
            queue.extend((page, back) for page in reversed(self.history.back_stack[:-1]))
        seen = {start}
        while queue:
            page, action = queue.popleft()
            if page in seen:
                continue
            if page in wanted:
                return action
            seen.add(page)
            queue.extend((target, action) for _, target in self._ways(page))
        return None

    def _ways(self, page: PageKey) -> Iterator[tuple[Element, PageKey]]:
        memory = self.history.pages.get(page)
        if memory is None:
            return
        for key, element in keyed(memory.observation):
            target = memory.targets.get(key, self.history.targets.get(key))
            if target is None and element.kind is ElementKind.LINK:
                target = self.history.named(element.name)
            if target is not None and not element.disabled:
                yield element, target

    def retreat(self) -> Action | None:
        """Go back, where something is left to try to which no way is known."""
        if len(self.history.back_stack) < 2 or self.history.dead_backs > 0:
            return None
        if self.history.idle >= MAX_BLIND:
            return None
        pages = self.history.pages.values()
        if not any(self._frontier.anything(memory.observation) for memory in pages):
            return None
        return Action(action=ActionKind.BACK, reason="This page holds nothing more.")
