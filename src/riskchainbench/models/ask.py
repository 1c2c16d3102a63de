"""Asking a system: every reply logged before use, invalid ones repaired within bounds.

`ask` is the only place where a system is called. A resumed unit replays its logged replies as
long as each was given to the same question; where a question differs, the rest of that unit's
log is dropped and the unit goes on with fresh replies.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from riskchainbench.core.failures import Failure, FailureClass, SystemFailureError
from riskchainbench.core.hashing import Sha256, sha256_json, sha256_text
from riskchainbench.core.restoration import Usage
from riskchainbench.core.store import Log
from riskchainbench.core.system import Finish, Reply, Request, text_message
from riskchainbench.core.text import gate
from riskchainbench.core.units import SetAsideError
from riskchainbench.models.doubts import Doubts
from riskchainbench.models.trouble import begin_trouble

_DETAILS = (
    "cached_tokens",
    "reasoning_tokens",
    "attempts",
    "images_scaled",
    "images_left_out",
    "from_cache",
)
"""What a reply's log line holds where it is not nothing."""

T = TypeVar("T")
Q = TypeVar("Q", bound=Request)

_NOTES = {
    "zh-CN": "上一条回复无效：{reason}。请只输出一个符合约定格式的 JSON 对象。",
    "en": "The last reply was not valid: {reason}. Answer with one JSON object of the agreed "
    "form and nothing else.",
}


class UnitReplies:
    """The logged replies of one unit, handed out in order while their questions agree."""

    def __init__(
        self, log: Log, unit_id: str, logged: list[tuple[Sha256, Reply]], doubts: Doubts
    ) -> None:
        self._log = log
        self._unit_id = unit_id
        self._logged = logged
        self._doubts = doubts
        self._position = 0
        self.replayed = 0
        self.restarted = False

    def recall(self, fingerprint: Sha256) -> Reply | None:
        """Return the logged reply to the question of that fingerprint, if it is the next."""
        if self._position == len(self._logged):
            return None
        expected, reply = self._logged[self._position]
        if expected != fingerprint:
            self.restarted = True
            del self._logged[self._position :]
            self._log.append({"unit": self._unit_id, "kept": self._position})
            return None
        self._position += 1
        self.replayed += 1
        return reply

    def require_settled(self, rejection: Failure) -> None:
        """Check that a rejection without a reason is known to be the request's own.

        Raises:
            SetAsideError: it is not, and may be when the other units are done.
            SystemFailureError: it cannot be told in this start; the unit stays open.
        """
        if self._doubts.final(self._unit_id):
            return
        self._log.append({"unit": self._unit_id, "rejected": rejection.detail})
        self._doubts.note_rejection(self._unit_id)
        if self._doubts.set_aside(self._unit_id):
            raise SetAsideError
        detail = f"rejected, and no other unit was answered since: {rejection.detail}"
        failure = rejection.but(failure_class=FailureClass.PROVIDER_ERROR, detail=detail)
        raise SystemFailureError(failure, exhausted=True)

    def record(self, fingerprint: Sha256, reply: Reply) -> None:
        """Put a fresh reply on the disk before anything is made of it."""
        self._log.append(
            {
                "unit": self._unit_id,
                "request": fingerprint,
                "text": reply.text,
                "finish": reply.finish.value,
                "input_tokens": reply.input_tokens,
                "output_tokens": reply.output_tokens,
                "provider_seconds": reply.provider_seconds,
                **{name: getattr(reply, name) for name in _DETAILS if getattr(reply, name)},
            }
        )
        self._logged.append((fingerprint, reply))
        self._position += 1
        if reply.finish is not Finish.REJECTED:
            self._doubts.note_answer(self._unit_id)


class ReplyLog:
    """All replies of a stage, by unit.

    What a unit logged is handed out once and then forgotten here, so that memory does not grow
    with the run; a unit that is tried again reads its lines from the disk.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._logged: dict[str, list[tuple[Sha256, Reply]]] = {}
        self._handed_out: set[str] = set()
        self._doubts = Doubts()
        for value in log:
            self._note(value)
            self._take(value)

    def _note(self, value: dict[str, Any]) -> None:
        if "rejected" in value:
            self._doubts.note_rejection(value["unit"])
        elif value.get("finish", Finish.REJECTED) != Finish.REJECTED:
            self._doubts.note_answer(value["unit"])

    def _take(self, value: dict[str, Any]) -> None:
        if "rejected" in value:
            return
        logged = self._logged.setdefault(value["unit"], [])
        if "kept" in value:
            del logged[value["kept"] :]
            return
        reply = Reply(
            text=value["text"],
            finish=Finish(value["finish"]),
            input_tokens=value["input_tokens"],
            output_tokens=value["output_tokens"],
            provider_seconds=value["provider_seconds"],
            **{name: value[name] for name in _DETAILS if name in value},
        )
        logged.append((value["request"], reply))

    def unit(self, unit_id: str) -> UnitReplies:
        """Return the replies of one unit, from its first on."""
        if unit_id in self._handed_out:
            for value in self._log:
                if value["unit"] == unit_id:
                    self._take(value)
        self._handed_out.add(unit_id)
        return UnitReplies(self._log, unit_id, self._logged.pop(unit_id, []), self._doubts)


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What came of asking: a value, a failure, or neither when time ran out."""

    value: T | None
    failure: Failure | None
    usage: Usage
    reply_sha256: Sha256 | None

    @property
    def timed_out(self) -> bool:
        """Whether the clock ended the asking before a valid or a final invalid reply."""
        return self.value is None and self.failure is None


async def ask(
    call: Callable[[Q], Awaitable[Reply]],
    request: Q,
    parse: Callable[[Reply], T | Failure],
    replies: UnitReplies,
    *,
    repairs: int,
    language: str,
    remaining: Callable[[], float] | None = None,
) -> Answer[T]:
    """Ask until a reply parses, at most `repairs` more times.

    Args:
        call: sends one request; raises SystemFailureError if no answer can be had.
        request: the question.
        parse: turns a reply into a value or the failure it amounts to.
        replies: the unit's logged replies.
        repairs: repair turns allowed.
        language: in which the system is told what was wrong.
        remaining: seconds left on the stage's clock, asked before every call.

    Raises:
        SystemFailureError: no answer could be had, or it is not known whose fault that is.
        SetAsideError: the unit is to be asked again when the others are done.
    """
    usage = Usage()
    failure: Failure | None = None
    reply_sha256: Sha256 | None = None
    for turn in range(repairs + 1):
        reply = replies.recall(request.fingerprint)
        if reply is None:
            reply = await _within(call, request, remaining)
            if reply is None:
                return Answer(None, None, usage, reply_sha256)
            reply = replace(reply, text=gate(reply.text)[0])
            if reply.doubtful and isinstance(rejection := parse(reply), Failure):
                replies.require_settled(rejection)
            replies.record(request.fingerprint, reply)
        usage = _added(usage, reply, repairs=turn)
        reply_sha256 = sha256_text(reply.text)
        outcome = parse(reply)
        if not isinstance(outcome, Failure):
            return Answer(outcome, None, usage, reply_sha256)
        failure = outcome
        if reply.finish is Finish.REJECTED:
            break
        request = repaired(request, reply.text, failure, language)
    return Answer(None, failure, usage, reply_sha256)


def repaired(request: Q, reply: str, failure: Failure, language: str) -> Q:
    """Return `request` continued by the invalid reply and a note of what was wrong with it."""
    reason = f"{failure.failure_class.value} ({failure.detail})"
    note = _NOTES.get(language, _NOTES["en"]).format(reason=reason)
    prompt = (
        *request.prompt,
        text_message("assistant", reply[:2000]),
        text_message("user", note),
    )
    fingerprint = sha256_json([request.fingerprint, sha256_text(reply), note])
    return replace(request, prompt=prompt, fingerprint=fingerprint)


async def _within(
    call: Callable[[Q], Awaitable[Reply]], request: Q, remaining: Callable[[], float] | None
) -> Reply | None:
    """Return the reply, or None if the clock ran out first.

    A clock that ran out while the provider was failing is the provider's failure.
    """
    if remaining is None:
        return await call(request)
    trouble = begin_trouble()
    try:
        return await asyncio.wait_for(call(request), max(0.0, remaining()))
    except TimeoutError:
        if trouble.failure is not None:
            raise SystemFailureError(trouble.failure, exhausted=True) from None
        return None


def _added(usage: Usage, reply: Reply, *, repairs: int) -> Usage:
    return Usage(
        calls=usage.calls + 1,
        input_tokens=usage.input_tokens + reply.input_tokens,
        output_tokens=usage.output_tokens + reply.output_tokens,
        cached_tokens=usage.cached_tokens + reply.cached_tokens,
        reasoning_tokens=usage.reasoning_tokens + reply.reasoning_tokens,
        repairs=repairs,
        provider_seconds=usage.provider_seconds + reply.provider_seconds,
        from_cache=usage.from_cache + reply.from_cache,
    )


def total(parts: list[Usage]) -> Usage:
    """Return the sum of several usages."""
    return Usage(
        calls=sum(part.calls for part in parts),
        input_tokens=sum(part.input_tokens for part in parts),
        output_tokens=sum(part.output_tokens for part in parts),
        cached_tokens=sum(part.cached_tokens for part in parts),
        reasoning_tokens=sum(part.reasoning_tokens for part in parts),
        repairs=sum(part.repairs for part in parts),
        provider_seconds=sum(part.provider_seconds for part in parts),
        from_cache=sum(part.from_cache for part in parts),
    )
