"""The stub server as a fixture: a room's conftest imports it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from stub_model import KEY, MODEL, StubModel

from riskchainbench.sandbox.server import SandboxServer

NAME = f"openai-api/stub/{MODEL}"


@dataclass
class Stub:
    """A running stub; `model` is its state, `name` what a system of it is called."""

    model: StubModel
    port: int
    name: str = NAME


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Stub]:
    """A stub server, with the environment set so that it can be called."""
    model = StubModel()
    with SandboxServer(model.app()) as server:
        monkeypatch.setenv("STUB_BASE_URL", f"http://127.0.0.1:{server.port}/v1")
        monkeypatch.setenv("STUB_API_KEY", KEY)
        yield Stub(model, server.port)
