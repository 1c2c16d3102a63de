"""The conclusion stage: the same system concludes from each frozen trajectory, once."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.conclusion import Conclusion, ConclusionRecord
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import (
    CONCLUSION_TIME_LIMIT,
    InvestigationTask,
    Trajectory,
)
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import Images, write_json
from riskchainbench.core.system import ConclusionRequest, Reply, System
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.ablations import (
    shown_codebook,
    shown_task,
    shown_trajectory,
)
from riskchainbench.investigation.episode import Clock, Rules
from riskchainbench.investigation.prompts import (
    check_language,
    conclusion_request,
    prompts_sha256,
)
from riskchainbench.investigation.trajectory import (
    IMAGES,
    TRAJECTORY,
    read_trajectory,
    trajectory_sha256,
)
from riskchainbench.investigation.validator import validate_conclusion
from riskchainbench.models.ask import ReplyLog, UnitReplies, ask
from riskchainbench.models.extract import extract_object

REQUIRED_KEYS = ("decision", "violation_type", "rationale", "evidence")

Progress = Callable[[int, int], None]
"""Called with the number of conclusions done and the number of all wanted."""


async def conclude(
    tasks: Mapping[str, InvestigationTask],
    tasks_sha256: Sha256,
    codebook: Codebook,
    run: Path,
    system: System,
    rules: Rules,
    *,
    concurrency: int = 8,
    clock: Clock = time.monotonic,
    progress: Progress | None = None,
) -> StageManifest:
    """Ask for a conclusion on every frozen trajectory and freeze ``conclusion/<case>.json``.

    A trajectory that admits no conclusion gets a record with its failure. Cases whose
    investigation is open stay open here.

    Args:
        tasks: the investigation tasks by case id.
        tasks_sha256: the identity of the bundle's tasks.
        codebook: the bundle's.
        run: the run's folder; its investigation has to be frozen.
        system: the system that investigated.
        rules: language and repair turns.
        concurrency: how many conclusions are asked for at once.
        clock: for the time limit.
        progress: told how far the stage is.

    Raises:
        InputError: the investigation is not frozen.
        IntegrityError: a frozen trajectory was changed.
        DriftError: the stage was begun under other settings.
        StorageError: the disk is full; finished conclusions are kept.
    """
    check_language(rules.language, codebook)
    investigation = StageFolder(run / Stage.INVESTIGATION)
    frozen = investigation.verified().files
    ready = [case_id for case_id in sorted(tasks) if f"{case_id}/{TRAJECTORY}" in frozen]
    stage = StageFolder(run / Stage.CONCLUSION)
    stage.begin(_settings(tasks_sha256, codebook, system, rules))
    for path in stage.folder.glob(".writing-*"):
        path.unlink(missing_ok=True)
    images = Images(run / IMAGES)
    replies = ReplyLog(stage.log("replies"))
    todo = [case_id for case_id in ready if not _record(stage, case_id).exists()]
    if not todo and stage.frozen and stage.manifest().files.keys() == set(_names(stage, ready)):
        return stage.manifest()
    finished = len(ready) - len(todo)

    async def work(case_id: str) -> None:
        nonlocal finished
        folder = investigation.folder / case_id
        trajectory = read_trajectory(folder)
        if trajectory_sha256(folder) != frozen[f"{case_id}/{TRAJECTORY}"]:
            raise IntegrityError(f"{folder / TRAJECTORY}: changed after it was frozen")

        async def attempt() -> ConclusionRecord:
            return await conclude_case(
                tasks[case_id],
                trajectory,
                trajectory_sha256(folder),
                codebook,
                system,
                images,
                replies.unit(case_id),
                clock,
                rules,
            )

        outcome = await tried(attempt)
        if isinstance(outcome, Failure):
            stage.note_system_failure(case_id, outcome)
            return
        write_json(_record(stage, case_id), outcome)
        finished += 1
        if progress is not None:
            progress(finished, len(ready))

    await run_all(todo, work, concurrency=concurrency)
    written = _names(stage, ready)
    done = {name.removesuffix(".json") for name in written}
    return stage.freeze(
        Stage.CONCLUSION,
        {},
        written=written,
        units=len(tasks),
        open_units=tuple(sorted(set(tasks) - done)),
        notes={"investigation": investigation.identity()},
    )


async def conclude_case(
    task: InvestigationTask,
    trajectory: Trajectory,
    identity: Sha256,
    codebook: Codebook,
    system: System,
    images: Images,
    replies: UnitReplies,
    clock: Clock,
    rules: Rules,
) -> ConclusionRecord:
    """Ask for one conclusion within its time limit and validate it.

    Args:
        task: the case.
        trajectory: its frozen trajectory.
        identity: the trajectory's SHA-256.
        codebook: the bundle's.
        system: the system that investigated.
        images: the run's screenshots.
        replies: the logged replies of the case.
        clock: for the time limit.
        rules: language and repair turns.

    Raises:
        SystemFailureError: the provider failed; try again.
    """
    if not trajectory.concludable:
        return ConclusionRecord(
            case_id=task.case_id,
            trajectory_sha256=identity,
            conclusion=None,
            failure=_why_not(trajectory),
        )
    started = clock()
    request = conclusion_request(
        shown_task(task, rules.ablations),
        shown_codebook(codebook, rules.ablations),
        shown_trajectory(trajectory, rules.ablations),
        images.get,
        rules.language,
    )

    async def call(question: ConclusionRequest) -> Reply:
        return await system.reply(task.case_id, question)

    def parse(reply: Reply) -> Conclusion | Failure:
        return parse_conclusion(reply, trajectory, task, codebook)

    answer = await ask(
        call,
        request,
        parse,
        replies,
        repairs=rules.repairs,
        language=rules.language,
        remaining=lambda: CONCLUSION_TIME_LIMIT - (clock() - started),
    )
    failure = answer.failure
    if answer.timed_out:
        failure = Failure(
            failure_class=FailureClass.CONCLUSION_TIMEOUT,
            stage=Stage.CONCLUSION,
            detail=f"none within {CONCLUSION_TIME_LIMIT:g} seconds",
        )
    return ConclusionRecord(
        case_id=task.case_id,
        trajectory_sha256=identity,
        conclusion=answer.value,
        failure=failure,
        usage=answer.usage,
        seconds=round(clock() - started, 3),
    )


def parse_conclusion(
    reply: Reply, trajectory: Trajectory, task: InvestigationTask, codebook: Codebook
) -> Conclusion | Failure:
    """Return the valid conclusion in `reply`, or the failure it amounts to."""
    found = extract_object(reply, Conclusion, REQUIRED_KEYS, Stage.CONCLUSION)
    if isinstance(found, Failure):
        return found
    if not codebook.fits(found.decision, found.violation_type):
        return Failure(
            failure_class=FailureClass.SCHEMA_MISMATCH,
            stage=Stage.CONCLUSION,
            detail=f"violation_type: the policy has no type {found.violation_type}",
        )
    return validate_conclusion(trajectory, found, task.viewport).failure or found


def _why_not(trajectory: Trajectory) -> Failure:
    return trajectory.end.failure or Failure(
        failure_class=FailureClass.NO_FIRST_OBSERVATION, stage=Stage.INVESTIGATION
    )


def _record(stage: StageFolder, case_id: str) -> Path:
    return stage.folder / f"{case_id}.json"


def _names(stage: StageFolder, ready: list[str]) -> list[str]:
    return [f"{case_id}.json" for case_id in ready if _record(stage, case_id).exists()]


def _settings(
    tasks_sha256: Sha256, codebook: Codebook, system: System, rules: Rules
) -> StageSettings:
    return StageSettings(
        stage=Stage.CONCLUSION,
        tasks_sha256=tasks_sha256,
        inputs={"codebook": codebook.sha256},
        settings={
            "system": system.name,
            **{f"system.{name}": value for name, value in sorted(system.settings.items())},
            "prompt_language": rules.language,
            "prompts_sha256": prompts_sha256(rules.language),
            "repairs": rules.repairs,
            **rules.recorded,
        },
    )
