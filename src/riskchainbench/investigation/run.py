"""The investigation stage: every case once, its files written when it is done, then frozen.

A kill at any moment loses at most the cases under way; started again, the stage goes on with
them and replays their logged replies while the questions agree.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from riskchainbench.browser.pool import Pool
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, Stage
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import InvestigationTask
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import Images
from riskchainbench.core.system import System
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.episode import Clock, Episode, Rules, run_episode
from riskchainbench.investigation.prompts import check_language, prompts_sha256
from riskchainbench.investigation.trajectory import (
    IMAGES,
    NETWORK,
    TRAJECTORY,
    write_trajectory,
)
from riskchainbench.investigation.visits import Visits
from riskchainbench.models.ask import ReplyLog

PREDICTIONS = Path("restoration") / "predictions.jsonl"

Progress = Callable[[int, int], None]
"""Called with the number of cases done and the number of all wanted."""


async def investigate(
    tasks: Mapping[str, InvestigationTask],
    tasks_sha256: Sha256,
    codebook: Codebook,
    run: Path,
    system: System,
    pool: Pool,
    visits: Visits,
    browser: BrowserSettings,
    rules: Rules,
    *,
    workers: int = 1,
    cases: Iterable[str] | None = None,
    limit: int | None = None,
    clock: Clock = time.monotonic,
    progress: Progress | None = None,
) -> StageManifest:
    """Investigate every wanted case and freeze the stage.

    Cases that are not wanted yet, and those that only system failures kept from an outcome,
    stay open in the manifest; running the stage again takes them up.

    Args:
        tasks: the investigation tasks by case id.
        tasks_sha256: the identity of the bundle's tasks.
        codebook: the bundle's.
        run: the run's folder.
        system: what is evaluated.
        pool: lends environments.
        visits: opens episodes of the websites.
        browser: the settings that the pool was made with.
        rules: how a case is investigated.
        workers: how many cases run at once.
        cases: the wanted cases; all by default.
        limit: stop after so many of the wanted cases, in order of their ids.
        clock: for budgets.
        progress: told how far the stage is.

    Raises:
        DriftError: the stage was begun under other settings or other predictions.
        InputError: a wanted case does not exist.
        StorageError: the disk is full; finished cases are kept.
    """
    check_language(rules.language, codebook)
    stage = StageFolder(run / Stage.INVESTIGATION)
    wanted = wanted_cases(tasks, cases, limit)
    stage.begin(_settings(tasks_sha256, codebook, run, system, browser, rules))
    if stage.complete:
        return stage.manifest()
    _sweep(stage.folder)
    images = Images(run / IMAGES)
    replies = ReplyLog(stage.log("replies"))
    todo = [case_id for case_id in wanted if not _done(stage, case_id)]
    if not todo and stage.frozen and _frozen_all(stage, tasks):
        return stage.manifest()
    finished = len(wanted) - len(todo)

    async def work(case_id: str) -> None:
        nonlocal finished
        outcome = await tried(lambda: attempt(tasks[case_id]))
        if isinstance(outcome, Failure):
            stage.note_system_failure(case_id, outcome)
            return
        write_trajectory(stage.folder / case_id, outcome.trajectory, outcome.network)
        finished += 1
        if progress is not None:
            progress(finished, len(wanted))

    async def attempt(task: InvestigationTask) -> Episode:
        visit = visits.open(task)
        try:
            async with pool.lease() as env:
                return await run_episode(
                    task,
                    visit,
                    env,
                    system,
                    codebook,
                    images,
                    replies.unit(task.case_id),
                    clock,
                    rules,
                )
        finally:
            visits.close(visit)

    await run_all(todo, work, concurrency=workers)
    return _freeze(stage, tasks, browser)


def wanted_cases(
    tasks: Mapping[str, InvestigationTask], cases: Iterable[str] | None, limit: int | None
) -> list[str]:
    """Return the cases to investigate, sorted: the first `limit` of those named, or of all.

    Raises:
        InputError: one that is named is not of the bundle.
    """
    wanted = sorted(tasks if cases is None else set(cases))
    unknown = [case_id for case_id in wanted if case_id not in tasks]
    if unknown:
        raise InputError(f"case {unknown[0]}: the bundle has no such case")
    return wanted[:limit]


def _done(stage: StageFolder, case_id: str) -> bool:
    return (stage.folder / case_id / TRAJECTORY).exists()


def _frozen_all(stage: StageFolder, tasks: Mapping[str, InvestigationTask]) -> bool:
    """Tell whether the manifest names every case that is done."""
    files = stage.manifest().files
    return all(f"{case_id}/{TRAJECTORY}" in files for case_id in tasks if _done(stage, case_id))


def _freeze(
    stage: StageFolder, tasks: Mapping[str, InvestigationTask], browser: BrowserSettings
) -> StageManifest:
    done = [case_id for case_id in sorted(tasks) if _done(stage, case_id)]
    return stage.freeze(
        Stage.INVESTIGATION,
        {},
        written=[f"{case_id}/{name}" for case_id in done for name in (TRAJECTORY, NETWORK)],
        units=len(tasks),
        open_units=tuple(sorted(set(tasks) - set(done))),
        notes={"browser": browser.version},
    )


def _sweep(folder: Path) -> None:
    """Remove what a kill left half written."""
    for path in folder.glob("*/.writing-*"):
        path.unlink(missing_ok=True)


def predictions_sha256(run: Path) -> Sha256 | None:
    """Return the hash of the run's frozen predictions; None if it has none.

    Raises:
        InputError: the restoration was begun and is not finished; browsing now would fix an
            order that its predictions could not keep.
        IntegrityError: the predictions were changed after they were frozen.
    """
    restoration = StageFolder(run / Stage.RESTORATION)
    if not restoration.begun:
        return None
    if not restoration.complete:
        raise InputError(f"{restoration.folder}: not finished; run riskchain restore first")
    return restoration.verified().files[PREDICTIONS.name]


def _settings(
    tasks_sha256: Sha256,
    codebook: Codebook,
    run: Path,
    system: System,
    browser: BrowserSettings,
    rules: Rules,
) -> StageSettings:
    return StageSettings(
        stage=Stage.INVESTIGATION,
        tasks_sha256=tasks_sha256,
        inputs={"predictions": predictions_sha256(run), "codebook": codebook.sha256},
        settings={
            "system": system.name,
            **{f"system.{name}": value for name, value in sorted(system.settings.items())},
            "browser": browser.version,
            "locale": browser.locale,
            "timezone": browser.timezone,
            "prompt_language": rules.language,
            "prompts_sha256": prompts_sha256(rules.language),
            "repairs": rules.repairs,
            "count_provider_time": rules.count_provider_time,
            **rules.recorded,
        },
    )
