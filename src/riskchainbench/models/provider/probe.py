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
    Finish,
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
    seen = await _shown(
        ModelCaller(name, settings.but(structured=structured), pace, proven=True), digits
    )
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

    A form that the provider rejects or fails at once is passed over; only the last one is
    tried again, and its failure is the provider's.
    """
    prompt = (text_message("system", _ASK), text_message("user", words))
    given = settings.structured
    *others, last = LADDER if given is Structured.AUTO else (given,)
    for structured in others:
        hasty = pace.but(attempts=1, give_up_after=2)
        caller = ModelCaller(name, settings.but(structured=structured), hasty, proven=True)
        try:
            reply = await _called(caller, prompt)
        except SystemFailureError:
            continue
        if not isinstance(_code(reply), Failure):
            return structured, reply
    caller = ModelCaller(name, settings.but(structured=last), pace)
    try:
        return last, await _called(caller, prompt)
    except SystemFailureError as error:
        raise ProviderStopError(f"{name}: the provider does not answer ({error})") from error


async def _shown(caller: ModelCaller, digits: str) -> Reply:
    """Return the reply to an image of `digits`; a failing call counts as one that is rejected."""
    png = draw_code(digits)
    parts = (TextPart("The code is the number in this image."), ImagePart(sha256_bytes(png)))
    prompt = (text_message("system", _ASK), PromptMessage("user", parts))
    try:
        return await _called(caller, prompt, lambda _: png)
    except SystemFailureError as error:
        return Reply(text=error.failure.detail, finish=Finish.REJECTED)


async def _called(caller: ModelCaller, prompt: Prompt, images: ImageLoader | None = None) -> Reply:
    return await caller.call("probe", prompt, images, _SCHEMA, Stage.RESTORATION)


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
