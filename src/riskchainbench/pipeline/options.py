"""The options of a run: what was asked for on the command line or in a matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from riskchainbench.core.investigation import MAX_REPAIRS
from riskchainbench.models.provider.settings import ModelSettings, Pace


@dataclass(frozen=True)
class Asking:
    """How a provider's model is asked, and what may be spent on it.

    `unprobed` runs a model that was not probed, or whose probe failed.
    """

    settings: ModelSettings = field(default_factory=ModelSettings)
    pace: Pace = field(default_factory=Pace)
    unprobed: bool = False
    max_cost: float | None = None
    max_tokens: int | None = None
    prices: Path | None = None


@dataclass(frozen=True)
class Options:
    """The options of a run; they mean the same in every stage."""

    system_seed: int = 0
    language: str = "zh-CN"
    strict: bool = False
    workers: int = 2
    limit: int | None = None
    cases: tuple[str, ...] = ()
    repeat: int = 1
    asking: Asking = field(default_factory=Asking)
    judging: Asking = field(default_factory=Asking)

    @property
    def repairs(self) -> int:
        """Repair turns allowed for an invalid output."""
        return 0 if self.strict else MAX_REPAIRS
