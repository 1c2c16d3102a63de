"""The door to Inspect AI: one call, one attempt. Nothing else imports its packages.

Retries are off in the provider's library and in Inspect AI, and its cache is not used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from riskchainbench.core.errors import InputError
from riskchainbench.core.system import Finish
from riskchainbench.models.extract import MAX_REPLY_CHARACTERS
from riskchainbench.models.provider.errors import Verdict, judged
from riskchainbench.models.provider.images import FittedImage
from riskchainbench.models.provider.profiles import profile_of, require_environment, secrets_of
from riskchainbench.models.provider.settings import ModelSettings, Structured

if TYPE_CHECKING:
    from inspect_ai.model import ChatMessage, Model, ModelOutput

INSTALL = "pip install 'riskchainbench[models]'"
_MARKUP = re.compile(r"\[/?[a-z]+\]")


@dataclass(frozen=True)
class ChatPart:
    """Words or an image of one message; exactly one is given."""

    text: str | None = None
    image: FittedImage | None = None


@dataclass(frozen=True)
class ChatMessageIn:
    """One message to be sent."""

    role: str
    parts: tuple[ChatPart, ...]


@dataclass(frozen=True)
class ReplySchema:
    """The form a reply is to have: a name and a JSON Schema."""

    name: str
    schema: dict[str, Any]


@dataclass(frozen=True)
class Output:
    """What one attempt brought."""

    text: str
    finish: Finish
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    reasoning_tokens: int


class NoChoiceError(Exception):
    """The provider answered without any choice."""


class InspectClient:
    """One model behind Inspect AI.

    A client belongs to the event loop it is first used in.
    """

    def __init__(self, name: str, settings: ModelSettings, connections: int) -> None:
        """Connect nothing yet.

        Raises:
            InputError: the packages, the provider or its key are missing.
        """
        self._name = name
        self._settings = settings
        self._profile = profile_of(name)
        require_environment(name)
        self._secrets = secrets_of(name)
        self._model = self._made(connections)

    def _made(self, connections: int) -> Model:
        try:
            from inspect_ai.model import GenerateConfig, get_model
        except ImportError as error:
            raise InputError(f"{self._name}: needs the extra `models`: {INSTALL}") from error
        settings = self._settings
        config = GenerateConfig(
            max_retries=0,
            max_connections=connections,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
            top_p=settings.top_p,
            seed=settings.seed,
            reasoning_effort=settings.reasoning_effort,
            reasoning_tokens=settings.reasoning_tokens,
            # Left open, the library would first make a call of its own to see if there are any.
            reasoning_summary="none",
        )
        try:
            arguments: dict[str, Any] = dict(self._profile.arguments)
            model = get_model(self._name, config=config, memoize=False, **arguments)
        except Exception as error:
            told = _MARKUP.sub("", " ".join(str(error).split()))
            raise InputError(f"{self._name}: cannot be set up: {told}") from error
        _without_retries(model)
        return model

    async def generate(
        self,
        messages: Sequence[ChatMessageIn],
        structured: Structured = Structured.NONE,
        schema: ReplySchema | None = None,
    ) -> Output:
        """Make one call.

        Raises:
            Exception: whatever the provider's library raises; `explain` says what it means.
        """
        output = await self._model.generate(
            [chat_message(message) for message in messages], config=self._config(structured, schema)
        )
        if output.empty:
            raise NoChoiceError("an answer without choices")
        return read_output(output)

    def _config(self, structured: Structured, schema: ReplySchema | None) -> Any:
        from inspect_ai.model import GenerateConfig, ResponseSchema
        from inspect_ai.util import JSONSchema

        if structured in (Structured.NONE, Structured.AUTO) or schema is None:
            return GenerateConfig()
        if self._profile.format == "body":
            return GenerateConfig(extra_body={"response_format": _format(structured, schema)})
        if structured is Structured.JSON_OBJECT:
            return GenerateConfig()
        told = JSONSchema.model_validate(schema.schema)
        return GenerateConfig(response_schema=ResponseSchema(name=schema.name, json_schema=told))

    def explain(self, error: Exception, *, proven: bool) -> Verdict:
        """Return what an error of `generate` means."""
        from inspect_ai._util.http import parse_retry_after_from_exception, status_code_of

        root = _root(error)
        status = status_code_of(root)
        if status is not None and not 100 <= status < 600:
            status = None
        message = str(root) or type(root).__name__
        if isinstance(root, json.JSONDecodeError | UnicodeDecodeError):
            message = f"the answer is no JSON: {type(root).__name__}"
        return judged(
            status,
            message,
            parse_retry_after_from_exception(root),
            proven=proven,
            secrets=self._secrets,
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._model.api.aclose()


def _without_retries(model: Model) -> None:
    """Switch off the retries of the provider's library, which few take as an argument."""
    client: Any = getattr(model.api, "client", None)
    if hasattr(client, "max_retries"):
        client.max_retries = 0
    # Clients of Bedrock are made anew for every call, from what their session says.
    session: Any = getattr(model.api, "session", None)
    if hasattr(session, "set_config_variable"):
        session.set_config_variable("max_attempts", 1)


def _format(structured: Structured, schema: ReplySchema) -> dict[str, Any]:
    if structured is Structured.JSON_OBJECT:
        return {"type": "json_object"}
    return {"type": "json_schema", "json_schema": {"name": schema.name, "schema": schema.schema}}


def chat_message(message: ChatMessageIn) -> ChatMessage:
    """Return a message in the form of Inspect AI."""
    from inspect_ai.model import (
        ChatMessageAssistant,
        ChatMessageSystem,
        ChatMessageUser,
        ContentImage,
        ContentText,
    )

    kinds = {
        "system": ChatMessageSystem,
        "user": ChatMessageUser,
        "assistant": ChatMessageAssistant,
    }
    kind = kinds[message.role]
    if all(part.image is None for part in message.parts):
        made: ChatMessage = kind(content="\n".join(part.text or "" for part in message.parts))
        return made
    content = [
        ContentText(text=part.text or "")
        if part.image is None
        else ContentImage(image=part.image.data_uri, detail="high")
        for part in message.parts
    ]
    mixed: ChatMessage = kind(content=content)
    return mixed


def _root(error: Exception) -> BaseException:
    """Return the provider's own error from inside its wrappings."""
    from inspect_ai.model._model import ModelGenerateError
    from tenacity import RetryError

    found: BaseException = error
    if isinstance(found, RetryError):
        found = found.last_attempt.exception() or found
    if isinstance(found, ModelGenerateError) and found.__cause__ is not None:
        found = found.__cause__
    return found


def read_output(output: ModelOutput) -> Output:
    """Return what an answer of Inspect AI's holds."""
    usage = output.usage
    cached = (usage.input_tokens_cache_read or 0) if usage else 0
    written = (usage.input_tokens_cache_write or 0) if usage else 0
    text, finish = output.completion, Finish.STOP
    if output.stop_reason == "model_length":
        # Too long a request: what stands for a completion here is the provider's message.
        finish = Finish.REJECTED
    elif output.stop_reason == "content_filter":
        finish = Finish.REFUSAL
    elif output.stop_reason == "max_tokens":
        finish = Finish.LENGTH
    return Output(
        text=text[: MAX_REPLY_CHARACTERS + 1],
        finish=finish,
        input_tokens=usage.input_tokens + cached + written if usage else 0,
        output_tokens=usage.output_tokens if usage else 0,
        cached_tokens=cached,
        reasoning_tokens=(usage.reasoning_tokens or 0) if usage else 0,
    )
