"""The options of a run: what was asked for on the command line or in a matrix."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from riskchainbench.core.investigation import MAX_REPAIRS
from riskchainbench.investigation.ablations import Ablation
from riskchainbench.models.provider.cache import CACHED
from riskchainbench.models.provider.settings import ModelSettings, Pace

IMAGE_INPUT = "image input"


@dataclass(frozen=True)
class Asking:
    """How a provider's model is asked, and what may be spent on it.

    `unprobed` runs a model that was not probed, or whose probe failed. `judge_check` is the
    file of a check that the model passed as a judge. `cache` is a folder of replies that are not
    asked for again.
    """

    settings: ModelSettings = field(default_factory=ModelSettings)
    pace: Pace = field(default_factory=Pace)
    unprobed: bool = False
    max_cost: float | None = None
    max_tokens: int | None = None
    prices: Path | None = None
    judge_check: Path | None = None
    cache: Path | None = None


@dataclass(frozen=True)
class Options:
    """The options of a run; they mean the same in every stage.

    `unconfined` runs captured scripts where Chromium's own sandbox does not work. `cached` marks
    a run that took replies from a response cache in an earlier stage. `shared_budget` says that
    what may be spent was named for a judge or other systems, too.
    """

    system_seed: int = 0
    language: str = "zh-CN"
    strict: bool = False
    workers: int = 2
    limit: int | None = None
    cases: tuple[str, ...] = ()
    repeat: int = 1
    image_input: bool = False
    ablations: frozenset[Ablation] = frozenset()
    count_provider_time: bool = True
    cached: bool = False
    unconfined: bool = False
    shared_budget: bool = False
    asking: Asking = field(default_factory=Asking)
    judging: Asking = field(default_factory=Asking)

    @property
    def marks(self) -> tuple[str, ...]:
        """What the run leaves out or changes, as every table names it."""
        left_out = tuple(ablation.value for ablation in Ablation if ablation in self.ablations)
        cached = self.cached or self.asking.cache is not None
        return (
            *((IMAGE_INPUT,) if self.image_input else ()),
            *left_out,
            *((CACHED,) if cached else ()),
        )

    @property
    def repairs(self) -> int:
        """Repair turns allowed for an invalid output."""
        return 0 if self.strict else MAX_REPAIRS


def marked_options(marks: str) -> dict[str, Any]:
    """Return the options that the marks recorded in a run stand for."""
    found = [mark for mark in marks.split(", ") if mark]
    return {
        "image_input": IMAGE_INPUT in found,
        "cached": CACHED in found,
        "ablations": frozenset(each for each in Ablation if each.value in found),
    }
