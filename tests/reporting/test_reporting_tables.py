"""One table, four forms: counts beside every percentage, and nothing breaks the form."""

from __future__ import annotations

import csv
import io

import pytest

from riskchainbench.reporting.strings import translator
from riskchainbench.reporting.tables import (
    Better,
    Cell,
    Column,
    Note,
    Row,
    RowKind,
    Table,
    Unit,
    counts,
    interval,
    number,
    to_csv,
    to_html,
    to_latex,
    to_markdown,
)

ENGLISH = translator("en")
ACCURACY = Column("accuracy")
TABLE = Table(
    "investigation",
    (ACCURACY, Column("cer", Unit.PERCENT, Better.LOWER, 2)),
    (
        Row("B_2", (Cell(365 / 600, 365, 600, 0.57, 0.648, tied="B"), Cell(0.0111))),
        Row("always-violation", (Cell(394 / 600, 394, 600), Cell()), RowKind.BASELINE),
        Row("A|1", (Cell(377 / 600, 377, 600, 0.589, 0.667, tied="A"), Cell(0.0162))),
    ),
    (Note("note.denominator"),),
    sort_column=0,
).sorted()


def test_systems_come_best_first_and_baselines_below_whatever_they_score() -> None:
    assert [row.name for row in TABLE.rows] == ["A|1", "B_2", "always-violation"]


@pytest.mark.parametrize(
    ("value", "column", "words"),
    [
        (377 / 600, ACCURACY, "62.8"),
        (-0.083, Column("difference", Unit.POINTS), "−8.3"),
        (-0.0001, Column("gate_loss", Unit.POINTS), "0.0"),
        (3.456, Column("mean", Unit.NUMBER, digits=2), "3.46"),
        (12.0, Column("total", Unit.COUNT), "12"),
        (None, ACCURACY, "–"),
    ],
)
def test_a_value_is_rounded_once_and_zero_has_no_sign(
    value: float | None, column: Column, words: str
) -> None:
    assert number(value, column) == words


def test_counts_and_interval_stand_as_text() -> None:
    cell = Cell(377 / 600, 377, 600, 0.589, 0.667)

    assert counts(cell) == "377/600"
    assert interval(cell, ACCURACY) == "[58.9, 66.7]"
    assert counts(Cell(3.5, denominator=580)) == "n = 580"


def test_an_undefined_value_says_why_in_every_form() -> None:
    cell = Cell(None, 0, 0, note="no website is a hard negative")
    table = Table("investigation", (ACCURACY,), (Row("a", (cell,)),))

    assert "– (no website is a hard negative)" in to_markdown(table, ENGLISH)
    assert "– (没有困难负例网站)" in to_markdown(table, translator("zh"))
    assert "no website is a hard negative" in to_csv(table)
    assert "0/0" not in to_markdown(table, ENGLISH)
    assert "– (no website is a hard negative)" in to_html(table, ENGLISH)


def test_latex_gives_each_reason_once_below_the_table() -> None:
    none, other = Cell(None, 0, 0, note="no website is a hard negative"), Cell(note="no run")
    rows = (Row("a", (none, other)), Row("b", (none, Cell(0.5, 1, 2))))
    body = to_latex(Table("investigation", TABLE.columns, rows), lambda key, **_: key)

    assert "a & --$^{1}$ & --$^{2}$ " in body
    assert r"b & --$^{1}$ & 50.00 {\scriptsize 1/2} " in body
    reasons = [line for line in body.splitlines() if line.startswith(r"\par")]
    assert reasons == [
        r"\par{\footnotesize $^{1}$ said.no website is a hard negative}",
        r"\par{\footnotesize $^{2}$ said.no run}",
    ]
    assert "0/0" not in body


def test_markdown_keeps_its_columns_when_a_name_holds_a_bar() -> None:
    lines = to_markdown(TABLE, ENGLISH).splitlines()

    assert lines[0] == "| System | Accuracy ↑ | CER ↓ |"
    assert lines[2] == r"| A\|1 | 62.8 377/600 [58.9, 66.7] A | 1.62 |"
    assert lines[-1].startswith("Every website stays in the denominator")


def test_csv_holds_unrounded_values_and_integers() -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(TABLE))))

    assert float(rows[0]["accuracy"]) == 377 / 600
    assert (rows[0]["accuracy_numerator"], rows[0]["accuracy_denominator"]) == ("377", "600")
    assert rows[2]["cer"] == ""


def test_csv_does_not_hand_a_formula_to_a_spreadsheet() -> None:
    table = Table("composition", (ACCURACY,), (Row("=1+1", (Cell(0.5),)),))

    assert to_csv(table).splitlines()[1].startswith("'=1+1,")


def test_latex_escapes_what_would_break_it() -> None:
    body = to_latex(TABLE, ENGLISH)

    assert r"B\_2 & 60.8$^{B}$ {\scriptsize 365/600 [57.0, 64.8]}" in body
    assert body.count(r"\midrule") == 2
    assert body.count("{") == body.count("}")


def test_html_escapes_a_name() -> None:
    table = Table("composition", (ACCURACY,), (Row("<script>x</script>", (Cell(0.5),)),))

    assert "&lt;script&gt;x&lt;/script&gt;" in to_html(table, ENGLISH)
