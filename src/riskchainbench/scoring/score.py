"""Scores runs: from frozen runs and gold to one `Scores`, the same for any order of the runs."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from riskchainbench import __version__
from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import FAILURES, FailureClass, Stage
from riskchainbench.core.gold import LabelSource
from riskchainbench.core.investigation import Ending
from riskchainbench.models.registry import BUILTIN_NAMES
from riskchainbench.scoring.attribution import attribution
from riskchainbench.scoring.calibrated import brier_tally, calibration_tally, confidence_curves
from riskchainbench.scoring.catalogue import CATALOGUE, ORDER, PRIMARY
from riskchainbench.scoring.comparisons import (
    RowMetric,
    compare,
    detectable,
    reruns,
    row_metric,
    tied_groups,
)
from riskchainbench.scoring.completeness import scored_cases
from riskchainbench.scoring.composition import composition_tallies, gates
from riskchainbench.scoring.evidence import PageOf, in_pixels, no_pages
from riskchainbench.scoring.evidence_tallies import evidence_breakdown, evidence_tallies
from riskchainbench.scoring.frame import DECISIONS, Frame, make_frame
from riskchainbench.scoring.judged import (
    judge_agreement,
    judge_coverage,
    judge_distributions,
    judge_tallies,
)
from riskchainbench.scoring.measure import Engine
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.pages import pages_of
from riskchainbench.scoring.records import (
    Breakdown,
    Completeness,
    Confusion,
    Count,
    Curve,
    Family,
    Header,
    JudgeScores,
    Metric,
    NamedCount,
    Scores,
    ScoreWarning,
    StratumValue,
    SystemKind,
    SystemScores,
    WarningKey,
)
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.strata import StrataTables
from riskchainbench.scoring.tally import Level, Tally
from riskchainbench.scoring.task1 import MessageScore, score_messages, task1_tallies
from riskchainbench.scoring.task2 import (
    CaseScore,
    confusion,
    make_view,
    protocol_tallies,
    score_case,
    view_tallies,
)
from riskchainbench.scoring.trajectories import Price, distributions
from riskchainbench.statistics.bootstrap import DRAWS, named_seed

ORACLE_NAME = "oracle"
FEW_CLUSTERS = 30


@dataclass(frozen=True)
class Options:
    """How to score: `prevalence` re-weights precision, `prices` are by system name.

    Without a `completeness` the loosest that a run was loaded with holds for all.
    """

    completeness: Completeness | None = None
    prevalence: float | None = None
    draws: int = DRAWS
    prices: Mapping[str, Price] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.prevalence is not None and not 0 < self.prevalence < 1:
            raise InputError(f"prevalence {self.prevalence}: give a share between 0 and 1")
        if self.draws < 1:
            raise InputError(f"draws {self.draws}: give at least one")

    def for_runs(self, runs: Sequence[RunData]) -> Completeness:
        """Return how unfinished runs are treated."""
        asked = {run.completeness for run in runs}
        if self.completeness is not None:
            return self.completeness
        loosest = (Completeness.SUBSET, Completeness.INCOMPLETE)
        return next((found for found in loosest if found in asked), Completeness.COMPLETE)


@dataclass(eq=False)
class _Row:
    """One run on its way to `SystemScores`: its units, and the tallies over them."""

    row_id: str
    run: RunData
    messages: tuple[MessageScore, ...] = ()
    cases: tuple[CaseScore, ...] = ()
    tallies: list[Tally] = field(default_factory=list)
    judge_tallies: list[list[Tally]] = field(default_factory=list)
    confusions: tuple[Confusion, ...] = ()
    gated_missing: str | None = None

    @property
    def outcomes(self) -> list[CaseOutcome]:
        return [score.outcome for score in self.cases]


def score(
    bundle: Bundle,
    gold: Gold,
    runs: Sequence[RunData],
    options: Options | None = None,
) -> Scores:
    """Score runs of the same tasks beside each other.

    Args:
        bundle: the frozen benchmark.
        gold: its gold, as `bundle.open_gold` gives it.
        runs: one or more runs, in any order; the result does not depend on it.
        options: how to treat unfinished runs, and what to add.

    Raises:
        InputError: there is no run, two are the same, or one is not whole or not of this bundle.
    """
    with _collection_paused():
        options = options or Options()
        return _score(bundle, gold, runs, options, options.for_runs(runs))


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep the garbage collector from walking all records again and again; none is in a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _score(
    bundle: Bundle,
    gold: Gold,
    runs: Sequence[RunData],
    options: Options,
    completeness: Completeness,
) -> Scores:
    if not runs:
        raise InputError("there is no run to score; name at least one run folder")
    named = _row_ids(runs)
    cases = scored_cases(bundle, gold, runs, completeness)
    page_of = pages_of(bundle)
    frame = make_frame(bundle, gold, cases)
    engine = Engine(frame, bundle.tasks_sha256, options.draws)
    rows = [_tallied(frame, row_id, run, options, page_of) for row_id, run in named]
    tallies = [
        tally for row in rows for each in (row.tallies, *row.judge_tallies) for tally in each
    ]
    measured = engine.measure(tallies, PRIMARY)
    strata = StrataTables(frame, engine).tables([row.tallies for row in rows])
    systems: list[SystemScores] = []
    primary: dict[str, list[RowMetric]] = {metric_id: [] for metric_id in PRIMARY}
    place = 0
    for row, tables in zip(rows, strata, strict=True):
        groups: list[tuple[Metric, ...]] = []
        for each in (row.tallies, *row.judge_tallies):
            groups.append(measured.metrics[place : place + len(each)])
            for index, tally in enumerate(each, start=place):
                if index in measured.drawn:
                    drawn = measured.drawn[index]
                    found = row_metric(frame, row.row_id, row.run.system, tally, drawn)
                    primary[tally.metric_id] += [] if found is None else [found]
            place += len(each)
        systems.append(_system_scores(row, groups, tables, options))
    compared = {metric_id: found for metric_id, found in primary.items() if found}
    comparisons = compare(compared)
    return Scores(
        header=_header(bundle, gold, frame, engine, options, completeness),
        catalogue=CATALOGUE,
        systems=tuple(systems),
        comparisons=comparisons,
        tied_groups=tied_groups(compared, comparisons),
        detectable=detectable(compared),
        reruns=reruns(compared, named_seed(bundle.tasks_sha256, "reruns")),
        judge_agreement=tuple(
            found
            for row in rows
            for found in judge_agreement(row.row_id, row.outcomes, row.run.judges)
        ),
        warnings=tuple(_warnings(frame, rows, systems, completeness)),
    )


def _row_ids(runs: Sequence[RunData]) -> list[tuple[str, RunData]]:
    """Return the runs sorted, each with the id of its row."""
    ordered = sorted(runs, key=lambda run: (run.system, run.repeat))
    names = [run.system for run in ordered]
    named: list[tuple[str, RunData]] = []
    for run in ordered:
        row_id = run.system if names.count(run.system) == 1 else f"{run.system}#{run.repeat}"
        if named and named[-1][0] == row_id:
            raise InputError(
                f"two runs are of {run.system}, repeat {run.repeat}; leave one of them out"
            )
        named.append((row_id, run))
    return named


def _tallied(
    frame: Frame,
    row_id: str,
    run: RunData,
    options: Options,
    page_of: Callable[[str], PageOf],
) -> _Row:
    row = _Row(row_id, run)
    if run.predictions is not None:
        row.messages = score_messages(frame, run)
        row.tallies += task1_tallies(frame, row.messages)
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


def _system_scores(
    row: _Row,
    groups: Sequence[tuple[Metric, ...]],
    strata: tuple[StratumValue, ...],
    options: Options,
) -> SystemScores:
    run, outcomes = row.run, row.outcomes
    return SystemScores(
        row_id=row.row_id,
        name=run.system,
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
    return SystemKind.BASELINE if name in BUILTIN_NAMES else SystemKind.MODEL


def _failures(row: _Row) -> tuple[Breakdown, ...]:
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


def _curves(row: _Row) -> tuple[Curve, ...]:
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


def _header(
    bundle: Bundle,
    gold: Gold,
    frame: Frame,
    engine: Engine,
    options: Options,
    completeness: Completeness,
) -> Header:
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


def _warnings(
    frame: Frame,
    rows: Sequence[_Row],
    systems: Sequence[SystemScores],
    completeness: Completeness,
) -> list[ScoreWarning]:
    found: list[ScoreWarning] = []
    if len(frame.sets) < FEW_CLUSTERS:
        found.append(ScoreWarning(key=WarningKey.FEW_CLUSTERS, detail=str(len(frame.sets))))
    if completeness is Completeness.INCOMPLETE:
        found.append(ScoreWarning(key=WarningKey.INCOMPLETE))
    if completeness is Completeness.SUBSET:
        detail = f"{len(frame.labels)} of {frame.all_websites}"
        found.append(ScoreWarning(key=WarningKey.SUBSET, detail=detail))
    if any(label.source is LabelSource.DESIGNED for label in frame.labels):
        found.append(ScoreWarning(key=WarningKey.UNAUDITED_LABELS))
    constant = max(int(mask.sum()) for mask in frame.gold.values())
    for row, system in zip(rows, systems, strict=True):
        found += _row_warnings(row, system, constant)
    return found


def _row_warnings(row: _Row, system: SystemScores, constant: int) -> list[ScoreWarning]:
    found: list[ScoreWarning] = []
    if row.gated_missing is not None:
        found.append(
            ScoreWarning(key=WarningKey.NO_GATED_VIEW, row_id=row.row_id, detail=row.gated_missing)
        )
    open_units = len(row.run.open_cases) + len(row.run.open_samples)
    if open_units:
        found.append(
            ScoreWarning(key=WarningKey.OPEN_CASES, row_id=row.row_id, detail=str(open_units))
        )
    right = sum(outcome.decision_correct for outcome in row.outcomes)
    if system.kind is SystemKind.MODEL and row.cases and right < constant:
        found.append(
            ScoreWarning(
                key=WarningKey.BEATEN_BY_CONSTANT,
                row_id=row.row_id,
                detail=f"{right} < {constant} of {len(row.cases)}",
            )
        )
    found += [
        ScoreWarning(key=WarningKey.DETERMINISTIC_JUDGE, row_id=row.row_id, detail=judge.judge)
        for judge in row.run.judges
        if judge.deterministic
    ]
    return found
