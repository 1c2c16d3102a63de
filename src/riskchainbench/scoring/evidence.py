"""Evidence truth without a judge: what a trajectory exposed and what its conclusion cited.

Exposure is read from the record alone (design decision 18). A text component is exposed at a
step whose recorded text, dialogs or titles hold its words. A component that stands in pixels
is exposed at a step with a screenshot of its page; where on the page the viewport stood is
not known from the record, so for pixels exposure is an upper bound. A box covers what is
exposed at its step if no finer position is recorded, which makes it an upper bound too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.conclusion import (
    Conclusion,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import Medium, PlacedComponent, WebsiteLabel
from riskchainbench.core.investigation import Observation, Trajectory
from riskchainbench.core.text import folded
from riskchainbench.scoring.outcomes import EvidenceOutcome

_folded = lru_cache(maxsize=8192)(folded)
"""Systems see the same pages, so most texts come again."""

PageOf = Callable[[Observation], str | None]
"""Tells which page of the website an observation shows, if that can be told."""


def no_pages(_: Observation) -> str | None:
    """Tell of no page: components in pixels then count as not exposed."""
    return None


def in_pixels(components: Sequence[PlacedComponent]) -> bool:
    """Tell whether any component can be seen in pixels only."""
    return any(component.medium is Medium.PIXELS for component in components)


@dataclass(frozen=True)
class Marks:
    """What one run did with the components of one website, by their position.

    `found` says whether all that the gold decision rests on was exposed, and `used` whether
    any of it was cited.
    """

    exposed: frozenset[int]
    cited: frozenset[int]
    decisive: frozenset[int]
    found: bool
    used: bool


def mark(
    components: Sequence[PlacedComponent],
    label: WebsiteLabel,
    codebook: Codebook,
    trajectory: Trajectory | None,
    conclusion: Conclusion | None,
    page_of: PageOf = no_pages,
) -> Marks:
    """Find which components were exposed and cited, and whether the decisive ones were."""
    steps = trajectory.steps if trajectory is not None else ()
    at_step = _exposure(components, [step.observation for step in steps], page_of)
    exposed = frozenset().union(*at_step) if at_step else frozenset()
    cited: set[int] = set()
    for reference in conclusion.evidence if conclusion is not None else ():
        if reference.step < len(steps):
            observation = steps[reference.step].observation
            cited |= _covered(reference, observation, components, at_step[reference.step])
    decisive = frozenset(
        index for index, found in enumerate(components) if _is_decisive(found, label.decision)
    )
    return Marks(
        exposed=exposed,
        cited=frozenset(cited) & exposed,
        decisive=decisive,
        found=bool(steps) and _found(components, label, codebook, exposed, decisive),
        used=not decisive or bool(cited & exposed & decisive),
    )


def _is_decisive(component: PlacedComponent, decision: Decision) -> bool:
    if not component.asserted:
        return False
    if decision is Decision.VIOLATION:
        return component.role is Role.VIOLATION
    if decision is Decision.NON_VIOLATION:
        return component.role in (Role.BENIGN, Role.COUNTER)
    return True


def _found(
    components: Sequence[PlacedComponent],
    label: WebsiteLabel,
    codebook: Codebook,
    exposed: frozenset[int],
    decisive: frozenset[int],
) -> bool:
    """Tell whether the gold decision could be read off what was exposed (decision 17).

    VIOLATION needs a complete set of the gold type, NON_VIOLATION one component of benign
    service or counter-evidence; INSUFFICIENT_EVIDENCE all that the website has to show.
    """
    seen = {components[index].component_id for index in exposed & decisive}
    if label.decision is Decision.VIOLATION:
        return any(
            seen.issuperset(parts)
            for kind in codebook.types
            if kind.type_id == label.violation_type
            for parts in kind.complete_sets
        )
    if label.decision is Decision.NON_VIOLATION:
        return bool(seen)
    return decisive <= exposed


def _exposure(
    components: Sequence[PlacedComponent], observations: Sequence[Observation], page_of: PageOf
) -> list[frozenset[int]]:
    if not components:
        return [frozenset()] * len(observations)
    words = [
        (index, _folded(component.realization))
        for index, component in enumerate(components)
        if component.medium is Medium.TEXT
    ]
    pixels = [
        (index, component.page)
        for index, component in enumerate(components)
        if component.medium is Medium.PIXELS
    ]
    found: list[frozenset[int]] = []
    for observation in observations:
        text = recorded_text(observation)
        seen = {index for index, word in words if word in text}
        if pixels and observation.screenshot is not None:
            page = page_of(observation)
            seen |= {index for index, home in pixels if page is not None and home == page}
        found.append(frozenset(seen))
    return found


def recorded_text(observation: Observation) -> str:
    """Return all words that a step recorded of its page, white space folded."""
    parts = [observation.title, observation.text, *(event.text for event in observation.events)]
    return _folded("\n".join(parts))


def _covered(
    reference: EvidenceReference,
    observation: Observation,
    components: Sequence[PlacedComponent],
    exposed: frozenset[int],
) -> set[int]:
    locator = reference.locator
    if isinstance(locator, QuoteLocator):
        text = recorded_text(observation)
        spans = list(_spans(_folded(locator.text), text))
        return {
            index
            for index in exposed
            if components[index].medium is Medium.TEXT
            and _overlap(spans, list(_spans(_folded(components[index].realization), text)))
        }
    if isinstance(locator, ElementLocator):
        element = next(
            (e for e in observation.elements if e.element_id == locator.element_id), None
        )
        if element is None:
            return set()
        shown = folded(" ".join((element.name, element.value, *element.options)))
        return {
            index
            for index in exposed
            if (words := _folded(components[index].realization)) in shown
            or (len(shown) > 1 and shown in words)
        }
    return set(exposed)


def _spans(words: str, text: str) -> Iterable[tuple[int, int]]:
    start = text.find(words) if words else -1
    while start >= 0:
        yield start, start + len(words)
        start = text.find(words, start + 1)


def _overlap(first: Sequence[tuple[int, int]], second: Sequence[tuple[int, int]]) -> bool:
    return any(a < d and c < b for a, b in first for c, d in second)


def evidence_outcome(marks: Marks, *, decision_correct: bool) -> EvidenceOutcome:
    """Tell how a decision stands to its evidence; every wrong one falls in one of three."""
    if decision_correct:
        return (
            EvidenceOutcome.RIGHT_WITH_EVIDENCE
            if marks.found
            else EvidenceOutcome.RIGHT_WITHOUT_EVIDENCE
        )
    if not marks.found:
        return EvidenceOutcome.NOT_FOUND
    return EvidenceOutcome.MISJUDGED if marks.used else EvidenceOutcome.FOUND_NOT_USED
