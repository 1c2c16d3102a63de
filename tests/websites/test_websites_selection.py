from collections import Counter

import pytest

from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import Stratum
from riskchainbench.websites.quotas import (
    Bound,
    Candidate,
    Quotas,
    Trait,
    apportioned,
    load_quotas,
    packaged_quotas,
)
from riskchainbench.websites.selection import select

TYPES = ("T1", "T2", "T3")


def _candidate(number, decision, **changes):
    values = {
        "case_id": "",
        "contrast_set": f"set-{number:03d}",
        "scenario": f"s{number % 6}",
        "brand_family": f"f{number % 20}",
        "form": ("shop", "portal")[number % 2],
        "topic": ("a", "b", "c")[number % 3],
        "language": ("en", "ja")[number // 6 % 2],
        "front_end": ("plain", "card")[number // 12 % 2],
        "stateful": True,
        "depth": 1 + number % 4,
        "difficulty": number % 7,
        "oracle_steps": 1,
    } | changes
    kind = TYPES[number % 3] if decision is Decision.VIOLATION else "NONE"
    return Candidate(f"w{number:03d}{decision[0]}", decision, kind, Stratum(**values))


POOL = tuple(_candidate(number, decision) for number in range(60) for decision in Decision)
BY_ID = {candidate.pool_id: candidate for candidate in POOL}
SMALL = Quotas(
    name="small",
    websites=36,
    whole_sets=True,
    family_max=6,
    type_min=4,
    exact={Trait.FORM: "proportional", Trait.LANGUAGE: "even"},
    bounds={Trait.DEPTH: 0.5},
)


def _chosen(certificate):
    return [BY_ID[pool_id] for pool_id in certificate.selected]


def test_whole_sets_hold_every_quota_with_a_closed_gap():
    certificate = select(POOL, SMALL, seed=1)
    chosen = _chosen(certificate)
    assert (certificate.status, certificate.gap) == ("Optimal", 0)
    assert certificate.objective == certificate.bound
    assert len(chosen) == 36
    assert set(Counter(c.stratum.contrast_set for c in chosen).values()) == {3}
    assert Counter(c.stratum.form for c in chosen) == {"shop": 18, "portal": 18}
    assert Counter(c.stratum.language for c in chosen) == {"en": 18, "ja": 18}
    assert max(Counter(c.stratum.brand_family for c in chosen).values()) <= 6
    kinds = Counter(c.violation_type for c in chosen if c.decision is Decision.VIOLATION)
    assert min(kinds[kind] for kind in TYPES) >= 4


def test_certificate_counts_what_was_selected():
    pool = [
        Candidate(c.pool_id, c.decision, c.violation_type, c.stratum.but(stateful=number % 4 == 0))
        for number, c in enumerate(POOL)
    ]
    certificate = select(pool, SMALL.but(clickable_min=36, stateful_min=10), seed=1)
    chosen = {candidate.pool_id: candidate for candidate in pool}
    stateful = sum(chosen[pool_id].stratum.stateful for pool_id in certificate.selected)
    assert (certificate.counted.clickable, certificate.counted.stateful) == (36, stateful)
    assert stateful >= 10
    assert certificate.counted.sets == 12
    assert certificate.counted.labels == dict.fromkeys(Decision, 12)
    assert sum(certificate.counted.types.values()) == 12
    with pytest.raises(InputError, match=r"stateful_min is missed by \d+ \(asked 36\)"):
        select(pool, SMALL.but(stateful_min=36), seed=1)


def test_equal_seeds_select_equally_in_any_order_and_other_seeds_otherwise():
    first = select(POOL, SMALL, seed=1)
    assert select(POOL[::-1], SMALL, seed=1) == first
    assert select(POOL, SMALL, seed=2).selected != first.selected


def test_sets_may_break_where_labels_are_asked_for():
    quotas = Quotas(
        name="mix",
        websites=40,
        whole_sets=False,
        family_max=8,
        label_balance=1.0,
        labels={
            Decision.VIOLATION: 26,
            Decision.NON_VIOLATION: 12,
            Decision.INSUFFICIENT_EVIDENCE: 2,
        },
        exact={Trait.FORM: {"shop": 10, "portal": 30}},
    )
    chosen = _chosen(select(POOL, quotas, seed=1))
    assert Counter(c.decision for c in chosen) == quotas.labels
    shops = Counter(c.decision for c in chosen if c.stratum.form == "shop")
    assert abs(shops[Decision.VIOLATION] - 6.5) <= 1
    assert abs(shops[Decision.NON_VIOLATION] - 3) <= 1


def test_quota_that_cannot_hold_is_named_with_what_is_missing():
    quotas = SMALL.but(exact={Trait.FORM: {"shop": 96}}, websites=96, bounds={}, family_max=60)
    with pytest.raises(InputError, match=r"selection small: .*exact\.form\.shop is missed by 6"):
        select(POOL, quotas, seed=1)


def test_two_quotas_at_odds_are_named():
    quotas = SMALL.but(bounds={Trait.DEPTH: {"1": Bound(low=0, high=0), "3": Bound(low=0, high=0)}})
    with pytest.raises(InputError, match=r"bounds\.depth|exact\.form"):
        select(POOL, quotas, seed=1)


def test_solver_prints_nothing(capfd):
    select(POOL, SMALL, seed=1)
    assert capfd.readouterr() == ("", "")


def test_shares_are_dealt_by_largest_remainder():
    assert apportioned({"a": 1, "b": 1, "c": 1}, 10, 1) == {"a": 4, "b": 3, "c": 3}
    assert apportioned({"a": 5, "b": 3}, 24, 3) == {"a": 15, "b": 9}


@pytest.mark.parametrize("name", ["balanced", "paper-mix", "lite"])
def test_packaged_quotas_are_whole(name):
    quotas = packaged_quotas(name)
    assert quotas.name == name
    assert not quotas.labels or sum(quotas.labels.values()) == quotas.websites


def test_paper_mix_has_the_published_labels():
    assert list(packaged_quotas("paper-mix").labels.values()) == [394, 181, 25]


SOME = 'name = "x"\nwebsites = 3\nwhole_sets = true\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "q.toml: not TOML"),
        ('name = "x"\nwebsites = 0\nwhole_sets = true', "q.toml: websites: "),
        (f"{SOME}[exact]\ncolor = 'even'", "q.toml: exact.color: "),
        (f"{SOME}[exact]\nform = 'evn'", "q.toml: exact.form: .* not 'evn'"),
        (f"{SOME}[exact.form]\nshop = -1", "q.toml: exact.form.shop: .* or equal to 0"),
        (f"{SOME}[bounds]\ndepth = -0.5", "q.toml: bounds.depth: .* or equal to 0"),
        (f"{SOME}[bounds]\ndepth = nan", "q.toml: bounds.depth: .* finite"),
        (f"{SOME}[bounds]\ndepth = inf", "q.toml: bounds.depth: .* finite"),
        (f"{SOME}[bounds.depth]\n2 = {{low = 9, high = 3}}", "q.toml: bounds.depth.2: low 9 is"),
        (f"{SOME}[bounds.depth]\n2 = {{low = 9}}", "q.toml: bounds.depth.2.high: Field req"),
        (f"{SOME}[labels]\nVIOLATION = -1", "q.toml: labels.VIOLATION: .* or equal to 0"),
        (f"{SOME}label_balance = 1", "q.toml: .*label_balance: needs labels"),
    ],
)
def test_broken_quotas_name_file_and_field(tmp_path, text, message):
    (tmp_path / "q.toml").write_text(text)
    with pytest.raises(InputError, match=rf"{message}[^\n]*$"):
        load_quotas(tmp_path / "q.toml")


def test_unknown_selection_lists_the_known_ones():
    with pytest.raises(InputError, match="choose one of balanced, paper-mix, lite"):
        packaged_quotas("fair")
