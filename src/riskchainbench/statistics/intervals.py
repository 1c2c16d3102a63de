"""Closed-form intervals, clustered variance, and what a benchmark's size can detect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from riskchainbench.statistics.value import Value, undefined

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_Z95 = NormalDist().inv_cdf(0.975)
_Z80 = NormalDist().inv_cdf(0.8)

NO_SPREAD = 1e-12
"""A ratio of variances below this is rounding error of sums that are 0."""


def wilson_interval(successes: int, trials: int, z: float = _Z95) -> tuple[float, float] | None:
    """Return the score interval of a proportion of independent trials; None without trials.

    Source: Wilson (1927), Journal of the American Statistical Association 22.
    """
    if trials == 0:
        return None
    share = successes / trials
    scale = 1 + z * z / trials
    center = (share + z * z / (2 * trials)) / scale
    half = z * math.sqrt(share * (1 - share) / trials + z * z / (4 * trials**2)) / scale
    low = 0.0 if successes == 0 else max(0.0, center - half)
    high = 1.0 if successes == trials else min(1.0, center + half)
    return low, high


def holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values adjusted for testing all of them, in the given order.

    Source: Holm (1979), Scandinavian Journal of Statistics 6.
    """
    adjusted = [0.0] * len(p_values)
    running = 0.0
    order = sorted(range(len(p_values)), key=lambda index: p_values[index])
    for position, index in enumerate(order):
        running = max(running, min(1.0, (len(p_values) - position) * p_values[index]))
        adjusted[index] = running
    return adjusted


@dataclass(frozen=True)
class Clustering:
    """What clustering does to a statistic: `design_effect` is the ratio of its variance over
    clusters to that over independent units; `effective_size` the units divided by it."""

    design_effect: Value
    effective_size: Value


def clustering(residuals: Floats, cluster_of: Integers, used: int) -> Clustering:
    """Return the design effect of a statistic from its linearized residuals.

    `residuals` are each unit's share in the statistic's deviation, which sum to about 0;
    `cluster_of` numbers each unit's cluster; `used` counts the units that the statistic is
    over. Source: Taylor linearization with between-cluster variance, e.g. Kish (1965).
    """
    clusters = len(np.unique(cluster_of))
    if clusters < 2 or used < 2:
        reason = "fewer than two clusters"
        return Clustering(undefined(reason), undefined(reason))
    within = float(np.square(residuals).sum()) * used / (used - 1)
    if within == 0:
        reason = "the units do not vary"
        return Clustering(undefined(reason), undefined(reason))
    sums = np.bincount(cluster_of, weights=residuals)
    between = float(np.square(sums).sum()) * clusters / (clusters - 1)
    if between <= NO_SPREAD * within:
        reason = "the clusters do not vary"
        return Clustering(undefined(reason), undefined(reason))
    effect = between / within
    return Clustering(Value(effect), Value(used / effect))


def paired_standard_error(differences: Sequence[int], denominator: int) -> Value:
    """Return the standard error of a paired difference of rates from per-cluster differences.

    Each of `differences` is a cluster's numerator under one system less that under the other.
    """
    clusters = len(differences)
    if clusters < 2 or denominator == 0:
        return undefined("fewer than two clusters")
    total, squares = sum(differences), sum(value * value for value in differences)
    # Integers up to here, so that the result does not depend on the order of clusters.
    spread = (clusters * squares - total * total) / (clusters - 1)
    return Value(math.sqrt(max(0.0, spread)) / denominator)


def smallest_detectable(standard_error: float) -> float:
    """Return the difference found in 80 % of samples by a two-sided test at 5 %."""
    return (_Z95 + _Z80) * standard_error


def clusters_needed(standard_error: float, clusters: int, difference: float) -> int:
    """Return how many clusters make `difference` detectable with 80 % power.

    The standard error was measured on `clusters` clusters and shrinks with their root.
    """
    if difference <= 0:
        raise ValueError("the difference must be positive")
    return max(2, math.ceil(clusters * (smallest_detectable(standard_error) / difference) ** 2))
