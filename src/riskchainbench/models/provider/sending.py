"""A prompt as a provider is sent it: its images loaded, made to fit, and counted."""

from __future__ import annotations

from dataclasses import dataclass, replace

from riskchainbench.core.system import ImageLoader, Prompt, PromptMessage, TextPart
from riskchainbench.models.provider.client import ChatMessageIn, ChatPart
from riskchainbench.models.provider.images import fitted, kept
from riskchainbench.models.provider.profiles import ImageLimits, profile_of
from riskchainbench.models.provider.settings import ModelSettings

LEFT_OUT = "[image left out]"
_CHARACTERS_PER_TOKEN = 2
_TOKENS_PER_IMAGE = 1200


@dataclass(frozen=True)
class Sent:
    """A prompt as it is sent, and what became of its images."""

    messages: tuple[ChatMessageIn, ...]
    scaled: int = 0
    left_out: int = 0

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        parts = [part for message in self.messages for part in message.parts]
        written = sum(len(part.text or "") for part in parts) // _CHARACTERS_PER_TOKEN
        return written + _TOKENS_PER_IMAGE * sum(part.image is not None for part in parts)


def sent_prompt(prompt: Prompt, images: ImageLoader | None, limits: ImageLimits) -> Sent:
    """Return `prompt` with its images within `limits`; what is too many is left out evenly."""
    pictured = [
        (row, column)
        for row, message in enumerate(prompt)
        for column, part in enumerate(message.parts)
        if not isinstance(part, TextPart)
    ]
    shown = {pictured[place] for place in kept(pictured, limits.count)}
    sent = Sent((), left_out=len(pictured) - len(shown))
    for row, message in enumerate(prompt):
        sent = _with(sent, row, message, images, shown, limits)
    return sent


def _with(
    sent: Sent,
    row: int,
    message: PromptMessage,
    images: ImageLoader | None,
    shown: set[tuple[int, int]],
    limits: ImageLimits,
) -> Sent:
    parts: list[ChatPart] = []
    scaled = sent.scaled
    for column, part in enumerate(message.parts):
        if isinstance(part, TextPart):
            parts.append(ChatPart(text=part.text))
        elif (row, column) not in shown or images is None:
            parts.append(ChatPart(text=LEFT_OUT))
        else:
            image = fitted(images(part.sha256), limits)
            scaled += image.scaled
            parts.append(ChatPart(image=image))
    messages = (*sent.messages, ChatMessageIn(message.role, tuple(parts)))
    return replace(sent, messages=messages, scaled=scaled)


def image_limits(name: str, settings: ModelSettings) -> ImageLimits:
    """Return the limits of images for the model `name`: the settings', else the profile's."""
    given = profile_of(name).images
    return ImageLimits(
        edge=settings.image_edge or given.edge,
        encoded_bytes=settings.image_bytes or given.encoded_bytes,
        count=settings.images or given.count,
    )
