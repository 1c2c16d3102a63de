"""Metrics by stratum: the dimensions of messages and websites, and a table for each value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import Placement, SampleGold, Stratum
from riskchainbench.scoring.catalogue import CATALOGUE
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.measure import Engine
from riskchainbench.scoring.records import Count, Family, Interval, StratumValue
from riskchainbench.scoring.stratum_sums import Point, StratumSums
from riskchainbench.scoring.tally import Integers, Level, Part, Tally

GREYED_BELOW = 30

MESSAGE_METRICS = tuple(info.metric_id for info in CATALOGUE if info.family is Family.TASK1)
_OF_VIEW = (
    "accuracy",
    "macro_f1",
    "type_macro_f1",
    "exact_match",
    "binary_accuracy",
    *(f"recall_{decision.lower()}" for decision in Decision),
    "coverage",
    "false_positives",
)
CASE_METRICS = (
    *(f"{view}.{name}" for view in (Family.WEB_ONLY, Family.GATED) for name in _OF_VIEW),
    "web_only.protocol_validity",
    "web_only.system_failures",
    "web_only.environment_failures",
    "evidence.sites_exposed",
)
WITH_INTERVAL = frozenset(
    {
        "task1.entry_top1",
        "task1.full",
        "task1.cer",
        "task1.message_exact",
        "web_only.accuracy",
        "web_only.macro_f1",
        "web_only.exact_match",
        "web_only.false_positives",
        "gated.accuracy",
        "evidence.sites_exposed",
    }
)
"""Metrics that have an interval in every stratum; resampling all of them takes too long, and a
stratum has too few violations of most types to resample type F1 at all."""

_OF_SAMPLE: dict[str, Callable[[SampleGold], tuple[str, ...]]] = {
    "recipe": lambda sample: (sample.recipe,),
    "operator": lambda sample: sample.operators,
    "severity": lambda sample: (sample.severity,),
    "entry_position": lambda sample: (sample.entry_position,),
    "length": lambda sample: (sample.length,),
    "platform": lambda sample: (sample.platform,),
    "theme": lambda sample: (sample.theme,),
    "message_intent": lambda sample: (sample.intent,),
}
_OF_CASE: dict[str, Callable[[Stratum], str]] = {
    "form": lambda stratum: stratum.form,
    "topic": lambda stratum: stratum.topic,
    "language": lambda stratum: stratum.language,
    "depth": lambda stratum: str(stratum.depth),
    "difficulty": lambda stratum: str(stratum.difficulty),
    "front_end": lambda stratum: stratum.front_end,
    "stateful": lambda stratum: "stateful" if stratum.stateful else "stateless",
}


@dataclass(frozen=True, eq=False)
class Mask:
    """The units of one stratum and how many websites they belong to."""

    dimension: str
    value: str
    level: Level
    units: Integers
    websites: int


def masks(frame: Frame) -> tuple[Mask, ...]:
    """Return every stratum of the frame: dimensions and their values in a fixed order."""
    found: list[Mask] = []
    for dimension, of_sample in _OF_SAMPLE.items():
        members = [of_sample(sample) for sample in frame.samples]
        found += _masks(frame, dimension, Level.MESSAGE, members)
    for dimension, of_case in _OF_CASE.items():
        found += _masks(frame, dimension, Level.CASE, [(of_case(s),) for s in frame.strata])
    types = [
        (label.violation_type,) if label.decision is Decision.VIOLATION else ()
        for label in frame.labels
    ]
    found += _masks(frame, "violation_type", Level.CASE, types)
    found += _masks(frame, "evidence_placement", Level.CASE, _placements(frame))
    found += _masks(frame, "evidence_medium", Level.CASE, _media(frame))
    return tuple(found)


def _masks(
    frame: Frame, dimension: str, level: Level, members: Sequence[Sequence[str]]
) -> list[Mask]:
    found: list[Mask] = []
    found_values = {value for values in members for value in values}
    for value in sorted(found_values, key=lambda value: _rank(dimension, value)):
        units = np.array([value in values for values in members], dtype=np.int64)
        cases = frame.case_of_sample[units == 1] if level is Level.MESSAGE else units
        websites = len(np.unique(cases)) if level is Level.MESSAGE else int(units.sum())
        found.append(Mask(dimension, value, level, units, websites))
    return found


_IN_ORDER: dict[str, tuple[str, ...]] = {
    "severity": ("low", "medium", "high"),
    "length": ("short", "medium", "long"),
    "entry_position": ("start", "middle", "end"),
    "evidence_placement": tuple(Placement),
}
"""Values that have an order of their own; others are sorted, numbers as such."""


def _rank(dimension: str, value: str) -> tuple[int, str]:
    order = _IN_ORDER.get(dimension, ())
    if value in order:
        return order.index(value), ""
    return (int(value), "") if value.isdecimal() else (-1, value)


def _placements(frame: Frame) -> list[tuple[str, ...]]:
    """Return the hardest placement that a website's asserted components have."""
    order = list(Placement)
    return [
        (max((c.placement for c in found if c.asserted), key=order.index, default="none"),)
        for found in frame.components
    ]


def _media(frame: Frame) -> list[tuple[str, ...]]:
    return [
        ("+".join(sorted({c.medium for c in found if c.asserted})) or "none",)
        for found in frame.components
    ]


class StrataTables:
    """Computes every stratum of one frame for any number of systems.

    Masked columns that systems share, such as denominators, are made once.
    """

    def __init__(self, frame: Frame, engine: Engine) -> None:
        self._masks = masks(frame)
        self._engine = engine
        self._shared: dict[tuple[int, int], tuple[Integers, Integers]] = {}

    def tables(self, systems: Sequence[Sequence[Tally]]) -> list[tuple[StratumValue, ...]]:
        """Return the tables of each system from its tallies over all units."""
        tallies = [_wanted(each) for each in systems]
        points = self._points([tally for each in tallies for tally in each.values()])
        intervals = self._intervals(tallies)
        return [
            tuple(
                self._value(mask, tally, *points[id(tally)][place], intervals.get((mask, tally)))
                for mask, place in self._placed()
                for tally in each.values()
                if tally.level is mask.level
            )
            for each in tallies
        ]

    def _placed(self) -> list[tuple[Mask, int]]:
        """Return each mask with its place among those of its level."""
        seen: Counter[Level] = Counter()
        placed: list[tuple[Mask, int]] = []
        for mask in self._masks:
            placed.append((mask, seen[mask.level]))
            seen[mask.level] += 1
        return placed

    @staticmethod
    def _value(
        mask: Mask, tally: Tally, value: float | None, count: Count | None, found: Interval | None
    ) -> StratumValue:
        return StratumValue(
            dimension=mask.dimension,
            value=mask.value,
            metric_id=tally.metric_id,
            websites=mask.websites,
            count=count,
            share=value,
            undefined=None if value is not None else tally.undefined,
            interval=found if value is not None else None,
            greyed=mask.websites < GREYED_BELOW,
        )

    def _points(self, tallies: Sequence[Tally]) -> dict[int, list[Point]]:
        """Return, by the id of its tally, each metric's value and count in every mask."""
        found: dict[int, list[Point]] = {}
        for level in (Level.MESSAGE, Level.CASE):
            of_level = [tally for tally in tallies if tally.level is level]
            members = [mask.units for mask in self._masks if mask.level is level]
            if of_level and members:
                sums = StratumSums(of_level, members)
                found |= {id(tally): sums.points(tally) for tally in of_level}
        return found

    def _intervals(
        self, systems: Sequence[Mapping[str, Tally]]
    ) -> dict[tuple[Mask, Tally], Interval]:
        pairs = [
            (mask, tally)
            for each in systems
            for mask in self._masks
            for metric_id, tally in each.items()
            if tally.level is mask.level and metric_id in WITH_INTERVAL
        ]
        found = self._engine.strata([self._within(tally, mask.units) for mask, tally in pairs])
        return {pairs[index]: interval for index, interval in found.items()}

    def _within(self, tally: Tally, mask: Integers) -> Tally:
        parts = tuple(
            Part(
                part.key,
                self._masked(part.numerator, mask),
                self._masked(part.denominator, mask),
                None if part.support is None else self._masked(part.support, mask),
            )
            for part in tally.parts
        )
        return Tally(tally.metric_id, tally.level, parts, tally.undefined, tally.combine)

    def _masked(self, column: Integers, mask: Integers) -> Integers:
        key = (id(column), id(mask))
        if key not in self._shared:
            # The column is kept beside its product, so that its id cannot be given away.
            self._shared[key] = (column, column * mask)
        return self._shared[key][1]


def _wanted(tallies: Sequence[Tally]) -> dict[str, Tally]:
    by_id = {tally.metric_id: tally for tally in tallies}
    return {
        metric_id: by_id[metric_id]
        for metric_id in (*MESSAGE_METRICS, *CASE_METRICS)
        if metric_id in by_id
    }
