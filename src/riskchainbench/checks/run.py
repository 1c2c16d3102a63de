"""Checks a submitted run: that its files are whole, untouched and made from one another.

Needs no gold and no browser. It shows that nothing was changed after it was frozen; that the
run was made honestly it cannot show.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from riskchainbench.bundle import Bundle
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.failures import Stage
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Prediction
from riskchainbench.core.stage import (
    SETTINGS,
    RunManifest,
    StageFolder,
    StageManifest,
    StageSettings,
    read_run,
)
from riskchainbench.core.store import Images, read_json, read_jsonl
from riskchainbench.investigation.trajectory import IMAGES, TRAJECTORY, read_trajectory
from riskchainbench.investigation.validator import validate_conclusion
from riskchainbench.judging.read import (
    JUDGMENTS,
    judges_of,
    judging_stage,
    read_judgments,
    unfinished_judges,
)
from riskchainbench.restoration.run import PREDICTIONS


class RunVerification(Record):
    """What was verified. `notes` are no faults, but a reader of the scores should know them."""

    system: str
    repeat: int
    tasks_sha256: Sha256
    predictions: int = 0
    trajectories: int = 0
    conclusions: int = 0
    judgments: int = 0
    images: int = 0
    missing_images: int = 0
    notes: tuple[str, ...] = ()


def verify_run(run: Path, bundle: Bundle | None = None) -> RunVerification:
    """Check every frozen file of a run, and what binds one to another.

    Args:
        run: the run's folder.
        bundle: the benchmark it was made for; with it, units and citations are checked, too.

    Raises:
        InputError: the folder is no run, or a stage is unfinished or cannot be read.
        IntegrityError: a file was changed, lost or made from others than those here.
    """
    manifest = read_run(run)
    if bundle is not None and manifest.tasks_sha256 != bundle.tasks_sha256:
        raise InputError(
            f"{run}: this run was made for tasks {manifest.tasks_sha256[:12]}, the bundle's are "
            f"{bundle.tasks_sha256[:12]}; verify it with the bundle it was made for"
        )
    notes: list[str] = []
    restored = _stage(run, Stage.RESTORATION, manifest, notes)
    investigated = _stage(run, Stage.INVESTIGATION, manifest, notes)
    concluded = _stage(run, Stage.CONCLUSION, manifest, notes)
    if restored is None and investigated is None:
        raise InputError(f"{run}: holds no frozen stage; there is nothing to verify")
    predictions = _predictions(run, bundle) if restored is not None else []
    if restored is not None and bundle is not None:
        notes += _missing(Stage.RESTORATION, restored, predictions, bundle.restoration_tasks)
    if investigated is not None:
        notes += _gated_view(run, restored)
    trajectories = _trajectories(run, investigated, bundle)
    images, missing = _images(run, trajectories)
    if (run / "scores.json").exists():
        notes.append("scores.json tells the gold of every case; leave it out of what you publish")
    if missing:
        notes.append(f"screenshots that are not in the folder: {missing}")
    conclusions = _conclusions(run, concluded, trajectories, investigated, bundle)
    if concluded is not None and bundle is not None:
        notes += _missing(Stage.CONCLUSION, concluded, conclusions, bundle.investigation_tasks)
    notes += [f"judge {name} has not finished" for name in unfinished_judges(run)]
    return RunVerification(
        system=manifest.system,
        repeat=manifest.repeat,
        tasks_sha256=manifest.tasks_sha256,
        predictions=len(predictions),
        trajectories=len(trajectories),
        conclusions=len(conclusions),
        judgments=sum(_judgments(run, name, conclusions, manifest) for name in judges_of(run)),
        images=images,
        missing_images=missing,
        notes=tuple(notes),
    )


def _stage(
    run: Path, stage: Stage, manifest: RunManifest, notes: list[str]
) -> StageManifest | None:
    folder = StageFolder(run / stage)
    if not folder.frozen and not (folder.folder / SETTINGS).exists():
        notes.append(f"there is no {stage} stage")
        return None
    _require_tasks(folder, manifest)
    frozen = folder.verified()
    if frozen.open_units:
        notes.append(f"{stage}: {len(frozen.open_units)} of {frozen.units} units are open")
    return frozen


def _require_tasks(stage: StageFolder, manifest: RunManifest) -> None:
    path = stage.folder / SETTINGS
    if read_json(path, StageSettings).tasks_sha256 != manifest.tasks_sha256:
        raise IntegrityError(f"{path}: begun for other tasks than the run's manifest says")


def _missing(
    stage: Stage, frozen: StageManifest, found: Collection[str], wanted: Iterable[str]
) -> list[str]:
    """Note the units that have no outcome although the stage does not call them open."""
    lost = sorted(set(wanted) - set(found) - set(frozen.open_units))
    if not lost:
        return []
    return [f"{stage}: units without an outcome that are not named as open: {_named(lost)}"]


def _named(units: Sequence[str]) -> str:
    more = f" and {len(units) - 1} more" if len(units) > 1 else ""
    return f"{units[0]}{more}"


def _predictions(run: Path, bundle: Bundle | None) -> list[str]:
    path = run / Stage.RESTORATION / PREDICTIONS
    samples = [record.sample_id for record in read_jsonl(path, Prediction)]
    twice = [sample for sample, times in Counter(samples).items() if times > 1]
    if twice:
        raise IntegrityError(f"{path}: sample {twice[0]} stands there twice")
    if bundle is not None:
        _require_known(path, "sample", set(samples), set(bundle.restoration_tasks))
    return samples


def _require_known(path: Path, unit: str, found: set[str], known: set[str]) -> None:
    strange = sorted(found - known)
    if strange:
        raise IntegrityError(f"{path}: {unit} {strange[0]} is not in the bundle")


def _gated_view(run: Path, restored: StageManifest | None) -> list[str]:
    path = run / Stage.INVESTIGATION / SETTINGS
    before = read_json(path, StageSettings).inputs.get("predictions")
    if before is None:
        return ["no gated view: nothing was restored when the investigation began"]
    if restored is None or restored.files.get(PREDICTIONS) != before:
        return ["no gated view: the predictions are not those the investigation began with"]
    return []


def _trajectories(
    run: Path, investigated: StageManifest | None, bundle: Bundle | None
) -> dict[str, Trajectory]:
    folder = run / Stage.INVESTIGATION
    names = investigated.files if investigated is not None else {}
    cases = [name.removesuffix(f"/{TRAJECTORY}") for name in names if name.endswith(TRAJECTORY)]
    if bundle is not None:
        _require_known(folder, "case", set(cases), set(bundle.investigation_tasks))
    return {case_id: read_trajectory(folder / case_id) for case_id in sorted(cases)}


def _images(run: Path, trajectories: dict[str, Trajectory]) -> tuple[int, int]:
    images = Images(run / IMAGES)
    wanted = {
        step.observation.screenshot
        for trajectory in trajectories.values()
        for step in trajectory.steps
        if step.observation.screenshot is not None
    }
    present = [sha256 for sha256 in sorted(wanted) if images.path(sha256).exists()]
    for sha256 in present:
        images.get(sha256)
    return len(present), len(wanted) - len(present)


def _conclusions(
    run: Path,
    concluded: StageManifest | None,
    trajectories: dict[str, Trajectory],
    investigated: StageManifest | None,
    bundle: Bundle | None,
) -> dict[str, ConclusionRecord]:
    folder = run / Stage.CONCLUSION
    found: dict[str, ConclusionRecord] = {}
    for name in sorted(concluded.files) if concluded is not None else ():
        record = read_json(folder / name, ConclusionRecord)
        trajectory = trajectories.get(record.case_id)
        basis = (investigated.files if investigated is not None else {}).get(
            f"{record.case_id}/{TRAJECTORY}"
        )
        if trajectory is None or basis != record.trajectory_sha256:
            raise IntegrityError(
                f"{folder / name}: made from another trajectory than the frozen one"
            )
        if record.case_id in found:
            raise IntegrityError(f"{folder / name}: case {record.case_id} was concluded twice")
        _require_valid(folder / name, record, trajectory, bundle)
        found[record.case_id] = record
    return found


def _require_valid(
    path: Path, record: ConclusionRecord, trajectory: Trajectory, bundle: Bundle | None
) -> None:
    if record.conclusion is None or bundle is None:
        return
    viewport = bundle.investigation_tasks[record.case_id].viewport
    validity = validate_conclusion(trajectory, record.conclusion, viewport)
    if validity.failure is not None:
        raise IntegrityError(f"{path}: kept as valid, but {validity.failure.detail}")
    made = record.conclusion
    if not bundle.codebook.fits(made.decision, made.violation_type):
        raise IntegrityError(
            f"{path}: kept as valid, but the codebook {bundle.codebook.codebook_id} knows no type "
            f"{made.violation_type}"
        )


def _judgments(
    run: Path, judge: str, conclusions: dict[str, ConclusionRecord], manifest: RunManifest
) -> int:
    _require_tasks(judging_stage(run, judge), manifest)
    _, records = read_judgments(run, judge)
    for case_id, record in sorted(records.items()):
        concluded = conclusions.get(case_id)
        judged = concluded.conclusion if concluded is not None else None
        if judged is None or sha256_text(judged.to_json()) != record.conclusion_sha256:
            raise IntegrityError(
                f"{judging_stage(run, judge).folder / JUDGMENTS}: case {case_id} was judged on "
                "another conclusion than the frozen one"
            )
    return len(records)
