"""Reading a model's reply: the one parser of every stage.

A reply that is JSON as a whole must be the object asked for. Otherwise the text is scanned
for the first object that has the required keys and validates. What is left is a failure
class, never a guess: nothing is mended, since a repair turn can ask for it.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.record import Record
from riskchainbench.core.system import Finish, Reply
from riskchainbench.core.text import gate
from riskchainbench.models.reasoning import without_reasoning
from riskchainbench.models.refusal import is_refusal

R = TypeVar("R", bound=Record)

MAX_REPLY_CHARACTERS = 200_000
_MAX_ATTEMPTS = 500
_MAX_DETAIL = 300


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
    text = without_reasoning(gate(reply.text)[0]).strip().removeprefix("\ufeff")
    if not text:
        if reply.finish is Finish.LENGTH:
            return failed(FailureClass.TRUNCATED_OUTPUT, "cut at the token limit before any answer")
        return failed(FailureClass.EMPTY_OUTPUT, "no text")
    found = _Found(kind, required)
    if not _whole(text, found):
        _scanned(text, found)
    if found.valid:
        first, *others = found.valid
        if single and any(other != first for other in others):
            told = f"{len(found.valid)} objects where one is asked"
            return failed(FailureClass.SCHEMA_MISMATCH, told)
        return first
    return failed(*_told(found.fault(), text, reply.finish))


@dataclass(frozen=True)
class _Fault:
    """What kept one stretch of a reply from being the answer.

    `meant` tells that it names every required key, so that it was to be the answer.
    """

    failure_class: FailureClass
    detail: str
    meant: bool


class _Found(Generic[R]):
    """What a text held: the objects that fulfil the contract, and every fault, in order."""

    def __init__(self, kind: type[R], required: Collection[str]) -> None:
        self._kind = kind
        self._required = required
        self.valid: list[R] = []
        self.faults: list[_Fault] = []

    def duplicate(self, key: str) -> None:
        """Note an object that names a key twice."""
        detail = f"key {key!r} stands twice"
        self.faults.append(_Fault(FailureClass.DUPLICATE_KEYS, detail, meant=True))

    def broken(self, detail: str, rest: str) -> None:
        """Note that what begins with `rest` is no JSON."""
        meant = all(key in rest for key in self._required)
        self.faults.append(_Fault(FailureClass.MALFORMED_JSON, detail, meant))

    def value(self, value: Any) -> None:
        """Take a parsed value for the answer, or note why it is none."""
        missing = sorted(self._required)
        if not isinstance(value, dict):
            detail = f"a {type(value).__name__} where an object belongs"
        elif missing := [key for key in missing if key not in value]:
            detail = f"missing {', '.join(missing)}"
        else:
            try:
                self.valid.append(self._kind.model_validate(value))
                return
            except ValidationError as error:
                first = error.errors()[0]
                place = ".".join(map(str, first["loc"])) or "object"
                detail = f"{place}: {first['msg']}"
        self.faults.append(_Fault(FailureClass.SCHEMA_MISMATCH, detail, not missing))

    def fault(self) -> _Fault | None:
        """Return the fault to tell: that of what was meant for the answer, else the first.

        The parts of an object that is broken come after it, and are no answer of their own.
        """
        meant = [fault for fault in self.faults if fault.meant]
        parsed = [each for each in meant if each.failure_class is FailureClass.SCHEMA_MISMATCH]
        return next(iter([*parsed, *meant, *self.faults]), None)


def _told(fault: _Fault | None, text: str, finish: Finish) -> tuple[FailureClass, str]:
    """Return why `text` holds no answer."""
    duplicate = fault is not None and fault.failure_class is FailureClass.DUPLICATE_KEYS
    if finish is Finish.LENGTH and not duplicate:
        return FailureClass.TRUNCATED_OUTPUT, "cut at the token limit"
    if fault is not None:
        return fault.failure_class, fault.detail
    if is_refusal(text):
        return FailureClass.REFUSAL, "declined in words"
    return FailureClass.NO_JSON, "no JSON object in the reply"


def _whole(text: str, found: _Found[R]) -> bool:
    """Take the whole text as one JSON value; False if it is none."""
    try:
        found.value(_DECODER.decode(text))
    except _DuplicateKeyError as error:
        found.duplicate(str(error))
    except (ValueError, RecursionError):
        return False
    return True


def _scanned(text: str, found: _Found[R]) -> None:
    position = text.find("{")
    for _ in range(_MAX_ATTEMPTS):
        if position < 0:
            break
        try:
            value, end = _DECODER.raw_decode(text, position)
            found.value(value)
        except _DuplicateKeyError as error:
            found.duplicate(str(error))
            end = position + 1
        except (ValueError, RecursionError) as error:
            found.broken(str(error), text[position:])
            end = position + 1
        position = text.find("{", end)
