"""Leaving out one thing that an agent is given, to learn what it is worth.

An ablation changes what is asked, never what is recorded: trajectories, validation and
scoring see the whole observation.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.investigation import InvestigationTask, Observation, Step, Trajectory


class Ablation(StrEnum):
    """What is left out; the value is what every table calls it."""

    CODEBOOK = "no codebook"
    SCREENSHOT = "no screenshot"
    TEXT = "no text"
    INTERACTION = "no interaction"
    SCAFFOLD = "no scaffold"


Ablations = Collection[Ablation]


def shown_codebook(codebook: Codebook, ablations: Ablations) -> Codebook:
    """Return the codebook as it is shown: without one, the names of decisions and types alone."""
    if Ablation.CODEBOOK not in ablations:
        return codebook
    nothing = dict.fromkeys(codebook.languages, "")
    return codebook.but(
        guidance=(),
        decisions=tuple(rule.but(text=nothing) for rule in codebook.decisions),
        types=tuple(
            kind.but(minimum_evidence=nothing, exclusions=nothing) for kind in codebook.types
        ),
    )


def shown_task(task: InvestigationTask, ablations: Ablations) -> InvestigationTask:
    """Return the task as it is shown: without a scaffold, with no class of interaction named."""
    return task.but(scaffold=()) if Ablation.SCAFFOLD in ablations else task


def shown_observation(observation: Observation, ablations: Ablations) -> Observation:
    """Return an observation as it is shown.

    Without text, title and viewport text are withheld; the controls stay, since nothing could
    be done without them.
    """
    changes: dict[str, object] = {}
    if Ablation.SCREENSHOT in ablations:
        changes["screenshot"] = None
    if Ablation.TEXT in ablations:
        changes |= {"text": "", "title": ""}
    return observation.but(**changes) if changes else observation


def shown_steps(steps: Sequence[Step], ablations: Ablations) -> tuple[Step, ...]:
    """Return earlier steps as they are shown."""
    if not {Ablation.SCREENSHOT, Ablation.TEXT} & set(ablations):
        return tuple(steps)
    return tuple(
        step.but(observation=shown_observation(step.observation, ablations)) for step in steps
    )


def shown_trajectory(trajectory: Trajectory, ablations: Ablations) -> Trajectory:
    """Return a trajectory as it is shown to who concludes from it."""
    return trajectory.but(steps=shown_steps(trajectory.steps, ablations))
