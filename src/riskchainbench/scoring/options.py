"""How runs are to be scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from riskchainbench.core.errors import InputError
from riskchainbench.models.provider.prices import Price
from riskchainbench.scoring.catalogue import ORDER
from riskchainbench.scoring.records import Completeness
from riskchainbench.scoring.run import RunData
from riskchainbench.statistics.bootstrap import DRAWS


@dataclass(frozen=True)
class Options:
    """How to score: `prevalence` re-weights precision, `prices` are by system name.

    `compared` names exploratory metrics to compare systems on, besides the primary ones.

    Without a `completeness` the loosest that a run was loaded with holds for all.
    """

    completeness: Completeness | None = None
    prevalence: float | None = None
    draws: int = DRAWS
    prices: Mapping[str, Price] = field(default_factory=dict)
    compared: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.prevalence is not None and not 0 < self.prevalence < 1:
            raise InputError(f"prevalence {self.prevalence}: give a share between 0 and 1")
        unknown = [metric_id for metric_id in self.compared if metric_id not in ORDER]
        if unknown:
            raise InputError(f"metric {unknown[0]}: unknown; scores.json lists them as catalogue")
        if self.draws < 1:
            raise InputError(f"draws {self.draws}: give at least one")

    def for_runs(self, runs: Sequence[RunData]) -> Completeness:
        """Return how unfinished runs are treated."""
        asked = {run.completeness for run in runs}
        if self.completeness is not None:
            return self.completeness
        loosest = (Completeness.SUBSET, Completeness.INCOMPLETE)
        return next((found for found in loosest if found in asked), Completeness.COMPLETE)
