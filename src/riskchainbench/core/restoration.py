"""Task 1 records: what a restorer is given and what it commits to (paper, section 3.2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.failures import Failure
from riskchainbench.core.record import Record

MAX_CANDIDATES = 10


class Intent(StrEnum):
    """What a message asks its reader to do."""

    OPEN_SITE = "OPEN_SITE"
    ADD_ACCOUNT = "ADD_ACCOUNT"
    SEARCH_QUERY = "SEARCH_QUERY"
    ENTER_CODE = "ENTER_CODE"
    CONTACT_SERVICE = "CONTACT_SERVICE"
    UNKNOWN = "UNKNOWN"


class Surface(StrEnum):
    """Where on a platform a message stands."""

    PRIVATE_MESSAGE = "PRIVATE_MESSAGE"
    GROUP_CHAT = "GROUP_CHAT"
    COMMENT = "COMMENT"
    DYNAMIC_REPLY = "DYNAMIC_REPLY"
    LIVE_CHAT = "LIVE_CHAT"


class Message(Record):
    """One message of a session."""

    message_id: str
    content: str
    role: Literal["sender"] = "sender"


class RestorationTask(Record):
    """One message variant as a restorer sees it."""

    schema_version: Literal["restoration-task/1"] = "restoration-task/1"
    sample_id: str
    platform: str
    surface: Surface
    messages: tuple[Message, ...] = Field(min_length=1)
    input_view: Literal["TOKEN_TEXT"] = "TOKEN_TEXT"


class RestoredMessage(Record):
    """The canonical text of one message, as restored."""

    message_id: str
    text: str


class EntryCandidate(Record):
    """One guess at the destination; rank 1 alone opens the entry gate."""

    rank: int = Field(ge=1)
    value: str
    confidence: float | None = Field(default=None, ge=0, le=1)


class Usage(Record):
    """What one unit of work cost: calls, tokens and seconds of waiting for the provider.

    `input_tokens` include `cached_tokens`, `output_tokens` include `reasoning_tokens`.
    `from_cache` counts the calls that a response cache answered.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    repairs: int = 0
    provider_seconds: float = 0.0
    from_cache: int = 0


class Restoration(Record):
    """The output contract of Task 1: what the model itself writes.

    `abstain` empties the list of candidates (design decision 1).
    """

    messages: tuple[RestoredMessage, ...]
    intent: Intent
    candidates: tuple[EntryCandidate, ...] = Field(default=(), max_length=MAX_CANDIDATES)
    abstain: bool = False
    uncertainties: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _abstaining_names_nothing(cls, values: Any) -> Any:
        if isinstance(values, dict) and values.get("abstain") is True:
            return {**values, "candidates": ()}
        return values

    @model_validator(mode="after")
    def _unique(self) -> Self:
        ranks = [candidate.rank for candidate in self.candidates]
        if len(set(ranks)) != len(ranks):
            raise ValueError("candidates: two share a rank")
        ids = [message.message_id for message in self.messages]
        if len(set(ids)) != len(ids):
            raise ValueError("messages: two share a message_id")
        return self


class Prediction(Record):
    """The frozen outcome of one restoration task: a restoration, or the failure instead."""

    schema_version: Literal["prediction/1"] = "prediction/1"
    sample_id: str
    restoration: Restoration | None
    failure: Failure | None = None
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.restoration is None) == (self.failure is None):
            raise ValueError("restoration: exactly one of restoration and failure must be given")
        return self
