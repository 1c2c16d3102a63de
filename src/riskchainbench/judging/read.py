"""Where judgments stand in a run, and how frozen ones are read; nothing is judged here."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.core.failures import Stage
from riskchainbench.core.stage import SETTINGS, StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import read_json, read_jsonl
from riskchainbench.judging.records import JudgmentRecord

JUDGMENTS = "judgments.jsonl"


def judging_stage(run: Path, judge: str) -> StageFolder:
    """Return where the work of the judge called `judge` stands."""
    return StageFolder(run / Stage.JUDGING / judge.replace("/", "--"))


def judges_of(run: Path) -> tuple[str, ...]:
    """Return the names of the judges whose judgments of `run` are frozen, sorted."""
    folder = run / Stage.JUDGING
    if not folder.is_dir():
        return ()
    stages = [StageFolder(path) for path in folder.iterdir()]
    return tuple(sorted(str(s.manifest().notes["judge"]) for s in stages if s.frozen))


def unfinished_judges(run: Path) -> tuple[str, ...]:
    """Return the names of the judges that began with `run` and have frozen nothing, sorted."""
    folder = run / Stage.JUDGING
    if not folder.is_dir():
        return ()
    stages = [StageFolder(path) for path in folder.iterdir()]
    return tuple(sorted(_begun_by(each) for each in stages if each.begun and not each.frozen))


def _begun_by(stage: StageFolder) -> str:
    settings = read_json(stage.folder / SETTINGS, StageSettings).settings
    return str(settings.get("judge", stage.folder.name))


def read_judgments(run: Path, judge: str) -> tuple[StageManifest, dict[str, JudgmentRecord]]:
    """Return the manifest and the frozen judgments of one judge, by case.

    The manifest's notes tell the judge's title and whether it is deterministic.

    Raises:
        InputError: that judge's stage is not finished.
        IntegrityError: the judgments were changed.
    """
    stage = judging_stage(run, judge)
    manifest = stage.verified()
    records = read_jsonl(stage.folder / JUDGMENTS, JudgmentRecord)
    return manifest, {record.case_id: record for record in records}
