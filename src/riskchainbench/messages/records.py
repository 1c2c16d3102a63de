"""The records of this room: source sessions, edits, traces and built variants.

What a restorer is given stands in `core.restoration`; this file holds the private side.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.entries import is_entry
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Intent, Message, Surface
from riskchainbench.core.text import gate

EntryPosition = Literal["start", "middle", "end", "none"]
Severity = Literal["low", "medium", "high"]


class SourceSession(Record):
    """One canonical session: what its sender would have written without any evasion.

    `messages` hold the canonical text. `entry` is the destination they lead to and
    `entry_message` the id of the message that holds it; both are empty in a session that
    leads nowhere (`entry_position` "none"). `decoys` are the other names that it mentions.
    `accepted` maps a message id to its other spellings that count as right.
    """

    session_id: str = Field(pattern=r"^s\d{4,}$")
    platform: str
    surface: Surface
    theme: str
    template: str
    intent: Intent
    entry: str
    messages: tuple[Message, ...] = Field(min_length=1)
    accepted: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    entry_message: str
    entry_position: EntryPosition
    decoys: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for name in (*self.decoys, *((self.entry,) if self.entry else ())):
            if not is_entry(name):
                raise ValueError(f"entry: {name!r} is no three-label name under .test")
        if (self.entry == "") != (self.entry_position == "none"):
            raise ValueError("entry_position: must be none exactly where there is no entry")
        ids = [message.message_id for message in self.messages]
        if len(set(ids)) != len(ids):
            raise ValueError("messages: two share an id")
        for message in self.messages:
            if gate(message.content)[1]:
                raise ValueError(f"messages: {message.message_id} holds a lone surrogate")
        if not set(self.accepted) <= set(ids):
            raise ValueError("accepted: names a message that the session does not have")
        if not self.entry:
            return self
        content = {message.message_id: message.content for message in self.messages}
        if self.entry not in content.get(self.entry_message, ""):
            raise ValueError(f"entry_message: {self.entry_message!r} does not hold the entry")
        return self


class Edit(Record):
    """One replacement in one message, or one message added to the session.

    `before_span` counts code points in the message as the stage found it, `after_span` as
    the stage left it. Where `operation` is "add_message" the message stood nowhere before:
    `before` is empty and `before_span` holds its place among the session's messages twice.
    """

    operation: Literal["replace", "add_message"] = "replace"
    rule: str
    message_id: str
    before_span: tuple[int, int]
    after_span: tuple[int, int]
    before: str
    after: str


class TraceStage(Record):
    """What one operator did, between the hashes of the session before and after it."""

    operator: str
    edits: tuple[Edit, ...] = Field(min_length=1)
    before_sha256: Sha256
    after_sha256: Sha256


class Trace(Record):
    """The whole way from a source session to one variant, in the order it was gone."""

    schema_version: Literal["trace/1"] = "trace/1"
    sample_id: str
    stages: tuple[TraceStage, ...]


class BuiltVariant(Record):
    """One obfuscated form of a session.

    `operators` are sorted and unique. `edited` counts the code points that the trace
    replaced, added or removed; `severity` is its share of the source's length, in terciles
    fixed per recipe. `expected` is empty unless the recipe changed which messages there are;
    then it holds the messages that a restorer is expected to return.
    """

    variant: str = Field(pattern=r"^[a-z]\d{3}$")
    recipe: str
    messages: tuple[Message, ...]
    trace: Trace
    operators: tuple[str, ...]
    severity: Severity
    edited: int
    expected: tuple[Message, ...] = ()


class BuiltSession(Record):
    """A source session with all its variants."""

    source: SourceSession
    variants: tuple[BuiltVariant, ...]

    def expected(self, variant: BuiltVariant) -> tuple[Message, ...]:
        """Return the canonical messages that a restorer of `variant` is expected to return."""
        return variant.expected or self.source.messages

    def accepted(self, variant: BuiltVariant) -> dict[str, tuple[str, ...]]:
        """Return the other spellings that count as right for `variant`, by message id.

        Only messages whose canonical text is the source's own have any.
        """
        own = {message.message_id: message.content for message in self.source.messages}
        return {
            message.message_id: self.source.accepted[message.message_id]
            for message in self.expected(variant)
            if message.message_id in self.source.accepted
            and own[message.message_id] == message.content
        }
