"""The validator V(τ, E): whether a conclusion's citations resolve to observed content.

It checks that actions stayed inside and that every reference stands where it says; it never
judges risk (design decisions 12 and 16 in ``ARCHITECTURE.md``).
"""

from __future__ import annotations

from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ElementLocator,
    EvidenceReference,
    QuoteLocator,
    Validity,
)
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import Ending, Observation, Trajectory, Viewport
from riskchainbench.core.text import folded, letters_and_digits

MIN_QUOTE = 4
"""Letters and digits of any script that a quote needs, unless it is a control's whole text."""


def validate_conclusion(
    trajectory: Trajectory, conclusion: Conclusion, viewport: Viewport
) -> Validity:
    """Return whether V = 1 for `conclusion` on `trajectory`, and the first reason against."""
    if trajectory.end.ending is Ending.OUTSIDE_ACTION:
        return _invalid(FailureClass.OUTSIDE_ACTION, "an action left the website")
    for number, reference in enumerate(conclusion.evidence):
        reason = unresolved(trajectory, reference, viewport)
        if reason is not None:
            return _invalid(FailureClass.UNRESOLVED_CITATION, f"evidence.{number}: {reason}")
    return Validity(valid=True)


def unresolved(
    trajectory: Trajectory, reference: EvidenceReference, viewport: Viewport
) -> str | None:
    """Return why `reference` does not resolve, or None where it does."""
    if reference.step >= len(trajectory.steps):
        return f"there is no step {reference.step}; the last is {len(trajectory.steps) - 1}"
    observation = trajectory.steps[reference.step].observation
    locator = reference.locator
    if isinstance(locator, QuoteLocator):
        return _quote(locator, observation)
    if isinstance(locator, ElementLocator):
        return _element(locator, observation)
    return _box(locator, observation, viewport)


def _quote(locator: QuoteLocator, observation: Observation) -> str | None:
    quote = folded(locator.text)
    if quote not in folded(observation.text) or not quote:
        return f"the quote is not in the text that step {observation.step} showed"
    if letters_and_digits(quote) >= MIN_QUOTE:
        return None
    whole = {folded(text) for e in observation.elements for text in (e.name, e.value)}
    if quote in whole:
        return None
    return f"the quote has fewer than {MIN_QUOTE} letters or digits and is no control's whole text"


def _element(locator: ElementLocator, observation: Observation) -> str | None:
    if any(element.element_id == locator.element_id for element in observation.elements):
        return None
    return f"step {observation.step} had no control {locator.element_id}"


def _box(locator: BoxLocator, observation: Observation, viewport: Viewport) -> str | None:
    if observation.screenshot is None:
        return f"step {observation.step} has no screenshot"
    inside = (
        locator.x + locator.width <= viewport.width
        and locator.y + locator.height <= viewport.height
    )
    if inside:
        return None
    return f"the box reaches beyond the viewport of {viewport.width} by {viewport.height}"


def _invalid(failure_class: FailureClass, detail: str) -> Validity:
    failure = Failure(failure_class=failure_class, stage=Stage.CONCLUSION, detail=detail)
    return Validity(valid=False, failure=failure)
