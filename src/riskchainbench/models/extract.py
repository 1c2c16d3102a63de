"""Reading a model's reply: the one parser of every stage.

A reply that is JSON as a whole must be the object asked for. Otherwise the text is scanned
for the first object that has the required keys and validates. What is left is a failure
class, never a guess: nothing is mended, since a repair turn can ask for it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection
from typing import Any, TypeVar

from pydantic import ValidationError

from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.record import Record
from riskchainbench.core.system import Finish, Reply
from riskchainbench.core.text import gate

R = TypeVar("R", bound=Record)

MAX_REPLY_CHARACTERS = 200_000
_MAX_ATTEMPTS = 500
_MAX_DETAIL = 300

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THINKING = re.compile(r"<(think|thinking|reasoning)>.*\Z", re.DOTALL | re.IGNORECASE)
_REFUSAL = re.compile(
    r"\b(i (can(?:no|')t|am unable to|won't|am not able to)|i'm (sorry|unable|not able)|"
    r"lo siento|no puedo|não posso|desculpe)\b"
    r"|抱歉|对不起|對不起|我(不能|无法|無法|不会|不會)|无法(协助|提供|完成)|申し訳|できません|"
    r"죄송|할 수 없|xin lỗi|tôi không thể|ขออภัย|ไม่สามารถ|maaf|saya tidak (bisa|dapat)",
    re.IGNORECASE,
)


class _DuplicateKeyError(ValueError):
    """A JSON object names a key twice."""


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _DuplicateKeyError(key)
        found[key] = value
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_no_constant)


def extract_object(
    reply: Reply, kind: type[R], required: Collection[str], stage: Stage, *, single: bool = False
) -> R | Failure:
    """Return the object of `kind` in `reply`, or why there is none.

    Args:
        reply: what the system answered.
        kind: the output contract.
        required: the keys that an object must have to be taken for the answer.
        stage: the stage that asks, for the failure.
        single: refuse a reply that holds two different valid objects.
    """

    def failed(failure_class: FailureClass, detail: str) -> Failure:
        return Failure(failure_class=failure_class, stage=stage, detail=detail[:_MAX_DETAIL])

    if reply.finish is Finish.REJECTED:
        return failed(FailureClass.REQUEST_REJECTED, reply.text)
    if reply.finish is Finish.REFUSAL:
        return failed(FailureClass.REFUSAL, "the provider reports a refusal")
    if len(reply.text) > MAX_REPLY_CHARACTERS:
        return failed(FailureClass.OVERSIZED_OUTPUT, f"{len(reply.text)} characters")
    text = _THINKING.sub("", gate(reply.text)[0])
    text = _OPEN_THINKING.sub("", text).strip().removeprefix("\ufeff")
    if not text:
        if reply.finish is Finish.LENGTH:
            return failed(FailureClass.TRUNCATED_OUTPUT, "cut at the token limit before any answer")
        return failed(FailureClass.EMPTY_OUTPUT, "no text")
    found = _whole(text)
    if found is None:
        found = _scanned(text)
    return _judged(found, text, reply, kind, required, failed, single)


class _Found:
    """What a text held: objects as parsed, and the first thing that was wrong with it."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.duplicate: str | None = None
        self.broken: str | None = None


def _whole(text: str) -> _Found | None:
    """Parse the whole text as one JSON value; None if it is none."""
    found = _Found()
    try:
        found.values.append(_DECODER.decode(text))
    except _DuplicateKeyError as error:
        found.duplicate = str(error)
    except (ValueError, RecursionError):
        return None
    return found


def _scanned(text: str) -> _Found:
    found = _Found()
    position = text.find("{")
    for _ in range(_MAX_ATTEMPTS):
        if position < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, position)
            found.values.append(value)
        except _DuplicateKeyError as error:
            found.duplicate = found.duplicate or str(error)
            end = position + 1
        except (ValueError, RecursionError) as error:
            found.broken = found.broken or str(error)
            end = position + 1
        position = text.find("{", end)
    return found


def _judged(
    found: _Found,
    text: str,
    reply: Reply,
    kind: type[R],
    required: Collection[str],
    failed: Callable[[FailureClass, str], Failure],
    single: bool,
) -> R | Failure:
    valid, mismatch = _validated(found.values, kind, required)
    if valid:
        if single and any(other != valid[0] for other in valid[1:]):
            return failed(FailureClass.SCHEMA_MISMATCH, f"{len(valid)} objects where one is asked")
        return valid[0]
    if found.duplicate is not None:
        return failed(FailureClass.DUPLICATE_KEYS, f"key {found.duplicate!r} stands twice")
    if reply.finish is Finish.LENGTH:
        return failed(FailureClass.TRUNCATED_OUTPUT, "cut at the token limit")
    if mismatch is not None:
        return failed(FailureClass.SCHEMA_MISMATCH, mismatch)
    if found.broken is not None:
        return failed(FailureClass.MALFORMED_JSON, found.broken)
    if _REFUSAL.search(text):
        return failed(FailureClass.REFUSAL, "declined in words")
    return failed(FailureClass.NO_JSON, "no JSON object in the reply")


def _validated(
    values: list[Any], kind: type[R], required: Collection[str]
) -> tuple[list[R], str | None]:
    """Return the values that fulfil the contract, and what was wrong with the first other."""
    valid: list[R] = []
    mismatch: str | None = None
    for value in values:
        if not isinstance(value, dict):
            mismatch = mismatch or f"a {type(value).__name__} where an object belongs"
            continue
        missing = [key for key in required if key not in value]
        if missing:
            mismatch = mismatch or f"missing {', '.join(sorted(missing))}"
            continue
        try:
            valid.append(kind.model_validate(value))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"])) or "object"
            mismatch = mismatch or f"{place}: {first['msg']}"
    return valid, mismatch
