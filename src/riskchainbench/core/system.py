"""The System protocol: one way to ask anything, a model or a built-in baseline, for an answer.

A stage builds a request. A model is sent the request's `prompt` and nothing else; a built-in
system may read the typed fields, which hold the same content. Neither carries an entry, host,
label or website id. `unit_id`, passed beside a request, is for bookkeeping: a random system
seeds itself with it and the oracle looks its answer up; a model adapter must not send it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.core.investigation import Observation, ScaffoldClass, Step
from riskchainbench.core.restoration import RestorationTask

ImageLoader = Callable[[Sha256], bytes]
"""Returns the PNG bytes of a recorded screenshot."""


@dataclass(frozen=True)
class TextPart:
    """Words in a prompt."""

    text: str


@dataclass(frozen=True)
class ImagePart:
    """A recorded screenshot in a prompt, by hash."""

    sha256: Sha256


@dataclass(frozen=True)
class PromptMessage:
    """One message of a conversation."""

    role: str
    parts: tuple[TextPart | ImagePart, ...]


Prompt = tuple[PromptMessage, ...]


def text_message(role: str, text: str) -> PromptMessage:
    """Return a message of words alone."""
    return PromptMessage(role, (TextPart(text),))


def prompt_sha256(prompt: Prompt) -> Sha256:
    """Return the identity of a prompt, its images by their hashes."""
    return sha256_json(
        [
            {
                "role": message.role,
                "parts": [
                    {"text": part.text} if isinstance(part, TextPart) else {"image": part.sha256}
                    for part in message.parts
                ],
            }
            for message in prompt
        ]
    )


class Finish(StrEnum):
    """Why a reply ended."""

    STOP = "stop"
    LENGTH = "length"
    REFUSAL = "refusal"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Reply:
    """What a system answered.

    `finish` REJECTED marks a request that the provider will never answer; `text` then says why.
    `provider_seconds` is the time spent waiting for it, pauses between attempts included.
    `input_tokens` include `cached_tokens`, `output_tokens` include `reasoning_tokens`.
    `attempts` counts the calls made; `images_scaled` and `images_left_out` the images that
    had to be made smaller or left out to fit the provider's limits. `from_cache` is 1 for a reply
    that was taken from a response cache: it cost no tokens and no waiting. `doubtful` marks a
    rejection that names no reason in the request, which may lie in the set-up.
    """

    text: str
    finish: Finish = Finish.STOP
    input_tokens: int = 0
    output_tokens: int = 0
    provider_seconds: float = 0.0
    cached_tokens: int = 0
    reasoning_tokens: int = 0
    attempts: int = 1
    images_scaled: int = 0
    images_left_out: int = 0
    from_cache: int = 0
    doubtful: bool = False


@dataclass(frozen=True, kw_only=True)
class Request:
    """What is common to every request.

    `fingerprint` identifies all that the system may see except clocks, so that a resumed
    unit can tell whether a logged reply still answers the same question. It is the hash of
    `prompt` unless a stage shows a clock there and gives its own.
    """

    prompt: Prompt
    fingerprint: Sha256


@dataclass(frozen=True, kw_only=True)
class RestorationRequest(Request):
    """Restore one message variant; `images` is given where the prompt holds one."""

    task: RestorationTask
    images: ImageLoader | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class ActionRequest(Request):
    """Choose the next action; `steps` are the earlier ones, `observation` the present one."""

    codebook: Codebook
    scaffold: tuple[ScaffoldClass, ...]
    steps: tuple[Step, ...]
    observation: Observation
    remaining_seconds: float
    images: ImageLoader = field(repr=False)


@dataclass(frozen=True, kw_only=True)
class ConclusionRequest(Request):
    """Conclude from a frozen trajectory."""

    codebook: Codebook
    scaffold: tuple[ScaffoldClass, ...]
    steps: tuple[Step, ...]
    viewport: tuple[int, int]
    images: ImageLoader = field(repr=False)


AnyRequest = RestorationRequest | ActionRequest | ConclusionRequest


class System(Protocol):
    """Anything that is evaluated.

    `settings` is recorded in every stage's manifest: what it was run with, no secret.
    """

    @property
    def name(self) -> str:
        """The system's name in every table."""

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """What a rerun would need to know."""

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        """Answer one request.

        Raises:
            SystemFailureError: no answer could be had, by no fault of the system's.
        """
