"""The hash chain of a trajectory: each step is bound to all before it, times left out."""

from __future__ import annotations

from typing import Any

from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.core.investigation import Step, Trajectory, TrajectoryEnd

START: Sha256 = ""
"""The chain value before the first step."""


def chained(previous: Sha256, step: Step) -> Step:
    """Return `step` with its chain value."""
    return step.but(chain=_link(previous, _body(step)))


def chained_end(previous: Sha256, end: TrajectoryEnd) -> TrajectoryEnd:
    """Return the end of a trajectory with its chain value."""
    return end.but(chain=_link(previous, _end_body(end)))


def verify_chain(trajectory: Trajectory, where: str) -> None:
    """Check every chain value of a trajectory.

    Raises:
        IntegrityError: naming `where` and the first step that does not fit.
    """
    previous = START
    for number, step in enumerate(trajectory.steps):
        if step.observation.step != number:
            raise IntegrityError(f"{where}: step {number} is missing or out of place")
        if step.chain != _link(previous, _body(step)):
            raise IntegrityError(f"{where}: step {number} was changed after it was recorded")
        previous = step.chain
    if trajectory.end.chain != _link(previous, _end_body(trajectory.end)):
        raise IntegrityError(f"{where}: the end was changed after it was recorded")


def _link(previous: Sha256, body: dict[str, Any]) -> Sha256:
    return sha256_json([previous, body])


def _body(step: Step) -> dict[str, Any]:
    return step.model_dump(mode="json", exclude={"timing", "chain"})


def _end_body(end: TrajectoryEnd) -> dict[str, Any]:
    body = end.model_dump(mode="json", exclude={"seconds", "chain"})
    del body["usage"]["provider_seconds"]
    return body
