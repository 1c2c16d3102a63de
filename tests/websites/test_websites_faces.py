"""Typefaces follow the language, hold every letter of its words, and are the sandbox's own."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from riskchainbench.websites.faces import (
    TYPEFACES,
    face_files,
    face_rules,
    head_face,
    text_face,
)
from riskchainbench.websites.fonts import FONT_PATH, font_file, font_names
from riskchainbench.websites.texts import languages

MOST_BYTES = 17_000_000


@pytest.mark.parametrize(
    ("typeface", "language", "first"),
    [
        ("sans", "zh-CN", '"Site sans sc"'),
        ("sans", "zh-TW", '"Site sans tc"'),
        ("book", "ko", '"Site sans kr"'),
        ("serif", "ja", '"Site sans jp"'),
        ("serif", "th", '"Site serif thai"'),
        ("mixed", "vi", '"Site sans latin"'),
        ("serif", "en", '"Site serif latin"'),
    ],
)
def test_the_first_family_writes_the_language(typeface: str, language: str, first: str) -> None:
    assert text_face(typeface, language).split(",")[0] == first


def test_headings_of_every_language_may_have_serifs() -> None:
    for language in languages():
        assert "serif" in head_face("mixed", language).split(",")[0]
        assert "sans" in head_face("book", language).split(",")[0]


@pytest.mark.parametrize("language", languages())
def test_every_family_that_a_style_names_is_ruled_and_shipped(language: str) -> None:
    rules = face_rules(language)
    for typeface in TYPEFACES:
        for face in (text_face(typeface, language), head_face(typeface, language)):
            assert all(name in rules for name in face.split(",")[:-1])
    files = [part.split(")")[0] for part in rules.split(FONT_PATH)[1:]]
    assert files
    assert set(files) <= set(font_names())


@pytest.mark.parametrize("language", languages())
def test_faces_hold_every_character_of_the_words(language: str, repository: Path) -> None:
    data = repository / "src/riskchainbench/websites/data"
    files = [data / f"phrases/{language}.toml", *(data / "texts" / language).glob("*.toml")]
    used = {char for file in files for char in file.read_text(encoding="utf-8")}
    used |= set("0123456789/·%-")
    for weight in (400, 700):
        held: set[int] = set()
        for name in face_files(language, weight):
            held |= set(TTFont(BytesIO(font_file(name) or b""), lazy=True).getBestCmap())
        missing = sorted(char for char in used if char.isprintable() and ord(char) not in held)
        assert missing == [], "run tools/subset_fonts.py"


def test_all_faces_together_are_small() -> None:
    assert sum(len(font_file(name) or b"") for name in font_names()) < MOST_BYTES
    assert font_file("../phrases/en.toml") is None
