"""A session in the making: its text, what stands where in it, and the stages so far.

Operators read a draft and propose edits; the draft applies them and writes the trace. A draft
is made from a source session only, and a source session holds reserved names only, so no
operator ever sees free text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import regex

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.restoration import Message
from riskchainbench.messages.records import Edit, SourceSession, TraceStage
from riskchainbench.messages.trace import cluster_boundaries, texts_sha256

ENTRY = 1
"""A code point that belongs to the entry."""
NAME = 2
"""A code point that belongs to another name under ``.test``."""
LOCKED = 4
"""A code point that no operator may replace: it was edited, or it has to stay as it is."""
TOKEN = 8
"""A code point of a platform token; nothing may be put inside."""

_CARRY = {
    flag: bytes(1 if flags & flag else 0 for flags in range(256))
    for flag in (ENTRY, NAME, LOCKED, TOKEN)
}

_KEPT = regex.compile(
    r"\[[^\[\]\n]*\]|#\([^()\n]*\)|[“「『【《‘][^”」』】》’\n]*[”」』】》’]|[\p{Latin}\p{N}_./@:-]+"
)
_HAN = regex.compile(r"\p{Han}")


@dataclass(frozen=True)
class Proposal:
    """One edit that an operator wants: replace `start:end` of a message by `after`.

    `flags` mark the new code points beside what is inherited: text put between two code
    points of the entry, or in place of some, belongs to the entry.
    """

    message_id: str
    start: int
    end: int
    after: str
    rule: str
    flags: int = LOCKED
    inherit: bool = True


@dataclass(eq=False)
class DraftMessage:
    """The present text of one message and the flags of each code point."""

    message_id: str
    text: str
    flags: bytearray
    _boundaries: tuple[str, frozenset[int]] | None = field(default=None, repr=False)

    @property
    def boundaries(self) -> frozenset[int]:
        """The offsets at which no grapheme cluster is cut."""
        if self._boundaries is None or self._boundaries[0] != self.text:
            self._boundaries = (self.text, cluster_boundaries(self.text))
        return self._boundaries[1]

    def runs(self, flag: int) -> list[tuple[int, int]]:
        """Return the maximal spans whose code points all carry `flag`."""
        carried = self.flags.translate(_CARRY[flag])
        spans: list[tuple[int, int]] = []
        start = carried.find(1)
        while start >= 0:
            end = carried.find(0, start)
            spans.append((start, end if end >= 0 else len(carried)))
            start = carried.find(1, end) if end >= 0 else -1
        return spans

    def whole_runs(self, flag: int) -> list[tuple[int, int]]:
        """Return those of `runs` that begin and end between grapheme clusters."""
        return [span for span in self.runs(flag) if self.boundaries.issuperset(span)]

    def free(self, start: int, end: int) -> bool:
        """Tell whether `start:end` may be replaced: nothing in it is marked or cut apart."""
        return not any(self.flags[start:end]) and self.boundaries.issuperset((start, end))

    def untouched(self, at: int) -> bool:
        """Tell whether the code point at `at` stands as in the source and is a whole cluster."""
        return not self.flags[at] & (LOCKED | TOKEN) and self.boundaries.issuperset((at, at + 1))

    def open_gaps(self, *, inside_entry: bool = False) -> list[int]:
        """Return the offsets where something may be put in.

        Never inside a token or a kept passage, never before a newline of the text; inside
        the entry only with `inside_entry`.
        """
        return [gap for gap in sorted(self.boundaries) if self._open(gap, inside_entry)]

    def _open(self, gap: int, inside_entry: bool) -> bool:
        if self.text[gap : gap + 1] in {"\n", "\r"}:
            return False
        if gap in (0, len(self.text)):
            return True
        shared = self.flags[gap - 1] & self.flags[gap]
        if shared & TOKEN:
            return False
        if shared & ENTRY:
            return inside_entry
        return not shared & (NAME | LOCKED)


class Draft:
    """The session as far as it is made, with the stages that led there."""

    def __init__(self, source: SourceSession) -> None:
        self.source = source
        self.messages = [_opened(source, message) for message in source.messages]
        self.stages: list[TraceStage] = []
        self.expected: tuple[Message, ...] = ()
        self.identity = self._hashed()
        text = "".join(message.content for message in source.messages)
        self.newline = "\r\n" if "\r\n" in text else "\n"
        count = text.count(source.entry) if source.entry else 0
        if count > 1:
            raise InputError(f"{source.session_id}: the entry stands {count} times; once is meant")

    def frozen(self) -> tuple[Message, ...]:
        """Return the messages as they stand; those never edited are the source's own."""
        own = {message.message_id: message for message in self.source.messages}
        return tuple(
            own[message.message_id]
            if message.message_id in own and own[message.message_id].content == message.text
            else Message(message_id=message.message_id, content=message.text)
            for message in self.messages
        )

    def entry_message(self) -> DraftMessage | None:
        """Return the message that holds the entry, or None where there is no entry."""
        for message in self.messages:
            if any(flags & ENTRY for flags in message.flags):
                return message
        return None

    def apply(self, operator: str, proposals: Sequence[Proposal]) -> None:
        """Make the edits of one operator and record them as a stage; none makes no stage.

        Raises:
            InputError: two proposals overlap, or one cuts a grapheme cluster.
        """
        if not proposals:
            return
        edits: list[Edit] = []
        for message in self.messages:
            mine = [p for p in proposals if p.message_id == message.message_id]
            edits += self._edited(message, sorted(mine, key=lambda p: (p.start, p.end)), operator)
        self._record(operator, edits)

    def add_messages(self, operator: str, added: Iterable[tuple[int, str, str, str]]) -> None:
        """Add messages at the given places, each as (place, message id, text, rule)."""
        edits: list[Edit] = []
        for place, message_id, text, rule in added:
            flags = _flags(text, self.source)
            self.messages.insert(place, DraftMessage(message_id, text, flags))
            edits.append(
                Edit(
                    operation="add_message",
                    rule=rule,
                    message_id=message_id,
                    before_span=(place, place),
                    after_span=(0, len(text)),
                    before="",
                    after=text,
                )
            )
        self._record(operator, edits)

    def _record(self, operator: str, edits: list[Edit]) -> None:
        before, after = self.identity, self._hashed()
        if edits and after != before:
            self.stages.append(
                TraceStage(
                    operator=operator, edits=tuple(edits), before_sha256=before, after_sha256=after
                )
            )
            self.identity = after

    def _hashed(self) -> Sha256:
        return texts_sha256((message.message_id, message.text) for message in self.messages)

    def _edited(
        self, message: DraftMessage, proposals: list[Proposal], operator: str
    ) -> list[Edit]:
        edits: list[Edit] = []
        texts: list[str] = []
        flags = bytearray()
        done = length = 0
        for proposal in proposals:
            start, end = proposal.start, proposal.end
            where = f"{self.source.session_id}: {operator} at {start}:{end}"
            if start < done or (edits and (start, end) == edits[-1].before_span):
                raise InputError(f"{where}: overlaps the edit before it")
            if not message.boundaries.issuperset((start, end)):
                raise InputError(f"{where}: cuts a grapheme cluster")
            texts += [message.text[done:start], proposal.after]
            length += start - done
            flags += message.flags[done:start]
            inherited = _inherited(message, start, end) if proposal.inherit else 0
            flags += bytes([proposal.flags | inherited]) * len(proposal.after)
            edits.append(
                Edit(
                    rule=proposal.rule,
                    message_id=message.message_id,
                    before_span=(start, end),
                    after_span=(length, length + len(proposal.after)),
                    before=message.text[start:end],
                    after=proposal.after,
                )
            )
            length += len(proposal.after)
            done = end
        message.text = "".join([*texts, message.text[done:]])
        message.flags = flags + message.flags[done:]
        return edits


def _inherited(message: DraftMessage, start: int, end: int) -> int:
    if start < end:
        shared = ENTRY | NAME
        for flags in message.flags[start:end]:
            shared &= flags
        return shared
    if start in (0, len(message.text)):
        return 0
    return message.flags[start - 1] & message.flags[start] & (ENTRY | NAME)


def _opened(source: SourceSession, message: Message) -> DraftMessage:
    flags = _flags(message.content, source)
    return DraftMessage(message.message_id, message.content, flags)


def _flags(text: str, source: SourceSession) -> bytearray:
    flags = bytearray(len(text))
    for match in _KEPT.finditer(text):
        _mark(flags, match.start(), match.end(), LOCKED)
    for name, flag in ((source.entry, ENTRY), *((decoy, NAME) for decoy in source.decoys)):
        at = text.find(name) if name else -1
        while at >= 0:
            flags[at : at + len(name)] = bytes([flag]) * len(name)
            at = text.find(name, at + len(name))
    return flags


def _mark(flags: bytearray, start: int, end: int, flag: int) -> None:
    for index in range(start, end):
        flags[index] |= flag


def is_han(text: str) -> bool:
    """Tell whether `text` is one Han character."""
    return _HAN.fullmatch(text) is not None
