"""The head of scores: what was scored, and the warnings that go with it."""

from __future__ import annotations

from collections.abc import Sequence

from riskchainbench import __version__
from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.gold import LabelSource
from riskchainbench.scoring.frame import DECISIONS, Frame
from riskchainbench.scoring.measure import Engine
from riskchainbench.scoring.options import Options
from riskchainbench.scoring.records import (
    Completeness,
    Count,
    Header,
    NamedCount,
    ScoreWarning,
    SystemKind,
    SystemScores,
    WarningKey,
)
from riskchainbench.scoring.rows import Row

FEW_CLUSTERS = 30


def make_header(
    bundle: Bundle,
    gold: Gold,
    frame: Frame,
    engine: Engine,
    options: Options,
    completeness: Completeness,
) -> Header:
    """Say what was scored, under which labels and draws."""
    sites = len(frame.labels)
    sources = [label.source for label in frame.labels]
    return Header(
        tasks_sha256=bundle.tasks_sha256,
        gold_sha256=gold.gold_sha256,
        label_sources=tuple(
            NamedCount(key=s, count=Count(numerator=sources.count(s), denominator=sites))
            for s in LabelSource
            if s in sources
        ),
        label_audit=gold.label_audit,
        gold_decisions=tuple(
            NamedCount(key=d, count=Count(numerator=int(frame.gold[d].sum()), denominator=sites))
            for d in DECISIONS
        ),
        codebook_id=frame.codebook.codebook_id,
        codebook_version=frame.codebook.version,
        codebook_sha256=frame.codebook.sha256,
        violation_types=frame.codebook.type_ids,
        supported_types=frame.supported_types,
        websites=sites,
        all_websites=frame.all_websites,
        messages=len(frame.samples),
        all_messages=frame.all_messages,
        contrast_sets=len(frame.sets),
        draws=options.draws,
        draws_sha256=engine.draws_sha256,
        completeness=completeness,
        prevalence=options.prevalence,
        version=__version__,
    )


def make_warnings(
    frame: Frame,
    rows: Sequence[Row],
    systems: Sequence[SystemScores],
    completeness: Completeness,
) -> list[ScoreWarning]:
    """Return what a reader has to be told beside the tables."""
    found: list[ScoreWarning] = []
    if len(frame.sets) < FEW_CLUSTERS:
        found.append(ScoreWarning(key=WarningKey.FEW_CLUSTERS, detail=str(len(frame.sets))))
    if completeness is Completeness.INCOMPLETE:
        found.append(ScoreWarning(key=WarningKey.INCOMPLETE))
    if completeness is Completeness.SUBSET:
        detail = f"{len(frame.labels)}/{frame.all_websites}"
        found.append(ScoreWarning(key=WarningKey.SUBSET, detail=detail))
    if any(label.source is LabelSource.DESIGNED for label in frame.labels):
        found.append(ScoreWarning(key=WarningKey.UNAUDITED_LABELS))
    constant = max(int(mask.sum()) for mask in frame.gold.values())
    for row, system in zip(rows, systems, strict=True):
        found += _row_warnings(row, system, constant)
    return found


def _row_warnings(row: Row, system: SystemScores, constant: int) -> list[ScoreWarning]:
    found: list[ScoreWarning] = []
    if row.gated_missing is not None:
        found.append(
            ScoreWarning(key=WarningKey.NO_GATED_VIEW, row_id=row.row_id, detail=row.gated_missing)
        )
    open_units = {*row.run.open_cases, *row.run.open_samples}
    failed = len(open_units & row.run.failed_units)
    for key, units in (
        (WarningKey.OPEN_CASES, failed),
        (WarningKey.NOT_RUN, len(open_units) - failed),
    ):
        if units:
            found.append(ScoreWarning(key=key, row_id=row.row_id, detail=str(units)))
    right = sum(outcome.decision_correct for outcome in row.outcomes)
    if system.kind is SystemKind.MODEL and row.cases and right < constant:
        found.append(
            ScoreWarning(
                key=WarningKey.BEATEN_BY_CONSTANT,
                row_id=row.row_id,
                detail=f"{right}/{len(row.cases)} < {constant}/{len(row.cases)}",
            )
        )
    found += [
        ScoreWarning(key=WarningKey.DETERMINISTIC_JUDGE, row_id=row.row_id, detail=judge.judge)
        for judge in row.run.judges
        if judge.deterministic
    ]
    found += [
        ScoreWarning(key=WarningKey.UNFINISHED_JUDGE, row_id=row.row_id, detail=judge)
        for judge in row.run.unfinished_judges
    ]
    return found
