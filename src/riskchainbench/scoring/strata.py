"""Metrics by stratum: the dimensions of messages and websites, and a table for each value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import Placement, SampleGold, Stratum
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.measure import Engine
from riskchainbench.scoring.records import StratumValue
from riskchainbench.scoring.tally import Integers, Level, Part, Tally

GREYED_BELOW = 30

MESSAGE_METRICS = ("task1.entry_top1", "task1.full", "task1.cer", "task1.message_exact")
CASE_METRICS = (
    "web_only.accuracy",
    "web_only.macro_f1",
    "web_only.type_macro_f1",
    "web_only.exact_match",
    "web_only.false_positives",
    "gated.accuracy",
    "evidence.sites_exposed",
)
VALUE_ONLY = frozenset({"web_only.type_macro_f1"})
"""Given without interval: a stratum has too few violations of most types to resample."""

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
    """Return every stratum of the frame: dimensions in a fixed order, values sorted."""
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
    for value in sorted({value for values in members for value in values}, key=_natural):
        units = np.array([value in values for values in members], dtype=np.int64)
        cases = frame.case_of_sample[units == 1] if level is Level.MESSAGE else units
        websites = len(np.unique(cases)) if level is Level.MESSAGE else int(units.sum())
        found.append(Mask(dimension, value, level, units, websites))
    return found


def _natural(value: str) -> tuple[int, str]:
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
        wanted = [
            (index, *pair) for index, each in enumerate(systems) for pair in self._pairs(each)
        ]
        measured = self._engine.strata([tally for _, _, tally in wanted], VALUE_ONLY)
        found: list[list[StratumValue]] = [[] for _ in systems]
        for (index, mask, tally), (count, value, interval) in zip(wanted, measured, strict=True):
            found[index].append(
                StratumValue(
                    dimension=mask.dimension,
                    value=mask.value,
                    metric_id=tally.metric_id,
                    websites=mask.websites,
                    count=count,
                    share=value,
                    undefined=None if value is not None else tally.undefined,
                    interval=interval if value is not None else None,
                    greyed=mask.websites < GREYED_BELOW,
                )
            )
        return [tuple(rows) for rows in found]

    def _pairs(self, tallies: Sequence[Tally]) -> list[tuple[Mask, Tally]]:
        by_id = {tally.metric_id: tally for tally in tallies}
        return [
            (mask, self._within(by_id[metric_id], mask.units))
            for mask in self._masks
            for metric_id in (MESSAGE_METRICS if mask.level is Level.MESSAGE else CASE_METRICS)
            if metric_id in by_id
        ]

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
