"""The restoration stage: frozen, resumable, open where the system failed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from riskchainbench.core.errors import DriftError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.restoration import (
    Intent,
    Message,
    Prediction,
    RestorationTask,
    Surface,
)
from riskchainbench.core.store import read_jsonl
from riskchainbench.core.system import AnyRequest, Reply, RestorationRequest
from riskchainbench.models.registry import make_system
from riskchainbench.restoration.prompts import build_request, instruction
from riskchainbench.restoration.run import restore

TASKS_SHA256 = "a" * 64


def task(sample_id: str, content: str) -> RestorationTask:
    return RestorationTask(
        sample_id=sample_id,
        platform="qq",
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=content),),
    )


TASKS = {name: task(name, f"去 {name}.aa.test 看看") for name in ("mb", "ma", "mc")}


class Stub:
    """Echoes the message; fails as often as told, then answers."""

    name = "stub"

    def __init__(self, failing: int = 0, text: str | None = None) -> None:
        self.failing = failing
        self.text = text
        self.calls: list[str] = []

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        return {}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        assert isinstance(request, RestorationRequest)
        self.calls.append(unit_id)
        if self.failing:
            self.failing -= 1
            raise SystemFailureError(
                Failure(failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.RESTORATION)
            )
        content = request.task.messages[0].content
        return Reply(
            text=self.text
            or f'{{"messages":[{{"message_id":"m1","text":"{content}"}}],"intent":"OPEN_SITE"}}'
        )


async def run(folder: Path, system: object, **options: object) -> None:
    await restore(TASKS, TASKS_SHA256, folder, system, language="en", **options)  # type: ignore[arg-type]


def predictions(folder: Path) -> list[Prediction]:
    return read_jsonl(folder / "restoration" / "predictions.jsonl", Prediction)


async def test_predictions_are_frozen_in_order(tmp_path: Path) -> None:
    await run(tmp_path, Stub())
    found = predictions(tmp_path)
    assert [prediction.sample_id for prediction in found] == ["ma", "mb", "mc"]
    assert found[0].restoration is not None
    assert found[0].restoration.intent is Intent.OPEN_SITE


async def test_a_finished_stage_asks_nothing(tmp_path: Path) -> None:
    await run(tmp_path, Stub())
    before = (tmp_path / "restoration" / "predictions.jsonl").read_bytes()
    again = Stub()
    await run(tmp_path, again)
    assert again.calls == []
    assert (tmp_path / "restoration" / "predictions.jsonl").read_bytes() == before


async def test_a_system_failure_is_retried(tmp_path: Path) -> None:
    system = Stub(failing=2)
    await run(tmp_path, system, concurrency=1)
    assert system.calls == ["ma", "ma", "ma", "mb", "mc"]
    assert len(predictions(tmp_path)) == 3


async def test_a_unit_stays_open_and_is_tried_again_on_resume(tmp_path: Path) -> None:
    await run(tmp_path, Stub(failing=3), concurrency=1)
    assert [prediction.sample_id for prediction in predictions(tmp_path)] == ["mb", "mc"]
    system = Stub()
    await run(tmp_path, system)
    assert system.calls == ["ma"]
    assert len(predictions(tmp_path)) == 3


async def test_an_invalid_output_is_a_failure_of_the_model(tmp_path: Path) -> None:
    await run(tmp_path, Stub(text="no"))
    failures = [prediction.failure for prediction in predictions(tmp_path)]
    assert [f.failure_class for f in failures if f] == [FailureClass.NO_JSON] * 3


async def test_other_settings_are_refused(tmp_path: Path) -> None:
    await run(tmp_path, Stub())
    with pytest.raises(DriftError, match="repairs: 2 then, 0 now"):
        await run(tmp_path, Stub(), repairs=0)


async def test_a_torn_log_loses_only_the_torn_unit(tmp_path: Path) -> None:
    await run(tmp_path, Stub())
    work = tmp_path / "restoration" / "work" / "predictions.jsonl"
    work.write_bytes(work.read_bytes()[:-5])
    (tmp_path / "restoration" / "manifest.json").unlink()
    again = Stub()
    await run(tmp_path, again)
    assert again.calls == []
    assert len(predictions(tmp_path)) == 3


@pytest.mark.parametrize("language", ["zh-CN", "en"])
def test_the_prompt_holds_the_message_and_no_id_of_the_sample(language: str) -> None:
    request = build_request(TASKS["ma"], language)
    text = str(request.prompt)
    assert TASKS["ma"].messages[0].content in text
    assert instruction(language) in request.prompt[0].parts[0].text  # type: ignore[union-attr]
    assert "'ma'" not in text
    assert '"ma"' not in text


@pytest.mark.parametrize("name", ["random", "always-violation", "always-insufficient"])
async def test_built_in_systems_keep_the_contract(name: str, tmp_path: Path) -> None:
    await run(tmp_path, make_system(name))
    assert all(prediction.restoration is not None for prediction in predictions(tmp_path))
