"""Rejections without a reason: whose fault they are, and what stays open until it is known."""

from __future__ import annotations

from collections import deque
from pathlib import Path

import pytest
from stub_fixtures import Stub

from riskchainbench.core.failures import FailureClass
from riskchainbench.core.restoration import Message, Prediction, RestorationTask, Surface
from riskchainbench.core.stage import StageFolder, StageManifest
from riskchainbench.core.store import read_jsonl
from riskchainbench.core.units import SetAsideError, run_all
from riskchainbench.models.doubts import Doubts
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.settings import ModelSettings, Pace
from riskchainbench.models.provider.system import ModelSystem
from riskchainbench.restoration.run import restore

pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")

QUICK = Pace(at_once=1, attempts=2, first_pause=0.01, give_up_after=3)
NAMES = [f"s{number}" for number in range(6)]


def tasks(*names: str) -> dict[str, RestorationTask]:
    return {
        name: RestorationTask(
            sample_id=name,
            platform="weibo",
            surface=Surface.COMMENT,
            messages=(Message(message_id="m1", content=f"看主页 {name}"),),
        )
        for name in names
    }


async def run(folder: Path, stub: Stub, *names: str, pace: Pace = QUICK) -> StageManifest:
    caller = ModelCaller(stub.name, ModelSettings(), pace, proven=True)
    return await restore(
        tasks(*names), "0" * 64, folder, ModelSystem(caller), language="en", concurrency=1
    )


def failures(folder: Path) -> dict[str, FailureClass | None]:
    found = read_jsonl(folder / "restoration" / "predictions.jsonl", Prediction)
    return {each.sample_id: each.failure and each.failure.failure_class for each in found}


async def test_a_wrong_setting_costs_no_unit_however_often_the_run_is_started(
    tmp_path: Path, stub: Stub
) -> None:
    # Every question is rejected and the plain one after it is answered.
    for _start in range(3):
        stub.model.faults = deque(["400", "ok"] * 3)
        with pytest.raises(ProviderStopError, match="3 units in a row were rejected"):
            await run(tmp_path, stub, *NAMES)
    assert not list(StageFolder(tmp_path / "restoration").log("predictions"))
    manifest = await run(tmp_path, stub, *NAMES)
    assert manifest.open_units == ()
    assert failures(tmp_path) == dict.fromkeys(NAMES)


async def test_a_rejection_among_answers_is_asked_again_at_the_end_and_then_final(
    tmp_path: Path, stub: Stub
) -> None:
    stub.model.rejected = {"s1", "s3"}
    manifest = await run(tmp_path, stub, *NAMES)
    assert manifest.open_units == ()
    rejected = FailureClass.REQUEST_REJECTED
    assert failures(tmp_path) == {**dict.fromkeys(NAMES), "s1": rejected, "s3": rejected}
    # Four answers, and twice for each of two units a rejection and a plain question.
    assert stub.model.calls == 4 + 2 * 4
    await run(tmp_path, stub, *NAMES)
    assert stub.model.calls == 12


async def test_units_set_aside_at_the_end_do_not_count_as_rejected_in_a_row(
    tmp_path: Path, stub: Stub
) -> None:
    stub.model.rejected = {"s0", "s2", "s4"}
    manifest = await run(tmp_path, stub, *NAMES)
    assert manifest.open_units == ()
    assert sum(failure is not None for failure in failures(tmp_path).values()) == 3


async def test_a_unit_with_nothing_to_compare_it_with_stays_open(
    tmp_path: Path, stub: Stub
) -> None:
    stub.model.rejected = {"s0"}
    manifest = await run(tmp_path, stub, "s0")
    assert manifest.open_units == ("s0",)
    failure = StageFolder(tmp_path / "restoration").system_failures()["s0"]
    assert failure.failure_class is FailureClass.PROVIDER_ERROR
    assert "no other unit was answered since" in failure.detail


async def test_a_rejection_before_a_kill_is_final_after_it(tmp_path: Path, stub: Stub) -> None:
    stub.model.rejected = {"s0"}
    stub.model.faults = deque(["ok"] * 4 + ["401"])
    with pytest.raises(ProviderStopError):
        await run(tmp_path, stub, *NAMES)
    before = stub.model.calls
    stub.model.faults.clear()
    await run(tmp_path, stub, *NAMES)
    assert failures(tmp_path)["s0"] is FailureClass.REQUEST_REJECTED
    assert stub.model.calls - before == 2 + 3, "the rejection, a plain question, three units"


def test_only_an_answer_to_another_unit_settles_a_doubt() -> None:
    doubts = Doubts()
    doubts.note_answer("b")
    doubts.note_rejection("a")
    doubts.note_answer("a")
    assert not doubts.final("a")
    doubts.note_answer("b")
    assert doubts.final("a")
    doubts.note_rejection("a")
    assert not doubts.final("a")


async def test_what_is_set_aside_is_done_after_all_others() -> None:
    done: list[int] = []

    async def work(unit: int) -> None:
        if unit in (1, 2) and len(done) < 3:
            raise SetAsideError
        done.append(unit)

    await run_all(range(5), work, concurrency=1)
    assert done == [0, 3, 4, 1, 2]
