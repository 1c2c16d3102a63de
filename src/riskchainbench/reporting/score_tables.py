"""The tables of the report, made from scores: which rows and columns, with what beside them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from importlib import resources
from statistics import fmean
from string import ascii_uppercase
from typing import Any

from riskchainbench.reporting.tables import (
    Better,
    Cell,
    Column,
    Note,
    Row,
    RowKind,
    Table,
    Term,
    Unit,
    number,
)
from riskchainbench.scoring import records
from riskchainbench.scoring.catalogue import PRIMARY

THIN = 30
"""Under so many units a cell is marked as thin (design decision 6)."""

COVERAGE = "judge.coverage"
PREVALENCE = "precision_at_prevalence"

KINDS = {
    records.SystemKind.MODEL: RowKind.SYSTEM,
    records.SystemKind.PERSON: RowKind.SYSTEM,
    records.SystemKind.BASELINE: RowKind.BASELINE,
    records.SystemKind.ORACLE: RowKind.ORACLE,
}

UNITS = {
    records.Unit.SHARE: (Unit.PERCENT, 1),
    records.Unit.RATIO: (Unit.PERCENT, 2),
    records.Unit.POINTS: (Unit.POINTS, 1),
    records.Unit.SCORE: (Unit.NUMBER, 2),
    records.Unit.NUMBER: (Unit.NUMBER, 3),
    records.Unit.SECONDS: (Unit.NUMBER, 1),
    records.Unit.TOKENS: (Unit.COUNT, 0),
    records.Unit.COST: (Unit.NUMBER, 4),
}


@cache
def layout() -> dict[str, Any]:
    """Return ``data/tables.toml``."""
    file = resources.files("riskchainbench.reporting") / "data" / "tables.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


def by_kind(systems: Iterable[records.SystemScores]) -> list[records.SystemScores]:
    """Return rows as tables have them: systems, below them baselines, the oracle last."""
    order = list(RowKind)
    return sorted(systems, key=lambda row: order.index(KINDS[row.kind]))


def main_tables(scores: records.Scores) -> tuple[Table, ...]:
    """Return the paper's tables 1a, 1b and 2, each with every system that has the task."""
    found = (
        _metric_table(scores, entry["key"], entry["metrics"], entry["sort"])
        for entry in layout()["tables"]
    )
    return tuple(table for table in found if table is not None)


def family_tables(scores: records.Scores) -> tuple[Table, ...]:
    """Return one table a family with every metric that was measured."""
    tables = []
    for family in records.Family:
        if family is records.Family.JUDGE:
            continue
        ids = [info.metric_id for info in scores.catalogue if info.family is family]
        table = _metric_table(scores, f"all.{family}", ids, None)
        if table is not None:
            tables.append(table)
    return tuple(tables)


def evidence_tables(scores: records.Scores) -> tuple[Table, ...]:
    """Return the breakdowns of evidence truth (design decision 18), one table each."""
    return _breakdown_tables(scores, [row.evidence for row in scores.systems], "evidence_outcome")


def failure_tables(scores: records.Scores) -> tuple[Table, ...]:
    """Return first failures and failure classes, one table each."""
    attribution = [(row.attribution,) if row.attribution else () for row in scores.systems]
    return (
        *_breakdown_tables(scores, attribution, "outcome"),
        *_breakdown_tables(scores, [row.failures for row in scores.systems], "failure"),
    )


def judge_table(scores: records.Scores, judge: str) -> Table:
    """Return the scores of one judge, its coverage in the first column.

    Means over unequal shares of the runs are not ranked.
    """
    found = [
        (row, scored) for row in scores.systems for scored in row.judges if scored.judge == judge
    ]
    ids = [
        each
        for each in dict.fromkeys(m.metric_id for _, scored in found for m in scored.metrics)
        if each != COVERAGE
    ]
    equal = len({_share(scored.coverage) for _, scored in found}) == 1
    means = (replace(_column(scores, metric_id), ranked=equal) for metric_id in ids)
    rows = []
    for row, scored in found:
        by_id = {metric.metric_id: metric for metric in scored.metrics}
        coverage = by_id.get(COVERAGE)
        cells = [metric_cell(coverage) if coverage else _count_cell(scored.coverage)]
        cells += [
            _mean_cell(by_id[each], scored.coverage) if each in by_id else Cell() for each in ids
        ]
        rows.append(Row(row.row_id, tuple(cells), KINDS[row.kind]))
    notes = (Note("note.judge"), *(() if equal else (Note("note.judge_unequal"),)))
    return Table("judge", (Column("judge_coverage"), *means), tuple(rows), notes)


def _share(count: records.Count) -> Fraction | None:
    return Fraction(count.numerator, count.denominator) if count.denominator else None


def _mean_cell(metric: records.Metric, coverage: records.Count) -> Cell:
    """A judge's mean never stands without the number of runs that it covers."""
    return replace(metric_cell(metric), numerator=None, denominator=coverage.numerator)


def _metric_table(
    scores: records.Scores, key: str, metric_ids: Sequence[str], sort: str | None
) -> Table | None:
    known = {info.metric_id for info in scores.catalogue}
    ids = [
        each
        for each in metric_ids
        if each in known and any(row.metric(each) is not None for row in scores.systems)
    ]
    if not ids:
        return None
    tied = _tied_letters(scores)
    columns = _told_apart(tuple(_column(scores, each) for each in ids), ids)
    rows = []
    for system in scores.systems:
        found = [system.metric(each) for each in ids]
        if not any(found):
            continue
        cells = tuple(
            metric_cell(
                metric,
                tied.get((metric.metric_id, system.row_id), ""),
                counted=column.unit in (Unit.PERCENT, Unit.POINTS),
            )
            if metric
            else Cell(note=system.gated_missing or "")
            for metric, column in zip(found, columns, strict=True)
        )
        rows.append(Row(system.row_id, cells, KINDS[system.kind]))
    rows += people_row(scores, rows, columns)
    return Table(
        key,
        columns,
        tuple(rows),
        tuple(_notes(scores, ids, key)),
        sort_column=ids.index(sort) if sort in ids else 0,
    ).sorted()


def people_row(scores: records.Scores, rows: Sequence[Row], columns: Sequence[Column]) -> list[Row]:
    """Return the row that says how many people answered and how they differ, if any did.

    Somebody with several runs stands with their mean.
    """
    names = {
        row.row_id: row.name for row in scores.systems if row.kind is records.SystemKind.PERSON
    }
    mine: dict[str, list[Row]] = {}
    for row in rows:
        if row.name in names:
            mine.setdefault(names[row.name], []).append(row)
    if not mine:
        return []
    cells = tuple(
        _spread_cell([[row.cells[at].value for row in each] for each in mine.values()], column)
        for at, column in enumerate(columns)
    )
    mark = "people.mean" if len(mine) > 1 else "people.one"
    return [Row(f"human × {len(mine)}", cells, marks=(mark,))]


def _spread_cell(values: Sequence[Sequence[float | None]], column: Column) -> Cell:
    known = [[value for value in each if value is not None] for each in values]
    means = [fmean(each) for each in known if each]
    if not means:
        return Cell()
    mean, low, high = (number(x, column) for x in (fmean(means), min(means), max(means)))
    return Cell(fmean(means), text=f"{mean} ({low}–{high})" if len(values) > 1 else mean)


def _column(scores: records.Scores, metric_id: str) -> Column:
    info = scores.info(metric_id)
    unit, digits = UNITS[info.unit]
    return Column(info.title_key, unit, Better(info.direction.value), digits)


def _told_apart(columns: tuple[Column, ...], ids: Sequence[str]) -> tuple[Column, ...]:
    """Name the view where a table holds one metric of both views."""
    keys = [column.key for column in columns]
    return tuple(
        replace(column, key=each.replace(".", "_")) if keys.count(column.key) > 1 else column
        for column, each in zip(columns, ids, strict=True)
    )


def metric_cell(metric: records.Metric, tied: str = "", *, counted: bool = True) -> Cell:
    """Return a metric with its counts, unless they are no proportion, and its first interval."""
    count = metric.count if counted else None
    interval = metric.intervals[0] if metric.intervals else None
    others = tuple((f"interval.{each.kind}", each.low, each.high) for each in metric.intervals[1:])
    return Cell(
        value=metric.value,
        numerator=count.numerator if count else None,
        denominator=count.denominator if count else None,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        tied=tied,
        note=metric.undefined or "",
        thin=metric.clusters is not None and metric.clusters < THIN,
        others=others,
    )


def _count_cell(count: records.Count) -> Cell:
    return Cell(count.share, count.numerator, count.denominator)


def _tied_letters(scores: records.Scores) -> dict[tuple[str, str], str]:
    """Return the letters of each metric and row; a row has one for each group that it is in."""
    found: dict[tuple[str, str], str] = {}
    for tied in scores.tied_groups:
        for at, group in enumerate(tied.groups):
            for row_id in group:
                key = (tied.metric_id, row_id)
                found[key] = found.get(key, "") + _letter(at)
    return found


def _letter(at: int) -> str:
    """Return A to Z, then A2 to Z2 and so on, so that no two groups share a name."""
    turn, place = divmod(at, len(ascii_uppercase))
    return ascii_uppercase[place] + (str(turn + 1) if turn else "")


def _notes(scores: records.Scores, ids: Iterable[str], key: str) -> list[Note]:
    head = scores.header
    notes: list[Note] = []
    counts = (("draws", f"{head.draws:,}"), ("sets", f"{head.contrast_sets:,}"))
    notes.append(Note("note.intervals", counts))
    primary = [each for each in ids if each in PRIMARY]
    notes += [note for each in primary for note in _effective_note(scores, each)]
    if any(_passes_the_sample(scores, each) for each in primary):
        notes.append(Note("note.effective_above"))
    wanted = set(ids)
    if any(groups.metric_id in wanted for groups in scores.tied_groups):
        notes.append(Note("note.tied"))
    for each in scores.detectable:
        if each.metric_id in wanted and each.difference is not None:
            points = f"{100 * each.difference:.1f}"
            term = metric_term(scores, each.metric_id)
            notes.append(Note("note.detectable", (("metric", term), ("points", points))))
    if notes[-1].key == "note.detectable":
        notes.append(Note("note.detectable_basis"))
    if head.prevalence is not None and any(each.endswith(PREVALENCE) for each in ids):
        percent = f"{100 * head.prevalence:g}"
        notes.append(Note("note.prevalence", (("percent", percent),)))
    if any(each.metric_id in wanted for each in scores.people):
        notes.append(Note("note.people"))
    if key in ("investigation", "composition"):
        notes.append(_denominator_note(head))
    return notes


def _denominator_note(head: records.Header) -> Note:
    if head.completeness is not records.Completeness.SUBSET:
        return Note("note.denominator")
    counts = (("websites", f"{head.websites:,}"), ("all", f"{head.all_websites:,}"))
    return Note("note.denominator_subset", counts)


def _effective_note(scores: records.Scores, metric_id: str) -> list[Note]:
    """Say what clustering costs: the effective size and the design effect (design decision 6)."""
    found = _measured(scores, metric_id)
    sizes = [metric.effective_size for metric in found if metric.effective_size is not None]
    if not sizes:
        return []
    effects = [metric.design_effect for metric in found if metric.design_effect is not None]
    units = _units(found)
    values = (
        ("metric", metric_term(scores, metric_id)),
        ("size", _span(sizes, 0)),
        ("of", "–" if units is None else f"{units:,}"),
        ("effect", _span(effects, 2)),
    )
    return [Note("note.effective", values)]


def _passes_the_sample(scores: records.Scores, metric_id: str) -> bool:
    """Tell whether an effective size is above the number of units, as both are printed."""
    found = _measured(scores, metric_id)
    sizes = [metric.effective_size for metric in found if metric.effective_size is not None]
    units = _units(found)
    return units is not None and bool(sizes) and round(max(sizes)) > units


def _measured(scores: records.Scores, metric_id: str) -> list[records.Metric]:
    return [metric for row in scores.systems if (metric := row.metric(metric_id))]


def _units(metrics: Sequence[records.Metric]) -> int | None:
    return next((each.count.denominator for each in metrics if each.count), None)


def _span(values: Sequence[float], digits: int) -> str:
    """Return the lowest and the highest of some values, or one figure where they look alike."""
    low, high = f"{min(values):,.{digits}f}", f"{max(values):,.{digits}f}"
    return low if low == high else f"{low}–{high}"


def metric_term(scores: records.Scores, metric_id: str) -> Term:
    """Return the name of a metric, with its view where both views have it."""
    info = scores.info(metric_id)
    twice = sum(other.title_key == info.title_key for other in scores.catalogue) > 1
    named = twice and info.title_key == "accuracy"
    return Term(f"column.{metric_id.replace('.', '_') if named else info.title_key}")


def _breakdown_tables(
    scores: records.Scores, per_row: Sequence[Sequence[records.Breakdown]], group: str
) -> tuple[Table, ...]:
    titles = dict.fromkeys(each.title_key for found in per_row for each in found)
    tables = []
    for title in titles:
        held = [
            (row, next((each for each in found if each.title_key == title), None))
            for row, found in zip(scores.systems, per_row, strict=True)
        ]
        keys = list(
            dict.fromkeys(each.key for _, breakdown in held if breakdown for each in breakdown.rows)
        )
        if group == "failure":
            keys = [key for key in keys if any(_happened(breakdown, key) for _, breakdown in held)]
        if not keys:
            continue
        named = _NAMED_UNDER.get(title, group)
        columns = tuple(Column(key, Unit.PERCENT, _direction(key), group=named) for key in keys)
        rows = []
        for row, breakdown in held:
            if breakdown is None:
                continue
            counts = {each.key: each.count for each in breakdown.rows}
            cells = tuple(_count_cell(counts[key]) if key in counts else Cell() for key in keys)
            rows.append(Row(row.row_id, cells, KINDS[row.kind]))
        rows += people_row(scores, rows, columns)
        tables.append(Table(f"breakdown.{title}", columns, tuple(rows)))
    return tuple(tables)


_NAMED_UNDER = {"endings": "ending_name"}
"""Breakdowns whose keys are named under another group of ``strings.toml``."""


def _happened(breakdown: records.Breakdown | None, key: str) -> bool:
    return breakdown is not None and any(
        each.key == key and each.count.numerator for each in breakdown.rows
    )


def _direction(key: str) -> Better:
    return Better.HIGHER if key in ("success", "right_with_evidence") else Better.NEITHER
