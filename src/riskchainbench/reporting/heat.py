"""Heat maps: one metric over the values of one stratum, a row a system."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from riskchainbench.reporting import figures
from riskchainbench.reporting.score_tables import by_kind, layout
from riskchainbench.scoring.records import Scores, StratumValue

GROUPS = {"violation_type": "type", "message_intent": "intent"}
"""Dimensions whose values are named under another group of ``strings.toml``."""


@dataclass(frozen=True)
class HeatValue:
    """One stratum, its size, and whether it is too small to lean on."""

    dimension: str
    value: str
    units: int
    thin: bool

    def label(self, words: Callable[[str], str]) -> str:
        """Return the stratum's name in the words of `words`."""
        group = GROUPS.get(self.dimension, self.dimension)
        return words(f"{group}.{self.value}")


@dataclass(frozen=True)
class HeatCell:
    """One share; `title` holds counts and interval."""

    value: float | None
    title: str
    thin: bool


@dataclass(frozen=True)
class HeatRow:
    """One system."""

    name: str
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True)
class HeatMap:
    """One metric by one dimension; the keys name both in ``strings.toml``."""

    metric_key: str
    dimension: str
    values: tuple[HeatValue, ...]
    rows: tuple[HeatRow, ...]

    @property
    def key(self) -> str:
        """Return the stem of the figure's file name."""
        return f"strata-{self.metric_key}-{self.dimension}"

    def svg(self, words: Callable[[str], str]) -> str:
        """Return the map as a figure in the words of `words`."""
        return figures.heat_map(
            f"{words(f'column.{self.metric_key}')} · {words(f'dimension.{self.dimension}')}",
            [(value.label(words), value.units, value.thin) for value in self.values],
            [(row.name, [(cell.value, cell.thin) for cell in row.cells]) for row in self.rows],
        )


def heat_maps(scores: Scores, fewest: int = 0) -> tuple[HeatMap, ...]:
    """Return a heat map for each chosen metric and dimension that was measured.

    A dimension is left out whole if any of its strata has fewer than `fewest` websites: a
    single one left out could be had as the rest.
    """
    found: list[HeatMap] = []
    known = {info.metric_id for info in scores.catalogue}
    for metric_id in layout()["strata"]["metrics"]:
        if metric_id not in known:
            continue
        dimensions = dict.fromkeys(
            each.dimension
            for row in scores.systems
            for each in row.strata
            if each.metric_id == metric_id
        )
        found += [_heat_map(scores, metric_id, dimension) for dimension in dimensions]
    return tuple(each for each in found if all(v.units >= fewest for v in each.values))


def _heat_map(scores: Scores, metric_id: str, dimension: str) -> HeatMap:
    per_row = [
        (
            row.row_id,
            {
                each.value: each
                for each in row.strata
                if each.metric_id == metric_id and each.dimension == dimension
            },
        )
        for row in by_kind(scores.systems)
    ]
    names = dict.fromkeys(value for _, cells in per_row for value in cells)
    values = []
    for name in names:
        one = next(cells[name] for _, cells in per_row if name in cells)
        values.append(HeatValue(dimension, name, one.websites, one.greyed))
    rows = tuple(
        HeatRow(row_id, tuple(_cell(cells.get(name)) for name in names))
        for row_id, cells in per_row
        if cells
    )
    return HeatMap(scores.info(metric_id).title_key, dimension, tuple(values), rows)


def _cell(found: StratumValue | None) -> HeatCell:
    if found is None or found.share is None:
        return HeatCell(None, (found.undefined or "") if found else "", thin=True)
    parts = [f"{100 * found.share:.1f} %"]
    if found.count:
        parts.append(f"{found.count.numerator:,}/{found.count.denominator:,}")
    if found.interval:
        parts.append(f"[{100 * found.interval.low:.1f}, {100 * found.interval.high:.1f}]")
    return HeatCell(found.share, " · ".join(parts), found.greyed)
