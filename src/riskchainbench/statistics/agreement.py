"""Agreement between raters. Ratings are plain labels; None stands for a missing one.

A *unit* is what was rated; each unit is given as the sequence of its ratings, one a rater.
Undefined values say why.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from riskchainbench.statistics.bootstrap import (
    DRAWS,
    Spread,
    draw_matrix,
    percentile_intervals,
)
from riskchainbench.statistics.value import Value, undefined

Label = Hashable
Unit = Sequence[Label | None]
Matrix = NDArray[np.float64]

NO_PAIRS = "no unit was rated twice"
ONE_CLASS = "every rating is the same class, so no disagreement is expected"


class Scale(StrEnum):
    """The level of measurement, which fixes how far apart two labels are."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


@dataclass(frozen=True)
class Alpha:
    """Krippendorff's alpha, 1 - observed / expected disagreement, and what it is made of.

    `pairable` counts the ratings that stand in a unit with at least one other.
    """

    alpha: Value
    observed: float | None
    expected: float | None
    pairable: int


def percent_agreement(units: Sequence[Unit]) -> Value:
    """Return the share of rater pairs, over all units, that agree."""
    agreeing = pairs = 0
    for unit in units:
        counts = Counter(label for label in unit if label is not None)
        size = sum(counts.values())
        pairs += size * (size - 1) // 2
        agreeing += sum(count * (count - 1) // 2 for count in counts.values())
    return Value(agreeing / pairs) if pairs else undefined(NO_PAIRS)


def krippendorff_alpha(
    units: Sequence[Unit], scale: Scale = Scale.NOMINAL, order: Sequence[Label] | None = None
) -> Alpha:
    """Return Krippendorff's alpha for any number of raters and missing ratings.

    `order` lists the labels from low to high; it is needed for an ordinal scale whose labels
    do not sort by themselves. Interval and ratio scales need numbers as labels.
    Source: Krippendorff, *Content Analysis* (2004), chapter 11, coincidence matrix form.
    """
    present = [[label for label in unit if label is not None] for unit in units]
    paired = [labels for labels in present if len(labels) > 1]
    if not paired:
        return Alpha(undefined(NO_PAIRS), None, None, 0)
    classes = _classes(paired, order)
    coincidences = np.sum([_coincidences(labels, classes) for labels in paired], axis=0)
    observed, expected = _disagreements(coincidences, scale, classes)
    pairable = sum(map(len, paired))
    if expected == 0:
        return Alpha(undefined(ONE_CLASS), observed, expected, pairable)
    return Alpha(Value(1 - observed / expected), observed, expected, pairable)


def alpha_interval(
    units: Sequence[Unit],
    seed: int,
    scale: Scale = Scale.NOMINAL,
    order: Sequence[Label] | None = None,
    draws: int = DRAWS,
) -> Spread | None:
    """Return the central 95 % interval of alpha over draws of units with replacement.

    All units are drawn from, also those with fewer than two ratings. Draws in which alpha is
    undefined are left out and counted. None where alpha is undefined throughout.
    """
    present = [[label for label in unit if label is not None] for unit in units]
    paired = [labels for labels in present if len(labels) > 1]
    if not paired:
        return None
    classes = _classes(paired, order)
    # Whole numbers keep the sums exact, whatever the order of units and number of threads.
    whole = math.lcm(*(len(labels) - 1 for labels in paired))
    tables = np.zeros((len(units), len(classes), len(classes)))
    for unit, labels in enumerate(present):
        if len(labels) > 1:
            tables[unit] = _coincidences(labels, classes) * whole
    flat = np.rint(tables).astype(np.int64).reshape(len(units), -1)
    sums = draw_matrix(seed, len(units), draws).sums(flat).T.astype(np.float64) / whole
    values = np.full((1, draws), np.nan)
    for draw, row in enumerate(sums):
        table = row.reshape(len(classes), len(classes))
        if table.any():
            observed, expected = _disagreements(table, scale, classes)
            if expected > 0:
                values[0, draw] = 1 - observed / expected
    return percentile_intervals(values)[0]


def _disagreements(
    coincidences: Matrix, scale: Scale, classes: Sequence[Label]
) -> tuple[float, float]:
    """Return the observed disagreement and the one expected by chance."""
    totals = coincidences.sum(axis=0)
    size = float(totals.sum())
    distance = _distances(scale, classes, totals)
    observed = float((coincidences * distance).sum()) / size
    by_chance = np.outer(totals, totals) - np.diag(totals)
    return observed, float((by_chance * distance).sum()) / (size * (size - 1))


def _classes(paired: Sequence[Sequence[Label]], order: Sequence[Label] | None) -> list[Label]:
    found = {label for labels in paired for label in labels}
    if order is None:
        return sorted(found, key=_sort_key)
    missing = found - set(order)
    if missing:
        raise ValueError(f"labels outside the given order: {sorted(map(str, missing))}")
    return [label for label in order if label in found]


def _sort_key(label: Label) -> tuple[bool, float, str]:
    if isinstance(label, int | float):
        return (False, float(label), "")
    return (True, 0.0, str(label))


def _coincidences(labels: Sequence[Label], classes: Sequence[Label]) -> Matrix:
    """Return the coincidence matrix of one unit's ratings."""
    counts = np.array([labels.count(label) for label in classes], dtype=np.float64)
    matrix: Matrix = (np.outer(counts, counts) - np.diag(counts)) / (len(labels) - 1)
    return matrix


def _distances(scale: Scale, classes: Sequence[Label], totals: Matrix) -> Matrix:
    size = len(classes)
    if scale is Scale.NOMINAL:
        return 1.0 - np.eye(size)
    if scale is Scale.ORDINAL:
        # The rank of a class is the middle of the ratings that stand in it.
        ranks = np.cumsum(totals) - totals / 2
        apart: Matrix = np.subtract.outer(ranks, ranks)
        return apart**2
    numbers = np.array([float(label) for label in classes])  # type: ignore[arg-type]
    gaps: Matrix = np.subtract.outer(numbers, numbers)
    if scale is Scale.INTERVAL:
        return gaps**2
    sums = np.add.outer(numbers, numbers)
    shares: Matrix = np.divide(gaps, sums, out=np.zeros_like(gaps), where=sums != 0)
    return shares**2


def cohen_kappa(first: Unit, second: Unit) -> Value:
    """Return Cohen's kappa of two raters over the units that both rated.

    Source: Cohen (1960), Educational and Psychological Measurement 20.
    """
    return _weighted_kappa(first, second, None, lambda low, high: float(low != high))


def quadratic_weighted_kappa(first: Unit, second: Unit, order: Sequence[Label]) -> Value:
    """Return Cohen's kappa with squared distance along `order` as weight.

    Source: Cohen (1968), Psychological Bulletin 70.
    """
    return _weighted_kappa(first, second, order, lambda low, high: float((low - high) ** 2))


def _weighted_kappa(
    first: Unit,
    second: Unit,
    order: Sequence[Label] | None,
    weight: Callable[[int, int], float],
) -> Value:
    if len(first) != len(second):
        raise ValueError("both raters need one rating, or None, for every unit")
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    if not pairs:
        return undefined(NO_PAIRS)
    classes = _classes(pairs, order) if order is None else list(order)
    index = {label: position for position, label in enumerate(classes)}
    table = np.zeros((len(classes), len(classes)))
    for a, b in pairs:
        table[index[a], index[b]] += 1
    weights = np.array([[weight(i, j) for j in range(len(classes))] for i in range(len(classes))])
    observed = float((weights * table).sum()) / len(pairs)
    by_chance = np.outer(table.sum(axis=1), table.sum(axis=0)) / len(pairs) ** 2
    expected = float((weights * by_chance).sum())
    return undefined(ONE_CLASS) if expected == 0 else Value(1 - observed / expected)


def fleiss_kappa(units: Sequence[Unit]) -> Value:
    """Return Fleiss' kappa; every unit needs the same number, at least two, of ratings.

    Source: Fleiss (1971), Psychological Bulletin 76.
    """
    present = [[label for label in unit if label is not None] for unit in units]
    sizes = {len(labels) for labels in present}
    if not present:
        return undefined(NO_PAIRS)
    if len(sizes) != 1:
        return undefined("the units have different numbers of ratings; use Krippendorff's alpha")
    raters = sizes.pop()
    if raters < 2:
        return undefined(NO_PAIRS)
    totals: Counter[Label] = Counter()
    agreement = 0.0
    for labels in present:
        counts = Counter(labels)
        totals.update(counts)
        agreement += sum(n * (n - 1) for n in counts.values()) / (raters * (raters - 1))
    observed = agreement / len(present)
    ratings = raters * len(present)
    expected = sum((count / ratings) ** 2 for count in totals.values())
    if expected == 1:
        return undefined(ONE_CLASS)
    return Value((observed - expected) / (1 - expected))


@dataclass(frozen=True)
class Retest:
    """How one rater agrees with himself on units shown twice."""

    units: int
    agreeing: int
    share: Value
    kappa: Value


def retest_agreement(first: Unit, second: Unit) -> Retest:
    """Compare a rater's first and second rating of the same units."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    agreeing = sum(1 for a, b in pairs if a == b)
    share = Value(agreeing / len(pairs)) if pairs else undefined(NO_PAIRS)
    return Retest(len(pairs), agreeing, share, cohen_kappa(first, second))
