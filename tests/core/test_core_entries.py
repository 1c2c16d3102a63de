"""Entries: the strict and the tolerant comparison."""

from __future__ import annotations

import pytest

from riskchainbench.core.entries import is_entry, same_entry, tolerantly_same_entry

GOLD = "aa-1.bb.test"


@pytest.mark.parametrize("name", ["kaw08x.me.test", "a.b.test", GOLD])
def test_entries(name: str) -> None:
    assert is_entry(name)


@pytest.mark.parametrize(
    "name", ["b.test", "a.b.c.test", "A.b.test", "-a.b.test", "a.b.test.", "a.b.com", "а.b.test"]
)
def test_not_entries(name: str) -> None:
    assert not is_entry(name)


@pytest.mark.parametrize(
    ("predicted", "strict", "tolerant"),
    [
        (GOLD, True, True),
        (f" {GOLD}\n", True, True),
        ("HTTPS://Aa-1.Bb.Test./x", False, True),
        ("aa-1.bb.test:8080", False, True),
        ("aa-1.bb.test/path?q#f", False, True),
        ("aa-1.bb.test..", False, False),
        ("αa-1.bb.test", False, False),
        ("www.aa-1.bb.test", False, False),
        ("", False, False),
    ],
)
def test_comparison(predicted: str, strict: bool, tolerant: bool) -> None:
    assert same_entry(predicted, GOLD) is strict
    assert tolerantly_same_entry(predicted, GOLD) is tolerant
