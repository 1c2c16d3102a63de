"""People's ratings of evidence, frozen into the runs beside the judges' scores.

They stand there as two judges, the first and the second rating of each conclusion, so that
scores and report compare people with each other and with any judge by the one way they have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from riskchainbench.annotation.evidence_audit import RATERS, EvidenceAudit, ratings
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import EvidenceRating
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Stage
from riskchainbench.core.stage import StageSettings
from riskchainbench.core.store import jsonl_bytes
from riskchainbench.judging.read import JUDGMENTS, judging_stage
from riskchainbench.judging.records import (
    DIMENSIONS,
    DimensionScore,
    JudgeScores,
    JudgmentRecord,
)
from riskchainbench.judging.run import Frozen, frozen_conclusions

PLACES = ("first", "second")


def freeze_ratings(project: Project, audit: EvidenceAudit) -> Mapping[Path, tuple[int, ...]]:
    """Write the ratings into the runs and return how many first and second ones each got.

    Raises:
        InputError: nobody has rated anything, or a run holds people's ratings already.
        IntegrityError: an entry of the ledger was changed.
    """
    project.store.verify()
    rated = {item: tuple(by.values()) for item, by in ratings(project).items() if audit.item(item)}
    if not rated:
        raise InputError(f"{project.folder}: nobody has rated any of these conclusions yet")
    runs = sorted({audit.items[item].run for item in rated})
    who = "simulated people" if project.settings.simulated else "people"
    for run in runs:
        for place in range(RATERS):
            stage = judging_stage(run, _name(who, place))
            if stage.folder.exists():
                raise InputError(
                    f"{stage.folder}: holds people's ratings already; remove that folder to "
                    "write them anew"
                )
    return {run: tuple(_freeze(audit, rated, run, who)) for run in runs}


def _name(who: str, place: int) -> str:
    return f"{who.replace(' ', '-')}-{place + 1}"


def _freeze(
    audit: EvidenceAudit, rated: Mapping[str, Sequence[EvidenceRating]], run: Path, who: str
) -> list[int]:
    frozen = {each.case_id: each for each in frozen_conclusions(run)}
    counts: list[int] = []
    for place in range(RATERS):
        records = sorted(
            (
                _record(frozen[audit.items[item].case_id], given[place])
                for item, given in rated.items()
                if audit.items[item].run == run and len(given) > place
            ),
            key=lambda record: record.case_id,
        )
        counts.append(len(records))
        if records:
            _write(audit, run, _name(who, place), f"{who}, {PLACES[place]} rating", records)
    return counts


def _record(frozen: Frozen, rating: EvidenceRating) -> JudgmentRecord:
    scores = {
        name: DimensionScore(score=rating.scores[name], reason=rating.reasons.get(name, ""))
        for name in DIMENSIONS
    }
    return JudgmentRecord(
        case_id=frozen.case_id,
        trajectory_sha256=frozen.trajectory_sha256,
        conclusion_sha256=frozen.conclusion_sha256,
        scores=JudgeScores.model_validate(scores),
    )


def _write(
    audit: EvidenceAudit, run: Path, judge: str, title: str, records: Sequence[JudgmentRecord]
) -> None:
    stage = judging_stage(run, judge)
    stage.begin(
        StageSettings(
            stage=Stage.JUDGING,
            tasks_sha256=audit.tasks_sha256,
            inputs={},
            settings={"judge": judge, "rubric_sha256": audit.rubric.sha256},
        )
    )
    stage.freeze(
        Stage.JUDGING,
        {JUDGMENTS: jsonl_bytes(records)},
        units=len(records),
        notes={"judge": judge, "title": title, "deterministic": False},
    )
