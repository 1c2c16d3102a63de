"""Typefaces follow the language."""

from __future__ import annotations

import pytest

from riskchainbench.websites.faces import faces


@pytest.mark.parametrize(
    ("typeface", "language", "first"),
    [
        ("sans", "zh-CN", '"Noto Sans CJK SC"'),
        ("sans", "zh-TW", '"Noto Sans CJK TC"'),
        ("serif", "ja", '"Noto Serif CJK JP"'),
        ("round", "ko", '"Noto Sans CJK KR"'),
        ("serif", "th", '"Noto Serif Thai"'),
        ("sans", "vi", '"Noto Sans"'),
        ("serif", "en", '"Noto Serif"'),
    ],
)
def test_the_first_family_writes_the_language(typeface: str, language: str, first: str) -> None:
    assert faces(typeface, language).split(",")[0] == first
