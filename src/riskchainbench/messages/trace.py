"""The way from a source session to a variant and back, byte for byte.

A stage holds the edits of one operator; its spans count code points before and after the
stage, and hashes chain the stages. Walking back checks everything it meets, so a trace that
reverts is a proof. What the edits are for is decided in `operators/`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.core.restoration import Message
from riskchainbench.core.text import clusters
from riskchainbench.messages.records import Edit, Trace, TraceStage

_ONE_POINT_CLUSTERS = re.compile(
    "[\n\x20-\x7e\u2018-\u201d\u3000-\u3029\u4e00-\u9fff\uff01-\uff9d]*"
)
"""Text in which every code point is a cluster: most of what is met here, and quick to tell."""


class TraceError(InputError):
    """A trace does not lead where it says; the message names sample, stage and edit."""


def session_sha256(messages: Iterable[Message]) -> Sha256:
    """Return the hash of a session's message ids and texts, by which stages chain."""
    return texts_sha256((message.message_id, message.content) for message in messages)


def texts_sha256(texts: Iterable[tuple[str, str]]) -> Sha256:
    """Return the same hash from pairs of message id and text."""
    return sha256_json([list(pair) for pair in texts])


def cluster_boundaries(text: str) -> frozenset[int]:
    """Return the offsets in `text` at which no grapheme cluster is cut, both ends included."""
    if _ONE_POINT_CLUSTERS.fullmatch(text):
        return frozenset(range(len(text) + 1))
    offset, offsets = 0, {0}
    for cluster in clusters(text):
        offset += len(cluster)
        offsets.add(offset)
    return frozenset(offsets)


def revert(messages: Sequence[Message], trace: Trace) -> tuple[Message, ...]:
    """Return the source session from which `trace` led to `messages`.

    Raises:
        TraceError: a hash, a span or a text is not what the trace recorded, or an edit cuts
            a grapheme cluster of the text that it was made in.
    """
    state, identity = tuple(messages), session_sha256(messages)
    for number in reversed(range(len(trace.stages))):
        stage = trace.stages[number]
        where = f"{trace.sample_id}: stage {number} ({stage.operator})"
        if identity != stage.after_sha256:
            raise TraceError(f"{where}: the text after it is not the recorded one")
        state = _undo(state, stage, where)
        identity = session_sha256(state)
        if identity != stage.before_sha256:
            raise TraceError(f"{where}: walking back does not give the recorded text")
    return state


def replay(messages: Sequence[Message], trace: Trace) -> tuple[Message, ...]:
    """Return the variant to which `trace` leads from the source session `messages`.

    Raises:
        TraceError: a hash, a span or a text is not what the trace recorded.
    """
    state, identity = tuple(messages), session_sha256(messages)
    for number, stage in enumerate(trace.stages):
        where = f"{trace.sample_id}: stage {number} ({stage.operator})"
        if identity != stage.before_sha256:
            raise TraceError(f"{where}: the text before it is not the recorded one")
        state = _redo(state, stage, where)
        identity = session_sha256(state)
        if identity != stage.after_sha256:
            raise TraceError(f"{where}: applying it does not give the recorded text")
    return state


def stages_of(trace: Trace, messages: Sequence[Message]) -> tuple[tuple[Message, ...], ...]:
    """Return the session before the first stage and after each one, for a person to follow.

    Raises:
        TraceError: `messages` is not the source that the trace starts from.
    """
    states = [tuple(messages)]
    for stage in trace.stages:
        step = trace.but(stages=(stage,))
        states.append(replay(states[-1], step))
    return tuple(states)


def _undo(state: tuple[Message, ...], stage: TraceStage, where: str) -> tuple[Message, ...]:
    texts = {message.message_id: message.content for message in state}
    order = [message.message_id for message in state]
    for number in reversed(range(len(stage.edits))):
        edit = stage.edits[number]
        here = f"{where}, edit {number} ({edit.rule})"
        if edit.operation == "add_message":
            _take_message(order, texts, edit, here)
            continue
        text = _text_of(texts, edit, here)
        texts[edit.message_id] = _swap(text, edit.after_span, edit.after, edit.before, here)
    _check_spans(texts, stage, where)
    return _rebuild(state, order, texts)


def _redo(state: tuple[Message, ...], stage: TraceStage, where: str) -> tuple[Message, ...]:
    texts = {message.message_id: message.content for message in state}
    order = [message.message_id for message in state]
    shift: dict[str, int] = {}
    for number, edit in enumerate(stage.edits):
        here = f"{where}, edit {number} ({edit.rule})"
        if edit.operation == "add_message":
            order.insert(edit.before_span[0], edit.message_id)
            texts[edit.message_id] = edit.after
            continue
        text = _text_of(texts, edit, here)
        moved = shift.get(edit.message_id, 0)
        span = (edit.before_span[0] + moved, edit.before_span[1] + moved)
        texts[edit.message_id] = _swap(text, span, edit.before, edit.after, here)
        shift[edit.message_id] = moved + len(edit.after) - len(edit.before)
    return _rebuild(state, order, texts)


def _text_of(texts: dict[str, str], edit: Edit, here: str) -> str:
    try:
        return texts[edit.message_id]
    except KeyError:
        raise TraceError(f"{here}: there is no message {edit.message_id!r}") from None


def _swap(text: str, span: tuple[int, int], old: str, new: str, here: str) -> str:
    start, end = span
    if not 0 <= start <= end <= len(text) or text[start:end] != old:
        raise TraceError(f"{here}: {old!r} does not stand at {start}:{end}")
    return text[:start] + new + text[end:]


def _take_message(order: list[str], texts: dict[str, str], edit: Edit, here: str) -> None:
    place = edit.before_span[0]
    if order[place : place + 1] != [edit.message_id] or texts[edit.message_id] != edit.after:
        raise TraceError(f"{here}: the added message is not the recorded one")
    del order[place], texts[edit.message_id]


def _check_spans(texts: dict[str, str], stage: TraceStage, where: str) -> None:
    boundaries = {name: cluster_boundaries(text) for name, text in texts.items()}
    for number, edit in enumerate(stage.edits):
        if edit.operation == "add_message":
            continue
        start, end = edit.before_span
        here = f"{where}, edit {number} ({edit.rule})"
        if texts[edit.message_id][start:end] != edit.before or end - start != len(edit.before):
            raise TraceError(f"{here}: {edit.before!r} did not stand at {start}:{end}")
        if not boundaries[edit.message_id].issuperset((start, end)):
            raise TraceError(f"{here}: {start}:{end} cuts a grapheme cluster")


def _rebuild(
    state: tuple[Message, ...], order: list[str], texts: dict[str, str]
) -> tuple[Message, ...]:
    known = {message.message_id: message for message in state}
    return tuple(
        known[name]
        if name in known and known[name].content == texts[name]
        else Message(message_id=name, content=texts[name])
        for name in order
    )
