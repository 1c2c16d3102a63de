"""The folded tables at the end of the report: differences, spreads, confusions, reruns, power."""

from __future__ import annotations

from riskchainbench.core.label_audit import ErrorFigure
from riskchainbench.reporting.score_tables import (
    KINDS,
    UNITS,
    by_kind,
    metric_term,
    people_row,
)
from riskchainbench.reporting.tables import Better, Cell, Column, Note, Row, Table, Unit
from riskchainbench.scoring import records


def comparison_table(scores: records.Scores) -> Table | None:
    """Return every paired difference with its interval and p-values."""
    if not scores.comparisons:
        return None
    columns = (
        Column("difference", Unit.POINTS, Better.NEITHER),
        Column("p_value", Unit.NUMBER, Better.NEITHER, 4),
        Column("p_holm", Unit.NUMBER, Better.NEITHER, 4),
    )
    rows = []
    for each in scores.comparisons:
        difference = Cell(
            each.difference.share,
            each.difference.numerator,
            each.difference.denominator,
            each.interval.low,
            each.interval.high,
        )
        cells = (difference, Cell(each.p_value), Cell(each.p_holm))
        rows.append(
            Row(
                f"{each.first} − {each.second}",
                cells,
                marks=(metric_term(scores, each.metric_id).key,),
            )
        )
    return Table(
        "comparisons", columns, tuple(rows), (Note("note.comparisons"),), name_heading="pair"
    )


def distribution_table(scores: records.Scores) -> tuple[Table, ...]:
    """Return how steps, time, tokens and cost are spread, one table a quantity."""
    ids = dict.fromkeys(
        each.distribution_id for row in scores.systems for each in row.distributions
    )
    tables = []
    for distribution_id in ids:
        found = [
            (row, each)
            for row in scores.systems
            for each in row.distributions
            if each.distribution_id == distribution_id
        ]
        unit, digits = UNITS[found[0][1].unit]
        digits = min(digits, 1) if unit is Unit.NUMBER else digits
        names = ("total", "mean", "median", "p10", "p90", "maximum")
        columns = tuple(Column(name, unit, Better.NEITHER, digits) for name in names)
        rows = [
            Row(
                row.row_id,
                tuple(
                    Cell(getattr(each, name), denominator=each.units if name == "mean" else None)
                    for name in names
                ),
                KINDS[row.kind],
            )
            for row, each in found
        ]
        rows += people_row(scores, rows, columns)
        tables.append(Table(f"distribution.{found[0][1].title_key}", columns, tuple(rows)).sorted())
    return tuple(tables)


def confusion_tables(scores: records.Scores) -> tuple[Table, ...]:
    """Return the confusion matrices of each view, gold in rows and predictions in columns."""
    tables = []
    for family in (records.Family.WEB_ONLY, records.Family.GATED):
        held = [
            (row, found)
            for row in by_kind(scores.systems)
            for found in row.confusions
            if found.family is family
        ]
        if not held:
            continue
        columns = tuple(
            Column(name, Unit.COUNT, Better.NEITHER, 0, "decision") for name in held[0][1].predicted
        )
        rows = tuple(
            Row(
                row.row_id,
                tuple(Cell(count) for count in line),
                KINDS[row.kind],
                marks=(f"decision.{gold}",),
            )
            for row, found in held
            for gold, line in zip(found.gold, found.counts, strict=True)
        )
        tables.append(Table(f"confusion.{family}", columns, rows, name_heading="confusion"))
    return tuple(tables)


def rerun_table(scores: records.Scores) -> Table | None:
    """Return how several runs of one system vary; the interval includes that variance."""
    if not scores.reruns:
        return None
    columns = (
        Column("runs", Unit.COUNT, Better.NEITHER, 0),
        Column("mean"),
        Column("between_run_sd", Unit.POINTS, Better.NEITHER, 2),
    )
    rows = tuple(
        Row(
            each.system,
            (
                Cell(each.runs),
                Cell(each.mean, low=each.interval.low, high=each.interval.high),
                Cell(each.between_run_sd),
            ),
            marks=(metric_term(scores, each.metric_id).key,),
        )
        for each in scores.reruns
    )
    return Table("reruns", columns, rows)


def power_table(scores: records.Scores) -> Table | None:
    """Return how many contrast sets true differences need, a row a metric."""
    differences = list(
        dict.fromkeys(row.difference for each in scores.detectable for row in each.power)
    )
    if not differences:
        return None
    rows = []
    for each in scores.detectable:
        needed = {row.difference: row.sets_needed for row in each.power}
        cells = [Cell(each.difference, note=each.undefined or "")]
        cells += [Cell(needed.get(one), note=each.undefined or "") for one in differences]
        rows.append(Row("", tuple(cells), marks=(metric_term(scores, each.metric_id).key,)))
    columns = (
        Column("smallest_difference", Unit.POINTS, Better.NEITHER),
        *(Column(f"sets_for_{100 * one:g}", Unit.COUNT, Better.NEITHER, 0) for one in differences),
    )
    return Table("power", columns, tuple(rows), (Note("note.power"),), name_heading="metric")


def judge_agreement_table(scores: records.Scores) -> Table | None:
    """Return how two judges agree, a row a system, pair and dimension."""
    if not scores.judge_agreement:
        return None
    columns = (
        Column("units", Unit.COUNT, Better.NEITHER, 0),
        Column("quadratic_kappa", Unit.NUMBER, Better.HIGHER, 3),
        Column("ordinal_alpha", Unit.NUMBER, Better.HIGHER, 3),
    )
    rows = tuple(
        Row(
            f"{each.system}: {each.first} / {each.second}",
            (
                Cell(each.units),
                Cell(each.quadratic_kappa, note=each.undefined or ""),
                Cell(each.ordinal_alpha, note=each.undefined or ""),
            ),
            marks=(f"column.{each.dimension}",),
        )
        for each in scores.judge_agreement
    )
    people = any("people" in (each.first + each.second) for each in scores.judge_agreement)
    notes = (Note("note.judge_people"),) if people else ()
    return Table("judge_agreement", columns, rows, notes, name_heading="pair")


def label_audit_table(scores: records.Scores) -> Table | None:
    """Return what people found of designed labels: overall, and by decision, type and language."""
    audit = scores.header.label_audit
    if audit is None:
        return None
    groups = (("decision", audit.decisions), ("type", audit.types), ("language", audit.languages))
    columns = (
        Column("audited", Unit.COUNT, Better.NEITHER, 0),
        Column("label_error", Unit.PERCENT, Better.NEITHER),
        Column("decision_error", Unit.PERCENT, Better.NEITHER),
    )
    rows = [
        Row(
            "",
            (
                Cell(audit.audited),
                Cell(audit.joint_error, low=audit.low, high=audit.high),
                Cell(audit.decision_error),
            ),
            marks=("audit_group.all",),
        )
    ]
    rows += [
        Row(each.name, _audited_cells(each), marks=(f"audit_group.{group}",))
        for group, figures in groups
        for each in figures
    ]
    return Table(
        "label_audit", columns, tuple(rows), (Note("note.label_audit"),), name_heading="group"
    )


def _audited_cells(figure: ErrorFigure) -> tuple[Cell, ...]:
    decisions, audited = figure.decision_errors, figure.audited
    return (
        Cell(audited),
        Cell(figure.error, figure.joint_errors, audited, figure.low, figure.high),
        Cell(decisions / audited if audited else None, decisions, audited),
    )
