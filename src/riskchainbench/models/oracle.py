"""The oracle: given the answers, it shows that every task can be solved through the harness.

It is handed its answers by whoever may open gold; it opens nothing itself. On the web it walks
like any agent: only actions of the contract, on controls found by name in the inventory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from riskchainbench.core.conclusion import (
    MAX_REFERENCES,
    Conclusion,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.gold import Medium, PlacedComponent, WalkStep, WebsiteLabel
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    Observation,
    OutcomeStatus,
    Step,
)
from riskchainbench.core.restoration import Restoration, RestorationTask
from riskchainbench.core.system import ActionRequest, ConclusionRequest
from riskchainbench.core.text import folded, letters_and_digits
from riskchainbench.models.builtin import BuiltinSystem, whole_viewport

_SCROLL_SLACK = 2.0


@dataclass(frozen=True)
class CaseAnswer:
    """What the oracle knows of one website."""

    label: WebsiteLabel
    components: tuple[PlacedComponent, ...]
    walk: tuple[WalkStep, ...]


@dataclass(frozen=True)
class Answers:
    """Everything the oracle knows, by sample id and by case id."""

    samples: Mapping[str, Restoration] = field(repr=False)
    cases: Mapping[str, CaseAnswer] = field(repr=False)


class Oracle(BuiltinSystem):
    """Answers every task rightly and cites the designed evidence it has walked to."""

    name = "oracle"

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def restore(self, unit_id: str, task: RestorationTask) -> Restoration:  # noqa: ARG002
        """Return the reference restoration."""
        return self._answers.samples[unit_id]

    def act(self, unit_id: str, request: ActionRequest) -> Action:
        """Look for evidence on this page first, then take the walk's next step."""
        answer = self._answers.cases[unit_id]
        walk = answer.walk[_walked(request.steps) :]
        observation = request.observation
        if _worth_scrolling(answer, request, len(walk)):
            return Action(action=ActionKind.SCROLL_DOWN, reason="Look further down this page.")
        if not walk:
            return Action(action=ActionKind.STOP, reason="Everything there is to see was seen.")
        return _take(walk[0], observation)

    def conclude(self, unit_id: str, request: ConclusionRequest) -> Conclusion:
        """Conclude the label, citing every component where it was seen."""
        answer = self._answers.cases[unit_id]
        references = list(
            dict.fromkeys(
                reference
                for component in answer.components
                if component.asserted
                for reference in _citations(component, request.steps)
            )
        )
        last = len(request.steps) - 1
        return Conclusion(
            decision=answer.label.decision,
            violation_type=answer.label.violation_type,
            rationale="The designed components of this website were seen where they are cited.",
            evidence=(*tuple(references[: MAX_REFERENCES - 1]), whole_viewport(request, last)),
            confidence=1.0,
        )


def _walked(steps: tuple[Step, ...]) -> int:
    """Count the walk's steps already taken; scrolling is the oracle's own addition."""
    return sum(
        1
        for step in steps
        if step.action is not None and step.action.action is not ActionKind.SCROLL_DOWN
    )


def _worth_scrolling(answer: CaseAnswer, request: ActionRequest, steps_left: int) -> bool:
    """Scroll where the page goes on, something is unseen, and the horizon allows it."""
    observation = request.observation
    scroll = observation.scroll
    if scroll.top + scroll.viewport_height >= scroll.page_height - _SCROLL_SLACK:
        return False
    if observation.remaining_actions <= steps_left:
        return False
    if observation.outcome is not None and observation.outcome.status is OutcomeStatus.NO_EFFECT:
        return False
    seen = "\n".join(
        folded(shown.text) for shown in (*(s.observation for s in request.steps), observation)
    )
    return any(
        folded(component.realization) not in seen
        for component in answer.components
        if component.medium is Medium.TEXT
    )


def _take(step: WalkStep, observation: Observation) -> Action:
    if step.control is None:
        return Action(action=step.action, reason="The next step of the walk.")
    element = _named(step, observation)
    return Action(
        action=step.action,
        element=element.element_id if element else None,
        option=step.option,
        reason="The next step of the walk.",
    )


def _named(step: WalkStep, observation: Observation) -> Element | None:
    """Find the walk's control; one that is in the viewport is preferred."""
    wanted = folded(step.control or "")
    found = [element for element in observation.elements if folded(element.name) == wanted]
    found.sort(key=lambda element: not element.in_viewport)
    return found[0] if found else None


def _citations(component: PlacedComponent, steps: tuple[Step, ...]) -> list[EvidenceReference]:
    if component.medium is not Medium.TEXT or letters_and_digits(component.realization) < 4:
        return []
    wanted = folded(component.realization)
    for step in steps:
        if wanted in folded(step.observation.text):
            locator = QuoteLocator(text=component.realization)
            return [EvidenceReference(step=step.observation.step, locator=locator)]
    return []
