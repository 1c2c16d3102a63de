"""A tally: the integers per unit from which one metric, its interval and its strata follow.

Every metric is a function of ratios of sums. Keeping the sums' integers per unit lets one
engine resample all metrics of all systems together, exactly (see `measure`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from riskchainbench.core.decisions import Decision
from riskchainbench.scoring.frame import DECISIONS, Frame

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


class Level(StrEnum):
    """What a tally has one row for."""

    CASE = "case"
    MESSAGE = "message"
    SET = "set"


@dataclass(frozen=True, eq=False)
class Part:
    """One ratio of sums.

    Where `support` sums to 0 the part leaves the mean, but for a `fixed` part that has no
    support at all: it counts 0 throughout.
    """

    key: str
    numerator: Integers
    denominator: Integers
    support: Integers | None = None
    fixed: bool = False


Combine = Callable[[Floats], Floats]
"""From ratios, one row a part and one column a draw (NaN where undefined), to the metric."""


def mean_of_parts(ratios: Floats) -> Floats:
    """Return the mean over the parts that are defined; NaN where none is."""
    defined = ~np.isnan(ratios)
    total = np.where(defined, ratios, 0.0).sum(axis=0)
    size = defined.sum(axis=0)
    mean: Floats = np.divide(total, size, out=np.full(total.shape, np.nan), where=size > 0)
    return mean


def sum_of_gaps(ratios: Floats) -> Floats:
    """Return the sum of absolute ratios, as calibration error needs it."""
    total: Floats = np.abs(ratios).sum(axis=0)
    return total


def precision_at(prevalence: float) -> Combine:
    """Return the precision of VIOLATION if violations were a share `prevalence` of websites.

    The parts are the true and the false positive rate; Bayes' rule does the rest.
    """

    def combine(ratios: Floats) -> Floats:
        hits = prevalence * ratios[0]
        both = hits + (1 - prevalence) * ratios[1]
        found: Floats = np.divide(hits, both, out=np.full(both.shape, np.nan), where=both > 0)
        return found

    return combine


@dataclass(frozen=True, eq=False)
class Tally:
    """One metric of one system; `undefined` is the reason given where it has no value."""

    metric_id: str
    level: Level
    parts: tuple[Part, ...]
    undefined: str = "no unit counts toward it"
    combine: Combine | None = None


def rate(
    metric_id: str, level: Level, hits: Integers, of: Integers, undefined: str | None = None
) -> Tally:
    """Return the tally of a plain rate; units that are not in `of` are left out of `hits` too."""
    reason = undefined or "no unit counts toward it"
    return Tally(metric_id, level, (Part(metric_id, hits, of),), reason)


def macro_f1(
    metric_id: str, keys: tuple[str, ...], hits: list[Integers], predicted: list[Integers],
    gold: list[Integers],
) -> Tally:  # fmt: skip
    """Return the tally of a macro-averaged F1, each class as 2 tp / (predicted + gold).

    A class that no unit has as gold counts 0 on the full set and leaves the mean in a draw or
    stratum without gold of it; one without any gold at all counts 0 throughout.
    """
    parts = tuple(
        Part(key, 2 * hit, guess + truth, support=truth, fixed=True)
        for key, hit, guess, truth in zip(keys, hits, predicted, gold, strict=True)
    )
    return Tally(metric_id, Level.CASE, parts, "no class has gold", mean_of_parts)


def gold_not_violation(frame: Frame) -> Integers:
    """Return 1 where the gold decision is not VIOLATION."""
    return frame.case_ones - frame.gold[Decision.VIOLATION]


def decision_masks(decisions: list[Decision | None]) -> dict[Decision, Integers]:
    """Return, for each decision, 1 where it was predicted."""
    return {d: np.array([x is d for x in decisions], np.int64) for d in DECISIONS}
