"""The audits that a set of messages has to pass before it is frozen, and again on disk.

Every one fails with the sample and the reason. They rest on the source, the variant and the
trace alone, never on how the variant was made.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from riskchainbench.core.entries import is_entry
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Message, RestorationTask
from riskchainbench.messages.build import accepted_spellings
from riskchainbench.messages.identifiers import IdentifierKind, find_live_identifiers
from riskchainbench.messages.lexicons import load_lexicon
from riskchainbench.messages.operators import homophone, platform_tokens
from riskchainbench.messages.records import BuiltSession, BuiltVariant, Edit, SourceSession, Trace
from riskchainbench.messages.sources import masked_sentence
from riskchainbench.messages.trace import TraceError, revert


class AuditError(InputError):
    """A sample breaks a rule of the benchmark; the message names the sample and the rule."""


class AuditReport(Record):
    """What was audited, and how much of it, once every audit has passed."""

    schema_version: str = "message-audit/1"
    sessions: int
    variants: int
    edits: int
    edits_by_operator: dict[str, int]
    variants_by_severity: dict[str, int]
    sentences: int
    accepted_spellings: int


def audit(sessions: Sequence[BuiltSession]) -> AuditReport:
    """Audit a whole set of built sessions.

    Raises:
        AuditError: naming the first sample that breaks a rule, and the rule.
    """
    _audit_entries(sessions)
    for session in sessions:
        _audit_source(session.source)
        _audit_variants(session)
    _audit_ambiguity(sessions)
    sentences = _audit_sameness(sessions)
    variants = [variant for session in sessions for variant in session.variants]
    edits = Counter(
        stage.operator
        for variant in variants
        for stage in variant.trace.stages
        for _ in stage.edits
    )
    return AuditReport(
        sessions=len(sessions),
        variants=len(variants),
        edits=edits.total(),
        edits_by_operator=dict(sorted(edits.items())),
        variants_by_severity=dict(sorted(Counter(v.severity for v in variants).items())),
        sentences=sentences,
        accepted_spellings=sum(
            len(texts) for session in sessions for texts in session.source.accepted.values()
        ),
    )


def audit_variant(
    source_messages: Sequence[Message],
    variant_messages: Sequence[Message],
    trace: Trace,
    platform: str,
    entry: str,
) -> None:
    """Audit one variant from what stands on disk.

    Its entry is well-formed and stands once in the source, the trace reverts to the source,
    the variant differs from it, its codes are those of its platform, its homophones are no
    other words, and no live identifier stands in it.

    Raises:
        AuditError: naming the sample and the first rule it breaks.
        InputError: the platform is unknown.
    """
    sample = trace.sample_id
    _check_entry(sample, source_messages, entry)
    _check_alignment(sample, source_messages, variant_messages, trace)
    _check_reversal(sample, source_messages, variant_messages, trace)
    if _contents(source_messages) == _contents(variant_messages):
        raise AuditError(f"{sample}: duplicate: the variant equals its source")
    _check_tokens(sample, source_messages, variant_messages, trace, platform)
    _check_homophones(sample, trace)
    for message in variant_messages:
        _check_identifiers(f"{sample}, {message.message_id}", message.content, accounts=False)


def check_separation(tasks: Sequence[RestorationTask], sessions: Sequence[BuiltSession]) -> None:
    """Check that what restorers are given tells nothing that is gold.

    No task names an entry in plain, and no sample id holds a session, template, variant or
    recipe id.

    Raises:
        AuditError: naming the sample and what it gives away.
    """
    entries = frozenset(session.source.entry for session in sessions if session.source.entry)
    private = {session.source.session_id for session in sessions}
    private |= {session.source.template for session in sessions}
    private |= {v.variant for session in sessions for v in session.variants}
    private |= {v.recipe for session in sessions for v in session.variants}
    for task in tasks:
        for message in task.messages:
            named = entries_in(message.content, entries)
            if named:
                raise AuditError(f"{task.sample_id}: separation: the entry {named[0]} is in plain")
        told = sorted(name for name in private if name in task.sample_id)
        if told:
            raise AuditError(f"{task.sample_id}: separation: the sample id tells {told[0]}")


_ANY_ENTRY = re.compile(r"[a-z0-9-]+\.[a-z0-9-]+\.test(?![a-z0-9-])")


def entries_in(text: str, entries: frozenset[str]) -> list[str]:
    """Return those of `entries` that stand in `text` as they are, in order."""
    return [match[0] for match in _ANY_ENTRY.finditer(text) if match[0] in entries]


def _contents(messages: Iterable[Message]) -> tuple[str, ...]:
    return tuple(message.content for message in messages)


def _audit_entries(sessions: Sequence[BuiltSession]) -> None:
    owners: dict[str, str] = {}
    for session in sessions:
        source = session.source
        if source.entry in owners:
            raise AuditError(
                f"{source.session_id}: entry {source.entry} is also that of {owners[source.entry]}"
            )
        if source.entry:
            owners[source.entry] = source.session_id
    for session in sessions:
        source = session.source
        told = [message for variant in session.variants for message in variant.expected]
        named = entries_in("\n".join(_contents(told)), frozenset(owners))
        for name in (*source.decoys, *named):
            if owners.get(name, source.session_id) != source.session_id:
                raise AuditError(
                    f"{source.session_id}: decoy {name} is the entry of {owners[name]}"
                )


def _audit_source(source: SourceSession) -> None:
    lexicon = load_lexicon()
    for message in source.messages:
        where = f"{source.session_id}, {message.message_id}"
        _check_identifiers(where, message.content, accounts=True)
        for code in lexicon.profile(source.platform).codes:
            if code in message.content:
                raise AuditError(f"{where}: ambiguity: the source itself holds the code {code!r}")
        declared = set(accepted_spellings(message.content, lexicon))
        for text in source.accepted.get(message.message_id, ()):
            if text not in declared:
                raise AuditError(f"{where}: accepted spelling {text!r} rests on no declared one")


def _audit_variants(session: BuiltSession) -> None:
    source = session.source
    seen: dict[tuple[str, ...], str] = {}
    for variant in session.variants:
        audit_variant(
            source.messages, variant.messages, variant.trace, source.platform, source.entry
        )
        _check_summary(variant)
        contents = _contents(variant.messages)
        if contents in seen:
            raise AuditError(
                f"{source.session_id}: duplicate: variants {seen[contents]} and {variant.variant}"
                " coincide"
            )
        seen[contents] = variant.variant


def _audit_ambiguity(sessions: Sequence[BuiltSession]) -> None:
    """Check that no text is a variant, or the source, of two sessions."""
    owners: dict[tuple[str, ...], str] = {}
    for session in sessions:
        forms = {_contents(session.source.messages), *map(_variant_contents, session.variants)}
        for form in sorted(forms):
            if form in owners:
                raise AuditError(
                    f"{session.source.session_id}: ambiguity: reads like {owners[form]}: "
                    f"{' / '.join(form)!r}"
                )
            owners[form] = session.source.session_id


def _variant_contents(variant: BuiltVariant) -> tuple[str, ...]:
    return _contents(variant.messages)


def _audit_sameness(sessions: Sequence[BuiltSession]) -> int:
    """Check that no two sessions say the same once names and numbers are masked."""
    seen: dict[str, str] = {}
    for session in sessions:
        text = "\n".join(_contents(session.source.messages))
        masked = masked_sentence(text)
        if masked in seen:
            raise AuditError(
                f"{session.source.session_id}: sameness: says the same as {seen[masked]} but for "
                f"names and numbers: {text!r}"
            )
        seen[masked] = session.source.session_id
    return len(seen)


def _check_entry(sample: str, source_messages: Sequence[Message], entry: str) -> None:
    if not entry:
        return
    if not is_entry(entry):
        raise AuditError(f"{sample}: malformed entry {entry!r}; three labels under .test are meant")
    count = sum(message.content.count(entry) for message in source_messages)
    if count != 1:
        raise AuditError(f"{sample}: alignment: the entry {entry} stands {count} times, not once")


def _check_alignment(
    sample: str,
    source_messages: Sequence[Message],
    variant_messages: Sequence[Message],
    trace: Trace,
) -> None:
    added = {
        edit.message_id
        for stage in trace.stages
        for edit in stage.edits
        if edit.operation == "add_message"
    }
    kept = [m.message_id for m in variant_messages if m.message_id not in added]
    if kept != [message.message_id for message in source_messages]:
        raise AuditError(f"{sample}: alignment: the variant's messages are not the source's")


def _check_reversal(
    sample: str,
    source_messages: Sequence[Message],
    variant_messages: Sequence[Message],
    trace: Trace,
) -> None:
    try:
        found = revert(variant_messages, trace)
    except TraceError as error:
        raise AuditError(f"irreversible edit: {error}") from error
    if found != tuple(source_messages):
        raise AuditError(f"{sample}: irreversible edit: the trace leads to another source")


def _check_tokens(
    sample: str,
    source_messages: Sequence[Message],
    variant_messages: Sequence[Message],
    trace: Trace,
    platform: str,
) -> None:
    own = load_lexicon().profile(platform).codes
    for stage in trace.stages:
        if stage.operator == platform_tokens.OPERATOR:
            for edit in stage.edits:
                _check_codes(sample, edit, own, platform)
    before = Counter(_foreign_codes(platform).findall("\n".join(_contents(source_messages))))
    after = Counter(_foreign_codes(platform).findall("\n".join(_contents(variant_messages))))
    for code, count in sorted(after.items()):
        if count > before[code]:
            raise AuditError(f"{sample}: token isolation: {code!r} is no code of {platform}")


def _check_codes(sample: str, edit: Edit, own: Sequence[str], platform: str) -> None:
    rest = edit.after
    while rest:
        code = next((code for code in own if rest.startswith(code)), None)
        if code is None:
            raise AuditError(f"{sample}: token isolation: {rest!r} is no code of {platform}")
        rest = rest[len(code) :]


@cache
def _foreign_codes(platform: str) -> re.Pattern[str]:
    lexicon = load_lexicon()
    own = set(lexicon.profile(platform).codes)
    foreign = {code for profile in lexicon.profiles.values() for code in profile.codes} - own
    return re.compile(
        "|".join(sorted(map(re.escape, foreign), key=lambda code: (-len(code), code)))
    )


def _check_homophones(sample: str, trace: Trace) -> None:
    """Check that a respelled word is no other word of the lexicon, unless declared equal."""
    lexicon = load_lexicon()
    for stage in trace.stages:
        if stage.operator != homophone.OPERATOR:
            continue
        for edit in stage.edits:
            equal = lexicon.equivalents_at(edit.after, 0)
            if edit.after in lexicon.homophones and edit.before not in equal:
                raise AuditError(
                    f"{sample}: ambiguity: {edit.before} became {edit.after}, a word of its own"
                )


def _check_identifiers(where: str, text: str, *, accounts: bool) -> None:
    """Check a text; in variants a disguised entry beside a word like 微信 is no account."""
    for finding in find_live_identifiers(text):
        if accounts or finding.kind is not IdentifierKind.ACCOUNT:
            raise AuditError(
                f"{where}: live identifier: {finding.kind} {finding.text!r} ({finding.form})"
            )


def _check_summary(variant: BuiltVariant) -> None:
    """Check that the variant's own account of itself agrees with its trace."""
    stages = variant.trace.stages
    if variant.operators != tuple(sorted({stage.operator for stage in stages})):
        raise AuditError(f"{variant.trace.sample_id}: alignment: operators differ from the trace")
    edited = sum(max(len(edit.before), len(edit.after)) for stage in stages for edit in stage.edits)
    expected = [message.message_id for message in variant.expected]
    if expected and expected != [message.message_id for message in variant.messages]:
        raise AuditError(f"{variant.trace.sample_id}: alignment: expected messages are others")
    if variant.edited != edited:
        raise AuditError(f"{variant.trace.sample_id}: alignment: edited is not what was edited")
