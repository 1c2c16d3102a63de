"""One run on its way to a row of the tables: its units, its tallies, its record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from riskchainbench.core.failures import FAILURES, FailureClass, Stage
from riskchainbench.core.investigation import Ending
from riskchainbench.models.registry import BUILTIN_NAMES
from riskchainbench.scoring.attribution import attribution
from riskchainbench.scoring.calibrated import brier_tally, calibration_tally, confidence_curves
from riskchainbench.scoring.catalogue import ORDER
from riskchainbench.scoring.composition import composition_tallies, gates
from riskchainbench.scoring.evidence import PageOf, in_pixels, no_pages
from riskchainbench.scoring.evidence_tallies import evidence_breakdown, evidence_tallies
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.judged import (
    judge_coverage,
    judge_distributions,
    judge_tallies,
)
from riskchainbench.scoring.naming import NamedRun
from riskchainbench.scoring.options import Options
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.people import HUMAN
from riskchainbench.scoring.records import (
    Breakdown,
    Confusion,
    Count,
    Curve,
    Family,
    JudgeScores,
    Metric,
    NamedCount,
    StratumValue,
    SystemKind,
    SystemScores,
)
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.tally import Level, Tally
from riskchainbench.scoring.task1 import (
    MessageScore,
    score_messages,
    task1_failure_tallies,
    task1_tallies,
)
from riskchainbench.scoring.task2 import (
    CaseScore,
    confusion,
    make_view,
    protocol_tallies,
    score_case,
    view_tallies,
)
from riskchainbench.scoring.trajectories import distributions

ORACLE_NAME = "oracle"


@dataclass(eq=False)
class Row:
    """One run on its way to `SystemScores`: its units, and the tallies over them."""

    row_id: str
    name: str
    run: RunData
    messages: tuple[MessageScore, ...] = ()
    cases: tuple[CaseScore, ...] = ()
    tallies: list[Tally] = field(default_factory=list)
    failure_tallies: list[Tally] = field(default_factory=list)
    judge_tallies: list[list[Tally]] = field(default_factory=list)
    confusions: tuple[Confusion, ...] = ()
    gated_missing: str | None = None

    @property
    def outcomes(self) -> list[CaseOutcome]:
        """What became of each website, in the order of the frame."""
        return [score.outcome for score in self.cases]


def tallied(
    frame: Frame,
    named: NamedRun,
    options: Options,
    page_of: Callable[[str], PageOf],
) -> Row:
    """Score every unit of a run and return the tallies over them."""
    run = named.run
    row = Row(named.row_id, named.name, run)
    if run.predictions is not None:
        row.messages = score_messages(frame, run)
        row.tallies += task1_tallies(frame, row.messages)
        row.failure_tallies = task1_failure_tallies(frame, row.messages)
    if run.conclusions is None:
        return row
    row.gated_missing = run.gated_missing
    opened = gates(frame, run)
    row.cases = tuple(
        score_case(
            label,
            components,
            frame.codebook,
            run.trajectory(label.case_id),
            run.conclusions.get(label.case_id),
            gate=opened.get(label.case_id),
            page_of=page_of(label.case_id) if in_pixels(components) else no_pages,
        )
        for label, components in zip(frame.labels, frame.components, strict=True)
    )
    outcomes = row.outcomes
    web_only = make_view(outcomes, Family.WEB_ONLY)
    row.tallies += view_tallies(frame, web_only, options.prevalence)
    row.tallies += protocol_tallies(frame, row.cases)
    row.confusions = (confusion(frame, web_only),)
    if row.gated_missing is None:
        gated = make_view(outcomes, Family.GATED)
        row.tallies += view_tallies(frame, gated, options.prevalence)
        row.tallies += composition_tallies(frame, outcomes, web_only, gated)
        row.confusions = (*row.confusions, confusion(frame, gated))
    row.tallies += evidence_tallies(frame, row.cases)
    confidences = [outcome.confidence for outcome in outcomes]
    right = [outcome.decision_correct for outcome in outcomes]
    row.tallies += [
        brier_tally("calibration.conclusion_brier", Level.CASE, confidences, right),
        calibration_tally("calibration.conclusion_ece", Level.CASE, confidences, right),
    ]
    row.judge_tallies = [judge_tallies(frame, outcomes, judge) for judge in run.judges]
    return row


def system_scores(
    row: Row,
    groups: Sequence[tuple[Metric, ...]],
    strata: tuple[StratumValue, ...],
    options: Options,
) -> SystemScores:
    """Put together what was measured: `groups` are the run's metrics, then each judge's."""
    run, outcomes = row.run, row.outcomes
    return SystemScores(
        row_id=row.row_id,
        name=row.name,
        repeat=run.repeat,
        kind=system_kind(run.system),
        has_task1=run.predictions is not None,
        has_task2=run.conclusions is not None,
        gated_missing=row.gated_missing,
        metrics=tuple(sorted(groups[0], key=lambda metric: ORDER[metric.metric_id])),
        confusions=row.confusions,
        attribution=attribution(outcomes) if outcomes else None,
        evidence=(evidence_breakdown(row.cases),) if outcomes else (),
        failures=_failures(row),
        strata=strata,
        distributions=distributions(
            [score.facts for score in row.cases], options.prices.get(run.system)
        )
        if outcomes
        else (),
        curves=_curves(row),
        judges=tuple(
            JudgeScores(
                judge=judge.judge,
                deterministic=judge.deterministic,
                coverage=judge_coverage(outcomes, judge),
                metrics=metrics,
                distributions=judge_distributions(outcomes, judge),
            )
            for judge, metrics in zip(run.judges, groups[1:], strict=False)
        ),
        cases=tuple(outcomes),
        messages=tuple(score.outcome for score in row.messages),
        predictions_sha256=run.predictions_sha256,
        open_cases=run.open_cases,
    )


def system_kind(name: str) -> SystemKind:
    """Tell what stands behind a system's name."""
    if name == ORACLE_NAME:
        return SystemKind.ORACLE
    if name.startswith(HUMAN):
        return SystemKind.PERSON
    return SystemKind.BASELINE if name in BUILTIN_NAMES else SystemKind.MODEL


def _failures(row: Row) -> tuple[Breakdown, ...]:
    found: list[Breakdown] = []
    if row.messages:
        classes = [score.outcome.failure for score in row.messages]
        known = [c for c in FailureClass if Stage.RESTORATION in FAILURES[c].stages]
        found.append(_counted("task1_failures", classes, known))
    if row.cases:
        stages = {Stage.INVESTIGATION, Stage.CONCLUSION}
        known = [c for c in FailureClass if stages & set(FAILURES[c].stages)]
        found.append(_counted("task2_failures", [o.failure for o in row.outcomes], known))
        found.append(_counted("endings", [o.ending for o in row.outcomes], list(Ending)))
    return tuple(found)


def _counted(
    name: str, values: Sequence[str | None], keys: Sequence[FailureClass] | Sequence[Ending]
) -> Breakdown:
    rows = [
        NamedCount(key=key, count=Count(numerator=values.count(key), denominator=len(values)))
        for key in keys
    ]
    return Breakdown(breakdown_id=name, title_key=name, rows=tuple(rows))


def _curves(row: Row) -> tuple[Curve, ...]:
    entries = confidence_curves(
        "entry",
        [score.confidence for score in row.messages],
        [score.outcome.entry_correct for score in row.messages],
    )
    conclusions = confidence_curves(
        "conclusion",
        [outcome.confidence for outcome in row.outcomes],
        [outcome.decision_correct for outcome in row.outcomes],
    )
    return (*entries, *conclusions)
