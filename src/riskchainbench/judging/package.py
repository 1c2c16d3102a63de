"""Building the evidence package of one frozen conclusion.

Every string that a page, an agent or a controller wrote goes through the mask. Fields are
named one by one: a field added to a record later is left out until it is let in here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import (
    Box,
    Element,
    Observation,
    Step,
    Trajectory,
    Viewport,
)
from riskchainbench.core.text import folded
from riskchainbench.investigation.validator import unresolved
from riskchainbench.judging.masking import Mask
from riskchainbench.judging.records import (
    EvidencePackage,
    LedgerEntry,
    PackagedCitation,
    PackagedConclusion,
    PackagedControl,
    PackagedEvent,
    PackagedObservation,
)

MAX_IMAGES = 8
CONTEXT = 80
WHOLE = 0.95
"""The share of the viewport from which on a box counts as the whole of it."""


def build_package(
    trajectory: Trajectory, conclusion: Conclusion, viewport: Viewport, mask: Mask
) -> EvidencePackage:
    """Return what a judge may see of a trajectory and the conclusion drawn from it.

    Args:
        trajectory: the frozen investigation.
        conclusion: the valid conclusion.
        viewport: the size of the window that the agent looked through.
        mask: takes out addresses and private terms.
    """
    cited = [reference.step for reference in conclusion.evidence]
    images = admitted_images(trajectory.steps, cited)
    return EvidencePackage(
        viewport=viewport,
        observations=_observations(trajectory.steps, dict(images), mask),
        ledger=_ledger(trajectory.steps, mask),
        ending=trajectory.end.ending,
        conclusion=PackagedConclusion(
            decision=conclusion.decision,
            violation_type=conclusion.violation_type,
            rationale=mask(conclusion.rationale),
            confidence=conclusion.confidence,
            citations=tuple(
                _citation(reference, trajectory, viewport, mask)
                for reference in conclusion.evidence
            ),
        ),
        images=images,
    )


def admitted_images(
    steps: Sequence[Step], cited: Sequence[int], limit: int = MAX_IMAGES
) -> tuple[tuple[int, Sha256], ...]:
    """Return the screenshots a judge is shown, as (step, hash), by step.

    The screenshots of cited steps come first; what room is left goes to the other distinct
    ones at even distances.
    """
    shots = [
        (step.observation.step, step.observation.screenshot)
        for step in steps
        if step.observation.screenshot is not None
    ]
    chosen: dict[Sha256, int] = {}
    for number, sha256 in shots:
        if number in cited:
            chosen.setdefault(sha256, number)
    others: dict[Sha256, int] = {}
    for number, sha256 in shots:
        if sha256 not in chosen:
            others.setdefault(sha256, number)
    kept = list(chosen.items())[:limit]
    kept += _evenly(list(others.items()), limit - len(kept))
    return tuple(sorted((number, sha256) for sha256, number in kept))


def _evenly(items: list[tuple[Sha256, int]], room: int) -> list[tuple[Sha256, int]]:
    if len(items) <= room:
        return items
    return [items[index * len(items) // room] for index in range(room)]


def _observations(
    steps: Sequence[Step], images: Mapping[int, Sha256], mask: Mask
) -> tuple[PackagedObservation, ...]:
    states: dict[Sha256, int] = {}
    found: list[PackagedObservation] = []
    for step in steps:
        seen = step.observation
        found.append(
            PackagedObservation(
                step=seen.step,
                title=mask(seen.title),
                text=mask(seen.text),
                controls=tuple(_control(element, mask) for element in seen.elements),
                events=tuple(PackagedEvent(kind=e.kind, text=mask(e.text)) for e in seen.events),
                seen_to=seen.scroll.top + seen.scroll.viewport_height,
                page_height=seen.scroll.page_height,
                state=states.setdefault(seen.page_state, len(states)),
                screenshot=images.get(seen.step),
            )
        )
    return tuple(found)


def _control(element: Element, mask: Mask) -> PackagedControl:
    return PackagedControl(
        control_id=mask(element.element_id),
        kind=element.kind,
        name=mask(element.name),
        options=tuple(mask(option) for option in element.options),
        disabled=element.disabled,
        in_viewport=element.in_viewport,
    )


def _ledger(steps: Sequence[Step], mask: Mask) -> tuple[LedgerEntry, ...]:
    entries: list[LedgerEntry] = []
    for index, step in enumerate(steps):
        action = step.action
        if action is None and step.failure is None:
            continue
        after = steps[index + 1].observation if index + 1 < len(steps) else None
        outcome = after.outcome if after is not None else None
        element_id = action.element if action is not None else None
        names = {e.element_id: e.name for e in step.observation.elements}
        name = names.get(element_id) if element_id is not None else None
        entries.append(
            LedgerEntry(
                step=step.observation.step,
                action=action.action if action is not None else None,
                control_id=_masked(element_id, mask),
                control=_masked(name, mask),
                option=_masked(action.option if action is not None else None, mask),
                outcome=outcome.status if outcome is not None else None,
                detail=mask(outcome.detail) if outcome is not None else "",
                fixture=_masked(outcome.fixture if outcome is not None else None, mask),
            )
        )
    return tuple(entries)


def _masked(text: str | None, mask: Mask) -> str | None:
    return None if text is None else mask(text)


def _citation(
    reference: EvidenceReference, trajectory: Trajectory, viewport: Viewport, mask: Mask
) -> PackagedCitation:
    resolved = unresolved(trajectory, reference, viewport) is None
    locator = reference.locator
    seen = (
        trajectory.steps[reference.step].observation
        if reference.step < len(trajectory.steps)
        else None
    )
    if isinstance(locator, QuoteLocator):
        return PackagedCitation(
            step=reference.step,
            kind="quote",
            resolved=resolved,
            content=mask(folded(locator.text)),
            context=mask(_around(locator, seen)),
        )
    if isinstance(locator, ElementLocator):
        names = {e.element_id: e.name for e in seen.elements} if seen is not None else {}
        return PackagedCitation(
            step=reference.step,
            kind="element",
            resolved=resolved,
            content=mask(names.get(locator.element_id, "")),
        )
    return _box(reference.step, locator, viewport, resolved)


def _around(locator: QuoteLocator, seen: Observation | None) -> str:
    """Return the words around a quote, or nothing where it does not stand."""
    quote = folded(locator.text)
    text = folded(seen.text) if seen is not None else ""
    place = text.find(quote)
    if place < 0:
        return ""
    return text[max(0, place - CONTEXT) : place + len(quote) + CONTEXT]


def _box(step: int, locator: BoxLocator, viewport: Viewport, resolved: bool) -> PackagedCitation:
    share = locator.width * locator.height / (viewport.width * viewport.height)
    return PackagedCitation(
        step=step,
        kind="box",
        resolved=resolved,
        box=Box(x=locator.x, y=locator.y, width=locator.width, height=locator.height),
        whole_viewport=share >= WHOLE,
    )
