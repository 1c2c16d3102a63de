"""Draws, intervals, permutation tests and calibration, worked by hand where they can be."""

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.statistics.agreement import percent_agreement
from riskchainbench.statistics.bootstrap import (
    bootstrap_interval,
    draw_matrix,
    named_seed,
    percentile_intervals,
    random_indexes,
)
from riskchainbench.statistics.calibration import (
    brier_score,
    expected_calibration_error,
    risk_coverage,
)
from riskchainbench.statistics.intervals import (
    clustering,
    clusters_needed,
    holm,
    paired_standard_error,
    smallest_detectable,
    wilson_interval,
)
from riskchainbench.statistics.permutation import sign_flip_test

PINNED = "b71766bad77129a6bca190072da47ca8b5bde6a026eca1459852b7ad57d60747"
PINNED_INDEXES = [8, 1, 4, 4, 3, 8, 8, 9]


def test_every_draw_holds_as_many_clusters_as_there_are():
    draws = draw_matrix(7, 12, 50)
    assert draws.weights.shape == (50, 12)
    assert (draws.weights.sum(axis=1) == 12).all()


def test_the_draws_of_a_seed_are_pinned():
    assert draw_matrix(7, 200).sha256 == PINNED
    assert random_indexes(1, 8, 10).tolist() == PINNED_INDEXES


def test_clusters_are_drawn_evenly():
    counts = draw_matrix(3, 10, 20_000).weights.sum(axis=0)
    assert abs(counts / 20_000 - 1).max() < 0.03


def test_other_names_give_other_draws():
    seeds = {named_seed("ab" * 32, name) for name in ("contrast_sets", "websites", "templates")}
    assert len(seeds) == 3


def test_sums_are_exact_in_single_precision_and_refused_where_they_cannot_be():
    draws = draw_matrix(5, 30, 100)
    small = np.arange(30)[:, None] % 7
    assert (draws.sums(small)[0] == draws.weights @ small[:, 0]).all()
    with pytest.raises(ValueError, match="exact"):
        draws.sums(np.full((30, 1), 2**50))


def test_percentiles_interpolate_linearly():
    values = np.array([random.Random(1).sample(range(1, 2001), 2000)], dtype=float)
    (found,) = percentile_intervals(values)
    # 0.025 * 1999 = 49.975 places above 1, and 0.975 * 1999 = 1949.025.
    assert found.low == pytest.approx(50.975)
    assert found.high == pytest.approx(1950.025)


def test_a_draw_without_a_value_is_left_out_and_counted():
    values = np.array([[1.0, np.nan, 1.0], [np.nan] * 3])
    found, nothing = percentile_intervals(values)
    assert (found.low, found.high, found.left_out) == (1.0, 1.0, 1)
    assert nothing is None


def test_any_statistic_can_be_bootstrapped():
    spread, value = bootstrap_interval([("a", "a"), ("a", "b")], percent_agreement, 3, 200)
    assert value.known() == 0.5
    assert (spread.low, spread.high) == (0.0, 1.0)


def test_wilson_interval_of_a_published_example():
    low, high = wilson_interval(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)
    assert wilson_interval(0, 10)[0] == 0.0
    assert wilson_interval(10, 10)[1] == 1.0
    assert wilson_interval(0, 0) is None


def test_holm_multiplies_the_smallest_by_the_number_of_tests():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_clusters_of_equal_members_make_the_design_effect_their_size():
    # Four sets of three members, all members of a set alike: the information is that of sets.
    residuals = np.repeat([0.5, -0.5, 0.5, -0.5], 3)
    found = clustering(residuals, np.repeat(np.arange(4), 3), 12)
    assert found.design_effect.known() == pytest.approx(3 * (4 / 3) / (12 / 11))
    assert found.effective_size.known() == pytest.approx(12 / found.design_effect.known())


def test_clusters_without_spread_have_no_effective_size_and_say_why():
    # Each set holds one right and two wrong answers; their sums are 0 but for rounding.
    right = np.tile([1.0, 0.0, 0.0], 200)
    residuals = (right - right.mean()) / len(right)
    found = clustering(residuals, np.repeat(np.arange(200), 3), 600)
    assert found.effective_size.value is None
    assert found.effective_size.reason == "the clusters do not vary"


def test_single_members_have_no_design_effect():
    found = clustering(np.array([0.5, -0.5, 0.5, -0.5]), np.arange(4), 4)
    assert found.design_effect.known() == pytest.approx(1)
    assert clustering(np.zeros(4), np.arange(4), 4).design_effect.value is None


@given(st.lists(st.integers(-4, 4), min_size=1, max_size=9))
def test_the_permutation_test_equals_full_enumeration(differences):
    sums = [
        abs(sum(sign * d for sign, d in zip(signs, differences, strict=True)))
        for signs in itertools.product((1, -1), repeat=len(differences))
    ]
    share = sum(total >= abs(sum(differences)) for total in sums) / len(sums)
    found = sign_flip_test(differences)
    assert found.exact
    assert found.p_value == pytest.approx(share)


def test_a_test_over_huge_differences_is_sampled_and_close():
    rng = random.Random(2)
    small = [rng.randint(-30, 36) for _ in range(40)]
    exact, sampled = sign_flip_test(small), sign_flip_test([d * 1000 for d in small], seed=9)
    assert not sampled.exact
    assert sampled.p_value == pytest.approx(exact.p_value, abs=0.02)


def test_no_difference_has_p_value_one():
    assert sign_flip_test([0, 0]).p_value == 1.0
    assert sign_flip_test([2, -2]).p_value == 1.0


def test_standard_error_power_and_detectable_difference_agree():
    # Differences 1,-1,1,-1 over four sets of one: variance of the sum 4 * (4/3).
    error = paired_standard_error([1, -1, 1, -1], 4).known()
    assert error == pytest.approx(math.sqrt(16 / 3) / 4)
    found = smallest_detectable(error)
    assert found == pytest.approx((1.959964 + 0.841621) * error, rel=1e-5)
    assert clusters_needed(error, 4, found) == 4
    assert clusters_needed(error, 4, found / 2) == 16


def test_calibration_of_hand_worked_answers():
    confidences, right = [0.9, 0.9, 0.2, 0.2], [True, False, False, False]
    assert brier_score(confidences, right).known() == pytest.approx((0.01 + 0.81 + 0.04 * 2) / 4)
    # Bins: 0.9 with accuracy 0.5, gap 0.4; 0.2 with accuracy 0, gap 0.2.
    assert expected_calibration_error(confidences, right).known() == pytest.approx(0.3)
    points = risk_coverage(confidences, right, units=8)
    assert [(p.coverage, p.risk) for p in points] == [(0.25, 0.5), (0.5, 0.75)]
    assert brier_score([], []).value is None


def test_a_risk_curve_of_many_answers_is_thinned_but_ends_at_all_of_them():
    rng = random.Random(4)
    points = risk_coverage(
        [rng.random() for _ in range(3600)], [True] * 1800 + [False] * 1800, 3600
    )
    assert len(points) <= 100
    assert (points[-1].coverage, points[-1].risk) == (1.0, 0.5)
