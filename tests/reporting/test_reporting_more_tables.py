"""The folded tables, the warnings and what is published elsewhere, as they are printed."""

from __future__ import annotations

import re

import pytest
from reporting_world import World

from riskchainbench.reporting import figures
from riskchainbench.reporting.heat import heat_maps
from riskchainbench.reporting.more_tables import confusion_tables, power_table
from riskchainbench.reporting.page import Format
from riskchainbench.reporting.score_tables import main_tables
from riskchainbench.reporting.strata_data import strata_data
from riskchainbench.reporting.strings import text, translator
from riskchainbench.reporting.tables import (
    Cell,
    Column,
    Table,
    Unit,
    published_rows,
    shown,
    to_markdown,
)
from riskchainbench.reporting.warned import warning_lines
from riskchainbench.scoring.published import published
from riskchainbench.scoring.records import Detectable, PowerRow, Scores

EN = translator("en")


@pytest.fixture
def scores(world: World) -> Scores:
    assert world.scores is not None
    return world.scores


def test_power_has_a_row_a_metric_and_says_where_nothing_can_be_told(scores: Scores) -> None:
    reason = "no difference between two rows varies from set to set"
    made = scores.but(
        detectable=(
            Detectable(
                metric_id="web_only.accuracy",
                difference=0.153,
                power=(
                    PowerRow(difference=0.01, sets_needed=1869),
                    PowerRow(difference=0.1, sets_needed=19),
                ),
            ),
            Detectable(metric_id="web_only.set_consistency", difference=None, undefined=reason),
        )
    )
    found = power_table(made)
    assert found is not None
    lines = to_markdown(found, EN).splitlines()
    assert lines[0].count("|") == 5
    assert lines[2] == "| Web-only accuracy | 15.3 | 1,869 | 19 |"
    assert lines[3].startswith(f"| Set consistency | – ({reason})")


def test_both_views_have_confusion_matrices_and_the_oracle_comes_last(scores: Scores) -> None:
    web, gated = confusion_tables(scores)
    assert (web.key, gated.key) == ("confusion.web_only", "confusion.gated")
    names = [row.name for row in web.rows]
    assert list(dict.fromkeys(names)) == ["careful", "hasty", "always-violation", "oracle"]

    def matrix(table: Table, name: str) -> list[list[float | None]]:
        return [[cell.value for cell in row.cells] for row in table.rows if row.name == name]

    # Gold in rows; hasty answers V, fails on each U, and no message of its led anywhere.
    assert matrix(web, "hasty") == [[4, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 4]]
    assert matrix(gated, "hasty") == [[0, 0, 0, 4]] * 3


def test_heat_maps_have_the_oracle_below_all_others(scores: Scores) -> None:
    turned = scores.but(systems=scores.systems[::-1])
    assert heat_maps(turned)[0].rows[-1].name == "oracle"
    chosen = strata_data(turned)
    assert chosen is not None
    assert chosen["maps"]["web_only.accuracy"]["form"]["rows"][-1][0] == "oracle"


def test_a_given_prevalence_stands_in_the_table_with_its_precision(scores: Scores) -> None:
    metric = next(m for m in scores.systems[0].metrics if m.metric_id == "web_only.accuracy")
    systems = tuple(
        row.but(metrics=(*row.metrics, metric.but(metric_id="web_only.precision_at_prevalence")))
        for row in scores.systems
    )
    made = scores.but(systems=systems, header=scores.header.but(prevalence=0.05))
    found = next(table for table in main_tables(made) if table.key == "investigation")
    assert found.columns[-1].key == "precision_at_prevalence"
    note = next(each for each in found.notes if each.key == "note.prevalence")
    assert "if 5 % of websites were violations" in text("en", note.key, **note.as_dict)
    plain = next(table for table in main_tables(scores) if table.key == "investigation")
    assert "note.prevalence" not in [each.key for each in plain.notes]


def test_what_was_published_keeps_its_decimals_and_counts_are_whole() -> None:
    tables = {table.table_id: published_rows(table) for table in published().tables}
    assert tables["gold"] == [
        ["VIOLATION", "394"],
        ["NON_VIOLATION", "181"],
        ["INSUFFICIENT_EVIDENCE", "25"],
    ]
    assert ["Claude Sonnet 5", "76.50"] in tables["entry_gate_pass"]
    assert tables["task2"][0] == ["GPT-5.6 SOL", "62.8", "59.3", "42.8", "61.0"]


def test_large_counts_are_grouped_by_thousands() -> None:
    assert shown(Cell(1234567.0), Column("total", Unit.COUNT, digits=0)) == "1,234,567"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_few_contrast_sets_are_counted_in_the_warning(scores: Scores, language: str) -> None:
    line = warning_lines(scores, translator(language))[0]
    assert f" {scores.header.contrast_sets}" in line
    assert "{" not in line
    assert "(" not in line


def test_a_run_without_a_gated_view_is_drawn_as_no_loss() -> None:
    words = {"gated": "gated", "loss": "lost", "ungated": "no gated view", "axis": "%"}
    svg = figures.gated_accuracy([figures.Bar("x", None, 0.5)], words)
    assert "50.0  (no gated view)" in svg
    with_loss = figures.gated_accuracy([figures.Bar("x", 0.0, 0.5)], words)
    assert svg.count("url(#") < with_loss.count("url(#")


def test_a_legend_of_long_names_stays_within_its_figure() -> None:
    names = [f"provider/some-family-of-models-of-the-year-2026-{number}" for number in range(4)]
    svg = figures.curves([figures.Line(name, ((0.1, 0.2), (1.0, 0.3))) for name in names], "x", "y")
    places = [re.search(rf' x="([0-9.]+)"[^>]*>{name}<', svg) for name in names]
    assert [place and place[1] for place in places] == ["35"] * 4


def test_a_name_breaks_after_its_slashes_and_is_escaped() -> None:
    assert Format().breakable("a/b<c") == "a/<wbr>b&lt;c"
