"""The people among the systems: how many they are, and how they differ on each metric."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, stdev

from riskchainbench.scoring.records import PeopleSpread, SystemKind, SystemScores

HUMAN = "human:"
"""What the name of a person who answers as a system begins with."""


def people_spread(systems: Sequence[SystemScores]) -> tuple[PeopleSpread, ...]:
    """Return the spread between people, metric by metric, in the order of the rows."""
    rows = [row for row in systems if row.kind is SystemKind.PERSON]
    ids = dict.fromkeys(metric.metric_id for row in rows for metric in row.metrics)
    found = (_spread(metric_id, rows) for metric_id in ids)
    return tuple(each for each in found if each is not None)


def _spread(metric_id: str, rows: Sequence[SystemScores]) -> PeopleSpread | None:
    values: dict[str, list[float]] = {}
    for row in rows:
        metric = row.metric(metric_id)
        if metric is not None and metric.value is not None:
            values.setdefault(row.name, []).append(metric.value)
    if not values:
        return None
    means = [fmean(each) for each in values.values()]
    return PeopleSpread(
        metric_id=metric_id,
        people=len(means),
        mean=fmean(means),
        low=min(means),
        high=max(means),
        sd=stdev(means) if len(means) > 1 else None,
    )
