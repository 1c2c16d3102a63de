"""The investigation and conclusion stages: resume, drift, open cases, freezing."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from investigation_world import (
    BROWSER,
    CLICK,
    CODEBOOK,
    RULES,
    STOP,
    TASKS_SHA256,
    FakeEnv,
    FakePool,
    FakeVisits,
    Scripted,
    task,
)

from riskchainbench.browser.settings import Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core import store
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import DriftError, InputError, IntegrityError
from riskchainbench.core.failures import (
    FAILURES,
    Failure,
    FailureClass,
    Owner,
    Stage,
    SystemFailureError,
)
from riskchainbench.core.investigation import Action
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import StorageError, read_json
from riskchainbench.core.system import AnyRequest
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate
from riskchainbench.investigation.trajectory import read_trajectory

TASKS = {f"c{number}": task(f"c{number}") for number in range(1, 5)}


async def run_stage(run: Path, system: Scripted, **options: Any) -> StageManifest:
    env = options.pop("env", None)
    visits = options.pop("visits", None) or FakeVisits()
    rules = options.pop("rules", RULES)
    return await investigate(
        TASKS,
        TASKS_SHA256,
        CODEBOOK,
        run,
        system,
        FakePool(env),
        visits,
        BROWSER,
        rules,
        **options,
    )


async def run_conclusions(run: Path, system: Scripted) -> StageManifest:
    return await conclude(TASKS, TASKS_SHA256, CODEBOOK, run, system, RULES)


def record(run: Path, case_id: str) -> ConclusionRecord:
    return read_json(run / "conclusion" / f"{case_id}.json", ConclusionRecord)


class Kill(Exception):  # noqa: N818
    """Stands for kill -9: nothing in the stage catches it."""


async def test_every_case_is_investigated_once_and_frozen(tmp_path: Path) -> None:
    visits = FakeVisits()
    manifest = await run_stage(tmp_path, Scripted(CLICK, STOP), visits=visits, workers=3)
    assert sorted(visits.opened) == sorted(TASKS)
    assert visits.closed == 4
    assert manifest.open_units == ()
    assert len(manifest.files) == 8
    assert len(read_trajectory(tmp_path / "investigation" / "c1").steps) == 2


async def test_freezing_holds_and_writes_no_trajectory_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    real = store.write_atomic

    def noting(path: Path, data: bytes) -> None:
        written.append(path.name)
        real(path, data)

    for module in ("core.store", "core.stage", "investigation.trajectory"):
        monkeypatch.setattr(f"riskchainbench.{module}.write_atomic", noting)
    manifest = await run_stage(tmp_path, Scripted(CLICK, STOP))
    await run_conclusions(tmp_path, Scripted(CLICK, STOP))
    assert written.count("trajectory.jsonl") == len(TASKS)
    assert written.count("c1.json") == 1
    assert StageFolder(tmp_path / "investigation").verified() == manifest


async def test_a_finished_stage_does_nothing(tmp_path: Path) -> None:
    first = await run_stage(tmp_path, Scripted(CLICK, STOP))
    visits = FakeVisits()
    assert await run_stage(tmp_path, Scripted(CLICK, STOP), visits=visits) == first
    assert visits.opened == []


async def test_a_killed_stage_goes_on_where_it_stopped(tmp_path: Path) -> None:
    seen: list[AnyRequest] = []

    def die(request: AnyRequest) -> None:
        seen.append(request)
        if len(seen) == 6:
            raise Kill

    with pytest.raises(Kill):
        await run_stage(tmp_path, Scripted(CLICK, STOP, before=die))
    (tmp_path / "investigation" / "c2" / ".writing-x").parent.mkdir(exist_ok=True)
    (tmp_path / "investigation" / "c2" / ".writing-x").write_text("half")
    visits = FakeVisits()
    manifest = await run_stage(tmp_path, Scripted(CLICK, STOP), visits=visits)
    assert visits.opened == ["c3", "c4"]
    assert manifest.units == 4
    assert not list(tmp_path.glob("investigation/*/.writing-*"))


async def test_a_disk_that_fills_while_a_screenshot_is_written_loses_nothing_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, written = store.write_atomic, 0

    def full(path: Path, data: bytes) -> None:
        nonlocal written
        written += path.suffix == ".png"
        if path.suffix == ".png" and written == 3:
            monkeypatch.setattr(store.os, "fsync", out_of_space)
        real(path, data)

    monkeypatch.setattr(store, "write_atomic", full)
    env = NeverTheSame()
    with pytest.raises(StorageError, match="No space left") as stopped:
        await run_stage(tmp_path, Scripted(CLICK, STOP), env=env, workers=1)
    assert FAILURES[stopped.value.failure_class].owner is Owner.SYSTEM
    assert not list(tmp_path.rglob(".writing-*"))
    monkeypatch.undo()
    assert read_trajectory(tmp_path / "investigation" / "c1").steps
    visits = FakeVisits()
    manifest = await run_stage(tmp_path, Scripted(CLICK, STOP), visits=visits)
    assert "c1" not in visits.opened
    assert manifest.open_units == ()


class NeverTheSame(FakeEnv):
    """Every view has a screenshot of its own."""

    shown = 0

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        return (await super().open(visit))[0], self._png()

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        return (await super().act(action))[0], self._png()

    def _png(self) -> bytes:
        self.shown += 1
        return b"picture %d" % self.shown


def out_of_space(_: int) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


async def test_a_limited_run_leaves_the_rest_open(tmp_path: Path) -> None:
    manifest = await run_stage(tmp_path, Scripted(STOP), limit=1)
    assert manifest.open_units == ("c2", "c3", "c4")
    manifest = await run_stage(tmp_path, Scripted(STOP), cases=["c4"])
    assert manifest.open_units == ("c2", "c3")
    manifest = await run_stage(tmp_path, Scripted(STOP))
    assert manifest.open_units == ()


async def test_an_unknown_case_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="c9"):
        await run_stage(tmp_path, Scripted(STOP), cases=["c9"])


async def test_other_settings_are_refused(tmp_path: Path) -> None:
    await run_stage(tmp_path, Scripted(STOP), limit=1)
    with pytest.raises(DriftError, match="repairs"):
        await run_stage(tmp_path, Scripted(STOP), rules=Rules(language="en", repairs=0))
    restoration = StageFolder(tmp_path / "restoration")
    restoration.begin(
        StageSettings(stage="restoration", tasks_sha256="0" * 64, inputs={}, settings={})
    )
    with pytest.raises(InputError, match="not finished"):
        await run_stage(tmp_path, Scripted(STOP))
    restoration.freeze("restoration", {"predictions.jsonl": b"{}\n"}, units=0)
    with pytest.raises(DriftError, match="predictions"):
        await run_stage(tmp_path, Scripted(STOP))


async def test_a_system_failure_is_tried_three_times_and_then_left_open(tmp_path: Path) -> None:
    calls = 0

    def down(_: AnyRequest) -> None:
        nonlocal calls
        calls += 1
        raise SystemFailureError(
            Failure(failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.INVESTIGATION)
        )

    manifest = await run_stage(tmp_path, Scripted(STOP, before=down), cases=["c1"])
    assert calls == 3
    assert "c1" in manifest.open_units
    manifest = await run_stage(tmp_path, Scripted(STOP))
    assert manifest.open_units == ()


async def test_conclusions_are_frozen_with_their_trajectories(tmp_path: Path) -> None:
    system = Scripted(CLICK, STOP)
    await run_stage(tmp_path, system)
    manifest = await run_conclusions(tmp_path, system)
    assert sorted(manifest.files) == ["c1.json", "c2.json", "c3.json", "c4.json"]
    assert record(tmp_path, "c1").conclusion is not None
    assert await run_conclusions(tmp_path, system) == manifest


async def test_a_wrong_citation_is_repaired_or_fails(tmp_path: Path) -> None:
    wrong = json.dumps(
        {
            "decision": "NON_VIOLATION",
            "violation_type": "NONE",
            "rationale": "r",
            "evidence": [{"step": 7, "locator": {"kind": "element", "element_id": "e1"}}],
            "confidence": 1,
        }
    )
    await run_stage(tmp_path, Scripted(STOP))
    await run_conclusions(tmp_path, Scripted("", conclusion=wrong))
    failure = record(tmp_path, "c1").failure
    assert failure is not None
    assert failure.failure_class is FailureClass.UNRESOLVED_CITATION
    assert record(tmp_path, "c1").usage.calls == 3


async def test_a_type_the_policy_lacks_is_refused(tmp_path: Path) -> None:
    wrong = (
        '{"decision": "VIOLATION", "violation_type": "BAD_TASTE", "rationale": "r", "evidence":'
        ' [{"step": 0, "locator": {"kind": "element", "element_id": "e1"}}], "confidence": 1}'
    )
    await run_stage(tmp_path, Scripted(STOP))
    await run_conclusions(tmp_path, Scripted("", conclusion=wrong))
    failure = record(tmp_path, "c1").failure
    assert failure is not None
    assert failure.failure_class is FailureClass.SCHEMA_MISMATCH


async def test_without_a_first_observation_nobody_is_asked(tmp_path: Path) -> None:
    await run_stage(tmp_path, Scripted(), env=FakeEnv(fails={0: FailureClass.PAGE_CRASHED}))
    system = Scripted()
    await run_conclusions(tmp_path, system)
    assert system.requests == []
    failure = record(tmp_path, "c2").failure
    assert failure is not None
    assert failure.failure_class is FailureClass.NO_FIRST_OBSERVATION


async def test_conclusions_need_a_frozen_investigation(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not finished"):
        await run_conclusions(tmp_path, Scripted())


async def test_a_changed_trajectory_is_found(tmp_path: Path) -> None:
    await run_stage(tmp_path, Scripted(STOP))
    path = tmp_path / "investigation" / "c3" / "trajectory.jsonl"
    path.write_text(path.read_text().replace("Text of", "Tale of"))
    with pytest.raises(IntegrityError, match="c3"):
        await run_conclusions(tmp_path, Scripted())
