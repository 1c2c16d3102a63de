"""Turns tallies into metrics with intervals: one resampling for all metrics of all systems."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from riskchainbench.core.hashing import Sha256
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.records import Count, Interval, IntervalKind, Metric, NamedCount
from riskchainbench.scoring.tally import (
    AnyFloats,
    Drawn,
    Floats,
    Integers,
    Level,
    Part,
    Tally,
    divided,
    mean_of_parts,
)
from riskchainbench.statistics.bootstrap import (
    Draws,
    Spread,
    draw_matrix,
    named_seed,
    percentile_intervals,
)
from riskchainbench.statistics.intervals import Clustering, clustering, wilson_interval
from riskchainbench.statistics.value import undefined

BLOCK = 32
SETS_ARE_UNITS = "its units are the contrast sets themselves"
NO_MEAN = "it is no mean over units"
CLASSES_ALIKE = "no class has units that differ; draws differ only in the classes they hold"


class Sums:
    """Columns of integers per unit, summed by cluster and drawn together.

    A column that several tallies share, such as a denominator, is summed once, and those that
    are equal in every cluster are drawn once.
    """

    def __init__(
        self, draws: Draws, clusters: dict[Level, Integers], tallies: Iterable[Tally]
    ) -> None:
        columns: dict[Level, list[Integers]] = {level: [] for level in clusters}
        self._places: dict[tuple[Level, int], int] = {}
        for tally in tallies:
            for part in tally.parts:
                for column in (part.numerator, part.denominator, part.support):
                    if column is not None and (tally.level, id(column)) not in self._places:
                        self._places[tally.level, id(column)] = len(columns[tally.level])
                        columns[tally.level].append(column)
        self._drawn: dict[Level, AnyFloats] = {}
        self._row: dict[Level, list[int]] = {}
        for level, found in columns.items():
            if not found:
                continue
            sums = sum_by_cluster(found, clusters[level], draws.clusters)
            first: dict[bytes, int] = {}
            self._row[level] = [first.setdefault(row.tobytes(), len(first)) for row in sums]
            distinct = np.frombuffer(b"".join(first), dtype=np.int64).reshape(len(first), -1)
            self._drawn[level] = draws.sums(distinct.T)
        self.draws = len(draws.weights)

    def of(self, tally: Tally) -> Drawn:
        """Return the drawn sums of a tally's parts."""
        tops = self._rows(tally.level, [part.numerator for part in tally.parts])
        bottoms = self._rows(tally.level, [part.denominator for part in tally.parts])
        defined = np.ones(tops.shape, dtype=bool)
        for row, part in enumerate(tally.parts):
            if part.support is not None and not part.always:
                defined[row] = self._rows(tally.level, [part.support])[0] > 0
        return Drawn(tops, bottoms, defined)

    def quotients(self, tallies: Sequence[Tally]) -> Floats:
        """Return the drawn values of plain tallies of one level, one row each."""
        level = tallies[0].level
        tops = self._rows(level, [tally.parts[0].numerator for tally in tallies])
        bottoms = self._rows(level, [tally.parts[0].denominator for tally in tallies])
        return divided(tops, bottoms)

    def twins(self, tallies: Sequence[Tally], wanted: Iterable[int]) -> dict[int, list[int]]:
        """Group the `wanted` tallies by their drawn values, each group under its first member."""
        groups: dict[object, list[int]] = {}
        for index in wanted:
            tally = tallies[index]
            key: object = index
            if tally.plain:
                part = tally.parts[0]
                key = (
                    tally.level,
                    self._place(tally.level, part.numerator),
                    self._place(tally.level, part.denominator),
                )
            groups.setdefault(key, []).append(index)
        return {group[0]: group for group in groups.values()}

    def _place(self, level: Level, column: Integers) -> int:
        return self._row[level][self._places[level, id(column)]]

    def _rows(self, level: Level, columns: Sequence[Integers]) -> AnyFloats:
        drawn = self._drawn[level]
        places = [self._place(level, column) for column in columns]
        if len(places) == 1:
            return drawn[places[0] : places[0] + 1]
        found: AnyFloats = drawn[places]
        return found


def sum_by_cluster(columns: Sequence[Integers], cluster_of: Integers, clusters: int) -> Integers:
    """Return the sums of each of `columns` by cluster: one row a column."""
    sums = np.zeros((len(columns), clusters), dtype=np.int64)
    if not len(cluster_of):
        return sums
    order = np.argsort(cluster_of, kind="stable")
    present, starts = np.unique(cluster_of[order], return_index=True)
    # Column by column, as one of them fits into the processor's cache and all do not.
    sorted_column = np.empty(len(order), dtype=np.int64)
    found = np.empty(len(present), dtype=np.int64)
    for row, column in enumerate(columns):
        np.take(column, order, out=sorted_column, mode="clip")
        np.add.reduceat(sorted_column, starts, out=found)
        sums[row, present] = found
    return sums


def blocks(
    tallies: Sequence[Tally], wanted: Sequence[int], sums: Sums
) -> Iterator[tuple[list[int], Floats]]:
    """Yield the values of the `wanted` tallies in each draw, some tallies at a time.

    Blocks stay in the processor's cache, which is what resampling is bound by.
    """
    for level in Level:
        plain = [i for i in wanted if tallies[i].level is level and tallies[i].plain]
        for block in _split(plain):
            yield block, sums.quotients([tallies[index] for index in block])
    for block in _split([i for i in wanted if not tallies[i].plain]):
        values = np.empty((len(block), sums.draws))
        for row, index in enumerate(block):
            values[row] = tallies[index].combine(sums.of(tallies[index]))
        yield block, values


def _split(indexes: list[int]) -> Iterator[list[int]]:
    for start in range(0, len(indexes), BLOCK):
        yield indexes[start : start + BLOCK]


@dataclass(frozen=True)
class Measured:
    """The metrics of a list of tallies; `drawn` has some tallies' values in every set draw."""

    metrics: tuple[Metric, ...]
    drawn: dict[int, Floats]


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
        self._set_of = {
            Level.CASE: frame.set_of_case,
            Level.MESSAGE: frame.set_of_sample,
            Level.SET: np.arange(len(frame.sets)),
        }

    @property
    def draws_sha256(self) -> Sha256:
        """The identity of the draws over contrast sets."""
        return self._sets.sha256

    @staticmethod
    def _drawing(tasks_sha256: Sha256, kind: IntervalKind, clusters: int, draws: int) -> Draws:
        return draw_matrix(named_seed(tasks_sha256, "bootstrap", kind), clusters, draws)

    def measure(self, tallies: Sequence[Tally], kept: Collection[str]) -> Measured:
        """Return every tally as a metric, with intervals over sets, websites and templates.

        For the metrics `kept`, the value in every draw of contrast sets is returned too.
        """
        frame = self._frame
        spreads: list[list[Interval]] = [[] for _ in tallies]
        drawn: dict[int, Floats] = {}
        for kind, draws, clusters in (
            (IntervalKind.CONTRAST_SETS, self._sets, self._set_of),
            (
                IntervalKind.WEBSITES,
                self._websites,
                {
                    Level.CASE: np.arange(len(frame.labels)),
                    Level.MESSAGE: frame.case_of_sample,
                },
            ),
            (IntervalKind.TEMPLATES, self._templates, {Level.MESSAGE: frame.template_of_sample}),
        ):
            if draws is None:
                continue
            wanted = [i for i, tally in enumerate(tallies) if tally.level in clusters]
            sums = Sums(draws, clusters, (tallies[index] for index in wanted))
            twins = sums.twins(tallies, wanted)
            for block, values in blocks(tallies, list(twins), sums):
                for row, spread in enumerate(percentile_intervals(values)):
                    for index in twins[block[row]]:
                        if spread is not None:
                            spreads[index].append(as_interval(kind, spread))
                        if kind is IntervalKind.CONTRAST_SETS and tallies[index].metric_id in kept:
                            drawn[index] = values[row].copy()
        metrics = tuple(
            self._metric(tally, found) for tally, found in zip(tallies, spreads, strict=True)
        )
        return Measured(metrics, drawn)

    def strata(self, tallies: Sequence[Tally]) -> dict[int, Interval]:
        """Return the contrast-set interval of each tally that has one, by its place."""
        sums = Sums(self._sets, self._set_of, tallies)
        found: dict[int, Interval] = {}
        twins = sums.twins(tallies, range(len(tallies)))
        for block, values in blocks(tallies, list(twins), sums):
            for first, spread in zip(block, percentile_intervals(values), strict=True):
                if spread is not None:
                    interval = as_interval(IntervalKind.CONTRAST_SETS, spread)
                    found |= dict.fromkeys(twins[first], interval)
        return found

    def _metric(self, tally: Tally, intervals: list[Interval]) -> Metric:
        value = point_value(tally)
        count = part_count(tally.parts[0]) if tally.plain else None
        wilson = _wilson(tally)
        design = self._design(tally) if value is not None else None
        return Metric(
            metric_id=tally.metric_id,
            value=value,
            undefined=None if value is not None else tally.undefined,
            count=count,
            parts=()
            if tally.plain
            else tuple(NamedCount(key=part.key, count=part_count(part)) for part in tally.parts),
            intervals=tuple(intervals if wilson is None else [*intervals, wilson])
            if value is not None
            else (),
            clusters=len(self._frame.sets),
            effective_size=design.effective_size.value if design is not None else None,
            design_effect=design.design_effect.value if design is not None else None,
            effective_undefined=design.effective_size.reason if design is not None else None,
        )

    def _design(self, tally: Tally) -> Clustering:
        if tally.level is Level.SET:
            return Clustering(undefined(SETS_ARE_UNITS), undefined(SETS_ARE_UNITS))
        if not (tally.plain or tally.combine is mean_of_parts):
            return Clustering(undefined(NO_MEAN), undefined(NO_MEAN))
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
        if len(kept) > 1 and not residuals.any():
            # Linearization takes every class to be in every draw, so it sees no variance here.
            return Clustering(undefined(CLASSES_ALIKE), undefined(CLASSES_ALIKE))
        return clustering(residuals[used], cluster_of[used], int(used.sum()))


def as_interval(kind: IntervalKind, spread: Spread) -> Interval:
    """Return a spread over draws as an interval of `kind`."""
    return Interval(kind=kind, low=spread.low, high=spread.high, left_out=spread.left_out)


def part_count(part: Part) -> Count:
    """Return the integers of a part over all units."""
    return Count(numerator=int(part.numerator.sum()), denominator=int(part.denominator.sum()))


def point_value(tally: Tally) -> float | None:
    """Return the tally's value over all units, or None where it is undefined."""
    if tally.plain:
        return part_count(tally.parts[0]).share
    counts = [part_count(part) for part in tally.parts]
    drawn = Drawn(
        np.array([[float(count.numerator)] for count in counts]),
        np.array([[float(count.denominator)] for count in counts]),
        np.array([[p.support is None or p.always or bool(p.support.any())] for p in tally.parts]),
    )
    value = float(tally.combine(drawn)[0]) if counts else float("nan")
    return None if np.isnan(value) else value


def _wilson(tally: Tally) -> Interval | None:
    """Return the score interval of a proportion of cases or sets, as if they were independent."""
    if not tally.plain or tally.level is Level.MESSAGE:
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
    return Interval(kind=IntervalKind.WILSON, low=ends[0], high=ends[1], left_out=0)
