"""Replies kept between runs: only where all that was sent is the same, and always told."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest
from PIL import Image
from stub_fixtures import Stub

from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.system import (
    ImagePart,
    Prompt,
    PromptMessage,
    Reply,
    TextPart,
    text_message,
)
from riskchainbench.models.provider.budget import Account, Budget
from riskchainbench.models.provider.cache import ReplyCache
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.client import ReplySchema
from riskchainbench.models.provider.settings import ModelSettings, Pace

pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")

ASK: Prompt = (text_message("user", "The code is abcd-1234."),)
OTHER: Prompt = (text_message("user", "The code is wxyz-9876."),)
SCHEMA = ReplySchema("probe", {"type": "object"})


def asked(stub: Stub, cache: Path, prompt: Prompt = ASK, **settings: object) -> Reply:
    made = ModelCaller(
        stub.name,
        ModelSettings.model_validate(settings),
        Pace(attempts=1),
        proven=True,
        cache=ReplyCache(cache),
    )
    return asyncio.run(made.call("unit", prompt, None, SCHEMA, Stage.CONCLUSION))


def test_the_same_question_is_asked_once_and_the_second_reply_says_so(
    stub: Stub, tmp_path: Path
) -> None:
    first, second = asked(stub, tmp_path), asked(stub, tmp_path)
    assert stub.model.calls == 1
    assert first.text == second.text
    assert (first.from_cache, second.from_cache) == (0, 1)
    assert (second.input_tokens, second.output_tokens, second.provider_seconds) == (0, 0, 0.0)


def test_another_question_or_another_setting_is_asked(stub: Stub, tmp_path: Path) -> None:
    asked(stub, tmp_path)
    asked(stub, tmp_path, OTHER)
    asked(stub, tmp_path, temperature=0.5)
    assert stub.model.calls == 3


def picture(shade: int) -> bytes:
    out = io.BytesIO()
    Image.new("L", (80, 40), shade).save(out, "PNG")
    return out.getvalue()


def test_another_image_is_asked(stub: Stub, tmp_path: Path) -> None:
    made = ModelCaller(stub.name, ModelSettings(), proven=True, cache=ReplyCache(tmp_path))
    for shade in (10, 10, 20):
        png = picture(shade)
        parts = (TextPart("The code is abcd-1234."), ImagePart(sha256_bytes(png)))
        prompt = (PromptMessage("user", parts),)
        asyncio.run(made.call("unit", prompt, lambda _, png=png: png, SCHEMA, Stage.CONCLUSION))
    assert stub.model.calls == 2


def test_a_rejection_is_not_kept(stub: Stub, tmp_path: Path) -> None:
    stub.model.faults.append("too-long-context")
    asked(stub, tmp_path)
    assert asked(stub, tmp_path).from_cache == 0
    assert stub.model.calls == 2


def test_a_kept_reply_spends_nothing(stub: Stub, tmp_path: Path) -> None:
    budget = Budget(max_tokens=10)
    asked(stub, tmp_path)
    made = ModelCaller(
        stub.name,
        ModelSettings(),
        proven=True,
        account=Account(budget),
        cache=ReplyCache(tmp_path),
    )
    asyncio.run(made.call("unit", ASK, None, SCHEMA, Stage.CONCLUSION))
    assert budget.tokens == 0


def test_a_damaged_file_is_named(stub: Stub, tmp_path: Path) -> None:
    asked(stub, tmp_path)
    (kept,) = tmp_path.rglob("*.json")
    kept.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=kept.name):
        asked(stub, tmp_path)
