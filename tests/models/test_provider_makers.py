"""Every provider whose library is there: made with our settings, asked once an attempt."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage, SystemFailureError
from riskchainbench.core.system import Prompt, text_message
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.client import InspectClient
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.settings import ModelSettings, Pace
from riskchainbench.sandbox.server import SandboxServer

pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")

ASK: Prompt = (text_message("system", "Answer."), text_message("user", "Go on."))
QUICK = Pace(attempts=3, attempt_seconds=20, first_pause=0.01, longest_pause=0.05)
READY = {
    "anthropic/model": "ANTHROPIC",
    "bedrock/model": "BEDROCK",
    "deepseek/model": "DEEPSEEK",
    "fireworks/model": "FIREWORKS",
    "google/model": "GOOGLE",
    "moonshot/model": "MOONSHOT",
    "ollama/model": "OLLAMA",
    "openai/model": "OPENAI",
    "openai-api/ark/model": "ARK",
    "openrouter/maker/model": "OPENROUTER",
    "sglang/model": "SGLANG",
    "together/model": "TOGETHER",
    "vllm/model": "VLLM",
}
"""Providers that need no more than the extra, and how their variables begin."""


class Overloaded:
    """Answers whatever it is asked, wherever, with 503, and counts what has to be paid for."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        await Request(scope, receive).body()
        if scope["method"] == "POST":
            self.calls.append(scope["path"])
        await JSONResponse({"error": {"message": "overloaded"}}, 503)(scope, receive, send)


@pytest.fixture
def clean(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment without keys or addresses of any provider."""
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")) or name.startswith("AWS_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    return monkeypatch


@pytest.fixture
def overloaded(clean: pytest.MonkeyPatch) -> Iterator[Overloaded]:
    app = Overloaded()
    with SandboxServer(app) as server:
        for prefix in READY.values():
            clean.setenv(f"{prefix}_BASE_URL", f"http://127.0.0.1:{server.port}/v1")
            clean.setenv(f"{prefix}_API_KEY", "no-key-at-all")
        clean.setenv("AWS_ACCESS_KEY_ID", "no-key-at-all")
        clean.setenv("AWS_SECRET_ACCESS_KEY", "no-key-at-all")
        clean.setenv("AWS_DEFAULT_REGION", "nowhere-1")
        yield app


def ask(name: str) -> None:
    caller = ModelCaller(name, ModelSettings(), QUICK, proven=True)
    asyncio.run(caller.call("unit", ASK, None, None, Stage.RESTORATION))


@pytest.mark.parametrize("name", list(READY))
def test_an_attempt_is_one_call_on_the_wire(overloaded: Overloaded, name: str) -> None:
    with pytest.raises(SystemFailureError) as failed:
        ask(name)
    assert "503" in failed.value.failure.detail
    assert len(overloaded.calls) == QUICK.attempts, overloaded.calls


@pytest.mark.parametrize("name", list(READY))
def test_our_settings_are_what_a_provider_is_made_with(overloaded: Overloaded, name: str) -> None:
    async def made() -> InspectClient:
        return InspectClient(name, ModelSettings(temperature=0.3, max_tokens=77), 5)

    config = asyncio.run(made())._model.config
    assert (config.max_retries, config.max_connections) == (0, 5)
    assert (config.temperature, config.max_tokens) == (0.3, 77)
    assert overloaded.calls == []


@pytest.mark.parametrize(
    ("name", "key", "package"),
    [
        ("mistral/model", "MISTRAL_API_KEY", "mistralai"),
        ("grok/model", "XAI_API_KEY", "xai_sdk"),
        ("groq/model", "GROQ_API_KEY", "groq"),
        ("azureai/model", "AZUREAI_API_KEY", "azure-ai-inference"),
    ],
)
def test_a_library_that_is_not_there_is_named(
    clean: pytest.MonkeyPatch, name: str, key: str, package: str
) -> None:
    clean.setenv(key, "no-key-at-all")
    with pytest.raises(InputError) as refused:
        ask(name)
    assert str(refused.value).endswith(f"pip install {package}")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("given", "words"),
    [({}, "region"), ({"AWS_DEFAULT_REGION": "nowhere-1"}, "credentials")],
)
def test_what_bedrock_lacks_in_the_environment_stops_the_run_at_once(
    clean: pytest.MonkeyPatch, tmp_path: object, given: dict[str, str], words: str
) -> None:
    for name, value in {**given, "AWS_CONFIG_FILE": f"{tmp_path}/none"}.items():
        clean.setenv(name, value)
    clean.setenv("AWS_SHARED_CREDENTIALS_FILE", f"{tmp_path}/none")
    with pytest.raises(ProviderStopError, match=f"nothing could be sent .*{words}"):
        ask("bedrock/model")
