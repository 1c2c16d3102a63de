from __future__ import annotations

import os
from collections import Counter
from itertools import chain
from pathlib import Path

import jieba
import opencc
import pytest

from riskchainbench.core.errors import InputError
from riskchainbench.core.text import clusters
from riskchainbench.messages.lexicons import Lexicon, load_lexicon
from riskchainbench.messages.readings import ReadingClass, reading_class
from riskchainbench.messages.sources import build_sources

RARE = 20
"""Dictionary words seen less often than this are accidents of its corpus."""


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return load_lexicon()


@pytest.fixture(scope="module")
def frequencies() -> dict[str, int]:
    path = Path(os.fspath(jieba.__file__)).parent / "dict.txt"
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {row[0]: int(row[1]) for row in rows}


def test_the_lexicons_are_as_large_as_promised(lexicon: Lexicon) -> None:
    assert len(lexicon.homophones) >= 250
    assert len(lexicon.decompositions) >= 150
    assert len(lexicon.look_alikes) >= 150
    assert len(lexicon.profiles) == 8


@pytest.mark.parametrize(
    ("word", "spelling", "kind"),
    [
        ("投资", "头资", ReadingClass.SAME_TONE),
        ("登录", "登路", ReadingClass.SAME_TONE),
        ("加入", "家入", ReadingClass.SAME_TONE),
        ("平台", "平抬", ReadingClass.SAME_TONE),
        ("邀请", "邀情", ReadingClass.TONE_VARIANT),  # qing3, qing2
        ("客服", "客福", ReadingClass.SAME_TONE),
        ("验证", "验正", ReadingClass.SAME_TONE),
        ("资源", "知源", ReadingClass.NEAR),
        ("名额", "民额", ReadingClass.NEAR),
        ("客服", "窗口", None),
        ("客服", "服", None),
    ],
)
def test_reading_classes(word: str, spelling: str, kind: ReadingClass | None) -> None:
    assert reading_class(word, spelling) is kind


def test_every_homophone_sounds_like_its_word_and_is_spelled_otherwise(lexicon: Lexicon) -> None:
    for word, forms in chain(lexicon.homophones.items(), lexicon.homophone_characters.items()):
        for form in forms:
            assert form.spelling != word
            assert reading_class(word, form.spelling) is form.kind


def test_no_spelling_stands_for_two_words_or_is_a_word_of_the_lexicon(lexicon: Lexicon) -> None:
    counts = Counter(form.spelling for forms in lexicon.homophones.values() for form in forms)
    assert [spelling for spelling, count in counts.items() if count > 1] == []
    assert [spelling for spelling in counts if spelling in lexicon.homophones] == []


def test_no_spelling_is_a_common_word_unless_declared_equal(
    lexicon: Lexicon, frequencies: dict[str, int]
) -> None:
    faults = [
        (word, form.spelling)
        for word, forms in lexicon.homophones.items()
        for form in forms
        if frequencies.get(form.spelling, 0) >= RARE
        and word not in lexicon.equivalents_at(form.spelling, 0)
    ]
    assert faults == []


def test_decompositions_are_one_grapheme_to_two_and_no_common_word(
    lexicon: Lexicon, frequencies: dict[str, int]
) -> None:
    parts = lexicon.decompositions
    assert len(set(parts.values())) == len(parts)
    for whole, pieces in parts.items():
        assert len(clusters(whole)) == 1
        assert len(clusters(pieces)) == 2
        assert whole not in pieces
        assert frequencies.get(pieces, 0) < RARE, (whole, pieces)


def test_look_alikes_differ_and_are_told_apart(lexicon: Lexicon) -> None:
    shapes = lexicon.look_alikes
    assert len(set(shapes.values())) == len(shapes)
    for character, other in shapes.items():
        assert len(character) == len(other) == 1
        assert character != other


def test_no_look_alike_forms_a_common_word_outside_the_declared_clashes(
    lexicon: Lexicon, frequencies: dict[str, int]
) -> None:
    words = [word for word, count in frequencies.items() if len(word) == 2 and count >= RARE]
    faults = {
        word.replace(character, other)
        for word in words
        for character, other in lexicon.look_alikes.items()
        if character in word and frequencies.get(word.replace(character, other), 0) >= RARE
    }
    assert faults - lexicon.look_alike_clashes == set()


def test_every_confusable_stands_for_one_character_only(lexicon: Lexicon) -> None:
    owners: dict[str, str] = {}
    for table in (lexicon.confusables, lexicon.confusables_uts39):
        assert "".join(sorted(table)) == "0123456789abcdefghijklmnopqrstuvwxyz"
        for character, forms in table.items():
            for form in forms:
                assert not form.isascii()
                assert owners.setdefault(form, character) == character, form


def test_dots_and_marks_are_no_confusables(lexicon: Lexicon) -> None:
    letters = set("".join([*lexicon.confusables.values(), *lexicon.confusables_uts39.values()]))
    dots = {lexicon.dots.comma, *lexicon.dots.few_line, *lexicon.dots.vertical}
    assert letters.isdisjoint(dots | set(lexicon.marks))


def test_traditional_characters_come_back_as_themselves(lexicon: Lexicon) -> None:
    simplify = opencc.OpenCC("t2s")
    for simplified, traditional in lexicon.traditional.items():
        assert simplified != traditional
        assert simplify.convert(traditional) == simplified
    forms = [*lexicon.traditional.values(), *lexicon.variants.values()]
    assert len(set(forms)) == len(forms)


def test_slash_codes_end_in_a_blank(lexicon: Lexicon) -> None:
    for profile in lexicon.profiles.values():
        for code in profile.codes:
            assert not code.startswith("/") or code.endswith(" ")


def test_published_codes_number_ninety_two(lexicon: Lexicon) -> None:
    verified = [profile for profile in lexicon.profiles.values() if profile.verified]
    assert sum(len(profile.codes) for profile in verified) == 80 + 12
    assert {profile.platform for profile in lexicon.profiles.values()} - {
        profile.platform for profile in verified
    } == {"tiktok", "wechat_channels"}


def test_two_halves_make_the_whole_and_share_nothing(lexicon: Lexicon) -> None:
    first, second = lexicon.half("a"), lexicon.half("b")
    for name in ("homophones", "look_alikes", "decompositions", "traditional"):
        one, two = set(getattr(first, name)), set(getattr(second, name))
        assert one & two == set()
        assert one | two == set(getattr(lexicon, name))
        assert min(len(one), len(two)) > len(one | two) // 3


def test_words_are_found_longest_first_without_overlap(lexicon: Lexicon) -> None:
    assert list(lexicon.words_in("填浏览器验证")) == [(1, "浏览器"), (4, "验证")]


def test_an_unknown_platform_is_named(lexicon: Lexicon) -> None:
    with pytest.raises(InputError, match="'fidonet' is unknown"):
        lexicon.profile("fidonet")


@pytest.mark.parametrize("seed", [1, 2])
def test_no_canonical_text_holds_a_disguise_of_another_word(lexicon: Lexicon, seed: int) -> None:
    """Else a reader could not tell what was written from what was made of it."""
    pairs = {
        *lexicon.decompositions.values(),
        *(form.spelling for forms in lexicon.homophones.values() for form in forms),
    }
    single = {*lexicon.traditional.values(), *lexicon.variants.values()}
    equal = {word for group in lexicon.equivalents for word in group}
    for source in build_sources(seed, 600):
        for message in source.messages:
            text = message.content
            found = {text[at : at + 2] for at in range(len(text))} & pairs - equal
            assert found == set(), text
            assert single.isdisjoint(text), text
