"""Source sessions: natural, balanced, each its own sentence, and safe to publish."""

from __future__ import annotations

import re
import time
import unicodedata
from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.core.entries import is_entry
from riskchainbench.core.errors import InputError
from riskchainbench.core.restoration import Intent, Surface
from riskchainbench.core.text import compared_text
from riskchainbench.messages.records import SourceSession
from riskchainbench.messages.sources import (
    PLATFORMS,
    build_sources,
    masked_sentence,
    source_statistics,
)
from riskchainbench.messages.templates import (
    capacity,
    entry_position,
    parse_theme,
    template_book,
)

ENTRY = re.compile(r"[a-z0-9]+\.[a-z0-9]+\.test")
THEMES = {theme.theme: theme for theme in template_book().themes}

# Marks that the recipes put in, or that begin a platform's text code: in a canonical text
# a restorer could not tell them from an edit.
RESERVED_MARKS = set("＊～^·[]#/@＠\u3000 \n\t")

EXPLICIT = [
    "裸",
    "色情",
    "情色",
    "成人",
    "性爱",
    "约炮",
    "卖淫",
    "嫖",
    "毒品",
    "枪支",
    "赌博",
    "博彩",
    "洗钱",
    "高利贷",
    "破解版",
    "盗版",
]
BRANDS = [
    "微信",
    "支付宝",
    "淘宝",
    "天猫",
    "京东",
    "拼多多",
    "抖音",
    "快手",
    "微博",
    "百度",
    "贴吧",
    "腾讯",
    "阿里",
    "小红书",
    "知乎",
    "哔哩",
    "美团",
    "饿了么",
    "闲鱼",
    "网易",
    "华为",
    "苹果",
    "顺丰",
    "中通",
    "圆通",
    "菜鸟",
    "丰巢",
    "谷歌",
    "携程",
]


@pytest.fixture(scope="module")
def sources() -> tuple[SourceSession, ...]:
    return build_sources(20, 600)


def texts(sources: tuple[SourceSession, ...]) -> list[str]:
    return [message.content for source in sources for message in source.messages]


def spread(counts: Counter[str], kinds: int) -> int:
    return max(counts.values()) - (min(counts.values()) if len(counts) == kinds else 0)


# Balance and counts


def test_six_hundred_sessions_are_balanced_exactly(sources: tuple[SourceSession, ...]) -> None:
    numbers = source_statistics(sources)
    assert numbers.by_platform == dict.fromkeys(sorted(PLATFORMS), 75)
    assert numbers.by_surface == dict.fromkeys(sorted(Surface), 120)
    assert numbers.by_intent == dict.fromkeys(sorted(Intent), 100)
    assert max(numbers.by_theme.values()) - min(numbers.by_theme.values()) <= 2


def test_platforms_surfaces_and_intents_are_crossed(sources: tuple[SourceSession, ...]) -> None:
    met = Counter((s.platform, s.surface, s.intent) for s in sources)
    assert set(met) == set(product(PLATFORMS, Surface, Intent))
    assert set(Counter((s.platform, s.surface) for s in sources).values()) == {15}
    assert set(Counter((s.platform, s.intent) for s in sources).values()) <= {12, 13}


@given(
    st.integers(min_value=0, max_value=2**64),
    st.integers(min_value=1, max_value=600),
    st.lists(st.sampled_from(PLATFORMS), min_size=1, unique=True),
)
@settings(max_examples=10, deadline=None)
def test_any_number_is_balanced_to_within_one(
    seed: int, sessions: int, platforms: list[str]
) -> None:
    built = build_sources(seed, sessions, platforms)
    assert [s.session_id for s in built] == [f"s{i:04d}" for i in range(sessions)]
    assert spread(Counter(s.platform for s in built), len(platforms)) <= 1
    assert spread(Counter(s.surface for s in built), len(Surface)) <= 1
    assert spread(Counter(s.intent for s in built), len(Intent)) <= 1
    masked = [masked_sentence(text) for text in texts(built)]
    assert len(set(masked)) == len(masked)
    names = [name for s in built for name in (s.entry, *s.decoys)]
    assert len(set(names)) == len(names)


def test_there_are_many_hand_written_templates(sources: tuple[SourceSession, ...]) -> None:
    numbers = source_statistics(sources)
    assert numbers.templates >= 700
    assert numbers.slot_values >= 450
    assert len(numbers.by_theme) >= 16
    assert numbers.templates_used >= 570
    assert numbers.most_uses <= 2
    assert numbers.by_rhetoric["harmless"] > numbers.by_rhetoric["suggestive"] > 200


def test_sessions_differ_in_shape(sources: tuple[SourceSession, ...]) -> None:
    numbers = source_statistics(sources)
    assert set(numbers.by_messages) == {"1", "2", "3"}
    assert numbers.by_messages["1"] < 450
    assert set(numbers.by_position) == {"start", "middle", "end"}
    assert min(numbers.by_position.values()) > 90
    assert numbers.decoy_sessions > 60


def test_statistics_count_a_small_set() -> None:
    built = build_sources(4, 24)
    numbers = source_statistics(built)
    assert numbers.sessions == 24
    assert numbers.messages == len(texts(built))
    assert numbers.templates_used == 24
    assert sum(numbers.by_position.values()) == 24
    assert numbers.decoy_sessions == sum(1 for s in built if s.decoys)
    assert source_statistics(()).most_uses == 0


# Sameness


def test_no_sentence_stands_twice_even_masked(sources: tuple[SourceSession, ...]) -> None:
    masked = Counter(masked_sentence(text) for text in texts(sources))
    assert [text for text, count in masked.items() if count > 1] == []


def test_recurring_templates_share_no_content_word() -> None:
    built = build_sources(6, 1000)
    masked = Counter(masked_sentence(text) for text in texts(built))
    assert max(masked.values()) == 1
    assert source_statistics(built).most_uses == 2


def test_masking_takes_names_numbers_codes_and_entries() -> None:
    assert masked_sentence("小满说周一去kaw08x.me.test输入K7M2") == "〇说〇去0输入0"


def test_one_seed_gives_the_same_bytes_and_two_share_no_entry() -> None:
    first, again, other = build_sources(1, 120), build_sources(1, 120), build_sources(2, 120)
    assert [s.to_json() for s in first] == [s.to_json() for s in again]
    assert {s.entry for s in first}.isdisjoint(s.entry for s in other)
    assert len(set(texts(first)) & set(texts(other))) <= 5


# Bad input


@pytest.mark.parametrize(
    ("sessions", "platforms", "complaint"),
    [
        (0, PLATFORMS, "sessions is 0"),
        (5, (), "at least one"),
        (5, ("qq", "qq"), "none twice"),
        (12_000, PLATFORMS, "used up"),
    ],
)
def test_impossible_requests_say_why(
    sessions: int, platforms: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        build_sources(1, sessions, platforms)


# Entries in their messages


def test_entries_and_decoys_stand_where_the_record_says(
    sources: tuple[SourceSession, ...],
) -> None:
    for source in sources:
        whole = "\n".join(message.content for message in source.messages)
        assert sorted(ENTRY.findall(whole)) == sorted((source.entry, *source.decoys))
        assert all(map(is_entry, (source.entry, *source.decoys)))
        held = {m.message_id: m.content for m in source.messages}[source.entry_message]
        assert entry_position(held.replace(source.entry, "{entry}")) == source.entry_position


def test_nothing_beside_an_entry_can_be_read_as_part_of_it() -> None:
    # Recipes turn dots into these marks, so a code in front of one would join the entry.
    joined = re.compile(r"\{(?:code|n|decoy|entry)\}[，。点：]?\{(?:entry|decoy)\}")
    beside = re.compile(
        r"[A-Za-z0-9]\{(?:entry|decoy)\}|\{(?:entry|decoy)\}(?:[A-Za-z0-9.]|\{code)"
    )
    for theme in THEMES.values():
        for text in (text for template in theme.templates for text in template.messages):
            assert not joined.search(text), text
            assert not beside.search(text), text


def test_entries_tell_nothing_about_theme_or_intent(sources: tuple[SourceSession, ...]) -> None:
    rng = np.random.default_rng(0)
    rhetoric = np.array([THEMES[s.theme].rhetoric == "suggestive" for s in sources])
    intent = np.array([list(Intent).index(s.intent) for s in sources])
    for feature in (
        np.array([ord(s.entry[0]) for s in sources]),
        np.array([s.entry.index(".") for s in sources]),
        np.array([sum(char.isdigit() for char in s.entry) for s in sources]),
    ):
        for label in (rhetoric, intent):
            seen = _information(feature, label)
            chance = [_information(feature, rng.permutation(label)) for _ in range(199)]
            assert seen <= np.quantile(chance, 0.995)


def _information(left: np.ndarray, right: np.ndarray) -> float:
    """Mutual information in nats."""
    _, a = np.unique(left, return_inverse=True)
    _, b = np.unique(right, return_inverse=True)
    joint = np.zeros((a.max() + 1, b.max() + 1))
    np.add.at(joint, (a, b), 1 / len(a))
    product_of_margins = joint.sum(1, keepdims=True) * joint.sum(0, keepdims=True)
    held = joint > 0
    return float((joint[held] * np.log(joint[held] / product_of_margins[held])).sum())


# Text and safety


@pytest.mark.parametrize("name", sorted(THEMES))
def test_every_template_renders_to_canonical_text(name: str) -> None:
    theme, shared = THEMES[name], template_book().shared
    made = {"entry": "kaw08x.me.test", "decoy": "wka7a.k2.test", "code": "K7M2", "n": "12"}
    lists = {**shared, **theme.slots, **{slot: (value,) for slot, value in made.items()}}
    for template in theme.templates:
        for turn in range(max(map(len, theme.slots.values()))):
            values = {slot: row[turn % len(row)] for slot, row in lists.items()}
            for text in template.render(values):
                assert compared_text(text) == text
                assert not RESERVED_MARKS & set(text), text
                assert not {unicodedata.category(c) for c in text} & {"Cn", "Co", "Cs", "Cf"}
                assert "{" not in text, text


def test_every_theme_offers_every_intent_on_every_surface() -> None:
    for theme in THEMES.values():
        offered = {(t.intent, surface) for t in theme.templates for surface in t.surfaces}
        assert offered == set(product(Intent, Surface)), theme.theme


def test_no_template_repeats_another() -> None:
    texts = Counter(
        re.sub(r"\{\w+\}", "", text)
        for theme in THEMES.values()
        for template in theme.templates
        for text in template.messages
    )
    assert [text for text, count in texts.items() if count > 1 and len(text) > 6] == []
    ids = [template.id for theme in THEMES.values() for template in theme.templates]
    assert len(set(ids)) == len(ids)


def test_every_list_of_values_is_used_and_has_no_double() -> None:
    for theme in THEMES.values():
        used = {slot for template in theme.templates for slot in template.slots()}
        assert set(theme.slots) <= used, theme.theme
        for values in theme.slots.values():
            assert len(set(values)) == len(values) >= 8
        assert min(capacity(theme, template) for template in theme.templates) >= 1


def test_nothing_in_the_texts_is_live(sources: tuple[SourceSession, ...]) -> None:
    for text in texts(sources):
        bare = ENTRY.sub("", text)
        assert re.search(r"\w\.\w|https?|www|\d{7}", bare) is None, text


def test_nothing_is_explicit_and_no_brand_is_named() -> None:
    book = template_book()
    for theme in book.themes:
        words = [text for template in theme.templates for text in template.messages]
        words += [value for values in theme.slots.values() for value in values]
        words += [value for values in book.shared.values() for value in values]
        for text in words:
            assert not [word for word in (*EXPLICIT, *BRANDS) if word in text], text


# The template format

GOOD = """
theme = "tea"
rhetoric = "harmless"
[slots]
leaf = ["绿茶", "红茶"]
[[templates]]
id = "tea-open-site-1"
intent = "OPEN_SITE"
surfaces = ["COMMENT"]
position = "end"
messages = ["{leaf}到了", "打开{entry}"]
"""


def test_a_message_without_content_words_is_used_once() -> None:
    theme = parse_theme(GOOD, "tea.toml", {})
    assert capacity(theme, theme.templates[0]) == 1
    both = GOOD.replace("打开{entry}", "{leaf}在这里，打开{entry}")
    theme = parse_theme(both, "tea.toml", {})
    assert capacity(theme, theme.templates[0]) == 2


@pytest.mark.parametrize(
    ("good", "bad", "complaint"),
    [
        ("{leaf}到了", "{lief}到了", "tea.toml: tea-open-site-1: no values for slot lief"),
        ("打开{entry}", "打开", "must name the entry exactly once"),
        ("{leaf}到了", "{entry}到了", "must name the entry exactly once"),
        ("{leaf}到了", "{decoy}{decoy}", "a decoy more than once"),
        ('position = "end"', 'position = "start"', "position is start, but the entry is at end"),
        ("OPEN_SITE", "OPEN_DOOR", "tea.toml: templates.0.intent"),
        ("[slots]", "[slots", "tea.toml: not TOML"),
    ],
)
def test_a_faulty_theme_is_refused_with_its_place(good: str, bad: str, complaint: str) -> None:
    with pytest.raises(InputError, match=re.escape(complaint)):
        parse_theme(GOOD.replace(good, bad), "tea.toml", {})


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("{entry}打开看", "start"),
        ("“{entry}”打开看", "start"),
        ("打开{entry}看", "middle"),
        ("打开{entry}。", "end"),
        ("打开看", "none"),
    ],
)
def test_positions_look_past_punctuation(text: str, position: str) -> None:
    assert entry_position(text) == position


def test_six_hundred_sessions_take_less_than_a_second() -> None:
    best = min(_seconds(seed) for seed in range(3))
    assert best < 1


def _seconds(seed: int) -> float:
    start = time.process_time()
    build_sources(seed, 600)
    return time.process_time() - start
