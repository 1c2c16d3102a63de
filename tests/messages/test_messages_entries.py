"""Entries: random, reserved, and far enough apart that no slip turns one into another."""

from __future__ import annotations

import itertools
import re
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from riskchainbench.core.entries import is_entry
from riskchainbench.core.errors import InputError
from riskchainbench.messages import entries
from riskchainbench.messages.entries import (
    ALPHABET,
    CONFUSABLE,
    MIN_CONFUSABLE,
    make_entries,
)

SEEDS = st.integers(min_value=0, max_value=2**128)


@given(SEEDS, st.integers(min_value=0, max_value=40))
@settings(max_examples=30, deadline=None)
def test_every_entry_has_the_shape_and_the_confusable_places(seed: int, count: int) -> None:
    names = make_entries(seed, count)
    assert len(set(names)) == count
    for name in names:
        first, second, top = name.split(".")
        assert is_entry(name)
        assert (len(first) in (5, 6, 7), len(second), top) == (True, 2, "test")
        assert set(first + second) <= set(ALPHABET)
        assert sum(char in CONFUSABLE for char in first + second) >= MIN_CONFUSABLE


def test_any_two_are_at_least_two_edits_apart() -> None:
    names = make_entries(11, 700)
    assert min(Levenshtein.distance(a, b) for a, b in itertools.combinations(names, 2)) >= 2


def test_names_to_avoid_are_kept_away_from_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # Three characters and one length leave so little room that a blind draw would come close.
    monkeypatch.setattr(entries, "ALPHABET", "ak7")
    monkeypatch.setattr(entries, "CONFUSABLE", "ak")
    monkeypatch.setattr(entries, "FIRST_LENGTHS", (5,))
    old = make_entries(1, 8)
    new = make_entries(2, 8, avoid=old)
    assert min(Levenshtein.distance(a, b) for a in old for b in new) >= 2
    blind = make_entries(2, 8)
    assert min(Levenshtein.distance(a, b) for a in old for b in blind) < 2


def test_running_out_of_room_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "ALPHABET", "a7")
    monkeypatch.setattr(entries, "CONFUSABLE", "a")
    with pytest.raises(InputError, match="ask for fewer"):
        make_entries(1, 200)


def test_a_negative_count_is_refused() -> None:
    with pytest.raises(InputError, match="count is -1"):
        make_entries(1, -1)


def test_two_seeds_share_no_entry() -> None:
    assert set(make_entries(1, 700)).isdisjoint(make_entries(2, 700))


def test_asking_for_more_keeps_the_first_ones() -> None:
    assert make_entries(3, 50)[:20] == make_entries(3, 20)


def test_the_alphabet_holds_no_pair_that_a_reader_mixes_up() -> None:
    for pair in ("1l", "1i", "il", "0o"):
        assert not set(pair) <= set(ALPHABET)


@given(SEEDS)
@settings(max_examples=20, deadline=None)
def test_no_entry_reads_like_a_number_or_a_rude_word(seed: int) -> None:
    for name in make_entries(seed, 30):
        assert re.search(r"\d{5}", name) is None
        assert re.search(r"\d", name.split(".")[1]), "could be a live name without .test"
        assert not any(word in name for word in entries._REFUSED)


def test_every_character_comes_up_in_every_place() -> None:
    # 2,000 draws over 33 characters: the rarest is expected about 30 times in a place.
    names = make_entries(5, 2000)
    for place in range(5):
        seen = Counter(name[place] for name in names)
        assert set(seen) == set(ALPHABET)
        assert min(seen.values()) >= 10


def test_an_entry_does_not_tell_the_next_one() -> None:
    names = make_entries(9, 3000)
    places = range(5)
    share = Counter(name[place] for name in names for place in places)
    total = sum(share.values())
    by_chance = sum((count / total) ** 2 for count in share.values())
    pairs = [(a[p], b[p]) for a, b in itertools.pairwise(names) for p in places]
    equal = sum(a == b for a, b in pairs) / len(pairs)
    # Standard error 0.0022 at a rate of about 0.08 over 15,000 pairs; four of them.
    assert abs(equal - by_chance) < 0.009
