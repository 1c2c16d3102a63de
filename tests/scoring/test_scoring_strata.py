"""Strata: every metric that the tasks name, each as if its stratum had been scored alone."""

import random
from types import SimpleNamespace

import pytest
from scoring_world import TYPES, N, U, V, benchmark, failure, restored, run

from riskchainbench.core.restoration import Prediction
from riskchainbench.scoring.score import Options, score
from riskchainbench.scoring.strata import CASE_METRICS, MESSAGE_METRICS, WITH_INTERVAL

FEW = Options(draws=20)


@pytest.fixture(scope="module")
def world():
    """Sixty websites, two variants each, and a system that errs in many ways."""
    rng = random.Random(5)
    labels = [(V, TYPES[0]), (V, TYPES[1]), (N, "NONE"), (U, "UNKNOWN")]
    golds = [rng.choice(labels) for _ in range(60)]
    bundle, gold = benchmark(golds, variants=2)
    guesses = [rng.choice([*labels, None]) for _ in golds]
    lost = failure("NO_JSON", "restoration")
    predictions = {}
    for key, sample in gold.samples.items():
        wrong = sample.messages["m1"].replace("领", "令")
        predictions[key] = rng.choice(
            [
                restored(sample),
                restored(sample, text=wrong, ranked=["wrong0.xx.test", sample.entry]),
                restored(sample, right=False, abstain=True),
                Prediction(sample_id=key, restoration=None, failure=lost),
            ]
        )
    return bundle, gold, run(gold, guesses, gates=[True] * 60, predictions=predictions)


def alone(world, kept):
    """Score only the cases in `kept`, as if there were no others."""
    bundle, gold, whole = world
    samples = {key: each for key, each in gold.samples.items() if each.case_id in kept}
    part = SimpleNamespace(**{**vars(bundle), "investigation_tasks": dict.fromkeys(sorted(kept))})
    part_gold = SimpleNamespace(
        **{
            **vars(gold),
            "labels": {key: gold.labels[key] for key in kept},
            "strata": {key: gold.strata[key] for key in kept},
            "components": {key: gold.components[key] for key in kept},
            "samples": samples,
        }
    )
    predictions = {key: whole.predictions[key] for key in samples}
    conclusions = {key: whole.conclusions[key] for key in kept}
    changes = {"predictions": predictions, "conclusions": conclusions}
    made = run(part_gold, [V] * len(kept), gates=[True] * len(kept), **changes)
    return score(part, part_gold, [made], FEW).systems[0]


@pytest.mark.parametrize(
    ("dimension", "values", "wanted"),
    [("language", ("en", "zh-CN"), CASE_METRICS), ("theme", ("theme0", "theme2"), MESSAGE_METRICS)],
)
def test_a_stratum_has_the_values_of_its_websites_scored_alone(world, dimension, values, wanted):
    bundle, gold, whole = world
    row = score(bundle, gold, [whole], FEW).systems[0]
    for value in values:
        kept = {
            case
            for case in gold.labels
            if value == gold.strata[case].language
            or any(s.case_id == case and s.theme == value for s in gold.samples.values())
        }
        single = alone(world, kept)
        found = {
            each.metric_id: each
            for each in row.strata
            if each.dimension == dimension and each.value == value
        }
        assert tuple(found) == wanted
        classes = {each.key: each.count for each in single.failures[0].rows}
        for metric_id, each in found.items():
            kind = metric_id.removeprefix("task1.failed_")
            if kind in classes:
                assert each.count == classes[kind]
                continue
            metric = single.metric(metric_id)
            assert each.share == (None if metric.value is None else pytest.approx(metric.value))
            assert each.count == metric.count
            assert (each.interval is not None) == (
                metric_id in WITH_INTERVAL and each.share is not None
            )


def test_both_views_and_every_message_metric_have_strata(world):
    bundle, gold, whole = world
    ids = {each.metric_id for each in score(bundle, gold, [whole], FEW).systems[0].strata}
    for view in ("web_only", "gated"):
        assert {f"{view}.{name}" for name in ("accuracy", "macro_f1", "type_macro_f1")} <= ids
        assert {f"{view}.{name}" for name in ("binary_accuracy", "coverage")} <= ids
        assert {f"{view}.recall_{d.lower()}" for d in (V, N, U)} <= ids
    named = ("intent", "recall_at_5", "mixed_token_error", "abstention", "failed_NO_JSON")
    assert {f"task1.{name}" for name in named} <= ids


def test_type_f1_over_classes_that_are_each_all_alike_says_what_its_interval_rests_on():
    bundle, gold = benchmark([(V, TYPES[0]), (V, TYPES[1])], set_size=1)
    right = score(bundle, gold, [run(gold, [(V, TYPES[0]), N])], Options(draws=200)).systems[0]
    metric = right.metric("web_only.type_macro_f1")
    assert metric.intervals[0].low < metric.intervals[0].high
    assert metric.design_effect is None
    assert metric.effective_undefined.startswith("no class has units that differ")
    alike = right.metric("web_only.protocol_validity")
    assert alike.effective_undefined == "the units do not vary"


def test_values_with_an_order_of_their_own_stand_in_it():
    bundle, gold = benchmark([V, N, U])
    for key, severity in zip(sorted(gold.samples), ("high", "low", "medium"), strict=True):
        gold.samples[key] = gold.samples[key].but(severity=severity)
    row = score(bundle, gold, [run(gold, [V, N, U], gates=[True] * 3)], FEW).systems[0]
    found = [each.value for each in row.strata if each.dimension == "severity"]
    assert list(dict.fromkeys(found)) == ["low", "medium", "high"]
