"""Scores worked out by hand from label counts and from published integer counts."""

import pytest
from scoring_world import BOTTOM, TYPES, N, U, V, benchmark, run

from riskchainbench.scoring.published import published
from riskchainbench.scoring.records import IntervalKind
from riskchainbench.scoring.score import Options, score

FEW = Options(draws=20)
LABELS = [V] * 394 + [N] * 181 + [U] * 25

# System: right on the websites alone, and right behind the gate, of 600.
COUNTS = {
    "GPT-5.6 SOL": (377, 365),
    "GPT-5.4": (322, 314),
    "Claude Opus 4.8": (299, 295),
    "GPT-5.2": (344, 294),
    "Kimi K3": (285, 267),
    "Kimi K2.5": (331, 154),
    "Qwen3.6 Plus": (310, 116),
    "Claude Sonnet 5": (158, 115),
    "Doubao Seed 2.0": (177, 109),
    "Kimi K2.6": (249, 100),
}


@pytest.mark.parametrize(
    ("always", "right", "f1"),
    [(V, 394, 2 * 394 / 994 / 3), (N, 181, 2 * 181 / 781 / 3), (U, 25, 2 * 25 / 625 / 3)],
)
def test_a_constant_scores_what_the_label_counts_say(always, right, f1):
    bundle, gold = benchmark(LABELS)
    row = score(bundle, gold, [run(gold, [always] * 600)], FEW).systems[0]
    accuracy = row.metric("web_only.accuracy")
    assert (accuracy.count.numerator, accuracy.count.denominator) == (right, 600)
    assert row.metric("web_only.macro_f1").value == pytest.approx(f1)


def test_always_violation_has_accuracy_65_67_and_macro_f1_26_43():
    bundle, gold = benchmark(LABELS)
    row = score(bundle, gold, [run(gold, [V] * 600)], FEW).systems[0]
    assert f"{row.metric('web_only.accuracy').value:.2%}" == "65.67%"
    assert f"{row.metric('web_only.macro_f1').value:.2%}" == "26.43%"
    assert row.metric("web_only.binary_accuracy").count.denominator == 575
    assert row.metric("web_only.recall_violation").value == 1.0
    assert row.metric("web_only.recall_insufficient_evidence").value == 0.0


@pytest.mark.parametrize("system", COUNTS)
def test_the_published_gated_table_follows_from_its_counts(system):
    right, behind = COUNTS[system]
    decisions = [V] * right + [BOTTOM] * (600 - right)
    gates = [True] * behind + [False] * (600 - behind)
    bundle, gold = benchmark([V] * 600)
    row = score(bundle, gold, [run(gold, decisions, gates=gates)], FEW).systems[0]
    loss = row.metric("composition.gate_loss")
    assert loss.count.numerator == right - behind
    printed = next(r for r in published().tables[2].rows if r[0] == system)
    values = (
        row.metric("web_only.accuracy").value,
        row.metric("gated.accuracy").value,
        loss.value,
    )
    assert tuple(round(100 * value + 1e-9, 1) for value in values) == printed[1:]


def test_every_metric_of_six_websites_by_hand():
    fraud, phishing = TYPES[1], TYPES[0]
    golds = [(V, fraud), N, U, (V, phishing), N, U]
    decided = [(V, fraud), V, U, (V, fraud), N, BOTTOM]
    bundle, gold = benchmark(golds)
    row = score(
        bundle, gold, [run(gold, decided, gates=[True, True, False, True, False, True])], FEW
    ).systems[0]

    def count(name):
        found = row.metric(name).count
        return found.numerator, found.denominator

    assert count("web_only.accuracy") == (4, 6)
    assert count("gated.accuracy") == (2, 6)
    assert count("web_only.exact_match") == (3, 6)
    assert count("gated.exact_match") == (1, 6)
    assert count("web_only.binary_accuracy") == (3, 4)
    assert count("web_only.coverage") == (5, 6)
    assert count("gated.coverage") == (3, 6)
    assert count("web_only.accuracy_decided") == (4, 5)
    assert count("web_only.precision_violation") == (2, 3)
    assert count("web_only.set_consistency") == (0, 2)
    # In the second set V and N are right, in the first N is not.
    assert count("web_only.pair_accuracy") == (1, 2)
    assert count("composition.gate_pass") == (4, 6)
    assert count("composition.gate_loss") == (2, 6)
    # V: tp 2, predicted 3, gold 2 -> 4/5. N: 1, 1, 2 -> 2/3. U: 1, 1, 2 -> 2/3.
    assert row.metric("web_only.macro_f1").value == pytest.approx((4 / 5 + 2 / 3 + 2 / 3) / 3)
    # fraud: tp 1, predicted 2, gold 1 -> 2/3; phishing 0; two supported types.
    assert row.metric("web_only.type_macro_f1").value == pytest.approx(1 / 3)
    assert [r.count.numerator for r in row.attribution.rows] == [0, 1, 1, 1, 3]
    web_only = row.confusions[0]
    assert web_only.counts == ((2, 0, 0, 0), (1, 1, 0, 0), (0, 0, 1, 1))


def test_precision_is_reweighted_by_prevalence():
    # True positive rate 2/2, false positive rate 1/2; at 10 %: 0.1 / (0.1 + 0.45).
    bundle, gold = benchmark([V, N, V, N], set_size=2)
    found = score(
        bundle, gold, [run(gold, [V, V, V, N])], Options(draws=20, prevalence=0.1)
    ).systems[0]
    metric = found.metric("web_only.precision_at_prevalence")
    assert metric.value == pytest.approx(0.1 / 0.55)


def test_a_rate_has_intervals_over_sets_and_websites_and_a_wilson_one():
    bundle, gold = benchmark([V, N, U] * 20)
    row = score(bundle, gold, [run(gold, [V, V, V] * 20, gates=[True] * 60)], FEW).systems[0]
    metric = row.metric("web_only.accuracy")
    kinds = [interval.kind for interval in metric.intervals]
    assert kinds == [IntervalKind.CONTRAST_SETS, IntervalKind.WEBSITES, IntervalKind.WILSON]
    # Every set scores 1 of 3, so sets do not vary while websites do.
    sets = metric.interval(IntervalKind.CONTRAST_SETS)
    assert (sets.low, sets.high) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    websites = metric.interval(IntervalKind.WEBSITES)
    assert websites.low < 1 / 3 < websites.high
    kinds = [interval.kind for interval in row.metric("task1.entry_top1").intervals]
    assert kinds == [IntervalKind.CONTRAST_SETS, IntervalKind.WEBSITES, IntervalKind.TEMPLATES]
