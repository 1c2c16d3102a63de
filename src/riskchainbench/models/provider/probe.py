"""Two calls before a run: does the model keep to the contract, and does it see images?

The first call also settles how structured output is asked for: each form is tried once, the
strictest first, and the first that the provider accepts is used from then on.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from riskchainbench.core.failures import Failure, Stage, SystemFailureError
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.record import Record
from riskchainbench.core.system import (
    ImageLoader,
    ImagePart,
    Prompt,
    PromptMessage,
    Reply,
    TextPart,
    text_message,
)
from riskchainbench.models.extract import extract_object
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.client import ReplySchema
from riskchainbench.models.provider.code_image import draw_code
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.schemas import closed, text
from riskchainbench.models.provider.settings import LADDER, ModelSettings, Pace, Structured

PROBE_PACE = Pace(at_once=1, attempts=3, attempt_seconds=120)
_LETTERS = "abcdefghkmnprstuvwxyz"
_DIGITS = 6
_ASK = (
    "This is a test of the connection. Answer with one JSON object and nothing else: "
    '{"code": "<the code>"}.'
)
_SCHEMA = ReplySchema("probe", closed({"code": text(40)}))


class CodeReply(Record):
    """What a probed model is to answer."""

    code: str


class Probe(Record):
    """What two calls showed of a model; `detail` says what went wrong where something did."""

    schema_version: Literal["probe/1"] = "probe/1"
    system: str
    structured: Structured
    follows_contract: bool
    sees_images: bool
    text_detail: str = ""
    image_detail: str = ""
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether a run can be made with the model."""
        return self.follows_contract and self.sees_images


def probe_pace(pace: Pace) -> Pace:
    """Return how a probe goes about it: as a run of that pace, but no longer than need be."""
    return pace.but(
        at_once=1,
        attempts=min(pace.attempts, PROBE_PACE.attempts),
        attempt_seconds=min(pace.attempt_seconds, PROBE_PACE.attempt_seconds),
    )


async def probe(name: str, settings: ModelSettings, rng: Random, pace: Pace = PROBE_PACE) -> Probe:
    """Ask the model for a code in words and for a code in an image.

    Args:
        name: ``provider/model``.
        settings: how it is asked; a `structured` other than AUTO is taken as it is.
        rng: draws the codes.
        pace: how often and how long a call is tried.

    Raises:
        InputError: the provider, a key or a package is missing.
        ProviderStopError: the provider refuses every call or does not answer.
    """
    word = "".join(rng.choices(_LETTERS, k=4)) + "-" + "".join(rng.choices("0123456789", k=4))
    digits = "".join(rng.choices("0123456789", k=_DIGITS))
    structured, reply = await _settled(name, settings, pace, f"The code is {word}.")
    seen = await _shown(_caller(name, settings.but(structured=structured), pace), digits)
    text_detail, image_detail = _wrong(reply, word), _wrong(seen, digits)
    return Probe(
        system=name,
        structured=structured,
        follows_contract=not text_detail,
        sees_images=not image_detail,
        text_detail=text_detail,
        image_detail=image_detail,
        input_tokens=reply.input_tokens + seen.input_tokens,
        output_tokens=reply.output_tokens + seen.output_tokens,
        seconds=round(reply.provider_seconds + seen.provider_seconds, 3),
    )


async def _settled(
    name: str, settings: ModelSettings, pace: Pace, words: str
) -> tuple[Structured, Reply]:
    """Return the first form of structured output that is accepted, and the reply under it.

    A form that the provider rejects, or answers outside the contract, is passed over.
    """
    prompt = (text_message("system", _ASK), text_message("user", words))
    given = settings.structured
    *others, last = LADDER if given is Structured.AUTO else (given,)
    for structured in others:
        reply = await _called(_caller(name, settings.but(structured=structured), pace), prompt)
        if not isinstance(_code(reply), Failure):
            return structured, reply
    # Nothing was answered yet, so that a rejection of the last form is one of every call.
    caller = ModelCaller(name, settings.but(structured=last), pace, doubts=False)
    return last, await _called(caller, prompt)


def _caller(name: str, settings: ModelSettings, pace: Pace) -> ModelCaller:
    """Return what takes a rejection for the finding that it is."""
    return ModelCaller(name, settings, pace, proven=True, doubts=False)


async def _shown(caller: ModelCaller, digits: str) -> Reply:
    """Return the reply to an image of `digits`, or its rejection."""
    png = draw_code(digits)
    parts = (TextPart("The code is the number in this image."), ImagePart(sha256_bytes(png)))
    prompt = (text_message("system", _ASK), PromptMessage("user", parts))
    return await _called(caller, prompt, lambda _: png)


async def _called(caller: ModelCaller, prompt: Prompt, images: ImageLoader | None = None) -> Reply:
    """Return the reply to one question.

    Raises:
        ProviderStopError: the provider failed at every attempt, which says nothing of the model.
    """
    try:
        return await caller.call("probe", prompt, images, _SCHEMA, Stage.RESTORATION)
    except SystemFailureError as error:
        raise ProviderStopError(
            f"{caller.name}: the provider does not answer the probe ({error.failure.detail}; "
            f"structured={caller.settings.structured}); nothing was recorded, try again later, or "
            "name another form with --set structured=…"
        ) from error


def _code(reply: Reply) -> CodeReply | Failure:
    return extract_object(reply, CodeReply, ("code",), Stage.RESTORATION)


def _wrong(reply: Reply, code: str) -> str:
    """Return what is wrong with a reply; empty if it is right."""
    found = _code(reply)
    if isinstance(found, Failure):
        return f"{found.failure_class.value}: {found.detail}"
    if found.code.strip() != code:
        return f"answered {found.code[:40]!r} where the code was {code!r}"
    return ""
