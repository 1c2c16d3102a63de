"""Systems beside each other: paired differences, tied groups, and what size could detect."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations
from statistics import median

import numpy as np

from riskchainbench.core.errors import InputError
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.measure import as_interval, sum_by_cluster
from riskchainbench.scoring.records import (
    Comparison,
    Count,
    Detectable,
    Interval,
    IntervalKind,
    PowerRow,
    Rerun,
    TiedGroups,
)
from riskchainbench.scoring.tally import Floats, Integers, Level, Tally
from riskchainbench.statistics.bootstrap import Spread, percentile_intervals, random_indexes
from riskchainbench.statistics.intervals import (
    clusters_needed,
    holm,
    paired_standard_error,
    smallest_detectable,
)
from riskchainbench.statistics.permutation import sign_flip_test

LEVEL = 0.05
POWER_DIFFERENCES = (0.01, 0.02, 0.05, 0.10)


@dataclass(frozen=True, eq=False)
class RowMetric:
    """One row's primary metric: its numerator by contrast set, and its value in every draw."""

    row_id: str
    system: str
    by_set: Integers
    denominator: int
    drawn: Floats

    @property
    def value(self) -> float:
        """The metric over all units."""
        return int(self.by_set.sum()) / self.denominator


def row_metric(
    frame: Frame, row_id: str, system: str, tally: Tally, drawn: Floats
) -> RowMetric | None:
    """Return a rate of one row by contrast set; None if nothing counts toward it.

    Raises:
        InputError: the metric is no plain rate, so that nothing can be flipped by set.
    """
    if not tally.plain:
        raise InputError(f"metric {tally.metric_id}: only plain rates can be compared in pairs")
    part = tally.parts[0]
    denominator = int(part.denominator.sum())
    if denominator == 0:
        return None
    cluster_of = {
        Level.CASE: frame.set_of_case,
        Level.MESSAGE: frame.set_of_sample,
        Level.SET: np.arange(len(frame.sets)),
    }[tally.level]
    by_set = sum_by_cluster([part.numerator], cluster_of, len(frame.sets))[0]
    return RowMetric(row_id, system, by_set, denominator, drawn)


def compare(
    rows: Mapping[str, Sequence[RowMetric]], *, corrected: bool = True
) -> tuple[Comparison, ...]:
    """Compare each two rows on each metric that both have; `rows` are by metric.

    All rows share their draws, so the interval is that of the paired difference. The p-values
    of one pair are corrected by Holm's method over the metrics, which are the primary ones;
    correcting over pairs as well would let an added system change what is said of two others.
    Exploratory metrics are not `corrected`. Rows whose denominators differ, as those of a
    rate over each system's own decisions do, have no paired difference and are left out.
    """
    pairs = [
        (metric_id, first, second)
        for metric_id, metrics in rows.items()
        for first, second in combinations(metrics, 2)
        if first.denominator == second.denominator
    ]
    if not pairs:
        return ()
    tests = [sign_flip_test((a.by_set - b.by_set).tolist()) for _, a, b in pairs]
    p_values = [test.p_value for test in tests]
    adjusted = _holm_by_pair(pairs, p_values) if corrected else [None] * len(pairs)
    spreads = percentile_intervals(np.stack([a.drawn - b.drawn for _, a, b in pairs]))
    return tuple(
        Comparison(
            first=first.row_id,
            second=second.row_id,
            metric_id=metric_id,
            difference=Count(
                numerator=int((first.by_set - second.by_set).sum()), denominator=first.denominator
            ),
            interval=_interval(IntervalKind.CONTRAST_SETS, spread, first.value - second.value),
            p_value=test.p_value,
            p_holm=p_holm,
            exact=test.exact,
            clusters=len(first.by_set),
        )
        for (metric_id, first, second), test, p_holm, spread in zip(
            pairs, tests, adjusted, spreads, strict=True
        )
    )


def _interval(kind: IntervalKind, spread: Spread | None, value: float) -> Interval:
    """Return the interval, which is the value itself if no draw has one."""
    if spread is None:
        return Interval(kind=kind, low=value, high=value)
    return as_interval(kind, spread)


def _holm_by_pair(
    pairs: Sequence[tuple[str, RowMetric, RowMetric]], p_values: Sequence[float]
) -> list[float | None]:
    members: dict[tuple[str, str], list[int]] = {}
    for index, (_, first, second) in enumerate(pairs):
        members.setdefault((first.row_id, second.row_id), []).append(index)
    adjusted: list[float | None] = [None] * len(pairs)
    for indexes in members.values():
        values = holm([p_values[index] for index in indexes])
        for index, value in zip(indexes, values, strict=True):
            adjusted[index] = value
    return adjusted


def tied_groups(
    rows: Mapping[str, Sequence[RowMetric]], comparisons: Sequence[Comparison]
) -> tuple[TiedGroups, ...]:
    """Group the rows of each metric that has several: two share a group unless they differ.

    Rows differ where the Holm-corrected p-value is below 5 %. That is not transitive, so a row
    may be in several groups.
    """
    differing: dict[str, set[frozenset[str]]] = {}
    for each in comparisons:
        if each.p_holm is not None and each.p_holm < LEVEL:
            differing.setdefault(each.metric_id, set()).add(frozenset((each.first, each.second)))
    found: list[TiedGroups] = []
    for metric_id, metrics in rows.items():
        if len(metrics) < 2:
            continue
        ranked = sorted(metrics, key=lambda row: (-row.value, row.row_id))
        groups = letter_display([row.row_id for row in ranked], differing.get(metric_id, set()))
        found.append(TiedGroups(metric_id=metric_id, groups=groups))
    return tuple(found)


def letter_display(
    ranked: Sequence[str], differing: Set[frozenset[str]]
) -> tuple[tuple[str, ...], ...]:
    """Return overlapping groups, in which two rows are together if and only if not `differing`.

    Groups and their members are in the order of `ranked`. No group holds another.

    Source: insert-and-absorb of Piepho (2004), Journal of Computational and Graphical
    Statistics 13.
    """
    groups = [frozenset(range(len(ranked)))]
    for pair in combinations(range(len(ranked)), 2):
        if frozenset(ranked[at] for at in pair) in differing:
            split = [group - {at} for group in groups if group.issuperset(pair) for at in pair]
            kept = [group for group in groups if not group.issuperset(pair)]
            groups = _absorbed([*kept, *split])
    return tuple(tuple(ranked[at] for at in group) for group in sorted(map(sorted, groups)))


def _absorbed(groups: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    distinct = list(dict.fromkeys(groups))
    return [group for group in distinct if not any(group < other for other in distinct)]


def detectable(rows: Mapping[str, Sequence[RowMetric]]) -> tuple[Detectable, ...]:
    """Return the smallest detectable difference of each metric, and the sets others need.

    The standard error is the median over all pairs of rows; 80 % power, two-sided 5 %, for one
    comparison by the normal approximation. The tests behind the tied groups are exact and
    corrected over the metrics, and need a larger difference.
    """
    found: list[Detectable] = []
    for metric_id, metrics in rows.items():
        errors = [
            value
            for first, second in combinations(metrics, 2)
            if (value := _pair_error(first, second)) is not None and value > 0
        ]
        if not errors:
            found.append(
                Detectable(
                    metric_id=metric_id,
                    difference=None,
                    undefined="no difference between two rows varies from set to set",
                )
            )
            continue
        error, clusters = median(errors), len(metrics[0].by_set)
        found.append(
            Detectable(
                metric_id=metric_id,
                difference=smallest_detectable(error),
                power=tuple(
                    PowerRow(difference=d, sets_needed=clusters_needed(error, clusters, d))
                    for d in POWER_DIFFERENCES
                ),
            )
        )
    return tuple(found)


def _pair_error(first: RowMetric, second: RowMetric) -> float | None:
    return paired_standard_error((first.by_set - second.by_set).tolist(), first.denominator).value


def reruns(rows: Mapping[str, Sequence[RowMetric]], seed: int) -> tuple[Rerun, ...]:
    """Return the spread between runs of one system, where it has several.

    Each draw of contrast sets also draws runs with replacement, so that the interval holds
    both the choice of websites and the luck of a run.
    """
    found: list[Rerun] = []
    for metric_id, metrics in rows.items():
        by_system: dict[str, list[RowMetric]] = {}
        for row in metrics:
            by_system.setdefault(row.system, []).append(row)
        for system, runs in sorted(by_system.items()):
            if len(runs) > 1:
                found.append(_rerun(metric_id, system, runs, seed))
    return tuple(found)


def _rerun(metric_id: str, system: str, runs: Sequence[RowMetric], seed: int) -> Rerun:
    values = [row.value for row in runs]
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((v - mean) ** 2 for v in values) / (len(values) - 1))
    drawn = np.stack([row.drawn for row in runs])
    draws = drawn.shape[1]
    chosen = random_indexes(seed, len(runs) * draws, len(runs)).reshape(len(runs), draws)
    picked = np.take_along_axis(drawn, chosen, axis=0)
    total = picked[0].copy()
    for row in picked[1:]:
        total += row
    spread = percentile_intervals((total / len(runs))[None, :])[0]
    return Rerun(
        system=system,
        metric_id=metric_id,
        runs=len(runs),
        mean=mean,
        between_run_sd=deviation,
        interval=_interval(IntervalKind.RERUNS, spread, mean),
    )
