"""One run as scoring sees it: frozen predictions, trajectories, conclusions and judgments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.restoration import Prediction
from riskchainbench.scoring.records import Completeness

Setting = str | int | float | bool


@dataclass(frozen=True)
class Judgment:
    """What one judge said of one case: a score from 1 to 5 by dimension; None if unparsable."""

    scores: Mapping[str, int] | None


@dataclass(frozen=True)
class JudgeRun:
    """One judge's frozen judgments of a run, or those of people who audited it.

    `deterministic` marks a judge that computes its scores by rule and validates nothing.
    """

    judge: str
    judgments: Mapping[str, Judgment] = field(repr=False)
    deterministic: bool = False


@dataclass(frozen=True)
class RunData:
    """One run of one system.

    `settings` are the system's own, `protocol` those of the stages that it ran.

    `predictions` or `conclusions` is None where that task was not run. `trajectory` returns
    one case's trajectory, read when asked for, since all of them together are large; None
    means that the case has none. `investigated_after` is the hash of the predictions that
    were frozen when the investigation began. `open_cases` and `open_samples` have no outcome:
    those in `failed_units` since only system failures kept them from one, the others since
    they were not run. `unfinished_judges` began and froze nothing. `completeness` says how the
    run was asked to be scored.
    """

    system: str
    repeat: int = 1
    predictions: Mapping[str, Prediction] | None = field(default=None, repr=False)
    predictions_sha256: Sha256 | None = None
    investigated_after: Sha256 | None = None
    conclusions: Mapping[str, ConclusionRecord] | None = field(default=None, repr=False)
    trajectory: Callable[[str], Trajectory | None] = field(default=lambda _: None, repr=False)
    judges: tuple[JudgeRun, ...] = ()
    unfinished_judges: tuple[str, ...] = ()
    open_cases: tuple[str, ...] = ()
    open_samples: tuple[str, ...] = ()
    failed_units: frozenset[str] = frozenset()
    completeness: Completeness = Completeness.COMPLETE
    settings: Mapping[str, Setting] = field(default_factory=dict, repr=False)
    protocol: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def gated_missing(self) -> str | None:
        """Why the run has no gated view (design decision 20), or None if it has one."""
        if self.conclusions is None:
            return "no website was investigated"
        if self.predictions is None:
            return "no message was restored"
        if self.investigated_after is None:
            return "the investigation began before any prediction was frozen"
        if self.investigated_after != self.predictions_sha256:
            return "the predictions were frozen anew after the investigation began"
        return None
