"""The records of scores.json: what scoring hands to the report. No computation happens here.

The layout is regular so that a table or a heat map can be drawn without knowing the metric:
`Scores.catalogue` describes every metric once, and each system carries its values by id.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.label_audit import LabelAudit
from riskchainbench.core.record import Record
from riskchainbench.scoring.metric import (
    Count,
    Direction,
    Family,
    Interval,
    IntervalKind,
    Metric,
    MetricInfo,
    NamedCount,
    Unit,
)
from riskchainbench.scoring.outcomes import CaseOutcome, MessageOutcome

__all__ = [
    "Count",
    "Direction",
    "Family",
    "Interval",
    "IntervalKind",
    "Metric",
    "MetricInfo",
    "NamedCount",
    "Unit",
]


class Breakdown(Record):
    """Counts that belong together, such as failures by class; `title_key` names the table."""

    breakdown_id: str
    title_key: str
    rows: tuple[NamedCount, ...]


class Confusion(Record):
    """Gold decisions in rows, predicted ones in columns; the last column is ⊥."""

    family: Literal[Family.WEB_ONLY, Family.GATED]
    gold: tuple[Decision, ...]
    predicted: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class StratumValue(Record):
    """One metric on one stratum; greyed where fewer than 30 websites stand in it.

    Only the metrics of `strata.WITH_INTERVAL` have an interval.
    """

    dimension: str
    value: str
    metric_id: str
    websites: int
    count: Count | None = None
    share: float | None = None
    undefined: str | None = None
    interval: Interval | None = None
    greyed: bool = False


class Distribution(Record):
    """How a per-website or per-message quantity is spread over `units` units."""

    distribution_id: str
    title_key: str
    unit: Unit
    units: int
    total: float
    mean: float | None
    median: float | None
    p10: float | None
    p90: float | None
    maximum: float | None


class CurvePoint(Record):
    """One point of a curve."""

    x: float
    y: float
    units: int


class Curve(Record):
    """A curve to draw: `x_key` and `y_key` name the axes."""

    curve_id: str
    title_key: str
    x_key: str
    y_key: str
    points: tuple[CurvePoint, ...]


class JudgeScores(Record):
    """What one judge said of one system; every mean stands beside its coverage.

    `deterministic` marks the built-in rules judge, which validates nothing. `metrics` holds
    the four means and their mean; `distributions` the counts of the scores 1 to 5.
    """

    judge: str
    deterministic: bool
    coverage: Count
    metrics: tuple[Metric, ...]
    distributions: tuple[Breakdown, ...]


class JudgeAgreement(Record):
    """How two judges, or a judge and people, agree on one dimension over one system's runs."""

    system: str
    first: str
    second: str
    dimension: str
    units: int
    quadratic_kappa: float | None
    ordinal_alpha: float | None
    undefined: str | None = None


class SystemKind(StrEnum):
    """What stands behind a row of a table."""

    MODEL = "model"
    PERSON = "person"
    BASELINE = "baseline"
    ORACLE = "oracle"


class SystemScores(Record):
    """Everything that was measured of one run of one system.

    `name` is the system's, with the settings that differ where it was run under several.
    `row_id` is unique in a `Scores`: the name, with the repeat added where there are several.
    Metrics of the web-only and the gated view have ids that differ in the family alone.
    `attribution` has the classes of `FirstFailure` as keys, in that order, and their counts
    sum to S. `gated_missing` says why there is no gated view, where there is none.
    """

    row_id: str
    name: str
    repeat: int
    kind: SystemKind
    has_task1: bool
    has_task2: bool
    gated_missing: str | None
    metrics: tuple[Metric, ...]
    confusions: tuple[Confusion, ...] = ()
    attribution: Breakdown | None = None
    evidence: tuple[Breakdown, ...] = ()
    failures: tuple[Breakdown, ...] = ()
    strata: tuple[StratumValue, ...] = ()
    distributions: tuple[Distribution, ...] = ()
    curves: tuple[Curve, ...] = ()
    judges: tuple[JudgeScores, ...] = ()
    cases: tuple[CaseOutcome, ...] = ()
    messages: tuple[MessageOutcome, ...] = ()
    predictions_sha256: Sha256 | None = None
    open_cases: tuple[str, ...] = ()

    def metric(self, metric_id: str) -> Metric | None:
        """Return the metric of that id, if it was measured."""
        return next((found for found in self.metrics if found.metric_id == metric_id), None)


class Comparison(Record):
    """The difference first - second of two rows on one metric.

    `difference` counts before rounding. `p_value` is of the two-sided permutation test that
    flips whole contrast sets; `p_holm` is given for primary metrics only.
    """

    first: str
    second: str
    metric_id: str
    difference: Count
    interval: Interval
    p_value: float
    p_holm: float | None
    exact: bool
    clusters: int


class TiedGroups(Record):
    """Groups that may overlap: two rows share one if and only if they cannot be told apart.

    Groups and their members are in the order of the metric, the best first.
    """

    metric_id: str
    groups: tuple[tuple[str, ...], ...]


class PowerRow(Record):
    """How many contrast sets a true difference needs at 80 % power and level 5 %."""

    difference: float
    sets_needed: int


class Detectable(Record):
    """The smallest difference that one uncorrected comparison can be expected to detect.

    It is for two rows whose paired standard error is the median of all pairs.
    """

    metric_id: str
    difference: float | None
    undefined: str | None = None
    power: tuple[PowerRow, ...] = ()


class Rerun(Record):
    """How runs of one system vary on one metric; the interval includes that variance."""

    system: str
    metric_id: str
    runs: int
    mean: float
    between_run_sd: float
    interval: Interval


class PeopleSpread(Record):
    """How the people among the systems differ on one metric: no ceiling for anything.

    `people` counts those who have a value; somebody with several runs stands with their mean.
    `low` and `high` are the lowest and the highest of them.
    """

    metric_id: str
    people: int
    mean: float
    low: float
    high: float
    sd: float | None


class WarningKey(StrEnum):
    """What a reader has to be told beside the tables; texts are the report's."""

    FEW_CLUSTERS = "few_clusters"
    INCOMPLETE = "incomplete"
    SUBSET = "subset"
    UNAUDITED_LABELS = "unaudited_labels"
    NO_GATED_VIEW = "no_gated_view"
    BEATEN_BY_CONSTANT = "beaten_by_constant"
    OPEN_CASES = "open_cases"
    NOT_RUN = "not_run"
    DETERMINISTIC_JUDGE = "deterministic_judge"
    UNFINISHED_JUDGE = "unfinished_judge"


class ScoreWarning(Record):
    """One warning; `detail` is plain text such as a name or a number."""

    key: WarningKey
    row_id: str | None = None
    detail: str = ""


class Completeness(StrEnum):
    """Which units were scored."""

    COMPLETE = "complete"
    INCOMPLETE = "incomplete"
    SUBSET = "subset"


class Header(Record):
    """What was scored, under which labels and draws.

    `websites` are those scored and `all_websites` those of the bundle; they differ for a
    subset, whose tables are headed "n of S". `label_audit` is what people found of designed
    labels, where they were asked.
    """

    tasks_sha256: Sha256
    gold_sha256: Sha256
    label_sources: tuple[NamedCount, ...]
    label_audit: LabelAudit | None = None
    gold_decisions: tuple[NamedCount, ...]
    codebook_id: str
    codebook_version: str
    codebook_sha256: Sha256
    violation_types: tuple[str, ...]
    supported_types: tuple[str, ...]
    websites: int
    all_websites: int
    messages: int
    all_messages: int
    contrast_sets: int
    draws: int
    draws_sha256: Sha256
    completeness: Completeness
    prevalence: float | None = None
    version: str


class Scores(Record):
    """The whole of scores.json."""

    schema_version: Literal["scores/1"] = "scores/1"
    header: Header
    catalogue: tuple[MetricInfo, ...]
    systems: tuple[SystemScores, ...]
    comparisons: tuple[Comparison, ...] = ()
    tied_groups: tuple[TiedGroups, ...] = ()
    detectable: tuple[Detectable, ...] = ()
    reruns: tuple[Rerun, ...] = ()
    people: tuple[PeopleSpread, ...] = ()
    judge_agreement: tuple[JudgeAgreement, ...] = ()
    warnings: tuple[ScoreWarning, ...] = ()

    def info(self, metric_id: str) -> MetricInfo:
        """Return what the metric of that id is.

        Raises:
            KeyError: no metric has that id.
        """
        for found in self.catalogue:
            if found.metric_id == metric_id:
                return found
        raise KeyError(metric_id)

    def system(self, row_id: str) -> SystemScores:
        """Return the row of that id.

        Raises:
            KeyError: no row has that id.
        """
        for found in self.systems:
            if found.row_id == row_id:
                return found
        raise KeyError(row_id)

    def without_units(self) -> Scores:
        """Return the scores without the outcome of any single website or message."""
        systems = tuple(row.but(cases=(), messages=(), open_cases=()) for row in self.systems)
        audit = self.header.label_audit
        header = self.header.but(label_audit=audit.without_groups() if audit else None)
        return self.but(systems=systems, header=header)


class PublishedTable(Record):
    """Rows published elsewhere, for reference only; never comparable with a run."""

    table_id: str
    unit: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float, ...], ...]


class Published(Record):
    """The reference block of results that others published for a withheld data set."""

    schema_version: Literal["published/1"] = "published/1"
    about: str
    tables: tuple[PublishedTable, ...]
