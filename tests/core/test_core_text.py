"""Text rules: what is compared, and where text may be split."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.core.text import clusters, compared_text, folded, gate, letters_and_digits


@pytest.mark.parametrize(
    ("given_text", "expected"),
    [
        ("  a \t b  ", "a b"),
        ("a \r\n  b\rc", "a\nb\nc"),
        ("全角\u3000空格", "全角 空格"),
        ("e\u0301", "é"),
        ("a\n\n b", "a\n\nb"),
        ("，。", "，。"),
    ],
)
def test_compared_text(given_text: str, expected: str) -> None:
    assert compared_text(given_text) == expected


@given(st.text())
def test_compared_text_is_stable(text: str) -> None:
    once = compared_text(text)
    assert compared_text(once) == once


def test_lone_surrogates_are_replaced_and_flagged() -> None:
    assert gate("a\ud800b") == ("a\ufffdb", True)
    assert gate("a😀b") == ("a😀b", False)


def test_clusters_are_never_cut() -> None:
    assert clusters("👨‍👩‍👧1\ufe0f\u20e3🇨🇳e\u0301") == ["👨‍👩‍👧", "1\ufe0f\u20e3", "🇨🇳", "e\u0301"]


@given(st.text())
def test_clusters_join_to_the_text(text: str) -> None:
    assert "".join(clusters(text)) == text


def test_folding_and_counting() -> None:
    assert folded(" a\n\t b ") == "a b"
    assert letters_and_digits("你好 a1!？") == 4
