"""One table model and its four written forms: Markdown, CSV, LaTeX and HTML.

A cell keeps its counts and interval beside its value, so no form prints a percentage without
its numerator and denominator. What the tables hold is decided in `paper_tables`, not here.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from markupsafe import Markup, escape

from riskchainbench.scoring.records import PublishedTable

Translate = Callable[..., str]
"""Turns a key of ``strings.toml``, with the values it wants by name, into words."""


@dataclass(frozen=True)
class Term:
    """A word inside a remark that is itself a key of ``strings.toml``."""

    key: str


@dataclass(frozen=True)
class Note:
    """A remark under a table: a key of ``strings.toml`` and the values it wants."""

    key: str
    values: tuple[tuple[str, str | Term], ...] = ()

    @property
    def as_dict(self) -> dict[str, str | Term]:
        """The values by name."""
        return dict(self.values)


class Unit(StrEnum):
    """How a cell's value is printed."""

    PERCENT = "percent"
    POINTS = "points"
    NUMBER = "number"
    COUNT = "count"
    TEXT = "text"


class Better(StrEnum):
    """Which way is good."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class RowKind(StrEnum):
    """What stands behind a row; only systems are compared with one another."""

    SYSTEM = "system"
    BASELINE = "baseline"
    ORACLE = "oracle"


@dataclass(frozen=True)
class Column:
    """One metric. `group` and `key` together name its heading in ``strings.toml``.

    A column that is not `ranked` cannot be sorted by: its figures rest on different runs.
    """

    key: str
    unit: Unit = Unit.PERCENT
    better: Better = Better.HIGHER
    digits: int = 1
    group: str = "column"
    ranked: bool = True

    @property
    def heading(self) -> str:
        """The key of the heading's words."""
        return f"{self.group}.{self.key}"


@dataclass(frozen=True)
class Cell:
    """One figure with everything needed to check it.

    `value`, `low` and `high` are fractions where the column's unit is percent or points;
    `low` and `high` bound the 95 % interval. `tied` holds a letter for each group of systems
    that cannot be told apart. `note` says why a value is undefined. `thin` marks a cell that
    rests on fewer than 30 clusters. `others` are intervals over other units, each with the key
    of the unit's name.
    """

    value: float | None = None
    numerator: int | None = None
    denominator: int | None = None
    low: float | None = None
    high: float | None = None
    tied: str = ""
    text: str = ""
    note: str = ""
    thin: bool = False
    others: tuple[tuple[str, float, float], ...] = ()


@dataclass(frozen=True)
class Row:
    """One system's cells, in the order of the columns."""

    name: str
    cells: tuple[Cell, ...]
    kind: RowKind = RowKind.SYSTEM
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table; `key` names its title in ``strings.toml``."""

    key: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...] = ()
    name_heading: str = "system"
    sort_column: int | None = None

    def sorted(self) -> Table:
        """Return the table with systems first, best first, and baselines and oracle below."""
        if self.sort_column is None:
            return self
        at = self.sort_column
        sign = 1 if self.columns[at].better is Better.LOWER else -1
        order = {RowKind.SYSTEM: 0, RowKind.BASELINE: 1, RowKind.ORACLE: 2}

        def rank(row: Row) -> tuple[int, bool, float, str]:
            value = row.cells[at].value
            return (order[row.kind], value is None, sign * (value or 0.0), row.name)

        return replace(self, rows=tuple(sorted(self.rows, key=rank)))


MISSING = "–"
MINUS = "−"


def number(value: float | None, column: Column) -> str:
    """Return `value` as it is printed in `column`, without its unit sign."""
    if value is None:
        return MISSING
    if column.unit in (Unit.PERCENT, Unit.POINTS):
        value *= 100
    digits = 0 if column.unit is Unit.COUNT else column.digits
    text = f"{value:,.0f}" if column.unit is Unit.COUNT else f"{value:.{digits}f}"
    return text.removeprefix("-") if round(value, digits) == 0 else text.replace("-", MINUS)


def shown(cell: Cell, column: Column) -> str:
    """Return a cell's main figure."""
    return cell.text if cell.text else number(cell.value, column)


def counts(cell: Cell) -> str:
    """Return ``numerator/denominator``, or nothing where the cell is no proportion."""
    if cell.denominator is None:
        return ""
    if cell.numerator is None:
        return f"n = {cell.denominator:,}"
    return f"{cell.numerator:,}/{cell.denominator:,}".replace("-", MINUS)


def other_intervals(cell: Cell, column: Column) -> list[tuple[str, str]]:
    """Return the intervals over other units, each as the key of the unit's name and its words."""
    return [
        (key, f"[{number(low, column)}, {number(high, column)}]") for key, low, high in cell.others
    ]


def interval(cell: Cell, column: Column) -> str:
    """Return the 95 % interval as ``[low, high]``, or nothing where there is none."""
    if cell.low is None or cell.high is None:
        return ""
    return f"[{number(cell.low, column)}, {number(cell.high, column)}]"


def _reason(cell: Cell, translate: Translate) -> str:
    """Return why a cell has no value, or nothing where it has one."""
    undefined = cell.value is None and not cell.text and cell.note
    return translate(f"said.{cell.note}") if undefined else ""


def _whole(cell: Cell, column: Column, translate: Translate) -> str:
    if reason := _reason(cell, translate):
        return f"{MISSING} ({reason})"
    parts = (shown(cell, column), counts(cell), interval(cell, column), cell.tied)
    return " ".join(part for part in parts if part)


def _headings(table: Table, translate: Translate) -> list[str]:
    arrows = {Better.HIGHER: " ↑", Better.LOWER: " ↓", Better.NEITHER: ""}
    return [translate(f"column.{table.name_heading}")] + [
        translate(column.heading) + arrows[column.better] for column in table.columns
    ]


def to_markdown(table: Table, translate: Translate) -> str:
    """Return the table as GitHub-flavored Markdown."""

    def line(words: Sequence[str]) -> str:
        safe = (word.replace("\\", "\\\\").replace("|", "\\|") for word in words)
        return "| " + " | ".join(" ".join(word.split()) for word in safe) + " |"

    lines = [line(_headings(table, translate))]
    lines.append("|" + "|".join([" :-- "] + [" --: "] * len(table.columns)) + "|")
    for row in table.rows:
        cells = [_whole(c, k, translate) for c, k in zip(row.cells, table.columns, strict=True)]
        lines.append(line([_label(row, translate), *cells]))
    for note in table.notes:
        lines += ["", translate(note.key, **note.as_dict)]
    return "\n".join(lines) + "\n"


def _label(row: Row, translate: Translate) -> str:
    words = [] if row.kind is RowKind.SYSTEM else [translate(f"kind.{row.kind}")]
    words += [translate(mark) for mark in row.marks]
    said = ", ".join(words)
    return f"{row.name} ({said})" if row.name and said else row.name or said


def to_csv(table: Table) -> str:
    """Return the table in long-lived plain CSV: keys as headings, unrounded values, counts."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heading = [table.name_heading, "kind"]
    parts = ("value", "numerator", "denominator", "low", "high", "tied", "note")
    heading += [
        column.key if part == "value" else f"{column.key}_{part}"
        for column in table.columns
        for part in parts
    ]
    writer.writerow(heading)
    for row in table.rows:
        values: list[object] = [_no_formula(row.name), row.kind.value]
        for cell in row.cells:
            values.append(_no_formula(cell.text) if cell.text else _exact(cell.value))
            values += [_exact(getattr(cell, part)) for part in parts[1:]]
        writer.writerow(values)
    return out.getvalue()


def published_rows(table: PublishedTable) -> list[list[str]]:
    """Return rows published elsewhere as words, each column with one number of decimals."""
    columns = list(zip(*table.rows, strict=True))
    digits = [max((_decimals(each) for each in column), default=0) for column in columns]
    return [
        [f"{c:.{n}f}" if isinstance(c, float) else c for c, n in zip(row, digits, strict=True)]
        for row in table.rows
    ]


def _decimals(value: str | float) -> int:
    if isinstance(value, str) or value == int(value):
        return 0
    return len(repr(value).partition(".")[2])


def _exact(value: object) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def _no_formula(text: str) -> str:
    """Keep spreadsheets from running a name as a formula."""
    return "'" + text if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


_LATEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    "–": "--",
    "−": "$-$",
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(char, char) for char in text)


def _latex_cell(cell: Cell, column: Column) -> str:
    extra = " ".join(word for word in (counts(cell), interval(cell, column)) if word)
    small = rf" {{\scriptsize {_latex(extra)}}}" if extra else ""
    tied = rf"$^{{{_latex(cell.tied)}}}$" if cell.tied else ""
    return _latex(shown(cell, column)) + tied + small


def to_latex(table: Table, translate: Translate) -> str:
    """Return the table as a LaTeX ``table`` that needs ``booktabs``.

    Why values are undefined stands below, each reason once and with a number.
    """
    reasons: list[str] = []
    lines = [r"\begin{table}[t]", r"\centering", r"\small"]
    lines.append(rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}")
    lines.append(r"\toprule")
    lines.append(" & ".join(_latex(word) for word in _headings(table, translate)) + r" \\")
    lines.append(r"\midrule")
    previous = table.rows[0].kind if table.rows else None
    for row in table.rows:
        if row.kind is not previous:
            lines.append(r"\midrule")
            previous = row.kind
        words = [_latex(_label(row, translate))]
        for cell, column in zip(row.cells, table.columns, strict=True):
            if reason := _reason(cell, translate):
                if reason not in reasons:
                    reasons.append(reason)
                words.append(rf"{_latex(MISSING)}$^{{{reasons.index(reason) + 1}}}$")
            else:
                words.append(_latex_cell(cell, column))
        lines.append(" & ".join(words) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [
        rf"\par{{\footnotesize $^{{{place}}}$ {_latex(reason)}}}"
        for place, reason in enumerate(reasons, start=1)
    ]
    caption = _latex(translate(f"table.{table.key}"))
    lines.append(rf"\caption{{{caption}}}")
    lines += [rf"\label{{tab:{table.key.replace('.', '-')}}}", r"\end{table}"]
    return "\n".join(lines) + "\n"


def to_html(table: Table, translate: Translate) -> Markup:
    """Return the table as plain HTML for pasting elsewhere; every word is escaped."""
    out = [
        Markup("<table>\n<caption>{}</caption>\n<thead><tr>").format(
            translate(f"table.{table.key}")
        )
    ]
    out += [Markup('<th scope="col">{}</th>').format(w) for w in _headings(table, translate)]
    out.append(Markup("</tr></thead>\n<tbody>\n"))
    for row in table.rows:
        out.append(Markup('<tr><th scope="row">{}</th>').format(_label(row, translate)))
        for cell, column in zip(row.cells, table.columns, strict=True):
            out.append(Markup("<td>{}</td>").format(_whole(cell, column, translate)))
        out.append(Markup("</tr>\n"))
    out.append(Markup("</tbody>\n</table>\n"))
    return Markup("").join(escape(part) for part in out)
