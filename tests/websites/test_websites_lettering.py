"""Words in pictures: set, wrapped and drawn without any installed typeface."""

from __future__ import annotations

import re

import pytest

from riskchainbench.websites.drawing import poster
from riskchainbench.websites.families import brand_families
from riskchainbench.websites.lettering import drawn_line, line, pieces, wrapped

WORDS = {
    "en": "Every visitor may take one of the lanterns home.",
    "ko": "시험 전에 답안을 미리 받아 보실 수 있습니다.",
    "ja": "試験の前に、解答を「全部」お渡しします。",
    "zh-TW": "考前可以先拿到答案，名單每天晚上更新。",
    "th": "ข้อสอบที่ยังไม่ประกาศ เปิดให้ดูแล้วที่นี่",
    "vi": "Đề thi và đáp án có thể nhận trước ngày thi.",
}


@pytest.mark.parametrize("language", WORDS)
def test_wrapped_lines_fit_and_lose_no_letter(language: str) -> None:
    words = WORDS[language]
    lines = wrapped(words, 9.0, language, 400)
    assert len(lines) > 1
    assert all(found.width <= 9.0 for found in lines)
    joined = "".join(found.words for found in lines)
    assert joined.replace(" ", "") == words.replace(" ", "")


@pytest.mark.parametrize("language", ["en", "ko", "vi"])
def test_languages_with_spaces_break_at_spaces_alone(language: str) -> None:
    lines = [found.words for found in wrapped(WORDS[language], 9.0, language, 400)]
    assert " ".join(lines) == WORDS[language]


def test_no_line_begins_with_a_closing_mark_or_ends_with_an_opening_one() -> None:
    assert pieces("解答を「全部」、お", "ja") == ["解", "答", "を", "「全", "部」、", "お"]


def test_thai_breaks_after_spaces_and_before_leading_vowels() -> None:
    assert pieces("ทดสอบ เปิดแล้ว", "th") == ["ทดสอบ ", "เปิด", "แล้ว"]


def test_a_tone_mark_makes_room_for_the_vowel_below_it() -> None:
    after_vowel = line("ที่", "th", 400).glyphs
    alone = line("ท่", "th", 400).glyphs
    assert len(after_vowel) == 3
    assert after_vowel[2][1] != alone[1][1], "the raised form of MAI EK"


def test_letters_are_paths_and_the_words_their_label() -> None:
    svg = drawn_line(line('Two "ways" & more', "en", 700), 10, 40, 20, "#112233")
    assert 'aria-label="Two &quot;ways&quot; &amp; more"' in svg
    assert svg.count("<path") == len('Two"ways"&more')
    assert "<text" not in svg


def test_letters_of_another_script_come_from_the_next_face() -> None:
    faces = {glyph[0] for glyph in line("ไทย Thai", "th", 400).glyphs}
    assert faces == {"sans-400-thai.woff2", "sans-400-latin.woff2"}


def test_a_poster_needs_no_typeface_and_is_the_same_every_time() -> None:
    palette = brand_families(1, 1)[0].palette
    made = [poster(palette, "Title", (WORDS["en"],), 310, language="en") for _ in range(2)]
    assert made[0] == made[1]
    assert "font" not in made[0]
    assert re.findall(r'aria-label="([^"]*)"', made[0])[0] == "Title"
