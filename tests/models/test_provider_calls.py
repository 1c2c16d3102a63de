"""One call to a provider: what is sent, what comes back, and what every fault turns into."""

from __future__ import annotations

import asyncio
import base64
import io
from collections import deque
from random import Random

import pytest
from PIL import Image
from stub_fixtures import Stub
from stub_model import KEY, MODEL

from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import FailureClass, Stage, SystemFailureError
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.system import (
    Finish,
    ImagePart,
    Prompt,
    PromptMessage,
    Reply,
    TextPart,
    text_message,
)
from riskchainbench.models.extract import MAX_REPLY_CHARACTERS
from riskchainbench.models.provider.budget import Account, Budget, BudgetSpentError
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.client import ReplySchema
from riskchainbench.models.provider.code_image import draw_code
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.probe import PROBE_PACE, probe, probe_pace
from riskchainbench.models.provider.sending import LEFT_OUT
from riskchainbench.models.provider.settings import ModelSettings, Pace, Structured
from riskchainbench.models.registry import make_system, require_known

pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")

ASK: Prompt = (text_message("system", "Answer."), text_message("user", "The code is abcd-1234."))
QUICK = Pace(attempts=3, attempt_seconds=5, first_pause=0.01, longest_pause=0.2)
SCHEMA = ReplySchema("probe", {"type": "object", "properties": {"code": {"type": "string"}}})


def caller(stub: Stub, pace: Pace = QUICK, **settings: object) -> ModelCaller:
    return ModelCaller(stub.name, ModelSettings.model_validate(settings), pace, proven=True)


def asked(made: ModelCaller, prompt: Prompt = ASK, images: dict[str, bytes] | None = None) -> Reply:
    load = None if images is None else images.__getitem__
    return asyncio.run(made.call("unit", prompt, load, SCHEMA, Stage.CONCLUSION))


def test_a_call_brings_the_text_and_the_tokens(stub: Stub) -> None:
    reply = asked(caller(stub))
    assert reply.text == '{"code": "abcd-1234"}'
    assert (reply.finish, reply.attempts) == (Finish.STOP, 1)
    assert (reply.output_tokens, reply.cached_tokens, reply.reasoning_tokens) == (5, 3, 2)
    # 25 letters and signs of "Answer." and "The code is abcd-." at two a token.
    assert reply.input_tokens == 12
    assert reply.provider_seconds > 0


def test_a_unit_id_is_never_sent(stub: Stub) -> None:
    asyncio.run(caller(stub).call("secret-case-17", ASK, None, SCHEMA, Stage.CONCLUSION))
    assert "secret-case-17" not in str(stub.model.requests)


def test_settings_reach_the_wire(stub: Stub) -> None:
    asked(caller(stub, temperature=0.3, max_tokens=77, seed=5, structured="json_schema"))
    sent = stub.model.requests[0]
    assert (sent["temperature"], sent["seed"]) == (0.3, 5)
    assert 77 in (sent.get("max_tokens"), sent.get("max_completion_tokens"))
    assert sent["response_format"]["json_schema"]["schema"] == SCHEMA.schema


def test_settings_survive_a_manifest() -> None:
    settings = ModelSettings(temperature=None, reasoning_effort="low", structured=Structured.NONE)
    assert ModelSettings.of_record(settings.recorded()) == settings


@pytest.mark.parametrize("fault", ["429", "500", "503", "408", "html", "invalid-utf8", "half-body"])
def test_a_passing_fault_costs_one_more_call(stub: Stub, fault: str) -> None:
    stub.model.faults = deque([fault])
    reply = asked(caller(stub))
    assert reply.text == '{"code": "abcd-1234"}'
    assert reply.attempts == stub.model.calls == 2


@pytest.mark.parametrize(
    "fault", ["429", "500", "503", "408", "html", "truncated-json", "half-body", "empty-choices"]
)
def test_a_lasting_fault_ends_after_the_bound_and_leaves_the_unit_open(
    stub: Stub, fault: str
) -> None:
    stub.model.faults = deque([fault] * 20)
    with pytest.raises(SystemFailureError) as failed:
        asked(caller(stub))
    assert failed.value.failure.failure_class is FailureClass.PROVIDER_ERROR
    assert failed.value.exhausted
    assert stub.model.calls == QUICK.attempts


@pytest.mark.parametrize(
    "provider", ["openai-api/stub", "ollama", "together", "vllm", "openrouter"]
)
def test_no_library_retries_by_itself(
    stub: Stub, monkeypatch: pytest.MonkeyPatch, provider: str
) -> None:
    prefix = provider.partition("/")[0].upper()
    monkeypatch.setenv(f"{prefix}_BASE_URL", f"http://127.0.0.1:{stub.port}/v1")
    monkeypatch.setenv(f"{prefix}_API_KEY", KEY)
    stub.model.faults = deque(["503", "503", "ok"])
    made = ModelCaller(f"{provider}/{MODEL}", ModelSettings(), QUICK, proven=True)
    reply = asked(made)
    assert reply.text == '{"code": "abcd-1234"}'
    assert reply.attempts == stub.model.calls == 3


@pytest.mark.parametrize("fault", ["endless", "hang:3"])
def test_an_answer_without_an_end_is_cut_off(stub: Stub, fault: str) -> None:
    stub.model.faults = deque([fault])
    reply = asked(caller(stub, QUICK.but(attempt_seconds=1)))
    assert reply.attempts >= 2


def test_a_pause_is_at_least_what_the_provider_asks_for(stub: Stub) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    stub.model.faults = deque(["429:7", "503", "503"])
    pace = Pace(attempts=4, first_pause=1, longest_pause=60)
    made = ModelCaller(stub.name, ModelSettings(), pace, sleep=sleep, clock=lambda: sum(slept))
    asked(made)
    assert slept[0] == 7
    assert all(0.75 * 2**n <= pause <= 1.25 * 2**n for n, pause in enumerate(slept[1:], start=1))


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("401", "key"),
        ("403", "does not permit"),
        ("rejects:400:API_key_expired", "set-up"),
        ("404", "no such model"),
        ("quota", "quota is used up"),
    ],
)
def test_what_no_later_call_can_mend_stops_the_run_in_one_line(
    stub: Stub, fault: str, words: str
) -> None:
    stub.model.faults = deque([fault])
    with pytest.raises(ProviderStopError, match=words) as stopped:
        asked(caller(stub))
    assert "\n" not in str(stopped.value)
    assert stub.model.calls == 1


def test_a_rejected_request_is_an_answer_once_the_provider_has_answered(stub: Stub) -> None:
    stub.model.faults = deque(["400", "ok", "too-long-context"])
    made = caller(stub)
    replies = [asked(made), asked(made)]
    assert [reply.finish for reply in replies] == [Finish.REJECTED] * 2
    assert [reply.doubtful for reply in replies] == [True, False]
    assert stub.model.calls == 3, "only a rejection without a reason in the request is doubted"


def test_a_rejection_of_every_request_stops_the_run_at_the_first(stub: Stub) -> None:
    stub.model.faults = deque(["400", "400"])
    with pytest.raises(ProviderStopError, match="even a plain question"):
        asked(caller(stub))


def test_a_rejection_that_cannot_be_told_apart_leaves_the_unit_open(stub: Stub) -> None:
    stub.model.faults = deque(["400", "503", "503", "503"])
    with pytest.raises(SystemFailureError):
        asked(caller(stub))


def test_rejections_of_several_units_in_a_row_stop_the_run(stub: Stub) -> None:
    def of_unit(number: int) -> Reply:
        call = made.call(f"unit-{number}", ASK, None, SCHEMA, Stage.CONCLUSION)
        return asyncio.run(call)

    made = caller(stub, QUICK.but(give_up_after=3))
    stub.model.faults = deque(["400", "ok", "400", "ok"])
    assert [of_unit(1).finish, of_unit(2).finish] == [Finish.REJECTED] * 2
    assert of_unit(3).finish is Finish.STOP
    stub.model.faults = deque(["400", "ok"] * 4)
    assert [of_unit(number).finish for number in (4, 4, 5)] == [Finish.REJECTED] * 3
    with pytest.raises(ProviderStopError, match="3 units in a row were rejected"):
        of_unit(6)


def test_rejections_with_a_reason_of_their_own_never_stop_the_run(stub: Stub) -> None:
    stub.model.faults = deque(["rejects:400:data_inspection_failed"] * 5)
    made = caller(stub, QUICK.but(give_up_after=2))
    assert {asked(made).finish for _ in range(5)} == {Finish.REJECTED}


def test_a_rejected_first_request_stops_the_run(stub: Stub) -> None:
    stub.model.faults = deque(["400"])
    with pytest.raises(ProviderStopError, match="rejects the request"):
        asked(ModelCaller(stub.name, ModelSettings(), QUICK))


def test_questions_that_go_unanswered_in_a_row_end_the_run(stub: Stub) -> None:
    stub.model.faults = deque(["503"] * 50)
    made = caller(stub, QUICK.but(attempts=1, give_up_after=2))
    with pytest.raises(SystemFailureError):
        asked(made)
    with pytest.raises(ProviderStopError, match="the same command goes on"):
        asked(made)


@pytest.mark.parametrize(
    ("fault", "finish"), [("filtered", Finish.REFUSAL), ("length", Finish.LENGTH)]
)
def test_how_a_reply_ended_is_kept(stub: Stub, fault: str, finish: Finish) -> None:
    stub.model.faults = deque([fault])
    assert asked(caller(stub)).finish is finish


def test_an_empty_message_is_an_empty_reply(stub: Stub) -> None:
    stub.model.faults = deque(["null"])
    assert asked(caller(stub)).text == ""


def test_five_megabytes_are_cut_before_anything_is_made_of_them(stub: Stub) -> None:
    stub.model.faults = deque(["five-megabytes"])
    assert len(asked(caller(stub)).text) == MAX_REPLY_CHARACTERS + 1


def test_a_lone_surrogate_comes_through(stub: Stub) -> None:
    stub.model.faults = deque(["surrogate"])
    assert asked(caller(stub)).text == '{"code": "\ud800"}'


def picture(width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (9, 99, 199)).save(out, format="PNG")
    return out.getvalue()


def sent_images(stub: Stub) -> list[bytes]:
    parts = stub.model.requests[-1]["messages"][-1]["content"]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def pictured(*pngs: bytes) -> tuple[Prompt, dict[str, bytes]]:
    parts: list[TextPart | ImagePart] = [TextPart("Look.")]
    parts += [ImagePart(sha256_bytes(png)) for png in pngs]
    return (PromptMessage("user", tuple(parts)),), {sha256_bytes(png): png for png in pngs}


def test_an_image_within_the_limits_is_sent_byte_for_byte(stub: Stub) -> None:
    png = picture(300, 200)
    reply = asked(caller(stub), *pictured(png))
    assert sent_images(stub) == [png]
    assert reply.images_scaled == 0


def test_a_larger_image_is_scaled_and_counted(stub: Stub) -> None:
    reply = asked(caller(stub, image_edge=100), *pictured(picture(300, 200)))
    assert Image.open(io.BytesIO(sent_images(stub)[0])).size == (100, 67)
    assert reply.images_scaled == 1


def test_more_images_than_fit_are_left_out_evenly_and_counted(stub: Stub) -> None:
    pngs = [picture(20 + n, 20) for n in range(5)]
    reply = asked(caller(stub, images=3), *pictured(*pngs))
    assert sent_images(stub) == [pngs[0], pngs[2], pngs[4]]
    assert str(stub.model.requests[-1]).count(LEFT_OUT) == reply.images_left_out == 2


def test_a_spent_budget_stops_before_the_next_call(stub: Stub) -> None:
    account = Account(Budget(max_tokens=10, tokens=9))
    made = ModelCaller(stub.name, ModelSettings(), QUICK, account=account)
    asked(made)
    with pytest.raises(BudgetSpentError, match="--max-tokens is 10"):
        asked(made)
    assert stub.model.calls == 1


def test_no_key_reaches_a_message(stub: Stub, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STUB_API_KEY", "wrong-and-secret")
    with pytest.raises(ProviderStopError) as stopped:
        asked(caller(stub))
    assert "wrong-and-secret" not in str(stopped.value)
    assert KEY not in str(stub.model.requests)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("nobody/model", "no provider 'nobody'"),
        ("openai/", "write it as openai/MODEL"),
        ("openai-api/model", "write it as openai-api/NAME/MODEL"),
        ("sorcery", "no system 'sorcery'"),
    ],
)
def test_a_name_that_means_nothing_is_told_so(name: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        require_known(name)


@pytest.mark.parametrize(
    ("name", "words"),
    [("openai/gpt-x", "OPENAI_API_KEY"), ("openai-api/none/m", "NONE_BASE_URL and NONE_API_KEY")],
)
def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch, name: str, words: str) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    system = make_system(name)
    with pytest.raises(InputError, match=words):
        asyncio.run(system.caller.call("u", ASK, None, None, Stage.RESTORATION))  # type: ignore[attr-defined]


def probed(stub: Stub, **settings: object):
    quick = PROBE_PACE.but(first_pause=0.01)
    return asyncio.run(probe(stub.name, ModelSettings.model_validate(settings), Random(3), quick))


def test_a_probe_reads_both_codes(stub: Stub) -> None:
    found = probed(stub)
    assert found.passed
    assert found.structured is Structured.JSON_SCHEMA
    assert stub.model.calls == 2


@pytest.mark.parametrize(
    ("refused", "settled"),
    [({"json_schema"}, Structured.JSON_OBJECT), ({"json_schema", "json_object"}, Structured.NONE)],
)
def test_a_probe_falls_back_to_the_form_that_is_accepted(
    stub: Stub, refused: set[str], settled: Structured
) -> None:
    stub.model.refused_formats = refused
    found = probed(stub)
    assert found.passed
    assert found.structured is settled
    assert stub.model.calls == 2 + len(refused)


@pytest.mark.parametrize("lack", ["blind", "sightless"])
def test_a_probe_tells_that_images_are_not_seen(stub: Stub, lack: str) -> None:
    setattr(stub.model, lack, True)
    found = probed(stub)
    assert found.follows_contract
    assert not found.sees_images
    assert found.image_detail


def test_a_probe_of_a_silent_provider_ends_in_one_line(stub: Stub) -> None:
    stub.model.faults = deque(["503"] * 50)
    with pytest.raises(ProviderStopError, match="does not answer"):
        probed(stub)


def test_a_probe_is_no_more_patient_than_the_run() -> None:
    asked = probe_pace(Pace(attempts=2, attempt_seconds=4, first_pause=0.5))
    assert (asked.attempts, asked.attempt_seconds, asked.first_pause) == (2, 4, 0.5)
    asked = probe_pace(Pace(attempts=60, attempt_seconds=900))
    assert (asked.at_once, asked.attempts, asked.attempt_seconds) == (1, 3, 120)


@pytest.mark.parametrize("fault", ["429", "503", "half-body", "html"])
def test_a_passing_fault_says_nothing_of_the_model(stub: Stub, fault: str) -> None:
    # The fault strikes the first form twice and then the image twice, of three attempts each.
    stub.model.faults = deque([fault, fault, "ok", fault, fault, "ok"])
    found = probed(stub)
    assert found.passed, found
    assert found.structured is Structured.JSON_SCHEMA


@pytest.mark.parametrize("faults", [["503"] * 3, ["ok", "429", "429", "429"]])
def test_a_lasting_fault_ends_the_probe_with_the_providers_error(
    stub: Stub, faults: list[str]
) -> None:
    stub.model.faults = deque(faults)
    with pytest.raises(ProviderStopError, match="nothing was recorded"):
        probed(stub)


def test_digits_are_drawn_so_that_they_can_be_read() -> None:
    from stub_model import digits

    assert digits(draw_code("0123456789")) == "0123456789"
