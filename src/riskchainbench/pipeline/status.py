"""How far runs are, read from what stands on the disk, never from what a run said of itself."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.record import Record
from riskchainbench.core.stage import MANIFEST, RunManifest, StageFolder, read_run
from riskchainbench.core.store import Log
from riskchainbench.investigation.trajectory import TRAJECTORY
from riskchainbench.models.provider.prices import PriceList
from riskchainbench.pipeline.asking import base_name
from riskchainbench.pipeline.spending import Spending, run_spending

JUDGED_BY = f"{Stage.JUDGING} by "
"""What the name of a judge's stage starts with; the judge's own name follows."""
_LOGS = {Stage.RESTORATION: "predictions", Stage.JUDGING: "judgments"}


class StageStatus(Record):
    """How far one stage is; `units` is None until it is frozen, `open` counts failed units."""

    stage: str
    begun: bool
    frozen: bool
    done: int
    units: int | None = None
    open: int = 0

    @property
    def told(self) -> str:
        """The status in a few characters."""
        if not self.begun:
            return "-"
        if self.units is None:
            return f"{self.done}…"
        return f"{self.done}/{self.units}" + (f" ({self.open} open)" if self.open else "")


class RunStatus(Record):
    """How far one run is and what it spent, its judges apart."""

    run: str
    system: str
    repeat: int
    stages: tuple[StageStatus, ...]
    spending: Spending
    judge_spending: Spending


def status(runs: Path, prices: PriceList) -> list[RunStatus]:
    """Return the status of every run in `runs` or below it, by path.

    Raises:
        InputError: there is no run.
    """
    found = sorted(path.parent for path in runs.rglob(MANIFEST) if _is_run(path))
    if not found:
        raise InputError(f"{runs}: holds no run; make one with riskchain eval")
    return [_status(path, runs, prices) for path in found]


def _is_run(manifest: Path) -> bool:
    try:
        read_run(manifest.parent)
    except InputError:
        return False
    return True


def _status(run: Path, runs: Path, prices: PriceList) -> RunStatus:
    manifest: RunManifest = read_run(run)
    judges = sorted(path for path in (run / Stage.JUDGING).glob("*") if StageFolder(path).begun)
    stages = [
        _stage(Stage.RESTORATION, run / Stage.RESTORATION),
        _stage(Stage.INVESTIGATION, run / Stage.INVESTIGATION),
        _stage(Stage.CONCLUSION, run / Stage.CONCLUSION),
        *[_stage(Stage.JUDGING, folder) for folder in judges],
    ]
    spent = run_spending(run, base_name(manifest), prices)
    own = [each.spending for each in spent if not each.stage.startswith(Stage.JUDGING)]
    others = [each.spending for each in spent if each.stage.startswith(Stage.JUDGING)]
    return RunStatus(
        run=run.relative_to(runs).as_posix(),
        system=manifest.system,
        repeat=manifest.repeat,
        stages=tuple(stages),
        spending=Spending.total(own),
        judge_spending=Spending.total(others),
    )


def _stage(stage: Stage, folder: Path) -> StageStatus:
    kept = StageFolder(folder)
    name = stage.value
    if stage is Stage.JUDGING:
        name = f"{JUDGED_BY}{folder.name.replace('--', '/')}"
    if not kept.begun:
        return StageStatus(stage=name, begun=False, frozen=False, done=0)
    if kept.frozen:
        manifest = kept.manifest()
        return StageStatus(
            stage=name,
            begun=True,
            frozen=True,
            done=manifest.units - len(manifest.open_units),
            units=manifest.units,
            open=len(manifest.open_units),
        )
    return StageStatus(stage=name, begun=True, frozen=False, done=_done(stage, folder))


def _done(stage: Stage, folder: Path) -> int:
    if stage in _LOGS:
        path = folder / "work" / f"{_LOGS[stage]}.jsonl"
        return sum(1 for _ in Log(path)) if path.exists() else 0
    if stage is Stage.INVESTIGATION:
        return sum(1 for _ in folder.glob(f"*/{TRAJECTORY}"))
    return sum(path.name not in ("settings.json", MANIFEST) for path in folder.glob("*.json"))
