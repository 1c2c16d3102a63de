"""What the case browser shows of one run on one website, as plain JSON values.

Short keys and left-out defaults keep the files small. Outcomes come from the scores; this
file reads records and decides nothing.
"""

from __future__ import annotations

from typing import Any

from riskchainbench.core.conclusion import (
    BoxLocator,
    ConclusionRecord,
    ElementLocator,
    EvidenceReference,
)
from riskchainbench.core.failures import Failure
from riskchainbench.core.investigation import (
    Box,
    Element,
    InvestigationTask,
    Observation,
    Step,
    Trajectory,
)

Json = dict[str, Any]


def case_view(
    task: InvestigationTask,
    trajectory: Trajectory | None,
    conclusion: ConclusionRecord | None,
    images: frozenset[str],
) -> Json:
    """Return everything the step viewer needs; `images` are the screenshots that were copied."""
    return _without_empty(
        {
            "viewport": [task.viewport.width, task.viewport.height],
            "scaffold": [kind.value for kind in task.scaffold],
            "horizon": task.horizon,
            "steps": [_step(step, images) for step in trajectory.steps] if trajectory else [],
            "end": _end(trajectory) if trajectory else None,
            "conclusion": _conclusion(conclusion) if conclusion else None,
        }
    )


def _step(step: Step, images: frozenset[str]) -> Json:
    seen = step.observation
    action = step.action
    return _without_empty(
        {
            "n": seen.step,
            "image": seen.screenshot if seen.screenshot in images else None,
            "taken": seen.screenshot is not None,
            "title": seen.title,
            "text": seen.text,
            "scroll": [seen.scroll.top, seen.scroll.page_height, seen.scroll.viewport_height],
            "elements": [_element(element) for element in seen.elements],
            "leftOut": seen.elements_left_out,
            "outcome": _outcome(seen),
            "events": [{"kind": e.kind.value, "text": e.text} for e in seen.events],
            "remaining": seen.remaining_actions,
            "action": _without_empty(action.model_dump(mode="json")) if action else None,
            "failure": failure_view(step.failure),
            "repairs": step.repairs,
            "at": step.timing.observed_at,
            "decided": step.timing.decided_at,
        }
    )


def _outcome(seen: Observation) -> Json | None:
    return _without_empty(seen.outcome.model_dump(mode="json")) if seen.outcome else None


def _element(element: Element) -> Json:
    return _without_empty(
        {
            "id": element.element_id,
            "kind": element.kind.value,
            "role": element.role,
            "name": element.name,
            "value": element.value,
            "options": list(element.options),
            "checked": element.checked,
            "disabled": element.disabled,
            "below": not element.in_viewport,
            "box": _box(element.box) if element.box else None,
        }
    )


def _box(box: Box | BoxLocator) -> list[float]:
    return [round(side, 1) for side in (box.x, box.y, box.width, box.height)]


def _end(trajectory: Trajectory) -> Json:
    end = trajectory.end
    return _without_empty(
        {
            "ending": end.ending.value,
            "failure": failure_view(end.failure),
            "seconds": end.seconds,
            "usage": end.usage.model_dump(mode="json"),
        }
    )


def _conclusion(record: ConclusionRecord) -> Json:
    if record.conclusion is None:
        return {"failure": failure_view(record.failure)}
    made = record.conclusion
    return {
        "decision": made.decision.value,
        "type": made.violation_type,
        "rationale": made.rationale,
        "confidence": made.confidence,
        "evidence": [_reference(reference) for reference in made.evidence],
        "seconds": record.seconds,
    }


def _reference(reference: EvidenceReference) -> Json:
    where = reference.locator
    if isinstance(where, BoxLocator):
        return {"step": reference.step, "kind": "box", "box": _box(where)}
    if isinstance(where, ElementLocator):
        return {"step": reference.step, "kind": "element", "element": where.element_id}
    return {"step": reference.step, "kind": "quote", "text": where.text}


def failure_view(failure: Failure | None) -> Json | None:
    """Return a failure with its owner, or None."""
    if failure is None:
        return None
    return {
        "class": failure.failure_class.value,
        "owner": failure.rule.owner.value,
        "stage": failure.stage.value,
        "detail": failure.detail,
    }


def _without_empty(value: Json) -> Json:
    return {
        key: part
        for key, part in value.items()
        if part is not None and part is not False and part != "" and part != []
    }


def cited_images(trajectory: Trajectory, conclusion: ConclusionRecord | None) -> frozenset[str]:
    """Return the screenshots of the steps that a conclusion cites."""
    if conclusion is None or conclusion.conclusion is None:
        return frozenset()
    cited = {reference.step for reference in conclusion.conclusion.evidence}
    return frozenset(
        step.observation.screenshot
        for step in trajectory.steps
        if step.observation.step in cited and step.observation.screenshot is not None
    )


def all_images(trajectory: Trajectory) -> frozenset[str]:
    """Return every screenshot of a trajectory."""
    return frozenset(
        step.observation.screenshot
        for step in trajectory.steps
        if step.observation.screenshot is not None
    )
