"""The operators beyond the six recipes, the ladder, and every operator composed at random."""

from __future__ import annotations

import base64
import unicodedata
from collections.abc import Callable
from functools import cache, partial
from itertools import pairwise
from random import Random
from urllib.parse import unquote

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from riskchainbench.messages import extended
from riskchainbench.messages.audit import audit
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.drafts import Draft
from riskchainbench.messages.extended import EXTENDED_RECIPES
from riskchainbench.messages.ladder import LADDER_RECIPES
from riskchainbench.messages.lexicons import load_lexicon
from riskchainbench.messages.operators import romanization, unicode_forms
from riskchainbench.messages.recipes import PAPER_RECIPES
from riskchainbench.messages.records import BuiltSession, SourceSession, Trace
from riskchainbench.messages.sources import build_sources
from riskchainbench.messages.steps import SessionStep, Step
from riskchainbench.messages.trace import replay, revert

MakeSession = Callable[..., SourceSession]
ENTRY = "ka0w8x.m2.test"
LEXICON = load_lexicon()


def take(source: SourceSession, *steps: Step | SessionStep, seed: int = 1) -> Draft:
    draft = Draft(source)
    random = Random(seed)
    for step in steps:
        step.take(draft, random, LEXICON)
    trace = Trace(sample_id="hand", stages=tuple(draft.stages))
    assert revert(draft.frozen(), trace) == source.messages
    assert replay(source.messages, trace) == draft.frozen()
    return draft


def texts(draft: Draft) -> list[str]:
    return [message.content for message in draft.frozen()]


def test_full_pinyin(make_session: MakeSession) -> None:
    assert texts(take(make_session("找客服吧"), extended.FULL_PINYIN)) == ["找kefu吧"]


def test_pinyin_never_touches_other_latin_letters(make_session: MakeSession) -> None:
    assert take(make_session("A客服"), extended.FULL_PINYIN).stages == []


def test_initials_tell_their_word_from_every_other(make_session: MakeSession) -> None:
    draft = take(make_session("用浏览器看"), extended.PINYIN_INITIALS)
    assert texts(draft) == ["用llq看"]
    forms = romanization._telling_initials(tuple(LEXICON.homophones))
    assert len(set(forms.values())) == len(forms)


def test_spoken_digits_are_read_one_by_one(make_session: MakeSession) -> None:
    draft = take(make_session(f"看{ENTRY}吧"), extended.SPOKEN_DIGITS)
    assert texts(draft) == ["看ka零w八x.m二.test吧"]


def test_nothing_is_spoken_beside_words_that_would_read_on(make_session: MakeSession) -> None:
    assert take(make_session(f"周一{ENTRY}吧"), extended.SPOKEN_DIGITS).stages == []
    assert take(make_session(f"看{ENTRY}开张"), extended.SPELLED).stages == []


def test_spelled_out_syllables_can_be_read_back_in_one_way_only() -> None:
    names = list(LEXICON.spoken.values())
    assert len(set(names)) == len(names)
    for first, second in pairwise(sorted(names)):
        if second.startswith(first):
            rest = second.removeprefix(first)
            assert not any(name.startswith(rest[0]) for name in names), (first, second)


def test_full_width_folds_back(make_session: MakeSession) -> None:
    (text,) = texts(
        take(make_session("看ab.cd.test，好。", entry="ab.cd.test"), extended.FULL_WIDTH)
    )
    assert text == "看ａｂ。ｃｄ。ｔｅｓｔ，好。"


@pytest.mark.parametrize("step", [extended.MATHEMATICAL, extended.COMPATIBLE])
def test_compatible_forms_fold_back_by_nfkc(make_session: MakeSession, step: Step) -> None:
    for seed in range(10):
        (text,) = texts(take(make_session(f"看{ENTRY}"), step, seed=seed))
        assert ENTRY not in text
        assert unicodedata.normalize("NFKC", text) == f"看{ENTRY}"


@pytest.mark.parametrize(
    "step", [extended.COMBINING, extended.ZERO_WIDTH, extended.SELECTORS], ids=lambda s: s.operator
)
def test_unseen_characters_and_marks_can_be_dropped(make_session: MakeSession, step: Step) -> None:
    (text,) = texts(take(make_session(f"今天看{ENTRY}好"), step))
    unseen = regex.sub(r"[\p{M}\p{Cf}]", "", text)
    assert text != unseen == f"今天看{ENTRY}好"


def test_bidi_stores_the_entry_backwards(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session(f"看{ENTRY}"), extended.BIDI))
    assert text == "看\u202etset.2m.x8w0ak\u202c"


def test_repetition_writes_a_character_thrice(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session("谢谢你"), extended.REPETITION))
    assert text == "谢谢你你你"


def test_transposition_swaps_where_no_word_results(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session("找客服"), extended.TRANSPOSITION))
    assert text == "找服客"


def test_traditional_and_variant_forms(make_session: MakeSession) -> None:
    assert texts(take(make_session("进门"), extended.TRADITIONAL)) == ["進門"]
    assert texts(take(make_session("群里"), extended.VARIANT)) == ["羣裏"]


def test_spacing_and_punctuation_between_characters(make_session: MakeSession) -> None:
    source = make_session("看ab.c.test好", entry="ab.c.test")
    assert texts(take(source, extended.SPACED)) == ["看a b . c . t e s t好"]
    (text,) = texts(take(source, extended.PUNCTUATED))
    assert text.replace(text[2], "") == "看ab.c.test好"


def test_a_grid_is_read_by_columns(make_session: MakeSession) -> None:
    for seed in range(4):
        (text,) = texts(take(make_session(f"看{ENTRY}"), extended.GRID, seed=seed))
        rows = [line.split(" ") for line in text.split("\n")[1:-1]]
        read = "".join("".join(column) for column in zip(*rows, strict=True))
        assert read.rstrip("　") == ENTRY


def test_an_acrostic_is_read_down_the_heads_of_lines(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session(f"看{ENTRY}"), extended.ACROSTIC))
    assert "".join(line[0] for line in text.split("\n")[2:-1]) == ENTRY


def test_defanged_dots(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session(f"看{ENTRY}"), extended.DEFANGED))
    form = text.removeprefix("看ka0w8x").split("m2")[0]
    assert form in {"[.]", "(.)", "[dot]", "(点)", "{.}"}
    assert text == f"看ka0w8x{form}m2{form}test"


def test_punycode_decodes_to_one_confusable(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session(f"看{ENTRY}"), extended.PUNYCODE))
    label = text.removeprefix("看xn--").split(".")[0].encode().decode("punycode")
    plain = {form: letter for letter, forms in LEXICON.confusables.items() for form in forms}
    assert label != "ka0w8x" == "".join(plain.get(c, c) for c in label)


def test_percent_and_base_n_decode(make_session: MakeSession) -> None:
    (text,) = texts(take(make_session(f"看{ENTRY}"), extended.PERCENT))
    assert unquote(text) == f"看{ENTRY}"
    decoders = {
        "base64": base64.b64decode,
        "base32": base64.b32decode,
        "base16": base64.b16decode,
    }
    for seed in range(8):
        draft = take(make_session(f"看{ENTRY}"), extended.BASE_N, seed=seed)
        edit = draft.stages[0].edits[0]
        assert decoders[edit.rule](edit.after).decode() == ENTRY


def test_a_split_keeps_all_words_and_expects_the_pieces(make_session: MakeSession) -> None:
    draft = take(make_session(f"看{ENTRY}好", "谢"), extended.SPLIT)
    assert texts(draft) == ["看ka0w8x", ".m2.test好", "谢"]
    assert draft.expected == draft.frozen()
    assert [message.message_id for message in draft.expected] == ["m0", "m0-1", "m1"]


def test_a_decoy_is_another_reserved_name(make_session: MakeSession) -> None:
    draft = take(make_session(f"看{ENTRY}好"), extended.DECOY)
    names = regex.findall(r"[a-z0-9]+\.[a-z0-9]+\.test", " ".join(texts(draft)))
    assert len(set(names)) == 2
    assert ENTRY in names


def test_a_correction_names_the_entry_last(make_session: MakeSession) -> None:
    first, second = texts(take(make_session(f"看{ENTRY}好"), extended.CORRECTION))
    assert ENTRY not in first
    assert ENTRY in second


def test_a_quotation_is_part_of_what_is_expected(make_session: MakeSession) -> None:
    draft = take(make_session(f"看{ENTRY}好"), extended.QUOTATION)
    assert draft.expected[0].content.endswith(f"“看{ENTRY}好”")


def test_no_session_change_touches_a_disguised_entry(make_session: MakeSession) -> None:
    disguised = (extended.FULL_WIDTH, extended.SPLIT, extended.CORRECTION)
    assert len(take(make_session(f"看{ENTRY}"), *disguised).stages) == 1


def test_the_extended_set_passes_the_audits() -> None:
    built = build_sessions(7, build_sources(11, 48), EXTENDED_RECIPES)
    assert audit(built).variants == 48 * len(EXTENDED_RECIPES)
    assert {recipe.variant[0] for recipe in EXTENDED_RECIPES} == {"x"}


def test_expected_messages_carry_only_accepted_spellings_of_their_own() -> None:
    recipes = [r for r in EXTENDED_RECIPES if r.recipe_id in {"split_over_messages", "quotation"}]
    for session in build_sessions(7, build_sources(11, 96), recipes):
        for variant in session.variants:
            kept = {m.message_id: m.content for m in session.expected(variant)}
            for message_id in session.accepted(variant):
                own = [m for m in session.source.messages if m.message_id == message_id]
                assert kept[message_id] == own[0].content


@cache
def ladder() -> tuple[BuiltSession, ...]:
    return build_sessions(7, build_sources(11, 72), LADDER_RECIPES)


def test_the_ladder_passes_the_audits_and_grows_harder() -> None:
    audit(ladder())
    shares = [
        sum(session.variants[step].edited for session in ladder())
        for step in range(len(LADDER_RECIPES))
    ]
    assert len(LADDER_RECIPES) == 6
    assert shares == sorted(shares)
    assert shares[5] > 5 * shares[0]


def plain_readings() -> dict[str, str]:
    """Return what every disguise of one character may stand for, from all maps inverted."""
    tables = (LEXICON.confusables, LEXICON.confusables_uts39)
    plain = {form: letter for table in tables for letter, forms in table.items() for form in forms}
    plain |= {word: digit for digit, word in LEXICON.spoken.items() if digit.isdigit()}
    dots = LEXICON.dots
    for mark in (dots.comma, *dots.few_line, *dots.vertical, *dots.other):
        plain[mark] = "."
    return plain


@pytest.mark.parametrize("step", range(6))
def test_an_exact_search_finds_one_entry_in_every_ladder_step(step: int) -> None:
    """All maps inverted at once leave the entry, and no other name but the session's decoys."""
    plain = plain_readings()
    for session in ladder():
        source = session.source
        text = "\n".join(message.content for message in session.variants[step].messages)
        for code in LEXICON.profile(source.platform).codes:
            text = text.replace(code, "")
        text = regex.sub(r"[\p{M}\p{Cf}]", "", text.replace("\n\n", "."))
        text = text.replace(".\n", ".").replace("\n.", ".")
        read = "".join(plain.get(character, character) for character in text).replace("\n", "")
        names = set(regex.findall(r"[a-z0-9]+\.[a-z0-9]+\.test", read, overlapped=False))
        found = {name for name in (source.entry, *source.decoys) if any(name in n for n in names)}
        assert source.entry in found, (source.entry, read)
        assert len(names) <= 1 + len(source.decoys)


def test_the_hardest_step_still_lies_nearest_to_its_own_source() -> None:
    sources = ["\n".join(m.content for m in session.source.messages) for session in ladder()]
    for number, session in enumerate(ladder()):
        text = "\n".join(message.content for message in session.variants[5].messages)
        for code in LEXICON.profile(session.source.platform).codes:
            text = text.replace(code, "")
        text = unicodedata.normalize("NFKC", regex.sub(r"[\p{M}\p{Cf}]", "", text))
        distances = [Levenshtein.normalized_distance(text, source) for source in sources]
        assert min(range(len(sources)), key=distances.__getitem__) == number


STEPS = [
    step for recipe in (*PAPER_RECIPES, *LADDER_RECIPES, *EXTENDED_RECIPES) for step in recipe.steps
]
WORDS = [
    "今天",
    "客服",
    "登录",
    "谢谢",
    "[图片说明]",
    "a/b",
    "👨‍👩‍👧",
    "1️⃣",
    "🇨🇳",
    "\r\n",
    "\t",
    "　",
    "，",
]


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
    st.lists(st.sampled_from(range(len(STEPS))), min_size=1, max_size=8),
    st.sampled_from(sorted(LEXICON.profiles)),
    st.integers(0, 9),
)
def test_any_operators_in_any_order_revert(
    before: str, after: str, chosen: list[int], platform: str, seed: int
) -> None:
    source = SourceSession.model_validate(
        {
            "session_id": "s0000",
            "platform": platform,
            "surface": "COMMENT",
            "theme": "t",
            "template": "t",
            "intent": "OPEN_SITE",
            "entry": ENTRY,
            "messages": [{"message_id": "m0", "content": f"{before}{ENTRY}{after}"}],
            "entry_message": "m0",
            "entry_position": "middle",
        }
    )
    take(source, *(STEPS[number] for number in chosen), seed=seed)


def test_zero_width_needs_a_neighbor(make_session: MakeSession) -> None:
    step = Step("zero_width", partial(unicode_forms.propose_zero_width, count=(9, 9)))
    assert take(make_session("好"), step).stages == []
