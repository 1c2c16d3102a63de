"""Who is given what: balance, order, leases, repeats, newcomers and leavers."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from annotation_world import N, V
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.annotation.plan import balanced_pairs, repeatable, repeats_due
from riskchainbench.annotation.settings import RefusedError
from riskchainbench.core.errors import InputError


@given(cases=st.integers(1, 60), people=st.integers(2, 7), seed=st.integers(0, 2**32))
def test_plans_are_balanced_over_people_and_pairs(cases, people, seed):
    names = [f"p{number}" for number in range(people)]
    plan = balanced_pairs([f"c{number}" for number in range(cases)], names, seed)
    load = Counter(name for pair in plan.values() for name in pair)
    shared = Counter(plan.values())
    assert all(len(set(pair)) == 2 for pair in plan.values())
    assert max(load[n] for n in names) - min(load[n] for n in names) <= 2
    if people <= 4:
        assert max(shared.values()) <= cases / (people * (people - 1) / 2) + 3


def test_one_person_cannot_give_two_independent_judgments():
    with pytest.raises(InputError, match="two annotators"):
        balanced_pairs(["c0"], ["ann"], 1)


def test_order_differs_by_person(world):
    w = world(12)
    w.people("ann", "bob")
    w.project.plan()
    orders = {p: [w.judge(p, V) for _ in range(12)] for p in ("ann", "bob")}
    assert orders["ann"] != orders["bob"]
    assert sorted(orders["ann"]) == sorted(orders["bob"])


def test_what_was_begun_comes_back_first(world):
    w = world(5)
    w.people("ann", "bob")
    w.project.plan()
    assert w.project.next_slot("ann") is not None
    first = w.project.next_slot("ann").slot_id
    w.clock.now += 10
    assert w.project.next_slot("ann").slot_id == first


def test_a_lease_that_ran_out_lets_another_take_over_and_keeps_the_draft(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    slot = w.project.next_slot("ann")
    w.project.save_draft("ann", slot.slot_id, '{"note": "half done"}')
    assert w.project.next_slot("cyd") is None
    w.clock.now += w.project.settings.lease_seconds + 1
    assert w.project.next_slot("cyd").slot_id == slot.slot_id
    with pytest.raises(RefusedError) as refused:
        w.project.submit("ann", slot.slot_id, w.judged(V))
    assert refused.value.key == "refused.lease"
    w.project.save_draft("ann", slot.slot_id, '{"note": "more"}')
    assert w.project.store.draft("ann", str(slot.slot_id)).body == '{"note": "more"}'


def test_a_lease_that_ran_out_without_a_taker_still_counts(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    slot = w.project.next_slot("ann")
    w.clock.now += w.project.settings.lease_seconds + 1
    w.project.submit("ann", slot.slot_id, w.judged(V))
    assert w.project.progress("ann").done == 1


def test_a_site_not_assigned_is_refused(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    slot = w.project.next_slot("ann")
    for act in (
        lambda: w.project.slot_of("cyd", slot.slot_id),
        lambda: w.project.submit("cyd", slot.slot_id, w.judged(V)),
        lambda: w.project.save_draft("cyd", slot.slot_id, "{}"),
        lambda: w.project.slot_of("cyd", 999),
    ):
        with pytest.raises(RefusedError) as refused:
            act()
        assert refused.value.key == "refused.not_yours"


def test_two_submissions_at_once_leave_one(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    slot = w.project.next_slot("ann")

    def submit(_: int) -> str:
        try:
            w.project.submit("ann", slot.slot_id, w.judged(V))
        except RefusedError as error:
            return error.key
        return "taken"

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(submit, range(4))) == ["refused.done"] * 3 + ["taken"]
    w.project.store.verify()


def test_people_saving_at_once_keep_the_chain_whole(world):
    w = world(8)
    w.people("ann", "bob", "cyd", "dan")
    w.project.plan()

    def work(name: str) -> None:
        while (slot := w.project.next_slot(name)) is not None:
            w.project.submit(name, slot.slot_id, w.judged(V))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, ("ann", "bob", "cyd", "dan")))
    w.project.store.verify()
    assert {r.path.value for r in w.project.standing().resolutions.values()} == {"pair_consensus"}


def test_hidden_repeats_come_at_the_stated_rate_and_never_soon(world):
    w = world(40, repeat_rate=0.2, repeat_gap=5)
    w.people("ann", "bob")
    w.project.plan()
    order = []
    while w.project.next_slot("ann") is not None:
        order.append(w.judge("ann", V))
    twice = [case for case, count in Counter(order).items() if count == 2]
    assert len(order) == 48  # 40 and a fifth of them again
    assert len(twice) == 8
    for case in twice:
        first = order.index(case)
        assert order.index(case, first + 1) - first > 5


def test_repeats_are_due_by_whole_numbers():
    assert [repeats_due(n, 0, 0.1) for n in (0, 9, 10, 11)] == [False, False, True, True]
    assert repeats_due(10, 1, 0.1) is False
    assert repeatable(["a", "b", "c"], {"a"}, 1) == ["b"]


def test_a_leavers_work_goes_to_others_and_the_third_is_somebody_new(world):
    w = world(6)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", "dan", coordinator=None)
    w.project.remove_person("ann")
    seen: dict[str, set[str]] = {}
    for name, label in (("bob", V), ("cyd", N), ("dan", V)):
        while w.project.progress(name).waiting:
            seen.setdefault(w.judge(name, label), set()).add(name)
    while any(w.project.progress(n).waiting for n in ("bob", "cyd", "dan")):
        for name in ("bob", "cyd", "dan"):
            if w.project.progress(name).waiting:
                seen.setdefault(w.judge(name, V), set()).add(name)
    assert all(r.resolved for r in w.project.standing().resolutions.values())
    for file in w.project.standing().files.values():
        people = [s.judgment.person for s in file.independent]
        people += [file.third.judgment.person] if file.third else []
        assert len(people) == len(set(people))


def test_a_newcomer_takes_a_share_of_what_nobody_began(world):
    w = world(30)
    w.people("ann", "bob")
    w.project.plan()
    w.people("cyd", coordinator=None)
    waiting = [w.project.progress(n).waiting for n in ("ann", "bob", "cyd")]
    assert sum(waiting) == 60
    assert max(waiting) - min(waiting) <= 2


def test_thirds_wait_where_everybody_has_judged_and_go_to_who_joins(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.judge("ann", V)
    w.judge("bob", N)
    assert [w.project.next_slot(p) for p in ("ann", "bob")] == [None, None]
    w.people("cyd", coordinator=None)
    assert w.judge("cyd", V) == "w000"
    assert w.path("w000") == "third_majority"
