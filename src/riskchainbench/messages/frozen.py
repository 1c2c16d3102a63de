"""Reassembles built sessions from what a bundle holds, so that every audit can run again.

Nothing here reads files; the records come from whoever opened the bundle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.restoration import Message, RestorationTask
from riskchainbench.core.store import validate
from riskchainbench.messages.audit import AuditError
from riskchainbench.messages.records import (
    BuiltSession,
    BuiltVariant,
    SourceSession,
    Trace,
)
from riskchainbench.messages.trace import revert

_NAME = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+\.test(?![a-z0-9-])")


def reassemble(
    tasks: Mapping[str, RestorationTask],
    samples: Mapping[str, SampleGold],
    traces: Mapping[str, Trace],
) -> tuple[BuiltSession, ...]:
    """Return the sessions behind a bundle's tasks, by walking every trace back.

    All three map sample ids. Sessions come in order of their ids, variants of theirs.

    Raises:
        TraceError: a trace does not lead back.
        AuditError: two variants of one session lead back to different sources.
        InputError: a task has no gold or no trace, or its gold is no sound session.
    """
    found: dict[str, dict[str, tuple[tuple[Message, ...], str]]] = {}
    for sample_id in sorted(tasks):
        if sample_id not in samples or sample_id not in traces:
            raise InputError(f"{sample_id}: the task has no gold or no trace")
        sample = samples[sample_id]
        source = revert(tasks[sample_id].messages, traces[sample_id])
        found.setdefault(sample.session, {})[sample.variant] = (source, sample_id)
    return tuple(
        _session(name, dict(sorted(found[name].items())), tasks, samples, traces)
        for name in sorted(found)
    )


def _session(
    name: str,
    found: Mapping[str, tuple[tuple[Message, ...], str]],
    tasks: Mapping[str, RestorationTask],
    samples: Mapping[str, SampleGold],
    traces: Mapping[str, Trace],
) -> BuiltSession:
    # A rearranged variant accepts fewer spellings than its source, so it cannot speak for it.
    messages, first = min(found.values(), key=lambda each: samples[each[1]].rearranged)
    for source, sample_id in found.values():
        if source != messages:
            raise AuditError(
                f"{sample_id}: alignment: leads back to another source than {first} of {name}"
            )
        if not _agree(samples[sample_id], tasks[sample_id], samples[first], tasks[first]):
            raise AuditError(
                f"{sample_id}: alignment: its gold says other of {name} than that of {first}"
            )
    return BuiltSession(
        source=_source(name, messages, tasks[first], samples[first]),
        variants=tuple(
            _variant(source, tasks[sample_id], samples[sample_id], traces[sample_id])
            for source, sample_id in found.values()
        ),
    )


def _agree(
    sample: SampleGold, task: RestorationTask, other: SampleGold, other_task: RestorationTask
) -> bool:
    """Tell whether two variants say the same of their session."""
    if not sample.rearranged and sample.accepted != other.accepted:
        return False
    return _shared(sample, task) == _shared(other, other_task)


def _shared(sample: SampleGold, task: RestorationTask) -> tuple[object, ...]:
    """Return what all variants of one session have in common."""
    return (
        sample.case_id,
        sample.entry,
        sample.intent,
        sample.entry_position,
        sample.theme,
        sample.template,
        sample.platform,
        task.platform,
        task.surface,
    )


def _source(
    name: str, messages: tuple[Message, ...], task: RestorationTask, sample: SampleGold
) -> SourceSession:
    holders = [m.message_id for m in messages if sample.entry and sample.entry in m.content]
    named = dict.fromkeys(
        match[0] for message in messages for match in _NAME.finditer(message.content)
    )
    record = {
        "session_id": name,
        "platform": task.platform,
        "surface": task.surface,
        "theme": sample.theme,
        "template": sample.template,
        "intent": sample.intent,
        "entry": sample.entry,
        "messages": messages,
        "accepted": sample.accepted,
        "entry_message": holders[0] if holders else "",
        "entry_position": sample.entry_position,
        "decoys": tuple(other for other in named if other != sample.entry),
    }
    return validate(SourceSession, record, f"{sample.sample_id}: alignment")


def _variant(
    source: tuple[Message, ...], task: RestorationTask, sample: SampleGold, trace: Trace
) -> BuiltVariant:
    edits = [edit for stage in trace.stages for edit in stage.edits]
    reference = task.messages if sample.rearranged else source
    if set(sample.messages) != {message.message_id for message in reference}:
        raise AuditError(f"{sample.sample_id}: alignment: the reference is of other messages")
    expected = tuple(
        Message(message_id=message.message_id, content=sample.messages[message.message_id])
        for message in reference
    )
    if not sample.rearranged and expected != source:
        raise AuditError(f"{sample.sample_id}: alignment: the trace leads to another reference")
    record = {
        "variant": sample.variant,
        "recipe": sample.recipe,
        "messages": task.messages,
        "trace": trace,
        "operators": sample.operators,
        "severity": sample.severity,
        "edited": sum(max(len(edit.before), len(edit.after)) for edit in edits),
        "expected": expected if sample.rearranged else (),
    }
    return validate(BuiltVariant, record, f"{sample.sample_id}: alignment")
