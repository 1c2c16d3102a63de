"""The first stage at which a website's run failed (design decision 13); the counts sum to S."""

from __future__ import annotations

from collections.abc import Sequence

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.failures import Failure, FailureClass, Owner
from riskchainbench.core.investigation import Trajectory
from riskchainbench.scoring.outcomes import CaseOutcome, FirstFailure
from riskchainbench.scoring.records import Breakdown, Count, NamedCount

PROTOCOL_VIOLATIONS = frozenset({FailureClass.OUTSIDE_ACTION, FailureClass.UNRESOLVED_CITATION})
"""What the validator refuses: an action outside, or a citation that does not resolve."""


def decisive_failure(
    trajectory: Trajectory | None, conclusion: ConclusionRecord | None
) -> Failure | None:
    """Return the failure that kept a case from a conclusion, else the one it survived, if any."""
    if trajectory is not None and not trajectory.concludable:
        return trajectory.end.failure
    if conclusion is not None and conclusion.failure is not None:
        return conclusion.failure
    return trajectory.end.failure if trajectory is not None else None


def first_failure(
    trajectory: Trajectory | None,
    conclusion: ConclusionRecord | None,
    *,
    decision_correct: bool,
    type_correct: bool,
) -> FirstFailure:
    """Return the first of execution, missing conclusion, decision and type that failed.

    Execution: no conclusion could be asked for, since nothing was observed, a system failure
    came between, or an action left the permitted environment.
    """
    if trajectory is None or not trajectory.concludable:
        return FirstFailure.EXECUTION
    if conclusion is None:  # never asked for, or the provider failed each time
        return FirstFailure.EXECUTION
    if conclusion.conclusion is None:
        by_system = conclusion.failure is not None and _of_system(conclusion.failure)
        return FirstFailure.EXECUTION if by_system else FirstFailure.MISSING_CONCLUSION
    if not decision_correct:
        return FirstFailure.DECISION
    return FirstFailure.SUCCESS if type_correct else FirstFailure.TYPE


def _of_system(failure: Failure) -> bool:
    return failure.rule.owner is Owner.SYSTEM


def attribution(outcomes: Sequence[CaseOutcome]) -> Breakdown:
    """Count the first failures over all websites."""
    found = [outcome.first_failure for outcome in outcomes]
    return Breakdown(
        breakdown_id="attribution",
        title_key="first_failure",
        rows=tuple(
            NamedCount(key=stage, count=Count(numerator=found.count(stage), denominator=len(found)))
            for stage in FirstFailure
        ),
    )
