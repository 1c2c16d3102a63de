"""A provider that is down for an hour in the middle of each stage, and comes back.

Every second is simulated. The provider refuses connections and answers 503 in turn.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from recorded_pages import BROWSER, CaseVisits, RecordedPool, cases
from simulated_time import Provider, SimulatedLoop

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.failures import FailureClass, Stage
from riskchainbench.core.restoration import Message, Prediction, RestorationTask, Surface
from riskchainbench.core.stage import RunManifest, StageFolder, StageManifest, open_run
from riskchainbench.core.store import Log, read_json, read_jsonl
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate
from riskchainbench.investigation.trajectory import read_trajectory
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.judging.read import judging_stage, read_judgments
from riskchainbench.judging.run import judge
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.settings import ModelSettings, Pace
from riskchainbench.models.provider.system import ModelSystem
from riskchainbench.restoration.run import restore

HOUR = 3600.0
TASKS_SHA256 = "0" * 64
NAME = "openai-api/stub/stub-1"
CASES = cases(16)
MESSAGES = {
    f"s{number:03}": RestorationTask(
        sample_id=f"s{number:03}",
        platform="weibo",
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=f"看主页 kaw{number}x.me.test"),),
    )
    for number in range(80)
}
RULES = Rules(language="en")


class Bundle:
    """What the judging stage asks of a bundle."""

    codebook = default_codebook()
    tasks_sha256 = TASKS_SHA256
    investigation_tasks = CASES


class Run:
    """One run in simulated time; each `start` is a new process's, with a new caller."""

    def __init__(self, folder: Path, loop: SimulatedLoop) -> None:
        self.folder = folder
        self.loop = loop
        self.provider = Provider(loop)
        self.told: set[str] = set()
        open_run(folder, RunManifest(system=NAME, tasks_sha256=TASKS_SHA256, version="0"))

    def start(self, stage: Stage, pace: Pace) -> StageManifest:
        caller = ModelCaller(
            NAME,
            ModelSettings(),
            pace,
            proven=True,
            clock=self.loop.time,
            connect=lambda: self.provider,  # type: ignore[arg-type,return-value]
        )
        return self.loop.run(self._watched(self._stage(stage, caller), caller))

    async def _watched(self, work: Any, caller: ModelCaller) -> StageManifest:
        """Do `work` and note once a second what a progress line would say."""
        doing = asyncio.ensure_future(work)
        while not doing.done():
            await asyncio.wait([doing], timeout=1.0)
            self.told.add(caller.waiting.told())
        result: StageManifest = await doing
        return result

    async def _stage(self, stage: Stage, caller: ModelCaller) -> StageManifest:
        system, codebook = ModelSystem(caller), default_codebook()
        if stage is Stage.RESTORATION:
            return await restore(MESSAGES, TASKS_SHA256, self.folder, system, language="en")
        if stage is Stage.INVESTIGATION:
            return await investigate(
                CASES,
                TASKS_SHA256,
                codebook,
                self.folder,
                system,
                RecordedPool(),
                CaseVisits(),
                BROWSER,
                RULES,
                workers=2,
                clock=self.loop.time,
            )
        if stage is Stage.CONCLUSION:
            return await conclude(
                CASES, TASKS_SHA256, codebook, self.folder, system, RULES, clock=self.loop.time
            )
        return await judge(Bundle(), self.folder, ModelJudge(caller))  # type: ignore[arg-type]

    def replies(self, stage: Stage) -> list[dict[str, Any]]:
        folder = self.of(stage).folder
        return [line for line in Log(folder / "work" / "replies.jsonl") if "text" in line]

    def of(self, stage: Stage) -> StageFolder:
        judged = stage is Stage.JUDGING
        return judging_stage(self.folder, NAME) if judged else StageFolder(self.folder / stage)

    def require_all_sound(self, stage: Stage) -> None:
        """Check that every unit has an outcome, and none a failure."""
        assert self.of(stage).manifest().open_units == ()
        if stage is Stage.RESTORATION:
            found = read_jsonl(self.folder / stage / "predictions.jsonl", Prediction)
            assert [each.failure for each in found] == [None] * len(MESSAGES)
        elif stage is Stage.INVESTIGATION:
            for case_id in CASES:
                end = read_trajectory(self.folder / stage / case_id).end
                assert (end.ending.value, end.failure) == ("stop", None)
        elif stage is Stage.CONCLUSION:
            for case_id in CASES:
                record = read_json(self.folder / stage / f"{case_id}.json", ConclusionRecord)
                assert record.failure is None
        else:
            _, judgments = read_judgments(self.folder, NAME)
            assert all(each.scores is not None for each in judgments.values())
            assert len(judgments) == len(CASES)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    loop = SimulatedLoop()
    yield Run(tmp_path, loop)
    loop.close()


def before(run: Run, stage: Stage) -> None:
    """Do the stages before `stage` undisturbed."""
    for earlier in list(Stage)[: list(Stage).index(stage)]:
        run.start(earlier, Pace())
        run.require_all_sound(earlier)


def require_paid_once(run: Run, stage: Stage, answered_before: int) -> None:
    replies = run.replies(stage)
    assert len({(line["unit"], line["request"]) for line in replies}) == len(replies)
    assert run.provider.answered - answered_before == len(replies)


def ended(run: Run, stage: Stage) -> StageManifest | str:
    """Start the stage and return what it froze, or with which line it stopped."""
    try:
        return run.start(stage, Pace())
    except ProviderStopError as error:
        return str(error)


@pytest.mark.parametrize("stage", list(Stage))
def test_an_hours_outage_ends_the_run_soon_and_the_same_command_goes_on(
    run: Run, stage: Stage
) -> None:
    before(run, stage)
    answered = run.provider.answered
    started = run.loop.time()
    run.provider.go_down(after=8.0, duration=HOUR)
    down_at, up_at = run.provider.down_at, run.provider.up_at
    starts = 1
    while isinstance(line := ended(run, stage), str):
        assert "3 questions in a row went unanswered after 6 attempts each" in line
        assert "the same command goes on" in line
        assert "\n" not in line
        assert run.loop.time() - max(started, down_at) < 120
        run.loop.pass_time(600)
        started = run.loop.time()
        starts += 1
    assert started > up_at
    assert starts == 7, "one when it went down, and one every eleven minutes or so"
    assert run.provider.refused <= 6 * 8 * 6, "six starts, eight calls at once, six attempts"
    run.require_all_sound(stage)
    require_paid_once(run, stage, answered)
    assert any("HTTP 503: overloaded" in told for told in run.told)
    assert any("Connection error" in told for told in run.told)
    assert any("paused, up to" in told for told in run.told)


PATIENT = Pace(attempts=60, give_up_after=100)


@pytest.mark.parametrize("stage", [Stage.RESTORATION, Stage.JUDGING])
def test_a_patient_run_waits_through_it_where_no_clock_runs(run: Run, stage: Stage) -> None:
    before(run, stage)
    answered = run.provider.answered
    run.provider.go_down(after=8.0, duration=HOUR)
    manifest = run.start(stage, PATIENT)
    assert manifest.open_units == ()
    run.require_all_sound(stage)
    require_paid_once(run, stage, answered)
    assert run.provider.refused < 8 * 60, "pauses grow"


@pytest.mark.parametrize("stage", [Stage.INVESTIGATION, Stage.CONCLUSION])
def test_where_a_clock_runs_the_wait_ends_with_it_and_is_the_providers(
    run: Run, stage: Stage
) -> None:
    before(run, stage)
    answered = run.provider.answered
    run.provider.go_down(after=8.0, duration=HOUR)
    manifest = run.start(stage, PATIENT)
    assert manifest.open_units
    failures = run.of(stage).system_failures()
    assert set(failures) == set(manifest.open_units)
    assert {each.failure_class for each in failures.values()} == {FailureClass.PROVIDER_ERROR}
    run.loop.pass_time(HOUR)
    run.start(stage, PATIENT)
    run.require_all_sound(stage)
    require_paid_once(run, stage, answered)
