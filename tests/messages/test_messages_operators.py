"""Each operator on sessions written by hand, and what it must leave alone."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

import pytest

from riskchainbench.core.text import clusters, compared_text
from riskchainbench.messages.drafts import Draft
from riskchainbench.messages.lexicons import load_lexicon
from riskchainbench.messages.operators import (
    decomposition,
    dot_alteration,
    entry_confusables,
    homophone,
    keycap,
    layout,
    look_alike,
    platform_tokens,
    redundant_marks,
)
from riskchainbench.messages.operators.base import Operator
from riskchainbench.messages.records import SourceSession, Trace
from riskchainbench.messages.trace import revert

MakeSession = Callable[..., SourceSession]
ENTRY = "ka0w8x.m2.test"
LEXICON = load_lexicon()


def run(source: SourceSession, *operators: Operator, seed: int = 1) -> Draft:
    draft = Draft(source)
    random = Random(seed)
    for number, operator in enumerate(operators):
        draft.apply(f"operator {number}", operator(draft, random, LEXICON))
    trace = Trace(sample_id="hand", stages=tuple(draft.stages))
    assert revert(draft.frozen(), trace) == source.messages
    return draft


def text_of(draft: Draft) -> str:
    return draft.frozen()[0].content


def test_a_homophone_replaces_a_word_and_names_its_class(make_session: MakeSession) -> None:
    draft = run(make_session("找客服"), partial(homophone.propose, count=(1, 1)))
    edit = draft.stages[0].edits[0]
    assert edit.before == "客服"
    assert edit.after in {form.spelling for form in LEXICON.homophones["客服"]}
    assert edit.rule == "same_tone"


def test_characters_fill_up_where_words_are_too_few(make_session: MakeSession) -> None:
    draft = run(make_session("加客服"), partial(homophone.propose, count=(2, 2)))
    assert {edit.before for edit in draft.stages[0].edits} == {"加", "客服"}


def test_a_quoted_pass_phrase_is_left_alone(make_session: MakeSession) -> None:
    source = make_session("口令「投资平台」，[图片说明]，报 A0B1")
    operators = (
        partial(homophone.propose, count=(9, 9)),
        partial(look_alike.propose, count=(9, 9)),
        partial(decomposition.propose, count=(9, 9)),
        partial(platform_tokens.propose, count=(9, 9)),
        partial(redundant_marks.propose, count=(9, 9)),
    )
    text = text_of(run(source, *operators))
    assert "「投资平台」" in text
    assert "[图片说明]" in text
    assert "A0B1" in text


def test_a_look_alike_never_forms_a_declared_word(make_session: MakeSession) -> None:
    # 体验 would become 体检, a word of its own.
    draft = run(make_session("体验"), partial(look_alike.propose, count=(2, 2)))
    assert "体检" not in text_of(draft)


def test_a_decomposition_writes_the_parts(make_session: MakeSession) -> None:
    draft = run(make_session("服"), partial(decomposition.propose, count=(1, 1)))
    assert text_of(draft) == "月及"


def test_operators_never_edit_one_place_twice(make_session: MakeSession) -> None:
    one = partial(decomposition.propose, count=(1, 1))
    draft = run(make_session("服"), one, one)
    assert len(draft.stages) == 1


def test_marks_stand_between_han_and_are_foreign_to_the_session(make_session: MakeSession) -> None:
    source = make_session("今天～很好 abc 好")
    for seed in range(20):
        draft = run(source, partial(redundant_marks.propose, count=(4, 4)), seed=seed)
        assert {edit.after for edit in draft.stages[0].edits} <= {"＊", "^", "·", "　"}
        assert " abc " in text_of(draft)


@pytest.mark.parametrize("platform", sorted(LEXICON.profiles))
def test_tokens_are_the_platforms_own(make_session: MakeSession, platform: str) -> None:
    source = make_session(f"请大家打开{ENTRY}看看", platform=platform)
    tokens = partial(platform_tokens.propose, count=(5, 11), inside_entry=True)
    draft = run(source, tokens)
    text = text_of(draft)
    for code in LEXICON.profile(platform).codes:
        text = text.replace(code, "")
    assert text == source.messages[0].content


def test_at_least_one_token_goes_into_the_entry_but_none_beside_its_last_dot(
    make_session: MakeSession,
) -> None:
    source = make_session(f"打开{ENTRY}看")
    for seed in range(30):
        tokens = partial(platform_tokens.propose, count=(5, 5), inside_entry=True)
        text = text_of(run(source, tokens, seed=seed))
        assert ENTRY not in text
        assert ".test"[:2] in text
        assert "m2[" not in text
        assert "].test" not in text


def test_slash_codes_keep_their_blank_beside_slashes_and_paths(make_session: MakeSession) -> None:
    source = make_session(f"看 a/b 和/或 {ENTRY} ", platform="qq")
    draft = run(source, partial(platform_tokens.propose, count=(6, 6)))
    for edit in draft.stages[0].edits:
        assert edit.after.endswith(" ")
    assert "a/b" in text_of(draft)


def test_two_codes_may_abut_in_one_edit(make_session: MakeSession) -> None:
    source = make_session("今天大家都在看这个很长很长的视频吧")
    rules = {
        edit.rule
        for seed in range(20)
        for edit in run(source, partial(platform_tokens.propose, count=(8, 8)), seed=seed)
        .stages[0]
        .edits
    }
    assert rules == {"code", "abutting codes"}


@pytest.mark.parametrize("neighbor", ["👨‍👩‍👧", "1️⃣", "🇨🇳"])
def test_clusters_beside_the_entry_stay_whole(make_session: MakeSession, neighbor: str) -> None:
    source = make_session(f"看{neighbor}{ENTRY}{neighbor}好")
    operators = (
        partial(entry_confusables.propose, count=(2, 2)),
        layout.propose_vertical,
        partial(platform_tokens.attach, count=(9, 9)),
        partial(platform_tokens.propose, count=(9, 9)),
    )
    for seed in range(10):
        assert clusters(text_of(run(source, *operators, seed=seed))).count(neighbor) == 2


def test_confusables_change_the_host_and_leave_the_ending(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}好")
    propose = partial(entry_confusables.propose, count=(3, 3), uts39_share=0.5)
    draft = run(source, propose)
    assert len(draft.stages[0].edits) == 3
    assert text_of(draft).endswith(".test好")
    for edit in draft.stages[0].edits:
        table = LEXICON.confusables if edit.rule == "curated" else LEXICON.confusables_uts39
        assert edit.after in table[edit.before]


def test_decoys_are_disguised_like_the_entry(make_session: MakeSession) -> None:
    source = make_session(f"旧的aa1.bb.test停了，看{ENTRY}", decoys=("aa1.bb.test",))
    draft = run(source, partial(entry_confusables.propose, count=(1, 1)))
    assert len(draft.stages[0].edits) == 2


def test_the_first_dot_becomes_a_comma(make_session: MakeSession) -> None:
    draft = run(make_session(f"看{ENTRY}"), partial(dot_alteration.propose, chance=1.0))
    assert text_of(draft) == "看ka0w8x，m2.test"


def test_few_lines_set_the_entry_over_three(make_session: MakeSession) -> None:
    for seed in range(10):
        text = text_of(run(make_session(f"看{ENTRY}好"), layout.propose_few_lines, seed=seed))
        lines = text.split("\n")
        assert len(lines) == 3
        assert lines[0] == "看ka0w8x"
        assert {lines[1].strip("点．，。"), lines[2].strip("点．，。好")} == {"m2", "test"}


def test_a_vertical_layout_written_out(make_session: MakeSession) -> None:
    text = text_of(run(make_session("看ab.c.test好", entry="ab.c.test"), layout.propose_vertical))
    mark = text.split("\n")[5]
    assert mark in LEXICON.dots.vertical
    assert text == f"看\na\nb\n\nc\n{mark}\nt\ne\ns\nt\n好"


def test_a_vertical_layout_keeps_crlf_tabs_and_wide_blanks(make_session: MakeSession) -> None:
    source = make_session(f"\t看　\r\n{ENTRY}\r\n\t好　")
    text = text_of(run(source, layout.propose_vertical))
    assert "\n" not in text.replace("\r\n", "")
    assert text.startswith("\t看　\r\nk\r\na\r\n")
    assert text.endswith("t\r\n\t好　")


def test_keycaps_are_one_grapheme_a_line(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    keycaps = partial(keycap.propose, chance=1.0)
    confusables = partial(entry_confusables.propose, count=(2, 2))
    text = text_of(run(source, keycaps, confusables, layout.propose_vertical))
    assert "0️⃣" in text.split("\n")


def test_attached_tokens_follow_graphemes_of_the_entry(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}好")
    draft = run(source, layout.propose_vertical, partial(platform_tokens.attach, count=(6, 6)))
    for line in text_of(draft).split("\n"):
        assert not line.startswith("[")


def test_breaks_follow_tokens_only(make_session: MakeSession) -> None:
    source = make_session(f"今天看看{ENTRY}好吗")
    breaks = partial(layout.propose_breaks, count=(2, 2))
    assert run(source, breaks).stages == []
    draft = run(source, partial(platform_tokens.propose, count=(6, 6)), breaks)
    for line in text_of(draft).split("\n")[:-1]:
        assert line.endswith("]")


def test_a_session_without_an_entry_is_no_error(make_session: MakeSession) -> None:
    source = make_session("今天天气不错")
    draft = run(
        source,
        layout.propose_vertical,
        layout.propose_few_lines,
        partial(entry_confusables.propose, count=(2, 2)),
        partial(keycap.propose, chance=1.0),
        partial(platform_tokens.attach, count=(1, 1)),
    )
    assert len(draft.stages) == 1
    assert compared_text(source.messages[0].content) == "今天天气不错"
