"""The parts around a call: meanings of errors, pace, prices, budgets, images and schemas."""

from __future__ import annotations

import asyncio
import io
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.store import Log
from riskchainbench.core.system import (
    ConclusionRequest,
    Finish,
    Reply,
    RestorationRequest,
    text_message,
)
from riskchainbench.core.units import tried
from riskchainbench.models.ask import ReplyLog, ask
from riskchainbench.models.provider.budget import Account, Budget, BudgetSpentError
from riskchainbench.models.provider.errors import Meaning, cleaned, judged
from riskchainbench.models.provider.images import fitted, kept
from riskchainbench.models.provider.pace import Pacer
from riskchainbench.models.provider.prices import Price, PriceList, Tokens, load_prices
from riskchainbench.models.provider.profiles import (
    ImageLimits,
    profile_of,
    provider_names,
)
from riskchainbench.models.provider.schemas import schema_for
from riskchainbench.models.provider.waiting import Waiting
from riskchainbench.models.trouble import report_trouble
from riskchainbench.restoration.run import parse_restoration


@pytest.mark.parametrize(
    ("status", "message", "proven", "meaning"),
    [
        (None, "connection reset", False, Meaning.RETRY),
        (408, "timeout", False, Meaning.RETRY),
        (425, "too early", False, Meaning.RETRY),
        (429, "slow down", False, Meaning.RETRY),
        (500, "oops", True, Meaning.RETRY),
        (529, "overloaded", True, Meaning.RETRY),
        (200, "no JSON", True, Meaning.RETRY),
        (429, "You exceeded your current quota, check your billing", True, Meaning.STOP),
        (401, "bad key", True, Meaning.STOP),
        (402, "pay", True, Meaning.STOP),
        (404, "no model", True, Meaning.STOP),
        (400, "bad request", False, Meaning.STOP),
        (400, "bad request", True, Meaning.REJECTED),
        (403, "forbidden", True, Meaning.STOP),
        (403, "flagged", True, Meaning.REJECTED),
        (403, "Your project has no permission to use the model", True, Meaning.STOP),
        (400, "API key not valid. Please pass a valid API key.", True, Meaning.STOP),
        (400, "Your credit balance is too low", True, Meaning.STOP),
        (400, "Access denied, your account is in arrears", True, Meaning.STOP),
        (400, "Input data may contain inappropriate content.", False, Meaning.REJECTED),
        (400, "系统检测到输入内容可能包含不安全或敏感内容", True, Meaning.REJECTED),
        (404, "No endpoints found that support image input", True, Meaning.REJECTED),
        (413, "too large", True, Meaning.REJECTED),
        (400, "max_tokens is too large", False, Meaning.STOP),
        (422, "no schema", True, Meaning.REJECTED),
    ],
)
def test_every_status_has_one_meaning(
    status: int | None, message: str, proven: bool, meaning: Meaning
) -> None:
    assert judged(status, message, None, proven=proven).meaning is meaning


@pytest.mark.parametrize(
    ("status", "message", "own"),
    [
        (400, "bad request", False),
        (422, "no schema", False),
        (413, "request entity", True),
        (400, "This model's maximum context length is 8192 tokens", True),
        (400, "prompt is too long", True),
        (400, "Content Exists Risk", True),
        (400, "max_tokens is too large: 8192. The model supports at most 4096", False),
        (400, "temperature exceeds the maximum size", False),
        (400, "unknown variant `image_url`, expected `text`", True),
    ],
)
def test_a_rejection_is_the_requests_own_where_it_names_a_reason_in_it(
    status: int, message: str, own: bool
) -> None:
    assert judged(status, message, None, proven=True).own is own


def test_a_detail_is_one_short_line_without_keys() -> None:
    told = cleaned("bad\nkey mine1234 and sk-abcdefghijklmnop" + "x" * 500, ["mine1234"])
    assert told.startswith("bad key [key] and [key]")
    assert len(told) <= 200


class Hour:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        await asyncio.sleep(0)


async def test_tokens_a_minute_hold_calls_back_until_there_is_room() -> None:
    hour = Hour()
    pacer = Pacer(4, 100, hour, hour.sleep)
    starts = []
    for _ in range(5):
        async with pacer.slot(50):
            starts.append(hour())
    assert starts == [0, 0, 60, 60, 120]


async def test_one_call_larger_than_the_limit_still_gets_through() -> None:
    hour = Hour()
    pacer = Pacer(1, 10, hour, hour.sleep)
    async with pacer.slot(500):
        assert hour() == 0


async def test_a_pause_holds_back_every_call() -> None:
    hour = Hour()
    pacer = Pacer(4, None, hour, hour.sleep)
    pacer.hold(30)
    async with pacer.slot(1):
        assert hour() == 30


def test_cost_counts_cached_tokens_at_their_own_price() -> None:
    price = Price(model="m", input=2, output=10, cached=0.5, date="2026-01-01", source="made up")
    # 600,000 fresh at 2 a million, 400,000 cached at 0.5, 100,000 out at 10.
    assert price.cost(Tokens(1_000_000, 100_000, 400_000)) == pytest.approx(1.2 + 0.2 + 1.0)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("openai/gpt-4o", "openai/gpt-4o"),
        ("openai/gpt-4o-2024-08-06", "openai/gpt-4o"),
        ("openai/gpt-4o-mini", "openai/gpt-4o-mini"),
        ("openai/gpt-4o-audio-preview", None),
        ("openai-api/local/gpt-4o", None),
    ],
)
def test_a_price_is_of_a_model_and_its_dated_versions_only(name: str, found: str | None) -> None:
    price = load_prices(None).of(name)
    assert (price.model if price else None) == found


def test_prices_with_an_unknown_key_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text('[[price]]\nmodel = "m"\ninput = 1\noutputs = 2\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"prices\.toml: price\.0\.output"):
        load_prices(path)


def price_line(model: str, **given: str) -> str:
    fields = {"date": '"2026-01-01"', "source": '"made up"', **given}
    told = "".join(f"{name} = {value}\n" for name, value in fields.items())
    return f'[[price]]\nmodel = "{model}"\ninput = 1\noutput = 2\n{told}'


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"date": '"lately"'}, "price.0.date: .*valid date"),
        ({"source": '""'}, "price.0.source: .*at least 1 character"),
        ({"currency": '"CNY"'}, "price: prices in CNY and USD; write them in one currency"),
    ],
)
def test_a_price_says_of_when_and_whence_it_is_and_all_are_in_one_currency(
    tmp_path: Path, given: dict[str, str], words: str
) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(price_line("a/b", **given) + price_line("a/c"), encoding="utf-8")
    with pytest.raises(InputError, match=words):
        load_prices(path)


def test_two_models_share_one_budget_at_their_own_prices() -> None:
    budget = Budget(max_cost=1.0)
    cheap = Price(model="a", input=1, output=1, date="2026-01-01", source="made up")
    dear = cheap.but(model="b", input=100)
    Account(budget, cheap).spend(Reply(text="", input_tokens=100_000))
    budget.require_room()
    Account(budget, dear).spend(Reply(text="", input_tokens=10_000))
    with pytest.raises(BudgetSpentError, match=r"1\.10 is spent"):
        budget.require_room()


def test_an_unknown_price_is_no_price_of_nothing() -> None:
    assert PriceList().of("openai/gpt-4o") is None


@given(st.integers(0, 40), st.integers(1, 20))
def test_the_images_kept_are_few_enough_and_hold_the_last(total: int, count: int) -> None:
    places = kept(range(total), count)
    assert len(places) == min(total, count)
    assert places <= set(range(total))
    if total:
        assert total - 1 in places


def test_an_image_too_heavy_is_made_smaller_until_it_fits() -> None:
    out = io.BytesIO()
    noise = random.Random(1).randbytes(400 * 300 * 3)
    Image.frombytes("RGB", (400, 300), noise).save(out, format="PNG")
    image = fitted(out.getvalue(), ImageLimits(edge=1000, encoded_bytes=60_000, count=1))
    assert image.scaled
    assert len(image.png) <= 60_000


def test_every_provider_has_a_whole_profile() -> None:
    names = provider_names()
    assert {"openai", "anthropic", "google", "mistral", "bedrock", "openrouter"} <= set(names)
    assert {"vllm", "ollama", "moonshot", "openai-api"} <= set(names)
    for name in names:
        profile = profile_of(f"{name}/a/b")
        assert profile.images.edge >= 1024
        assert profile.images.count >= 5


def bounded(schema: dict) -> bool:
    """Tell whether every string without a closed set and every list has a limit."""
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if "string" in kinds and "enum" not in schema and "maxLength" not in schema:
        return False
    if "array" in kinds and not ("maxItems" in schema and bounded(schema["items"])):
        return False
    if "object" in kinds and schema.get("additionalProperties") is not False:
        return False
    parts = [*schema.get("properties", {}).values(), *schema.get("anyOf", [])]
    return all(map(bounded, parts))


def restoration_request() -> RestorationRequest:
    task = RestorationTask(
        sample_id="s",
        platform="qq",
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content="x"),),
    )
    return RestorationRequest(prompt=(text_message("user", "x"),), fingerprint="f", task=task)


def conclusion_request() -> ConclusionRequest:
    return ConclusionRequest(
        prompt=(),
        fingerprint="f",
        codebook=default_codebook(),
        scaffold=(),
        steps=(),
        viewport=(1, 1),
        images=lambda _: b"",
    )


@pytest.mark.parametrize("request_of", [restoration_request, conclusion_request])
def test_schemas_leave_nothing_without_a_bound(request_of) -> None:
    assert bounded(schema_for(request_of()).schema)


def test_the_schema_of_a_conclusion_names_the_fields_of_the_contract() -> None:
    schema = schema_for(conclusion_request()).schema
    assert set(schema["properties"]) == set(Conclusion.model_fields)
    types = schema["properties"]["violation_type"]["enum"]
    assert types == [*default_codebook().type_ids, "NONE", "UNKNOWN"]


def test_waiting_tells_what_is_waited_for_and_why() -> None:
    waiting = Waiting()
    assert waiting.told() == ""
    waiting.calls = 2
    assert "2 calls" in waiting.told()
    waiting.pausing("HTTP 429: slow down", 12.0)
    assert "HTTP 429: slow down" in waiting.told()
    assert "12 s" in waiting.told()
    waiting.resumed()
    assert "429" not in waiting.told()


async def asked(tmp_path: Path, call, seconds: float | None = None):
    replies = ReplyLog(Log(tmp_path / "replies.jsonl")).unit("u")
    remaining = None if seconds is None else lambda: seconds
    return await ask(
        call,
        restoration_request(),
        parse_restoration,
        replies,
        repairs=2,
        language="en",
        remaining=remaining,
    )


async def test_a_rejected_request_is_logged_once_and_never_repaired(tmp_path: Path) -> None:
    calls = 0

    async def call(request: RestorationRequest) -> Reply:
        nonlocal calls
        calls += 1
        return Reply(text="HTTP 400: too long", finish=Finish.REJECTED)

    for _ in range(2):
        answer = await asked(tmp_path, call)
        assert answer.failure is not None
        assert answer.failure.failure_class is FailureClass.REQUEST_REJECTED
        assert answer.failure.detail == "HTTP 400: too long"
    assert calls == 1


FAILED = Failure(failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.CONCLUSION, detail="503")


async def test_a_clock_that_ends_while_the_provider_fails_is_the_providers_failure(
    tmp_path: Path,
) -> None:
    async def call(request: RestorationRequest) -> Reply:
        report_trouble(FAILED)
        await asyncio.sleep(30)
        raise AssertionError

    with pytest.raises(SystemFailureError) as failed:
        await asked(tmp_path, call, seconds=0.05)
    assert failed.value.failure == FAILED


async def test_a_clock_that_ends_while_the_model_thinks_is_the_models(tmp_path: Path) -> None:
    async def call(request: RestorationRequest) -> Reply:
        report_trouble(FAILED)
        report_trouble(None)
        await asyncio.sleep(30)
        raise AssertionError

    assert (await asked(tmp_path, call, seconds=0.05)).timed_out


async def test_details_of_a_reply_survive_the_log(tmp_path: Path) -> None:
    given = Reply(
        text='{"messages": [], "intent": "UNKNOWN"}',
        input_tokens=9,
        cached_tokens=4,
        reasoning_tokens=2,
        output_tokens=3,
        attempts=3,
        images_scaled=1,
        images_left_out=2,
    )

    async def call(request: RestorationRequest) -> Reply:
        return given

    fresh = await asked(tmp_path, call)
    again = await asked(tmp_path, call)
    assert fresh.usage == again.usage
    assert (fresh.usage.cached_tokens, fresh.usage.reasoning_tokens) == (4, 2)
    logged = ReplyLog(Log(tmp_path / "replies.jsonl")).unit("u")
    assert logged.recall("f") == given


@pytest.mark.parametrize(("exhausted", "tries"), [(True, 1), (False, 3)])
async def test_what_was_retried_where_it_arose_is_not_retried_again(
    exhausted: bool, tries: int
) -> None:
    calls = 0

    async def attempt() -> None:
        nonlocal calls
        calls += 1
        raise SystemFailureError(FAILED, exhausted=exhausted)

    assert await tried(attempt) == FAILED
    assert calls == tries


async def test_a_unit_tried_again_replays_from_the_disk(tmp_path: Path) -> None:
    log = ReplyLog(Log(tmp_path / "replies.jsonl"))
    given = Reply(text="one")
    log.unit("u").record("f", given)
    log.unit("v").record("f", Reply(text="other"))
    again = log.unit("u")
    assert again.recall("f") == given
    again.record("g", Reply(text="two"))
    third = log.unit("u")
    assert [third.recall("f"), third.recall("g")] == [given, Reply(text="two")]
