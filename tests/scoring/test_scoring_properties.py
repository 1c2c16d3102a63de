"""What must hold of any scores: fixed denominators, order, threads, sums and bounds."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scoring_world import BOTTOM, TYPES, N, U, V, benchmark, run
from sklearn.metrics import f1_score

from riskchainbench.scoring.score import Options, score

FEW = Options(draws=30)
DECISIONS = st.sampled_from([V, N, U])
OUTCOMES = st.sampled_from([V, N, U, BOTTOM, (V, TYPES[1])])
WORLDS = st.lists(st.tuples(DECISIONS, OUTCOMES, st.booleans()), min_size=3, max_size=18)
RATES_OVER_ALL = ("accuracy", "exact_match", "coverage")


def scored(world, **changes):
    golds, decided, gates = zip(*world, strict=True)
    bundle, gold = benchmark(golds)
    return score(bundle, gold, [run(gold, list(decided), gates=list(gates))], FEW).systems[0]


@settings(max_examples=15, deadline=None)
@given(WORLDS)
def test_gated_is_never_above_web_only_and_denominators_never_shrink(world):
    row = scored(world)
    for name in (*RATES_OVER_ALL, "set_consistency"):
        web, gated = row.metric(f"web_only.{name}").count, row.metric(f"gated.{name}").count
        assert gated.denominator == web.denominator
        assert gated.numerator <= web.numerator
        if name in RATES_OVER_ALL:
            assert web.denominator == len(world)
    loss = row.metric("composition.gate_loss").count.numerator
    assert loss == (
        row.metric("web_only.accuracy").count.numerator
        - row.metric("gated.accuracy").count.numerator
    )


@settings(max_examples=15, deadline=None)
@given(WORLDS)
def test_attribution_evidence_and_confusion_sum_to_all_websites(world):
    row = scored(world)
    assert sum(r.count.numerator for r in row.attribution.rows) == len(world)
    assert sum(r.count.numerator for r in row.evidence[0].rows) == len(world)
    for confusion in row.confusions:
        assert sum(map(sum, confusion.counts)) == len(world)
    assert row.attribution.rows[-1].count.numerator == (
        row.metric("web_only.exact_match").count.numerator
    )


@settings(max_examples=15, deadline=None)
@given(WORLDS)
def test_macro_f1_equals_that_of_scikit_learn(world):
    golds = [gold for gold, _, _ in world]
    guesses = [d[0] if isinstance(d, tuple) else d or "NONE" for _, d, _ in world]
    expected = f1_score(golds, guesses, labels=[V, N, U], average="macro", zero_division=0)
    assert scored(world).metric("web_only.macro_f1").value == pytest.approx(expected)


@settings(max_examples=10, deadline=None)
@given(WORLDS)
def test_every_interval_is_within_bounds_and_ordered(world):
    for metric in scored(world).metrics:
        for interval in metric.intervals:
            assert interval.low <= interval.high
            if not metric.metric_id.startswith(("composition", "task1.cer", "task1.mixed")):
                assert 0 <= interval.low <= interval.high <= 1


def _three_runs(gold, rng):
    cases = sorted(gold.labels)
    return [
        run(
            gold,
            [rng.choice([V, N, U, BOTTOM]) for _ in cases],
            gates=[rng.random() < 0.7 for _ in cases],
            system=name,
        )
        for name in ("alpha", "beta", "gamma")
    ]


def test_input_order_changes_no_byte():
    bundle, gold = benchmark([V, N, U] * 10, variants=2)
    runs = _three_runs(gold, random.Random(1))
    first = score(bundle, gold, runs, FEW)
    for mapping in (gold.labels, gold.strata, gold.components, gold.samples):
        items = list(mapping.items())[::-1]
        mapping.clear()
        mapping.update(items)
    bundle.investigation_tasks = dict(list(bundle.investigation_tasks.items())[::-1])
    turned = [
        run_.__class__(
            **{
                **run_.__dict__,
                "conclusions": dict(list(run_.conclusions.items())[::-1]),
                "predictions": dict(list(run_.predictions.items())[::-1]),
            }
        )
        for run_ in runs[::-1]
    ]
    assert score(bundle, gold, turned, FEW).to_json() == first.to_json()


def test_adding_a_system_changes_nothing_that_is_said_of_others():
    bundle, gold = benchmark([V, N, U] * 10)
    runs = _three_runs(gold, random.Random(2))
    two, three = score(bundle, gold, runs[:2], FEW), score(bundle, gold, runs, FEW)
    assert two.systems == three.systems[:2]
    assert set(two.comparisons) <= set(three.comparisons)


def test_other_tasks_have_other_draws_and_more_draws_keep_values():
    bundle, gold = benchmark([V, N, U] * 10)
    runs = _three_runs(gold, random.Random(3))[:1]
    first = score(bundle, gold, runs, FEW)
    bundle.tasks_sha256 = "4" * 64
    other = score(bundle, gold, runs, FEW)
    assert first.header.draws_sha256 != other.header.draws_sha256
    assert [m.value for m in first.systems[0].metrics] == [
        m.value for m in other.systems[0].metrics
    ]


PROBE = """
import random
from scoring_world import N, U, V, benchmark, run
from riskchainbench.scoring.score import Options, score
bundle, gold = benchmark([V, N, U] * 60)
rng = random.Random(5)
decisions = [rng.choice([V, N, U, None]) for _ in gold.labels]
made = run(gold, decisions, gates=[rng.random() < 0.7 for _ in decisions])
print(score(bundle, gold, [made], Options(draws=500)).to_json())
"""
"""Scores of enough websites and draws that the matrix product is shared between threads."""


def test_one_and_two_threads_give_the_same_bytes():
    found = {
        subprocess.run(
            [sys.executable, "-c", PROBE],
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent,
            env={**os.environ, "OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2")
    }
    assert len(found) == 1
