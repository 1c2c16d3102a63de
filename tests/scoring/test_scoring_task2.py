"""Task 2: what ⊥ is, where a run first failed, sets, strata and judges."""

import pytest
from scoring_world import (
    BOTTOM,
    CODEBOOK,
    TYPES,
    N,
    U,
    V,
    benchmark,
    concluded,
    failure,
    restored,
    run,
    trajectory,
)

from riskchainbench.core.codebook import Role
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.investigation import ActionKind, Ending, Trajectory, TrajectoryEnd
from riskchainbench.models.provider.prices import Price
from riskchainbench.scoring.outcomes import FirstFailure
from riskchainbench.scoring.records import WarningKey
from riskchainbench.scoring.run import JudgeRun, Judgment
from riskchainbench.scoring.score import Options, score
from riskchainbench.scoring.task2 import score_case
from riskchainbench.scoring.trajectories import facts

FEW = Options(draws=20)
_, GOLD = benchmark([V])
LABEL = GOLD.labels["c0000"]

PRICE = Price(model="model", input=1.0, output=2.0, date="2026-01-01", source="invented")


def outcome(seen, record):
    return score_case(LABEL, (), CODEBOOK, seen, record).outcome


def without_conclusion(kind, stage=Stage.CONCLUSION):
    return ConclusionRecord(
        case_id="c0000",
        trajectory_sha256="0" * 64,
        conclusion=None,
        failure=failure(kind, stage),
    )


def ended(kind, ending):
    return trajectory("a page", ending=ending, failure=failure(kind, Stage.INVESTIGATION))


NOTHING_SEEN = Trajectory(
    steps=(),
    end=TrajectoryEnd(
        ending=Ending.ENVIRONMENT, failure=failure("NO_FIRST_OBSERVATION", Stage.INVESTIGATION)
    ),
)
SEEN = trajectory("a page")
RIGHT = concluded("c0000", V, LABEL.violation_type)


@pytest.mark.parametrize(
    ("seen", "record", "first"),
    [
        (None, None, FirstFailure.EXECUTION),
        (SEEN, None, FirstFailure.EXECUTION),
        (NOTHING_SEEN, without_conclusion("NO_FIRST_OBSERVATION"), FirstFailure.EXECUTION),
        (SEEN, without_conclusion("PROVIDER_ERROR"), FirstFailure.EXECUTION),
        (
            ended("OUTSIDE_ACTION", Ending.OUTSIDE_ACTION),
            without_conclusion("OUTSIDE_ACTION", Stage.INVESTIGATION),
            FirstFailure.EXECUTION,
        ),
        (SEEN, without_conclusion("REFUSAL"), FirstFailure.MISSING_CONCLUSION),
        (SEEN, without_conclusion("UNRESOLVED_CITATION"), FirstFailure.MISSING_CONCLUSION),
        (SEEN, without_conclusion("CONCLUSION_TIMEOUT"), FirstFailure.MISSING_CONCLUSION),
        (SEEN, concluded("c0000", N), FirstFailure.DECISION),
        (SEEN, concluded("c0000", V, TYPES[3]), FirstFailure.TYPE),
        (SEEN, RIGHT, FirstFailure.SUCCESS),
        (ended("PAGE_HUNG", Ending.ENVIRONMENT), RIGHT, FirstFailure.SUCCESS),
        (ended("INVALID_ACTIONS", Ending.INVALID_ACTIONS), RIGHT, FirstFailure.SUCCESS),
        (trajectory("a page", ending=Ending.HORIZON), RIGHT, FirstFailure.SUCCESS),
    ],
)
def test_a_run_is_assigned_to_its_first_failed_stage(seen, record, first):
    assert outcome(seen, record).first_failure is first


def test_no_conclusion_counts_where_an_action_left_the_environment():
    found = outcome(ended("OUTSIDE_ACTION", Ending.OUTSIDE_ACTION), RIGHT)
    assert found.decision is None
    assert not found.decision_correct


def test_insufficient_evidence_is_right_against_gold_u_alone():
    bundle, gold = benchmark([V, N, U])
    found = score(bundle, gold, [run(gold, [U, U, U])], FEW).systems[0]
    assert [case.decision_correct for case in found.cases] == [False, False, True]
    assert found.metric("web_only.binary_accuracy").count.numerator == 0


def test_failures_of_system_and_environment_are_counted_apart():
    bundle, gold = benchmark([V, V, V, V])
    seen = {
        "c0000": NOTHING_SEEN,
        "c0001": ended("PAGE_HUNG", Ending.ENVIRONMENT),
        "c0002": SEEN,
        "c0003": SEEN,
    }
    conclusions = {
        "c0000": without_conclusion("NO_FIRST_OBSERVATION", Stage.INVESTIGATION),
        "c0001": concluded("c0001", V),
        "c0002": without_conclusion("UNRESOLVED_CITATION"),
        "c0003": without_conclusion("PROVIDER_ERROR"),
    }
    row = score(
        bundle, gold, [run(gold, conclusions=conclusions, trajectory=seen.get)], FEW
    ).systems[0]
    assert row.metric("web_only.environment_failures").count.numerator == 2
    assert row.metric("web_only.system_failures").count.numerator == 1
    assert row.metric("web_only.protocol_validity").count.numerator == 3
    assert row.metric("web_only.coverage").count.numerator == 1


def test_a_type_the_codebook_does_not_know_is_refused_with_the_case():
    with pytest.raises(InputError, match=r"case c0000: .*knows no type OTHER_THING"):
        outcome(SEEN, concluded("c0000", V, "OTHER_THING"))


def test_type_f1_counts_a_type_only_beside_violation_and_only_on_gold_violations():
    bundle, gold = benchmark([(V, TYPES[0]), N])
    row = score(bundle, gold, [run(gold, [(V, TYPES[0]), (V, TYPES[0])])], FEW).systems[0]
    # The false positive on the gold non-violation is left out.
    assert row.metric("web_only.type_macro_f1").value == 1.0
    assert [part.key for part in row.metric("web_only.type_macro_f1").parts] == [TYPES[0]]


def test_a_class_without_gold_counts_zero_on_the_full_set_and_leaves_strata():
    bundle, gold = benchmark([V, N] * 3, set_size=2)
    row = score(bundle, gold, [run(gold, [V, N] * 3)], FEW).systems[0]
    whole = row.metric("web_only.macro_f1")
    assert whole.value == pytest.approx(2 / 3)
    interval = whole.intervals[0]
    assert (interval.low, interval.high) == (pytest.approx(2 / 3), pytest.approx(2 / 3))
    strata = [s for s in row.strata if s.metric_id == "web_only.macro_f1"]
    assert {s.share for s in strata} == {1.0}
    assert row.metric("web_only.recall_insufficient_evidence").undefined == (
        "no website has gold INSUFFICIENT_EVIDENCE"
    )


def test_a_draw_without_gold_u_leaves_u_out_of_its_mean():
    bundle, gold = benchmark([V, N, V, N, U, U], set_size=2)
    row = score(bundle, gold, [run(gold, [V, N, V, N, V, V])], Options(draws=200)).systems[0]
    # With U wrong throughout, only a draw that has none of its set reaches 1.
    assert row.metric("web_only.macro_f1").intervals[0].high == 1.0
    recall = row.metric("web_only.recall_insufficient_evidence").intervals[0]
    assert (recall.low, recall.high) == (0.0, 0.0)
    assert recall.left_out > 0


def test_broken_sets_are_left_out_of_set_consistency():
    bundle, gold = benchmark([V, N, U, V, N, U, V])
    runs = [run(gold, [V, N, U, V, N, BOTTOM, V])]
    row = score(bundle, gold, runs, FEW).systems[0]
    count = row.metric("web_only.set_consistency").count
    assert (count.numerator, count.denominator) == (1, 2)


def test_false_positives_are_counted_on_hard_negatives():
    bundle, gold = benchmark([N, N, V])
    quoted = gold.components["c0002"][0].but(case_id="c0000", asserted=False)
    gold.components["c0000"] = (*gold.components["c0000"], quoted)
    assert quoted.role is Role.VIOLATION
    row = score(bundle, gold, [run(gold, [V, V, V])], FEW).systems[0]
    count = row.metric("web_only.false_positives").count
    assert (count.numerator, count.denominator) == (1, 1)
    by_language = [
        s
        for s in row.strata
        if s.dimension == "language" and s.metric_id == "web_only.false_positives"
    ]
    assert sum(s.count.numerator for s in by_language) == 1


def test_strata_under_thirty_websites_are_greyed_and_add_up():
    bundle, gold = benchmark([V, N, U] * 20)
    row = score(bundle, gold, [run(gold, [V] * 60, gates=[True] * 60)], FEW).systems[0]
    forms = [s for s in row.strata if s.dimension == "form" and s.metric_id == "web_only.accuracy"]
    assert sum(s.websites for s in forms) == 60
    assert sum(s.count.numerator for s in forms) == 20
    assert all(s.greyed for s in forms)
    languages = [s for s in row.strata if s.dimension == "language"]
    assert not any(s.greyed for s in languages)
    # A variant with two operators stands in both strata, so they need not add up.
    assert {s.value for s in row.strata if s.dimension == "operator"} == {"homophone"}


def test_judge_means_are_over_covered_runs_with_coverage_beside():
    bundle, gold = benchmark([V, N, U, V])
    scores = {"faithfulness": 5, "sufficiency": 4, "completeness": 3, "consistency": 2}
    lower = {name: value - 1 for name, value in scores.items()}
    judge = JudgeRun(
        "first",
        {
            "c0000": Judgment(scores),
            "c0001": Judgment(None),
            "c0002": Judgment(lower),
            # A judgment of a run without a valid conclusion is never a score.
            "c0003": Judgment(scores),
        },
        deterministic=True,
    )
    second = JudgeRun("second", {"c0000": Judgment(scores), "c0002": Judgment(lower)})
    made = score(bundle, gold, [run(gold, [V, N, U, BOTTOM], judges=(judge, second))], FEW)
    found = made.systems[0].judges[0]
    assert (found.coverage.numerator, found.coverage.denominator) == (2, 3)
    values = {metric.metric_id: metric.value for metric in found.metrics}
    assert values["judge.faithfulness"] == 4.5
    assert values["judge.mean"] == pytest.approx((3.5 + 2.5) / 2)
    assert [r.count.numerator for r in found.distributions[0].rows] == [0, 0, 0, 1, 1]
    agreement = made.judge_agreement[0]
    assert (agreement.units, agreement.quadratic_kappa, agreement.ordinal_alpha) == (2, 1.0, 1.0)
    assert WarningKey.DETERMINISTIC_JUDGE in {warning.key for warning in made.warnings}


def test_a_judge_that_covered_nothing_has_no_mean():
    bundle, gold = benchmark([V])
    judge = JudgeRun("none", {"c0000": Judgment(None)})
    found = score(bundle, gold, [run(gold, [V], judges=(judge,))], FEW).systems[0].judges[0]
    assert found.coverage.numerator == 0
    assert found.metrics[1].undefined == "no run was judged"


def test_trajectory_facts_by_hand():
    scroll, reload = ActionKind.SCROLL_DOWN, ActionKind.RELOAD
    seen = trajectory(
        "a", "a", "b", "a", "c", actions=[scroll, reload, scroll, scroll, ActionKind.STOP]
    )
    found = facts(seen, concluded("c0000", V))
    # Four actions before the stop; a-a changed nothing; the last scroll on a was done before.
    assert (found.steps, found.effective, found.repeated) == (4, 3, 1)
    assert found.seconds == 10.0


def test_cost_is_given_where_a_price_is():
    bundle, gold = benchmark([V, V])
    runs = [run(gold, [V, V])]
    without = {d.title_key for d in score(bundle, gold, runs, FEW).systems[0].distributions}
    priced = score(bundle, gold, runs, Options(draws=20, prices={"model": PRICE}))
    assert "cost" not in without
    assert "cost" in {d.title_key for d in priced.systems[0].distributions}


def test_a_run_investigated_before_its_predictions_were_frozen_has_no_gated_view():
    bundle, gold = benchmark([V, N, U])
    for changes, why in (
        ({"investigated_after": None}, "before any prediction was frozen"),
        ({"investigated_after": "9" * 64}, "frozen anew"),
    ):
        made = score(bundle, gold, [run(gold, [V, N, U], gates=[True] * 3, **changes)], FEW)
        row = made.systems[0]
        assert why in row.gated_missing
        assert row.metric("gated.accuracy") is None
        assert row.metric("web_only.accuracy").value == 1.0
        assert [case.gate for case in row.cases] == [None] * 3
        assert WarningKey.NO_GATED_VIEW in {warning.key for warning in made.warnings}


def test_a_model_that_a_constant_beats_is_warned_of():
    bundle, gold = benchmark([V, V, V, N])
    made = score(bundle, gold, [run(gold, [V, V, N, V])], FEW)
    warned = [w for w in made.warnings if w.key is WarningKey.BEATEN_BY_CONSTANT]
    assert [w.detail for w in warned] == ["2/4 < 3/4"]
    baseline = score(bundle, gold, [run(gold, [N] * 4, system="always-non-violation")], FEW)
    assert WarningKey.BEATEN_BY_CONSTANT not in {w.key for w in baseline.warnings}


def test_restoration_alone_can_be_scored():
    bundle, gold = benchmark([V, N])
    predictions = {key: restored(sample) for key, sample in gold.samples.items()}
    row = score(bundle, gold, [run(gold, predictions=predictions)], FEW).systems[0]
    assert (row.has_task1, row.has_task2) == (True, False)
    assert row.metric("web_only.accuracy") is None
    assert row.attribution is None
