from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.core.errors import InputError
from riskchainbench.core.restoration import Intent, Message, Surface
from riskchainbench.messages.drafts import Draft, Proposal
from riskchainbench.messages.records import BuiltVariant, SourceSession, Trace
from riskchainbench.messages.trace import (
    TraceError,
    cluster_boundaries,
    replay,
    revert,
    stages_of,
)

FAMILY = "👨‍👩‍👧"
KEYCAP = "1️⃣"
FLAG = "🇨🇳"


def session(*texts: str) -> SourceSession:
    return SourceSession(
        session_id="s0000",
        platform="qq",
        surface=Surface.COMMENT,
        theme="t",
        template="t",
        intent=Intent.UNKNOWN,
        entry="",
        messages=tuple(Message(message_id=f"m{n}", content=text) for n, text in enumerate(texts)),
        entry_message="",
        entry_position="none",
    )


def traced(draft: Draft) -> Trace:
    return Trace(sample_id="s0000-v000", stages=tuple(draft.stages))


def two_stages() -> tuple[SourceSession, tuple[Message, ...], Trace]:
    source = session("ab cd", "xy")
    draft = Draft(source)
    draft.apply("first", [Proposal("m0", 1, 2, "BBB", "r"), Proposal("m1", 0, 0, "+", "r")])
    draft.apply("second", [Proposal("m0", 4, 5, "", "r")])
    return source, draft.frozen(), traced(draft)


def test_edits_are_recorded_with_both_spans_and_both_texts() -> None:
    _, messages, trace = two_stages()
    assert [message.content for message in messages] == ["aBBBcd", "+xy"]
    edit = trace.stages[0].edits[0]
    assert (edit.before, edit.before_span) == ("b", (1, 2))
    assert (edit.after, edit.after_span) == ("BBB", (1, 4))


def test_walking_back_gives_the_source_and_forth_the_variant() -> None:
    source, messages, trace = two_stages()
    assert revert(messages, trace) == source.messages
    assert replay(source.messages, trace) == messages
    assert stages_of(trace, source.messages)[1][0].content == "aBBB cd"


def test_a_changed_variant_is_named_with_its_stage() -> None:
    _, messages, trace = two_stages()
    changed = (messages[0].but(content="aBBBce"), messages[1])
    with pytest.raises(TraceError, match=r"s0000-v000: stage 1 \(second\)"):
        revert(changed, trace)


@pytest.mark.parametrize("change", [{"after": "CCC"}, {"before": "q"}, {"before_span": (0, 1)}])
def test_a_changed_edit_does_not_walk_back(change: dict[str, object]) -> None:
    _, messages, trace = two_stages()
    first = trace.stages[0]
    edits = (first.edits[0].but(**change), *first.edits[1:])
    forged = trace.but(stages=(first.but(edits=edits), trace.stages[1]))
    with pytest.raises(TraceError, match=r"stage 0 \(first\)"):
        revert(messages, forged)


def test_a_stage_left_out_breaks_the_chain() -> None:
    source, messages, trace = two_stages()
    short = trace.but(stages=trace.stages[:1])
    with pytest.raises(TraceError):
        revert(messages, short)
    assert revert(replay(source.messages, short), short) == source.messages


def test_an_edit_of_an_absent_message_is_named() -> None:
    _, messages, trace = two_stages()
    last = trace.stages[1]
    stray = last.but(edits=(last.edits[0].but(message_id="m7"),))
    with pytest.raises(TraceError, match="there is no message 'm7'"):
        revert(messages, trace.but(stages=(trace.stages[0], stray)))


def test_an_added_message_is_taken_away_on_the_way_back() -> None:
    source = session("one", "two")
    draft = Draft(source)
    draft.add_messages("decoy", [(1, "m0b", "between", "decoy")])
    draft.apply("mark", [Proposal("m1", 1, 1, "*", "mark")])
    assert [message.content for message in draft.frozen()] == ["one", "between", "t*wo"]
    assert revert(draft.frozen(), traced(draft)) == source.messages
    assert replay(source.messages, traced(draft)) == draft.frozen()


@pytest.mark.parametrize("cluster", [FAMILY, KEYCAP, FLAG, "\r\n", "é"])
def test_no_boundary_lies_inside_a_cluster(cluster: str) -> None:
    assert cluster_boundaries(f"a{cluster}b") == {0, 1, 1 + len(cluster), 2 + len(cluster)}


@pytest.mark.parametrize("cluster", [FAMILY, KEYCAP, FLAG, "\r\n"])
def test_a_proposal_that_cuts_a_cluster_is_refused(cluster: str) -> None:
    draft = Draft(session(f"a{cluster}b"))
    with pytest.raises(InputError, match="cuts a grapheme cluster"):
        draft.apply("mark", [Proposal("m0", 2, 2, "*", "mark")])


def test_a_trace_that_cuts_a_cluster_does_not_walk_back() -> None:
    text = f"a{KEYCAP}b"
    draft = Draft(session(text))
    message = draft.messages[0]
    message._boundaries = (text, frozenset(range(len(text) + 1)))  # as a faulty operator would
    draft.apply("mark", [Proposal("m0", 2, 2, "*", "mark")])
    with pytest.raises(TraceError, match="cuts a grapheme cluster"):
        revert(draft.frozen(), traced(draft))


PIECES = ["字", "a", ".", " ", "\t", "\r\n", "\u3000", FAMILY, KEYCAP, FLAG, "/"]
TEXT = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


@given(st.data())
def test_random_compositions_revert_byte_for_byte(data: st.DataObject) -> None:
    source = session(data.draw(TEXT), data.draw(TEXT))
    draft = Draft(source)
    for stage in range(data.draw(st.integers(1, 4))):
        proposals = []
        for message in draft.messages:
            cuts = sorted(data.draw(st.sets(st.sampled_from(sorted(message.boundaries)))))
            spans = zip(cuts[::2], cuts[1::2], strict=False)
            proposals += [
                Proposal(message.message_id, start, end, data.draw(TEXT), "any")
                for start, end in spans
            ]
        draft.apply(f"stage {stage}", proposals)
    assert revert(draft.frozen(), traced(draft)) == source.messages
    assert replay(source.messages, traced(draft)) == draft.frozen()


def test_a_variant_survives_json() -> None:
    _, messages, trace = two_stages()
    variant = BuiltVariant(
        variant="v000",
        recipe="r",
        messages=messages,
        trace=trace,
        operators=("first", "second"),
        severity="low",
        edited=5,
    )
    assert BuiltVariant.model_validate_json(variant.to_json()) == variant
