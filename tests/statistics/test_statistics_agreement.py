"""Agreement against published textbook values."""

import pytest

from riskchainbench.statistics.agreement import (
    ONE_CLASS,
    Scale,
    alpha_interval,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    percent_agreement,
    quadratic_weighted_kappa,
    retest_agreement,
)
from riskchainbench.statistics.bootstrap import bootstrap_interval

M = None
# Krippendorff's data C: four observers, twelve units, missing values.
DATA_C = list(
    zip(
        [1, 2, 3, 3, 2, 1, 4, 1, 2, M, M, M],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, M, 3],
        [M, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, M],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, M],
        strict=True,
    )
)
# Krippendorff's data B: two observers, twelve units, five classes, nothing missing.
DATA_B = list(
    zip(
        ["a", "a", "b", "b", "d", "c", "c", "c", "e", "d", "d", "a"],
        ["b", "a", "b", "b", "b", "c", "c", "c", "e", "d", "d", "d"],
        strict=True,
    )
)


@pytest.mark.parametrize(
    ("scale", "published"),
    [
        (Scale.NOMINAL, 0.743),
        (Scale.ORDINAL, 0.815),
        (Scale.INTERVAL, 0.849),
        (Scale.RATIO, 0.797),
    ],
)
def test_alpha_of_data_with_missing_values_is_the_published_one(scale, published):
    assert krippendorff_alpha(DATA_C, scale).alpha.known() == pytest.approx(published, abs=5e-4)


def test_alpha_of_two_observers_is_the_published_one():
    assert krippendorff_alpha(DATA_B).alpha.known() == pytest.approx(0.692, abs=5e-4)


def test_alpha_is_one_less_observed_over_expected_disagreement():
    # Worked by hand: units aa, ab; n = 4, a 3 and b 1. The off-diagonal coincidences are 2 of 4;
    # expected 2*3*1 / (4*3) = 0.5; alpha 1 - 0.5/0.5.
    found = krippendorff_alpha([("a", "a"), ("a", "b")])
    assert (found.observed, found.expected) == (0.5, 0.5)
    assert found.alpha.known() == 0.0
    assert found.pairable == 4


@pytest.mark.parametrize(
    ("units", "reason"),
    [
        ([("a", "a"), ("a", "a")], "same class"),
        ([("a", None), ("b", None)], "rated twice"),
        ([(None, None)], "rated twice"),
        ([], "rated twice"),
    ],
)
def test_an_undefined_alpha_says_why(units, reason):
    value = krippendorff_alpha(units).alpha
    assert value.value is None
    assert reason in value.reason


def test_the_order_of_raters_and_units_makes_no_difference():
    turned = [unit[::-1] for unit in DATA_C[::-1]]
    assert krippendorff_alpha(turned).alpha == krippendorff_alpha(DATA_C).alpha


def test_an_ordinal_alpha_follows_the_given_order_of_labels():
    units = [("low", "mid"), ("mid", "mid"), ("high", "high"), ("low", "low")]
    order = ["low", "mid", "high"]
    numbers = [tuple(order.index(label) for label in unit) for unit in units]
    assert (
        krippendorff_alpha(units, Scale.ORDINAL, order).alpha
        == krippendorff_alpha(numbers, Scale.ORDINAL).alpha
    )
    with pytest.raises(ValueError, match="outside the given order"):
        krippendorff_alpha(units, Scale.ORDINAL, ["low", "mid"])


def test_joint_alpha_may_pass_decision_alpha_with_lower_joint_agreement():
    # Both come from the same pairs: the joint labels spread over more classes, so less
    # agreement is expected by chance.
    decisions = [("V", "V")] * 16 + [("N", "N")] + [("V", "N")] * 3
    types = [("V/a", "V/a"), ("V/b", "V/b"), ("V/c", "V/c"), ("V/d", "V/d")] * 4
    joint = [*types[:15], ("V/d", "V/a"), ("N", "N"), ("V/a", "N"), ("V/b", "N"), ("V/c", "N")]
    assert percent_agreement(joint).known() < percent_agreement(decisions).known()
    assert krippendorff_alpha(joint).alpha.known() > krippendorff_alpha(decisions).alpha.known()


def test_percent_agreement_counts_pairs_of_raters():
    # Unit 1 has three pairs, one agreeing; unit 2 one agreeing pair; unit 3 none.
    assert percent_agreement([("a", "a", "b"), ("c", None, "c"), ("d", None, None)]).known() == 0.5


def test_cohen_kappa_of_the_textbook_table():
    # 20 yes/yes, 5 yes/no, 10 no/yes, 15 no/no: p_o 0.7, p_e 0.5, kappa 0.4.
    pairs = [("y", "y")] * 20 + [("y", "n")] * 5 + [("n", "y")] * 10 + [("n", "n")] * 15
    first, second = zip(*pairs, strict=True)
    assert cohen_kappa(first, second).known() == pytest.approx(0.4)
    assert cohen_kappa(["y", "y"], ["y", "y"]).reason == ONE_CLASS
    assert cohen_kappa(["y", None], [None, "y"]).value is None


def test_quadratic_kappa_weighs_distance():
    # Scores 1,2,3 against 1,3,3. Squared distances sum to 1 of 3 units: observed 1/3.
    # Expected: rows 1,1,1; columns 1,0,2: (0+4*2 + 1+1*2 + 4+0) / 9 = 15/9. Kappa 1 - 0.2.
    assert quadratic_weighted_kappa([1, 2, 3], [1, 3, 3], [1, 2, 3]).known() == pytest.approx(0.8)


def test_fleiss_kappa_of_the_published_example():
    table = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    units = [[label for label, n in enumerate(row) for _ in range(n)] for row in table]
    assert fleiss_kappa(units).known() == pytest.approx(0.210, abs=5e-4)
    assert "different numbers" in fleiss_kappa([["a", "b"], ["a", "b", "c"]]).reason


def test_retest_counts_equal_second_ratings():
    found = retest_agreement(["V", "N", "U", None], ["V", "V", "U", "N"])
    assert (found.units, found.agreeing) == (3, 2)
    assert found.share.known() == pytest.approx(2 / 3)


@pytest.mark.parametrize("scale", [Scale.NOMINAL, Scale.ORDINAL, Scale.INTERVAL])
def test_the_interval_of_alpha_equals_resampling_it_unit_by_unit(scale):
    quick = alpha_interval(DATA_C, 5, scale, draws=200)
    slow, _ = bootstrap_interval(
        DATA_C, lambda units: krippendorff_alpha(units, scale).alpha, 5, draws=200
    )
    assert (quick.low, quick.high) == (pytest.approx(slow.low), pytest.approx(slow.high))
    assert quick.low < krippendorff_alpha(DATA_C, scale).alpha.known() < quick.high


def test_an_interval_of_alpha_counts_the_draws_without_a_value():
    # A draw of one of the two units alone has a single class and no alpha.
    found = alpha_interval([("a", "a"), ("b", "b")], 3, draws=100)
    assert (found.low, found.high) == (1.0, 1.0)
    assert 20 < found.left_out < 80
    assert alpha_interval([("a", None)], 3) is None
