"""The model that an Inspect evaluation is run with, as a system of this project."""

from __future__ import annotations

from collections.abc import Mapping

from inspect_ai.model import GenerateConfig, get_model

from riskchainbench.core.system import AnyRequest, Reply
from riskchainbench.models.provider.client import chat_message, read_output
from riskchainbench.models.provider.profiles import ImageLimits
from riskchainbench.models.provider.sending import sent_prompt

_LIMITS = ImageLimits(edge=2048, encoded_bytes=4_000_000, count=16)


class EvaluatedModel:
    """Sends each request's prompt to the model under evaluation, by Inspect's own rules."""

    @property
    def name(self) -> str:
        """The model's name."""
        return str(get_model())

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """Nothing: Inspect records how it asks."""
        return {}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:  # noqa: ARG002
        """Answer one request; errors are Inspect's to handle."""
        sent = sent_prompt(request.prompt, request.images, _LIMITS)
        messages = [chat_message(message) for message in sent.messages]
        found = read_output(await get_model().generate(messages, config=GenerateConfig()))
        return Reply(
            text=found.text,
            finish=found.finish,
            input_tokens=found.input_tokens,
            output_tokens=found.output_tokens,
            cached_tokens=found.cached_tokens,
            reasoning_tokens=found.reasoning_tokens,
            images_scaled=sent.scaled,
            images_left_out=sent.left_out,
        )
