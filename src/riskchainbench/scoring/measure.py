"""Turns tallies into metrics with intervals: one resampling for all metrics of all systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from riskchainbench.core.hashing import Sha256
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.records import Count, Interval, IntervalKind, Metric, NamedCount
from riskchainbench.scoring.tally import Floats, Integers, Level, Part, Tally
from riskchainbench.statistics.bootstrap import (
    Draws,
    Spread,
    draw_matrix,
    named_seed,
    percentile_intervals,
)
from riskchainbench.statistics.intervals import clustering, wilson_interval

AnyFloats = NDArray[np.floating[Any]]


class Sums:
    """Columns of integers per unit, summed by cluster and drawn together.

    A column that several tallies share, such as a denominator, is summed once.
    """

    def __init__(self, draws: Draws, clusters: dict[Level, Integers]) -> None:
        self._draws = draws
        self._clusters = clusters
        self._columns: dict[Level, list[Integers]] = {level: [] for level in clusters}
        self._places: dict[tuple[Level, int], int] = {}
        self._drawn: dict[Level, AnyFloats] = {}

    def add(self, level: Level, column: Integers) -> None:
        """Register a column; it has to stay alive until `draw`."""
        key = (level, id(column))
        if key not in self._places:
            self._places[key] = len(self._columns[level])
            self._columns[level].append(column)

    def draw(self) -> None:
        """Sum every column over every draw."""
        for level, columns in self._columns.items():
            if columns:
                by_cluster = sum_by_cluster(
                    np.stack(columns), self._clusters[level], self._draws.clusters
                )
                self._drawn[level] = self._draws.sums(by_cluster.T)

    def rows(self, level: Level, columns: Sequence[Integers]) -> AnyFloats:
        """Return the drawn sums of `columns`, one row each."""
        places = [self._places[level, id(column)] for column in columns]
        found: AnyFloats = self._drawn[level][places]
        return found


def sum_by_cluster(columns: Integers, cluster_of: Integers, clusters: int) -> Integers:
    """Return the sums of each row of `columns` by cluster: one row a column."""
    order = np.argsort(cluster_of, kind="stable")
    present, starts = np.unique(cluster_of[order], return_index=True)
    sums = np.zeros((len(columns), clusters), dtype=np.int64)
    if len(order):
        sums[:, present] = np.add.reduceat(columns[:, order], starts, axis=1)
    return sums


@dataclass(frozen=True)
class Measured:
    """The metrics of a list of tallies and, for each, its value in every contrast-set draw."""

    metrics: tuple[Metric, ...]
    drawn: tuple[Floats, ...]


class Engine:
    """The draws of one frozen set of tasks; equal frames give equal intervals."""

    def __init__(self, frame: Frame, tasks_sha256: Sha256, draws: int) -> None:
        self._frame = frame
        self._sets = self._drawing(tasks_sha256, IntervalKind.CONTRAST_SETS, len(frame.sets), draws)
        self._websites = self._drawing(
            tasks_sha256, IntervalKind.WEBSITES, len(frame.labels), draws
        )
        self._templates = (
            self._drawing(tasks_sha256, IntervalKind.TEMPLATES, len(frame.templates), draws)
            if frame.templates
            else None
        )

    @property
    def draws_sha256(self) -> Sha256:
        """The identity of the draws over contrast sets."""
        return self._sets.sha256

    @staticmethod
    def _drawing(tasks_sha256: Sha256, kind: IntervalKind, clusters: int, draws: int) -> Draws:
        return draw_matrix(named_seed(tasks_sha256, "bootstrap", kind), clusters, draws)

    def measure(self, tallies: Sequence[Tally]) -> Measured:
        """Return every tally as a metric, with intervals over sets, websites and templates."""
        frame = self._frame
        by_set = self._values(
            tallies,
            self._sets,
            {
                Level.CASE: frame.set_of_case,
                Level.MESSAGE: frame.set_of_sample,
                Level.SET: np.arange(len(frame.sets)),
            },
        )
        by_website = self._values(
            tallies,
            self._websites,
            {
                Level.CASE: np.arange(len(frame.labels)),
                Level.MESSAGE: frame.case_of_sample,
            },
        )
        by_template = self._values(
            tallies, self._templates, {Level.MESSAGE: frame.template_of_sample}
        )
        spreads: list[list[Interval]] = [[] for _ in tallies]
        for kind, values in (
            (IntervalKind.CONTRAST_SETS, by_set),
            (IntervalKind.WEBSITES, by_website),
            (IntervalKind.TEMPLATES, by_template),
        ):
            for index, spread in _intervals(values).items():
                spreads[index].append(as_interval(kind, spread))
        metrics = tuple(self._metric(tally, spreads[index]) for index, tally in enumerate(tallies))
        nothing = np.empty(0)
        return Measured(metrics, tuple(by_set.get(i, nothing) for i in range(len(tallies))))

    def strata(self, tallies: Sequence[Tally]) -> list[tuple[float | None, Interval | None]]:
        """Return value and contrast-set interval of each tally, without the rest."""
        clusters = {Level.CASE: self._frame.set_of_case, Level.MESSAGE: self._frame.set_of_sample}
        spreads = _intervals(self._values(tallies, self._sets, clusters))
        return [
            (
                point_value(tally),
                as_interval(IntervalKind.CONTRAST_SETS, spreads[index])
                if index in spreads
                else None,
            )
            for index, tally in enumerate(tallies)
        ]

    def _values(
        self, tallies: Sequence[Tally], draws: Draws | None, clusters: dict[Level, Integers]
    ) -> dict[int, Floats]:
        """Return the value of each tally, by its index, in each draw."""
        if draws is None:
            return {}
        sums = Sums(draws, clusters)
        wanted = [index for index, tally in enumerate(tallies) if tally.level in clusters]
        for index in wanted:
            for part in tallies[index].parts:
                for column in _columns(part):
                    sums.add(tallies[index].level, column)
        sums.draw()
        values: dict[int, Floats] = {}
        for level in clusters:
            chosen = [index for index in wanted if tallies[index].level is level]
            simple = [index for index in chosen if tallies[index].combine is None]
            if simple:
                parts = [tallies[index].parts[0] for index in simple]
                ratios = _divide(
                    sums.rows(level, [part.numerator for part in parts]),
                    sums.rows(level, [part.denominator for part in parts]),
                )
                values.update(zip(simple, ratios, strict=True))
            for index in chosen:
                combine = tallies[index].combine
                if combine is not None:
                    values[index] = combine(_ratios(tallies[index].parts, level, sums))
        return values

    def _metric(self, tally: Tally, intervals: list[Interval]) -> Metric:
        value = point_value(tally)
        count = None if tally.combine is not None else part_count(tally.parts[0])
        wilson = _wilson(tally)
        effect, size = self._design(tally, value)
        return Metric.model_construct(
            metric_id=tally.metric_id,
            value=value,
            undefined=None if value is not None else tally.undefined,
            count=count,
            parts=()
            if tally.combine is None
            else tuple(NamedCount(key=part.key, count=part_count(part)) for part in tally.parts),
            intervals=tuple(intervals if wilson is None else [*intervals, wilson])
            if value is not None
            else (),
            clusters=len(self._frame.sets),
            effective_size=size,
            design_effect=effect,
        )

    def _design(self, tally: Tally, value: float | None) -> tuple[float | None, float | None]:
        if tally.level is Level.SET or value is None or (tally.combine and not _is_mean(tally)):
            return None, None
        cluster_of = (
            self._frame.set_of_case if tally.level is Level.CASE else self._frame.set_of_sample
        )
        kept = [part for part in tally.parts if part.denominator.any()]
        used = np.zeros(len(cluster_of), dtype=bool)
        residuals = np.zeros(len(cluster_of))
        for part in kept:
            total = int(part.denominator.sum())
            share = int(part.numerator.sum()) / total
            residuals += (part.numerator - share * part.denominator) / (total * len(kept))
            used |= part.denominator != 0
        found = clustering(residuals[used], cluster_of[used], int(used.sum()))
        return found.design_effect.value, found.effective_size.value


def as_interval(kind: IntervalKind, spread: Spread) -> Interval:
    """Return a spread over draws as an interval of `kind`."""
    return Interval.model_construct(
        kind=kind, low=spread.low, high=spread.high, left_out=spread.left_out
    )


def part_count(part: Part) -> Count:
    """Return the integers of a part over all units."""
    return Count(numerator=int(part.numerator.sum()), denominator=int(part.denominator.sum()))


def point_value(tally: Tally) -> float | None:
    """Return the tally's value over all units, or None where it is undefined."""
    if tally.combine is None:
        return part_count(tally.parts[0]).share
    ratios = np.full((len(tally.parts), 1), np.nan)
    for row, part in enumerate(tally.parts):
        count = part_count(part)
        if part.support is not None and not part.support.any():
            ratios[row, 0] = 0.0 if part.fixed else np.nan
        elif count.share is not None:
            ratios[row, 0] = count.share
    value = float(tally.combine(ratios)[0]) if len(ratios) else float("nan")
    return None if np.isnan(value) else value


def _is_mean(tally: Tally) -> bool:
    return all(part.support is not None for part in tally.parts)


def _columns(part: Part) -> list[Integers]:
    columns = [part.numerator, part.denominator]
    return columns if part.support is None else [*columns, part.support]


def _divide(numerators: AnyFloats, denominators: AnyFloats) -> Floats:
    top, bottom = numerators.astype(np.float64), denominators.astype(np.float64)
    found: Floats = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom != 0)
    return found


def _ratios(parts: Sequence[Part], level: Level, sums: Sums) -> Floats:
    ratios = _divide(
        sums.rows(level, [part.numerator for part in parts]),
        sums.rows(level, [part.denominator for part in parts]),
    )
    for row, part in enumerate(parts):
        if part.support is None:
            continue
        if part.fixed and not part.support.any():
            ratios[row] = 0.0
        else:
            ratios[row, sums.rows(level, [part.support])[0] == 0] = np.nan
    return ratios


def _intervals(values: dict[int, Floats]) -> dict[int, Spread]:
    if not values:
        return {}
    spreads = percentile_intervals(np.stack(list(values.values())))
    return {
        index: spread for index, spread in zip(values, spreads, strict=True) if spread is not None
    }


def _wilson(tally: Tally) -> Interval | None:
    """Return the score interval of a proportion of cases or sets, as if they were independent."""
    if tally.combine is not None or tally.level is Level.MESSAGE:
        return None
    part = tally.parts[0]
    proportion = (
        (part.numerator >= 0) & (part.numerator <= part.denominator) & (part.denominator <= 1)
    )
    if not proportion.all():
        return None
    count = part_count(part)
    ends = wilson_interval(count.numerator, count.denominator)
    if ends is None:
        return None
    return Interval.model_construct(kind=IntervalKind.WILSON, low=ends[0], high=ends[1], left_out=0)
