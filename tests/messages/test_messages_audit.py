"""Each audit fails on the fault it is for, with the sample and the reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from riskchainbench.core.restoration import Message, RestorationTask
from riskchainbench.messages.audit import (
    AuditError,
    audit,
    audit_variant,
    check_separation,
    entries_in,
)
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.records import BuiltSession, SourceSession, Trace
from riskchainbench.messages.sources import build_sources

MakeSession = Callable[..., SourceSession]
ENTRY = "ka0w8x.m2.test"


def built(source: SourceSession) -> BuiltSession:
    (session,) = build_sessions(7, [source])
    return session


def with_variant(session: BuiltSession, number: int, **changes: object) -> BuiltSession:
    variants = list(session.variants)
    variants[number] = variants[number].but(**changes)
    return session.but(variants=tuple(variants))


def edited(source: SourceSession, operator: str, after: str) -> tuple[tuple[Message, ...], Trace]:
    draft = Draft(source)
    draft.apply(operator, [Proposal("m0", 0, 0, after, "code")])
    return draft.frozen(), Trace(sample_id="s0000-v000", stages=tuple(draft.stages))


def test_a_sound_build_passes_and_is_counted() -> None:
    report = audit(build_sessions(7, build_sources(11, 48)))
    assert (report.sessions, report.variants, report.sentences) == (48, 288, 48)
    assert sum(report.edits_by_operator.values()) == report.edits
    assert sum(report.variants_by_severity.values()) == 288


def test_a_changed_variant_is_irreversible(make_session: MakeSession) -> None:
    session = built(make_session(f"今天大家打开{ENTRY}看视频"))
    messages = (session.variants[2].messages[0].but(content="别的"),)
    with pytest.raises(AuditError, match="irreversible edit: s0000-v002: stage 1"):
        audit([with_variant(session, 2, messages=messages)])


def test_a_trace_of_another_source_is_found(make_session: MakeSession) -> None:
    session = built(make_session(f"今天大家打开{ENTRY}看视频"))
    other = session.source.but(messages=(Message(message_id="m0", content=f"明天{ENTRY}"),))
    with pytest.raises(AuditError, match="s0000-v000: irreversible edit: the trace leads"):
        audit([session.but(source=other)])


def test_a_variant_equal_to_its_source_is_named(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    trace = Trace(sample_id="s0000-v003", stages=())
    with pytest.raises(AuditError, match="s0000-v003: duplicate: the variant equals its source"):
        audit_variant(source.messages, source.messages, trace, "qq", ENTRY)


def test_two_variants_that_coincide_are_both_named(make_session: MakeSession) -> None:
    session = built(make_session(f"今天大家打开{ENTRY}看视频"))
    twin = session.variants[1].but(variant="v002")
    twins = session.but(variants=(session.variants[1], twin))
    with pytest.raises(AuditError, match="s0000: duplicate: variants v001 and v002 coincide"):
        audit([twins])


def test_a_code_of_another_platform_is_named(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    messages, trace = edited(source, "platform_tokens", "[doge]")
    audit_variant(source.messages, messages, trace, "weibo", ENTRY)
    with pytest.raises(AuditError, match=r"token isolation: '\[doge\]' is no code of bilibili"):
        audit_variant(source.messages, messages, trace, "bilibili", ENTRY)


def test_a_foreign_code_by_another_operator_is_named_too(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    messages, trace = edited(source, "redundant_marks", "#(滑稽)")
    with pytest.raises(AuditError, match=r"token isolation: '#\(滑稽\)' is no code of qq"):
        audit_variant(source.messages, messages, trace, "qq", ENTRY)


def test_abutting_and_nesting_codes_are_told_apart(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}", platform="qq")
    messages, trace = edited(source, "platform_tokens", "/wx /dk ")
    audit_variant(source.messages, messages, trace, "qq", ENTRY)
    messages, trace = edited(source, "platform_tokens", "/w/dk x ")
    with pytest.raises(AuditError, match="token isolation: '/w/dk x ' is no code of qq"):
        audit_variant(source.messages, messages, trace, "qq", ENTRY)


def test_brackets_that_are_no_code_are_no_fault(make_session: MakeSession) -> None:
    session = built(make_session(f"[图片说明]看 a/b {ENTRY} /"))
    assert audit([session]).variants == 6


def test_a_source_that_holds_a_code_itself_is_ambiguous(make_session: MakeSession) -> None:
    session = built(make_session(f"今天[微笑]大家打开{ENTRY}看视频"))
    with pytest.raises(AuditError, match="s0000, m0: ambiguity: the source itself holds"):
        audit([session])


def test_one_entry_for_two_sessions_names_both(make_session: MakeSession) -> None:
    texts = (f"今天大家打开{ENTRY}看视频", f"明天同学点击{ENTRY}查课程")
    sessions = [built(make_session(text, number=n)) for n, text in enumerate(texts)]
    with pytest.raises(AuditError, match=r"s0001: entry ka0w8x\.m2\.test is also that of s0000"):
        audit(sessions)


def test_a_decoy_that_is_an_entry_elsewhere_is_named(make_session: MakeSession) -> None:
    first = built(make_session(f"今天大家打开{ENTRY}看视频"))
    text = f"同学别点{ENTRY}，点击bb1.cc.test查课程"
    second = built(make_session(text, entry="bb1.cc.test", decoys=(ENTRY,), number=1))
    with pytest.raises(AuditError, match=r"s0001: decoy ka0w8x\.m2\.test is the entry of s0000"):
        audit([first, second])


def test_a_malformed_entry_is_named(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    messages, trace = edited(source, "redundant_marks", "^")
    with pytest.raises(AuditError, match=r"s0000-v000: malformed entry 'ka0w8x\.m2\.com'"):
        audit_variant(source.messages, messages, trace, "qq", "ka0w8x.m2.com")
    with pytest.raises(AuditError, match=r"the entry aa\.bb\.test stands 0 times"):
        audit_variant(source.messages, messages, trace, "qq", "aa.bb.test")


def test_a_message_too_many_is_misaligned(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    messages, trace = edited(source, "redundant_marks", "^")
    more = (*messages, Message(message_id="m9", content="多"))
    with pytest.raises(AuditError, match="s0000-v000: alignment: the variant's messages"):
        audit_variant(source.messages, more, trace, "qq", ENTRY)


def test_operators_and_count_must_agree_with_the_trace(make_session: MakeSession) -> None:
    session = built(make_session(f"今天大家打开{ENTRY}看视频"))
    with pytest.raises(AuditError, match="operators differ from the trace"):
        audit([with_variant(session, 0, operators=("homophone",))])
    with pytest.raises(AuditError, match="edited is not what was edited"):
        audit([with_variant(session, 0, edited=1)])


def test_two_sources_whose_variants_coincide_are_both_named(make_session: MakeSession) -> None:
    first = built(make_session(f"今天大家打开{ENTRY}看视频"))
    second = built(make_session("今天大家打开别的看视频", number=1))
    reading = first.variants[1].messages[0]
    twin = second.source.but(messages=(reading,))
    clash = second.but(source=twin, variants=())
    with pytest.raises(AuditError, match="s0001: ambiguity: reads like s0000"):
        audit([first, clash])


def test_sentences_that_differ_in_numbers_only_are_the_same(make_session: MakeSession) -> None:
    first = built(make_session("今天大家打开aa1.bb.test看 12 号视频", entry="aa1.bb.test"))
    second = built(
        make_session("今天大家打开cc2.dd.test看 34 号视频", entry="cc2.dd.test", number=1)
    )
    with pytest.raises(AuditError, match="s0001: sameness: says the same as s0000"):
        audit([first, second])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("上 shop.example-bank.com 看", "domain"),
        ("加QQ 1234567 聊", "account"),
        ("打 13800001234 问", "phone"),
        ("发到 boss[at]mail[.]cn", "email"),
    ],
)
def test_live_identifiers_in_a_source_are_named(
    make_session: MakeSession, text: str, kind: str
) -> None:
    source = make_session(f"今天大家打开{ENTRY}看视频，{text}")
    with pytest.raises(AuditError, match=f"s0000, m0: live identifier: {kind}"):
        audit([BuiltSession(source=source, variants=())])


def test_a_live_name_that_an_edit_brings_in_is_named(make_session: MakeSession) -> None:
    source = make_session(f"看{ENTRY}")
    messages, trace = edited(source, "redundant_marks", "abc.com ")
    with pytest.raises(AuditError, match=r"s0000-v000, m0: live identifier: domain 'abc\.com'"):
        audit_variant(source.messages, messages, trace, "qq", ENTRY)


def test_a_homophone_that_is_another_word_is_ambiguous(make_session: MakeSession) -> None:
    source = make_session(f"客服看{ENTRY}")
    draft = Draft(source)
    draft.apply("homophone", [Proposal("m0", 0, 2, "课程", "near")])
    trace = Trace(sample_id="s0000-v001", stages=tuple(draft.stages))
    with pytest.raises(AuditError, match="s0000-v001: ambiguity: 客服 became 课程"):
        audit_variant(source.messages, draft.frozen(), trace, "qq", ENTRY)


def test_an_undeclared_accepted_spelling_is_named(make_session: MakeSession) -> None:
    session = built(make_session(f"今天大家打开{ENTRY}看视频"))
    source = session.source.but(accepted={"m0": ("随便",)})
    with pytest.raises(AuditError, match="accepted spelling '随便' rests on no declared one"):
        audit([session.but(source=source)])


def task(text: str, sample_id: str = "c3f1") -> RestorationTask:
    return RestorationTask.model_validate(
        {
            "sample_id": sample_id,
            "platform": "qq",
            "surface": "COMMENT",
            "messages": [{"message_id": "m0", "content": text}],
        }
    )


def test_tasks_that_give_gold_away_are_named(make_session: MakeSession) -> None:
    sessions = [built(make_session(f"今天大家打开{ENTRY}看视频"))]
    check_separation([task("看kα0w8x.m2.test")], sessions)
    with pytest.raises(
        AuditError, match=r"c3f1: separation: the entry ka0w8x\.m2\.test is in plain"
    ):
        check_separation([task(f"看{ENTRY}")], sessions)
    with pytest.raises(AuditError, match="the sample id tells v000"):
        check_separation([task("看", "c3f1-v000")], sessions)


def test_entries_are_found_between_chinese_words() -> None:
    text = f"看{ENTRY}，或x{ENTRY}，或{ENTRY}x"
    assert entries_in(text, frozenset({ENTRY})) == [ENTRY]
