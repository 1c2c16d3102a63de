"""Reads one run's frozen folder for scoring, checked against its manifests and the bundle."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from riskchainbench.bundle import Bundle
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.failures import Stage
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.investigation import Step, Trajectory, TrajectoryEnd
from riskchainbench.core.restoration import Prediction
from riskchainbench.core.stage import (
    SETTINGS,
    StageFolder,
    StageManifest,
    StageSettings,
    read_run,
)
from riskchainbench.core.store import read_json, read_jsonl
from riskchainbench.investigation.trajectory import TRAJECTORY
from riskchainbench.judging.read import judges_of, read_judgments, unfinished_judges
from riskchainbench.restoration.run import PREDICTIONS
from riskchainbench.scoring.records import Completeness
from riskchainbench.scoring.run import JudgeRun, Judgment, RunData

OF_THE_SYSTEM = ("system", "browser")
"""Settings that say which system ran, or what it ran in, and nothing of the protocol."""


def load_run(
    run: Path, bundle: Bundle, *, incomplete: bool = False, subset: bool = False
) -> RunData:
    """Read the run in the folder `run`.

    Every frozen file is checked against its stage's manifest. Trajectories are read one by one
    when they are asked for, since all of them together are large.

    Args:
        run: the run's folder.
        bundle: the benchmark to score it with.
        incomplete: units without an outcome are to be scored as failures.
        subset: only finished cases are to be scored.

    Raises:
        InputError: the folder is no run, holds nothing to score, is of other tasks, or a stage
            is still going; a case or sample stands twice.
        IntegrityError: a frozen file was changed, or was made from others than those here.
    """
    if incomplete and subset:
        raise InputError("--incomplete and --subset exclude each other; give one of them")
    manifest = read_run(run)
    if manifest.tasks_sha256 != bundle.tasks_sha256:
        raise InputError(
            f"{run}: this run was made for tasks {manifest.tasks_sha256[:12]}, the bundle's are "
            f"{bundle.tasks_sha256[:12]}; score it with the bundle it was made for"
        )
    restoration = _frozen(run / Stage.RESTORATION, bundle)
    investigation = _frozen(run / Stage.INVESTIGATION, bundle)
    conclusion = _frozen(run / Stage.CONCLUSION, bundle)
    if restoration is None and investigation is None:
        raise InputError(f"{run}: nothing to score; run riskchain restore or investigate first")
    if investigation is not None and conclusion is None:
        raise InputError(f"{run}: investigated but not concluded; run riskchain conclude first")
    conclusions = _conclusions(run, conclusion, investigation)
    return RunData(
        system=manifest.system,
        repeat=manifest.repeat,
        predictions=_predictions(run) if restoration is not None else None,
        predictions_sha256=restoration.files[PREDICTIONS] if restoration is not None else None,
        investigated_after=_investigated_after(run) if investigation is not None else None,
        conclusions=conclusions,
        trajectory=lambda case_id: _trajectory(run / Stage.INVESTIGATION / case_id / TRAJECTORY),
        judges=tuple(_judge(run, name, conclusions or {}) for name in judges_of(run)),
        unfinished_judges=unfinished_judges(run),
        open_cases=conclusion.open_units if conclusion is not None else (),
        open_samples=restoration.open_units if restoration is not None else (),
        completeness=_completeness(incomplete=incomplete, subset=subset),
        settings=manifest.system_settings,
        protocol=_protocol(run),
        failed_units=_failed_units(run),
    )


def stage_protocol(run: Path, stage: Stage) -> dict[str, str]:
    """Return the settings of a stage that are of the protocol; none if it is not frozen."""
    if not StageFolder(run / stage).frozen:
        return {}
    settings = read_json(run / stage / SETTINGS, StageSettings).settings
    return {
        name: str(value)
        for name, value in sorted(settings.items())
        if name not in OF_THE_SYSTEM and not name.startswith("system.")
    }


def _protocol(run: Path) -> dict[str, str]:
    """Return the protocol of all stages, each setting once; values that differ are all told."""
    found: dict[str, list[str]] = {}
    for stage in (Stage.RESTORATION, Stage.INVESTIGATION, Stage.CONCLUSION):
        for name, value in stage_protocol(run, stage).items():
            values = found.setdefault(name, [])
            if value not in values:
                values.append(value)
    return {name: " / ".join(values) for name, values in found.items()}


def _failed_units(run: Path) -> frozenset[str]:
    """Return the units that a noted failure of the system itself left open."""
    stages = (Stage.RESTORATION, Stage.INVESTIGATION, Stage.CONCLUSION)
    return frozenset(unit for s in stages for unit in StageFolder(run / s).system_failures())


def _completeness(*, incomplete: bool, subset: bool) -> Completeness:
    if subset:
        return Completeness.SUBSET
    return Completeness.INCOMPLETE if incomplete else Completeness.COMPLETE


def _frozen(folder: Path, bundle: Bundle) -> StageManifest | None:
    """Return the verified manifest of a stage; None if it was never begun."""
    settings = folder / SETTINGS
    stage = StageFolder(folder)
    if not settings.exists() and not stage.frozen:
        return None
    if not stage.frozen:
        raise InputError(f"{folder}: this stage is still going or was stopped; finish it first")
    if read_json(settings, StageSettings).tasks_sha256 != bundle.tasks_sha256:
        raise InputError(f"{settings}: begun for other tasks; score it with its own bundle")
    return stage.verified()


def _predictions(run: Path) -> dict[str, Prediction]:
    path = run / Stage.RESTORATION / PREDICTIONS
    records = read_jsonl(path, Prediction)
    _refuse_twice(path, "sample", (record.sample_id for record in records))
    return {record.sample_id: record for record in records}


def _investigated_after(run: Path) -> Sha256 | None:
    settings = read_json(run / Stage.INVESTIGATION / SETTINGS, StageSettings)
    return settings.inputs.get("predictions")


def _conclusions(
    run: Path, conclusion: StageManifest | None, investigation: StageManifest | None
) -> dict[str, ConclusionRecord] | None:
    if conclusion is None or investigation is None:
        return None
    folder = run / Stage.CONCLUSION
    records = [
        (folder / name, read_json(folder / name, ConclusionRecord))
        for name in sorted(conclusion.files)
    ]
    _refuse_twice(folder, "case", (record.case_id for _, record in records))
    for path, record in records:
        basis = investigation.files.get(f"{record.case_id}/{TRAJECTORY}")
        if basis != record.trajectory_sha256:
            raise IntegrityError(
                f"{path}: concluded from another trajectory than the frozen one of case "
                f"{record.case_id}; run riskchain conclude again"
            )
    return {record.case_id: record for _, record in records}


def _refuse_twice(path: Path, unit: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for found in ids:
        if found in seen:
            raise InputError(f"{path}: {unit} {found} stands here twice; keep one outcome of it")
        seen.add(found)


def _trajectory(path: Path) -> Trajectory | None:
    """Read a trajectory whose bytes were checked against the manifest when the run was loaded."""
    if not path.exists():
        return None
    *steps, end = path.read_bytes().split(b"\n")[:-1]
    try:
        return Trajectory(
            steps=tuple(Step.model_validate_json(line) for line in steps),
            end=TrajectoryEnd.model_validate_json(end),
        )
    except ValidationError as error:
        raise InputError(f"{path}: no trajectory: {error.errors()[0]['msg']}") from error


def _judge(run: Path, name: str, conclusions: dict[str, ConclusionRecord]) -> JudgeRun:
    manifest, records = read_judgments(run, name)
    for case_id, record in sorted(records.items()):
        concluded = conclusions.get(case_id)
        judged = concluded.conclusion if concluded is not None else None
        if judged is None or sha256_text(judged.to_json()) != record.conclusion_sha256:
            raise IntegrityError(
                f"{run}: judge {name} judged another conclusion of case {case_id} than the frozen "
                "one; run riskchain judge again"
            )
    return JudgeRun(
        judge=str(manifest.notes.get("title", name)),
        judgments={
            case_id: Judgment(record.scores.numbers() if record.scores is not None else None)
            for case_id, record in sorted(records.items())
        },
        deterministic=bool(manifest.notes.get("deterministic", False)),
    )
