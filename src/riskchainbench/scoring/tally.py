"""A tally: the integers per unit from which one metric, its interval and its strata follow.

Every metric is a function of ratios of sums. Keeping the sums' integers per unit lets one
engine resample all metrics of all systems together, exactly (see `measure`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riskchainbench.core.decisions import Decision
from riskchainbench.scoring.frame import DECISIONS, Frame

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
AnyFloats = NDArray[np.floating[Any]]


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

    @cached_property
    def always(self) -> bool:
        """Whether the part counts although it has no support anywhere."""
        return self.fixed and self.support is not None and not self.support.any()


@dataclass(frozen=True)
class Drawn:
    """The sums of a tally's parts: one row a part, one column a draw.

    `defined` is False where a part has no support and leaves the mean.
    """

    numerators: AnyFloats
    denominators: AnyFloats
    defined: NDArray[np.bool_]


Combine = Callable[[Drawn], Floats]
"""From the sums of a tally's parts to the metric in each draw; NaN where it is undefined."""


def quotient(drawn: Drawn) -> Floats:
    """Return the ratio of a tally that has one part."""
    return divided(drawn.numerators[0], drawn.denominators[0])


def mean_of_parts(drawn: Drawn) -> Floats:
    """Return the mean ratio over the parts that are defined.

    A part without support has no numerator either, so it adds nothing to the sum.
    """
    ratios = np.divide(drawn.numerators, np.maximum(drawn.denominators, 1), dtype=np.float64)
    return divided(ratios.sum(axis=0), drawn.defined.sum(axis=0))


def sum_of_gaps(drawn: Drawn) -> Floats:
    """Return the sum of absolute ratios, as calibration error needs it."""
    return divided(np.abs(drawn.numerators).sum(axis=0, dtype=np.float64), drawn.denominators[0])


def precision_at(prevalence: float) -> Combine:
    """Return the precision of VIOLATION if violations were a share `prevalence` of websites.

    The parts are the true and the false positive rate; Bayes' rule does the rest.
    """

    def combine(drawn: Drawn) -> Floats:
        rates = divided(drawn.numerators, drawn.denominators)
        hits = prevalence * rates[0]
        return divided(hits, hits + (1 - prevalence) * rates[1])

    return combine


def divided(top: AnyFloats, bottom: AnyFloats | Integers) -> Floats:
    """Return ``top / bottom`` in double precision; NaN where `bottom` is 0 or NaN."""
    found: Floats = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=found, where=bottom > 0, dtype=np.float64)
    return found


@dataclass(frozen=True, eq=False)
class Tally:
    """One metric of one system; `undefined` is the reason given where it has no value."""

    metric_id: str
    level: Level
    parts: tuple[Part, ...]
    undefined: str = "no unit counts toward it"
    combine: Combine = quotient

    @property
    def plain(self) -> bool:
        """Whether the tally is one ratio of sums."""
        return self.combine is quotient


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
