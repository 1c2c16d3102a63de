"""One measured value: what it is, the integers behind it and its intervals."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from riskchainbench.core.record import Record


class Family(StrEnum):
    """Which table a metric belongs to."""

    TASK1 = "task1"
    WEB_ONLY = "web_only"
    GATED = "gated"
    COMPOSITION = "composition"
    EVIDENCE = "evidence"
    CALIBRATION = "calibration"
    JUDGE = "judge"


class Unit(StrEnum):
    """How a value is printed.

    A share is between 0 and 1 and printed as percent; points are a difference of shares,
    printed as percentage points; a ratio is an error rate that may pass 1, printed as percent.
    """

    SHARE = "share"
    POINTS = "points"
    RATIO = "ratio"
    SCORE = "score"
    NUMBER = "number"
    SECONDS = "seconds"
    TOKENS = "tokens"
    COST = "cost"


class Direction(StrEnum):
    """Which way is better; neither for descriptive values."""

    HIGHER = "higher"
    LOWER = "lower"
    NEITHER = "neither"


class MetricInfo(Record):
    """What a metric is; `metric_id` is ``family.name`` and `title_key` the name alone."""

    metric_id: str
    title_key: str
    family: Family
    unit: Unit
    direction: Direction
    primary: bool = False
    message_level: bool = False


class Count(Record):
    """The integers behind a rate."""

    numerator: int
    denominator: int = Field(ge=0)

    @property
    def share(self) -> float | None:
        """The quotient, or None where the denominator is 0."""
        return self.numerator / self.denominator if self.denominator else None


class IntervalKind(StrEnum):
    """What an interval was resampled over."""

    CONTRAST_SETS = "contrast_sets"
    WEBSITES = "websites"
    TEMPLATES = "templates"
    WILSON = "wilson"
    RERUNS = "reruns"


class Interval(Record):
    """A central 95 % interval; `left_out` draws had no defined value and were not used."""

    kind: IntervalKind
    low: float
    high: float
    left_out: int = 0


class NamedCount(Record):
    """One count under a key: a class, a failure, a stage, an outcome."""

    key: str
    count: Count


class Metric(Record):
    """One value of one system.

    Exactly one of `value` and `undefined` is given. A rate has its `count`; a macro average
    has one count per class in `parts` instead, for F1 (2 tp, predicted + gold). The first
    interval is the one over contrast sets. `effective_size` is the number of independent
    units that would be as informative as the clustered ones; `design_effect` the ratio;
    `effective_undefined` says why there is neither, where the value itself is defined.
    """

    metric_id: str
    value: float | None
    undefined: str | None = None
    count: Count | None = None
    parts: tuple[NamedCount, ...] = ()
    intervals: tuple[Interval, ...] = ()
    clusters: int | None = None
    effective_size: float | None = None
    design_effect: float | None = None
    effective_undefined: str | None = None

    @model_validator(mode="after")
    def _one_of(self) -> Self:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"{self.metric_id}: exactly one of value and undefined must be given")
        return self

    def interval(self, kind: IntervalKind) -> Interval | None:
        """Return the interval of that kind, if there is one."""
        return next((found for found in self.intervals if found.kind is kind), None)
