"""What the report says of scores: the right counts in the right place, and nothing unlabeled."""

from __future__ import annotations

import pytest
from reporting_world import World

from riskchainbench.reporting import figures
from riskchainbench.reporting.content import content_of
from riskchainbench.reporting.heat import heat_maps
from riskchainbench.reporting.inlining import inline
from riskchainbench.reporting.plots import plots
from riskchainbench.reporting.score_tables import judge_table, main_tables
from riskchainbench.reporting.strata_data import strata_data
from riskchainbench.reporting.strings import text
from riskchainbench.reporting.tables import RowKind, Table
from riskchainbench.scoring.records import Completeness, Count, Scores, SystemKind, TiedGroups


@pytest.fixture
def scores(world: World) -> Scores:
    assert world.scores is not None
    return world.scores


def table(scores: Scores, key: str) -> Table:
    return next(each for each in main_tables(scores) if each.key == key)


def counts(found: Table, column: str) -> dict[str, tuple[int | None, int | None]]:
    at = [each.key for each in found.columns].index(column)
    return {row.name: (row.cells[at].numerator, row.cells[at].denominator) for row in found.rows}


def test_table_1b_counts_what_the_fixture_was_made_to_get_right(scores: Scores) -> None:
    assert counts(table(scores, "investigation"), "accuracy") == {
        "careful": (11, 12),
        "hasty": (4, 12),
        "always-violation": (4, 12),
        "oracle": (12, 12),
    }


def test_table_2_takes_away_what_the_gate_shuts_out(scores: Scores) -> None:
    found = table(scores, "composition")

    assert counts(found, "web_only_accuracy")["hasty"] == (4, 12)
    assert counts(found, "gated_accuracy")["hasty"] == (0, 12)
    assert counts(found, "gate_loss") == {
        "careful": (0, 12),
        "hasty": (4, 12),
        "always-violation": (4, 12),
        "oracle": (0, 12),
    }


def test_a_row_has_a_letter_for_each_group_that_it_is_in(scores: Scores) -> None:
    groups = (("oracle", "careful"), ("careful", "hasty"), ("always-violation",))
    tied = TiedGroups(metric_id="web_only.accuracy", groups=groups)
    found = table(scores.but(tied_groups=(tied,)), "investigation")

    at = [each.key for each in found.columns].index("accuracy")
    letters = {row.name: row.cells[at].tied for row in found.rows}
    assert letters == {"oracle": "A", "careful": "AB", "hasty": "B", "always-violation": "C"}


def test_groups_past_the_alphabet_have_names_of_their_own(scores: Scores) -> None:
    first = scores.systems[0].row_id
    fillers = tuple((f"other{at}",) for at in range(26))
    tied = TiedGroups(metric_id="web_only.accuracy", groups=(*fillers, (first,)))
    found = table(scores.but(tied_groups=(tied,)), "investigation")

    at = [each.key for each in found.columns].index("accuracy")
    assert next(row.cells[at].tied for row in found.rows if row.name == first) == "A2"


def test_without_groups_there_is_no_letter_and_no_word_of_letters(scores: Scores) -> None:
    found = table(scores.but(systems=scores.systems[:1], tied_groups=()), "investigation")

    assert {cell.tied for row in found.rows for cell in row.cells} == {""}
    assert "note.tied" not in {note.key for note in found.notes}


def test_a_subset_does_not_claim_every_website(scores: Scores) -> None:
    header = scores.header.but(completeness=Completeness.SUBSET, websites=9)
    notes = {note.key: note for note in table(scores.but(header=header), "investigation").notes}

    assert "note.denominator" not in notes
    assert "Only the 9 of 12 websites" in text(
        "en", "note.denominator_subset", **notes["note.denominator_subset"].as_dict
    )


@pytest.mark.parametrize(
    ("size", "explained"),
    [
        (12.0, False),
        (12.0 + 1e-12, False),  # printed as 12 of 12, which passes nothing
        (15.5, True),
    ],
)
def test_an_effective_size_above_the_sample_is_explained(
    scores: Scores, size: float, explained: bool
) -> None:
    systems = tuple(
        row.but(
            metrics=tuple(
                each.but(effective_size=size, design_effect=12 / size)
                if each.metric_id == "web_only.accuracy"
                else each.but(effective_size=None)
                for each in row.metrics
            )
        )
        for row in scores.systems
    )
    notes = table(scores.but(systems=systems), "investigation").notes
    found = next(each for each in notes if each.key == "note.effective")
    assert ("note.effective_above" in [each.key for each in notes]) is explained
    for language in ("en", "zh"):
        assert f"{12 / size:.2f}" in text(language, found.key, **found.as_dict)


def test_every_main_table_names_constants_and_oracle_as_such(scores: Scores) -> None:
    for found in main_tables(scores):
        kinds = {row.name: row.kind for row in found.rows}
        assert kinds["always-violation"] is RowKind.BASELINE
        assert kinds["oracle"] is RowKind.ORACLE


def test_every_proportion_in_a_main_table_has_its_counts(scores: Scores) -> None:
    averages = {"macro_f1", "type_macro_f1"}
    for found in main_tables(scores):
        for row in found.rows:
            for cell, column in zip(row.cells, found.columns, strict=True):
                assert column.key in averages or cell.denominator, (found.key, column.key)


def test_a_judge_shows_coverage_first_and_how_many_runs_each_mean_covers(scores: Scores) -> None:
    found = judge_table(scores, "rules")

    assert found.columns[0].key == "judge_coverage"
    assert "coverage" not in [column.key for column in found.columns]
    careful = next(row for row in found.rows if row.name == "careful")
    assert (careful.cells[0].numerator, careful.cells[0].denominator) == (12, 12)
    assert {cell.denominator for cell in careful.cells[1:]} == {12}
    assert {cell.numerator for cell in careful.cells[1:]} == {None}


def test_means_are_ranked_only_where_every_run_is_covered_alike(scores: Scores) -> None:
    def covered(*fractions: tuple[int, int]) -> Scores:
        judged = [row for row in scores.systems if row.judges]
        systems = [
            row.but(
                judges=tuple(
                    judge.but(coverage=Count(numerator=share[0], denominator=share[1]))
                    for judge in row.judges
                )
            )
            for row, share in zip(judged, fractions, strict=False)
        ]
        return scores.but(systems=tuple(systems))

    alike = judge_table(covered((12, 12), (6, 6)), "rules")
    assert all(column.ranked for column in alike.columns)
    assert "note.judge_unequal" not in [note.key for note in alike.notes]
    unequal = judge_table(covered((12, 12), (5, 6)), "rules")
    assert [column.ranked for column in unequal.columns] == [True] + [False] * 5
    assert "note.judge_unequal" in [note.key for note in unequal.notes]


def test_the_rules_judge_is_marked_as_deterministic(scores: Scores) -> None:
    content = content_of(scores, (), ("en",), public=False)

    assert [(block.judge, block.deterministic) for block in content.judges] == [("rules", True)]


def test_small_strata_are_marked_thin(scores: Scores) -> None:
    form = next(each for each in heat_maps(scores) if each.dimension == "form")

    assert {value.value: value.units for value in form.values} == {
        "forum thread": 6,
        "landing page": 6,
    }
    assert all(cell.thin for row in form.rows for cell in row.cells)


def with_stratum_of(scores: Scores, websites: int) -> Scores:
    """The scores with `websites` in each stratum by form, but one less by language in one."""
    sizes = {"form": websites, "language": websites}
    systems = tuple(
        row.but(
            strata=tuple(
                each.but(websites=sizes[each.dimension] - (each.value == "en"))
                for each in row.strata
                if each.dimension in sizes
            )
        )
        for row in scores.systems
    )
    return scores.but(systems=systems)


def test_a_public_report_keeps_strata_of_thirty_websites_and_no_smaller_one(
    scores: Scores,
) -> None:
    assert content_of(scores, (), ("en",), public=True).heat_maps == ()

    large = content_of(with_stratum_of(scores, 30), (), ("en",), public=True).heat_maps
    assert {each.dimension for each in large} == {"form"}

    larger = content_of(with_stratum_of(scores, 31), (), ("en",), public=True).heat_maps
    assert {each.dimension for each in larger} == {"form", "language"}


def test_strata_to_choose_from_are_held_to_the_same_size_in_public(scores: Scores) -> None:
    assert content_of(scores, (), ("en",), public=True).strata is None

    # 31 websites stand in each stratum by language, but only 2 of them count toward a recall.
    found = strata_data(with_stratum_of(scores, 31), fewest=2)
    assert found is not None
    assert "web_only.recall_violation" in found["maps"]
    some = strata_data(with_stratum_of(scores, 31), fewest=3)
    assert some is not None
    assert "web_only.accuracy" in some["maps"]
    assert "web_only.recall_violation" not in some["maps"]


def test_a_figure_says_in_words_what_it_shows(scores: Scores) -> None:
    gated = next(plot for plot in plots(scores, ("en",)) if plot.key == "gated")

    assert "careful: 91.7 gated, 91.7 web-only" in gated.alt["en"]
    assert "hasty: 0.0 gated, 33.3 web-only" in gated.alt["en"]


def test_the_scores_of_a_judge_are_drawn_with_every_count_in_words(scores: Scores) -> None:
    judge = next(plot for plot in plots(scores, ("en",)) if plot.key == "judge")

    # The fixture's judge gave every conclusion 4 for faithfulness; hasty failed on a third.
    assert "careful · Faithfulness: 1 × 0, 2 × 0, 3 × 0, 4 × 12, 5 × 0" in judge.alt["en"]
    assert "hasty · Faithfulness: 1 × 0, 2 × 0, 3 × 0, 4 × 8, 5 × 0" in judge.alt["en"]


def test_baselines_are_drawn_in_full_color_where_they_stand_alone(scores: Scores) -> None:
    alone = scores.but(
        systems=tuple(row for row in scores.systems if row.kind is not SystemKind.MODEL)
    )
    words = {"gated": "g", "loss": "l", "axis": "%"}
    dim = figures.gated_accuracy([figures.Bar("x", 0.3, 0.5, reference=True)], words)

    svg = next(plot for plot in plots(alone, ("en",)) if plot.key == "gated").svg["en"]

    assert figures.BLUE in svg
    assert figures.BLUE not in dim


def test_a_figure_has_equal_bytes_each_time_and_no_date() -> None:
    stacks = [figures.Stack("a", (1, 2, 3, 4, 10)), figures.Stack("b", (0, 0, 0, 0, 20), True)]

    first, second = (figures.stacked_shares(stacks, list("vwxyz"), "%") for _ in range(2))

    assert first == second
    assert "dc:date" not in first


def test_a_name_with_dollars_or_markup_is_drawn_as_it_is_written() -> None:
    words = {"gated": "g", "loss": "l", "axis": "%"}

    svg = figures.gated_accuracy([figures.Bar("$x_1$ <b>", 0.5, 0.6)], words)

    assert "$x_1$ &lt;b&gt;" in svg


def test_an_inlined_figure_owns_its_ids_and_takes_the_colors_of_the_page() -> None:
    words = {"gated": "g", "loss": "l", "axis": "%"}
    svg = figures.gated_accuracy([figures.Bar("a", 0.5, 0.6)], words)

    body = inline(svg, "f1")

    assert 'id="f1-' in body
    assert 'id="figure_1"' not in body
    assert "var(--fig-blue)" in body
    assert figures.BLUE not in body
    assert "<?xml" not in body
