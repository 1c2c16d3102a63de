"""Systems beside each other: differences, ties, detectable differences and reruns."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scoring_world import BOTTOM, N, U, V, benchmark, run

from riskchainbench.core.errors import InputError
from riskchainbench.scoring.comparisons import letter_display
from riskchainbench.scoring.records import Completeness, IntervalKind, WarningKey
from riskchainbench.scoring.score import Options, score

MANY = Options(draws=300)
GOLDS = [V, N, U] * 12


def right_on(share_of_sets):
    """Return decisions that are right on the first sets and wrong on the others."""
    return [gold if place < share_of_sets * 3 else BOTTOM for place, gold in enumerate(GOLDS)]


@pytest.fixture(scope="module")
def scores():
    bundle, gold = benchmark(GOLDS)
    runs = [
        run(gold, right_on(sets), gates=[True] * 36, system=name)
        for name, sets in (("best", 12), ("close", 10), ("poor", 2))
    ]
    return score(bundle, gold, runs, MANY)


def groups_of(scores):
    return {tied.metric_id: tied.groups for tied in scores.tied_groups}


def rows_and_pairs(count):
    """Return a strategy of ranked rows and any of their pairs, as those that differ."""
    ranked = [f"row{place}" for place in range(count)]
    pairs = [frozenset(pair) for pair in combinations(ranked, 2)]
    chosen = st.sets(st.sampled_from(pairs)) if pairs else st.just(set())
    return st.tuples(st.permutations(ranked), chosen)


def compared(scores, first, second, metric="web_only.accuracy"):
    return next(
        c for c in scores.comparisons if (c.first, c.second, c.metric_id) == (first, second, metric)
    )


def test_a_difference_is_taken_from_counts_with_an_exact_test(scores):
    found = compared(scores, "best", "poor")
    assert (found.difference.numerator, found.difference.denominator) == (30, 36)
    # Ten sets of twelve differ by 3, all one way: two of 2**10 flips are as extreme.
    assert found.exact
    assert found.p_value == pytest.approx(2 / 2**10)
    assert found.interval.low < 30 / 36 <= found.interval.high


def test_holm_corrects_over_the_primary_metrics_of_a_pair(scores):
    pair = [c for c in scores.comparisons if (c.first, c.second) == ("best", "poor")]
    assert {c.metric_id for c in pair} == {
        "task1.entry_top1",
        "web_only.accuracy",
        "gated.accuracy",
        "web_only.set_consistency",
    }
    # Three of the four have the same small p-value; the smallest is multiplied by four.
    assert compared(scores, "best", "poor").p_holm == pytest.approx(4 * 2 / 2**10)
    assert compared(scores, "best", "poor", "task1.entry_top1").p_value == 1.0


def test_systems_that_cannot_be_told_apart_share_a_group(scores):
    groups = groups_of(scores)
    assert groups["web_only.accuracy"] == (("best", "close"), ("poor",))
    assert groups["task1.entry_top1"] == (("best", "close", "poor"),)


def test_a_row_between_two_that_differ_shares_a_group_with_each():
    golds = [V, N, U] * 8
    bundle, gold = benchmark(golds)
    runs = [
        run(gold, right_on(sets)[:24], gates=[True] * 24, system=name)
        for name, sets in (("oracle", 8), ("rules", 1), ("constants", 0))
    ]
    made = score(bundle, gold, runs, MANY)
    metric = "web_only.set_consistency"
    # Over n sets that differ one way two of 2**n flips are as extreme; four metrics are tested.
    assert compared(made, "constants", "oracle", metric).p_holm == pytest.approx(4 * 2 / 2**8)
    assert compared(made, "oracle", "rules", metric).p_holm == pytest.approx(4 * 2 / 2**7)
    assert compared(made, "constants", "rules", metric).p_holm == 1.0
    assert groups_of(made)[metric] == (("oracle", "rules"), ("rules", "constants"))


@given(st.integers(1, 7).flatmap(rows_and_pairs))
def test_rows_share_a_group_if_and_only_if_they_do_not_differ(drawn):
    ranked, differing = drawn
    groups = letter_display(ranked, differing)
    for pair in combinations(ranked, 2):
        together = any(set(pair) <= set(group) for group in groups)
        assert together == (frozenset(pair) not in differing)
    assert {row for group in groups for row in group} == set(ranked)
    assert not any(set(a) <= set(b) for a, b in permutations(groups, 2))
    assert all(list(group) == sorted(group, key=ranked.index) for group in groups)


def test_one_system_alone_is_in_no_group():
    bundle, gold = benchmark(GOLDS)
    made = score(bundle, gold, [run(gold, right_on(6))], MANY)
    assert made.tied_groups == ()


def test_larger_differences_need_fewer_sets(scores):
    found = next(d for d in scores.detectable if d.metric_id == "web_only.accuracy")
    assert 0 < found.difference < 1
    needed = [row.sets_needed for row in found.power]
    assert needed == sorted(needed, reverse=True)
    nothing = next(d for d in scores.detectable if d.metric_id == "task1.entry_top1")
    assert nothing.difference is None
    assert "no difference between two rows varies" in nothing.undefined


def test_runs_of_one_system_show_their_spread():
    bundle, gold = benchmark(GOLDS)
    runs = [
        run(gold, right_on(sets), system="model", repeat=repeat)
        for repeat, sets in ((1, 6), (2, 8))
    ]
    made = score(bundle, gold, runs, MANY)
    assert [row.row_id for row in made.systems] == ["model#1", "model#2"]
    found = next(r for r in made.reruns if r.metric_id == "web_only.accuracy")
    assert found.mean == pytest.approx(7 / 12)
    # Two runs at 6/12 and 8/12: the sample standard deviation is (2/12) / sqrt(2).
    assert found.between_run_sd == pytest.approx((2 / 12) / 2**0.5)
    assert found.interval.kind is IntervalKind.RERUNS
    alone = made.systems[0].metric("web_only.accuracy").intervals[0]
    assert found.interval.high > alone.high


def test_two_runs_of_the_same_repeat_are_refused():
    bundle, gold = benchmark([V])
    with pytest.raises(InputError, match="two runs are of model, repeat 1"):
        score(bundle, gold, [run(gold, [V]), run(gold, [N])], MANY)


def test_one_model_under_two_settings_has_two_rows_told_apart_by_what_differs():
    bundle, gold = benchmark(GOLDS)
    common = {"structured": "none", "base_url": "https://model.test"}
    runs = [
        run(gold, right_on(6), settings={**common, "temperature": 1}),
        run(gold, right_on(8), settings={**common, "temperature": 0}),
        run(gold, right_on(8), settings=common),
        run(gold, right_on(9), system="other"),
    ]
    made = score(bundle, gold, runs, MANY)
    names = ["model (temperature=0)", "model (temperature=1)", "model (temperature=not set)"]
    assert [row.row_id for row in made.systems] == [*names, "other"]
    assert [row.name for row in made.systems] == [*names, "other"]
    assert made.reruns == ()
    assert made == score(bundle, gold, runs[::-1], MANY)


def test_repeats_under_two_settings_stay_repeats_of_their_own():
    bundle, gold = benchmark(GOLDS)
    runs = [
        run(gold, right_on(6 + repeat), repeat=repeat, settings={"temperature": t, "seed": repeat})
        for t in (0, 1)
        for repeat in (1, 2)
    ]
    made = score(bundle, gold, runs, MANY)
    names = [f"model (temperature={t})" for t in (0, 1)]
    assert [row.row_id for row in made.systems] == [f"{n}#{r}" for n in names for r in (1, 2)]
    assert {found.system for found in made.reruns} == set(names)


def test_seeds_tell_runs_apart_only_where_their_repeats_do_not():
    bundle, gold = benchmark(GOLDS)

    def rows(*given):
        runs = [run(gold, right_on(6), repeat=r, settings={"seed": s}) for r, s in given]
        return [row.row_id for row in score(bundle, gold, runs, MANY).systems]

    assert rows((1, 7), (2, 8)) == ["model#1", "model#2"]
    assert rows((1, 7), (1, 8)) == ["model (seed=7)", "model (seed=8)"]


def test_a_missing_case_is_refused_by_name_unless_it_is_to_count_as_a_failure():
    bundle, gold = benchmark([V, N, U])
    whole = run(gold, [V, N, U])
    partial = {case: record for case, record in whole.conclusions.items() if case != "c0001"}
    short = run(gold, conclusions=partial, trajectory=whole.trajectory, open_cases=("c0001",))
    with pytest.raises(InputError, match="case c0001 has no outcome"):
        score(bundle, gold, [short], MANY)
    incomplete = score(bundle, gold, [short], Options(Completeness.INCOMPLETE, draws=20))
    count = incomplete.systems[0].metric("web_only.accuracy").count
    assert (count.numerator, count.denominator) == (2, 3)
    assert incomplete.header.completeness is Completeness.INCOMPLETE
    assert incomplete.systems[0].metric("web_only.system_failures").count.numerator == 1


def test_a_subset_is_scored_on_what_every_run_finished_and_headed_so():
    bundle, gold = benchmark([V, N, U])
    whole = run(gold, [V, N, U], system="whole")
    partial = {case: record for case, record in whole.conclusions.items() if case != "c0001"}
    short = run(gold, conclusions=partial, trajectory=whole.trajectory)
    made = score(bundle, gold, [short, whole], Options(Completeness.SUBSET, draws=20))
    assert (made.header.websites, made.header.all_websites) == (2, 3)
    assert [len(row.cases) for row in made.systems] == [2, 2]
    assert [w.detail for w in made.warnings if w.key is WarningKey.SUBSET] == ["2/3"]
    # The one set is no longer whole.
    consistency = made.systems[0].metric("web_only.set_consistency")
    assert consistency.undefined == "no contrast set is whole"


def test_units_of_another_bundle_are_refused_by_name():
    bundle, gold = benchmark([V])
    _, other = benchmark([V, N])
    with pytest.raises(InputError, match="case c0001 is not in this bundle"):
        score(bundle, gold, [run(other, [V, N])], MANY)


def test_nothing_to_score_is_refused():
    bundle, gold = benchmark([V])
    with pytest.raises(InputError, match="no run to score"):
        score(bundle, gold, [], MANY)


def test_a_label_outside_the_codebook_is_refused_with_its_case():
    bundle, gold = benchmark([V])
    gold.labels["c0000"] = gold.labels["c0000"].but(violation_type="STRANGE_TYPE")
    with pytest.raises(InputError, match=r"case c0000: .*knows no type STRANGE_TYPE"):
        score(bundle, gold, [run(gold, [V])], MANY)


def test_scores_survive_a_round_trip_and_can_be_stripped_of_units(scores):
    read = type(scores).model_validate_json(scores.to_json())
    assert read == scores
    stripped = scores.without_units()
    assert all(not row.cases and not row.messages for row in stripped.systems)
    assert stripped.systems[0].metrics == scores.systems[0].metrics
