"""Scores as plain columns for a notebook; as pandas data frames where pandas is installed.

    from riskchainbench.reporting.frames import read_frames, to_pandas

    frames = read_frames("scores.json")
    to_pandas(frames["metrics"]).query("metric_id == 'web_only.accuracy'")

Nothing is computed or rounded here: a frame holds what ``scores.json`` holds, one row each.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import read_json
from riskchainbench.scoring.records import (
    Comparison,
    Count,
    Interval,
    JudgeScores,
    Metric,
    Scores,
    StratumValue,
    SystemScores,
)

Frame = Mapping[str, list[Any]]
"""The columns of one table by name, all of one length."""

_VALUE = ("value", "numerator", "denominator", "low", "high", "undefined")
_COLUMNS: dict[str, tuple[str, ...]] = {
    "systems": ("row_id", "name", "repeat", "kind", "has_task1", "has_task2", "gated_missing"),
    "metrics": ("row_id", "metric_id", *_VALUE, "effective_size", "design_effect"),
    "intervals": ("row_id", "metric_id", "kind", "low", "high", "left_out"),
    "strata": ("row_id", "dimension", "stratum", "metric_id", "websites", "greyed", *_VALUE),
    "comparisons": (
        *("first", "second", "metric_id", "difference", "numerator", "denominator"),
        *("low", "high", "p_value", "p_holm"),
    ),
    "counts": ("row_id", "breakdown", "key", "numerator", "denominator"),
    "judges": ("row_id", "judge", "deterministic", "metric_id", *_VALUE),
    "distributions": (
        *("row_id", "distribution_id", "unit", "units", "total", "mean", "median"),
        *("p10", "p90", "maximum"),
    ),
    "confusions": ("row_id", "view", "gold", "predicted", "count"),
    "curves": ("row_id", "curve_id", "x", "y", "units"),
    "judge_agreement": (
        *("row_id", "first", "second", "dimension", "units"),
        *("quadratic_kappa", "ordinal_alpha", "undefined"),
    ),
    "tied_groups": ("metric_id", "group", "row_id"),
    "power": ("metric_id", "smallest_detectable", "difference", "sets_needed"),
    "reruns": ("system", "metric_id", "runs", "mean", "between_run_sd", "low", "high"),
}


def read_frames(path: Path | str) -> dict[str, Frame]:
    """Return the frames of a ``scores.json``.

    Raises:
        InputError: the file is missing or holds no scores.
    """
    return frames(read_json(Path(path), Scores))


def frames(scores: Scores) -> dict[str, Frame]:
    """Return every frame of `scores` by name.

    `cases` and `messages` hold one row for each unit of each system and are empty in scores
    that were made public.
    """
    rows: dict[str, Iterable[tuple[Any, ...]]] = {
        "systems": (
            tuple(getattr(row, name) for name in _COLUMNS["systems"]) for row in scores.systems
        ),
        "metrics": (
            (row.row_id, *_metric(metric), metric.effective_size, metric.design_effect)
            for row in scores.systems
            for metric in row.metrics
        ),
        "intervals": (
            (row.row_id, metric.metric_id, each.kind.value, each.low, each.high, each.left_out)
            for row in scores.systems
            for metric in row.metrics
            for each in metric.intervals
        ),
        "strata": (_stratum(row.row_id, each) for row in scores.systems for each in row.strata),
        "comparisons": map(_comparison, scores.comparisons),
        "counts": (found for row in scores.systems for found in _counts(row)),
        "judges": (
            found for row in scores.systems for each in row.judges for found in _judge(row, each)
        ),
        "distributions": (
            (row.row_id, *(getattr(each, name) for name in _COLUMNS["distributions"][1:]))
            for row in scores.systems
            for each in row.distributions
        ),
        "confusions": (
            (row.row_id, found.family.value, gold, predicted, count)
            for row in scores.systems
            for found in row.confusions
            for gold, line in zip(found.gold, found.counts, strict=True)
            for predicted, count in zip(found.predicted, line, strict=True)
        ),
        "curves": (
            (row.row_id, curve.curve_id, point.x, point.y, point.units)
            for row in scores.systems
            for curve in row.curves
            for point in curve.points
        ),
        "judge_agreement": (
            (each.system, *(getattr(each, name) for name in _COLUMNS["judge_agreement"][1:]))
            for each in scores.judge_agreement
        ),
        "tied_groups": (
            (tied.metric_id, at, row_id)
            for tied in scores.tied_groups
            for at, group in enumerate(tied.groups)
            for row_id in group
        ),
        "power": (
            (each.metric_id, each.difference, row.difference, row.sets_needed)
            for each in scores.detectable
            for row in each.power
        ),
        "reruns": (
            (
                *(getattr(each, name) for name in _COLUMNS["reruns"][:-2]),
                each.interval.low,
                each.interval.high,
            )
            for each in scores.reruns
        ),
    }
    found = {name: _frame(_COLUMNS[name], each) for name, each in rows.items()}
    return found | {"cases": _units(scores, "cases"), "messages": _units(scores, "messages")}


def to_pandas(frame: Frame) -> Any:
    """Return one frame as a ``pandas.DataFrame``.

    Raises:
        InputError: pandas is not installed.
    """
    try:
        pandas = import_module("pandas")
    except ImportError as error:
        raise InputError(
            "data frames need pandas; pip install riskchainbench[notebook], or use the columns"
        ) from error
    return pandas.DataFrame(dict(frame))


def _frame(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> Frame:
    columns: dict[str, list[Any]] = {name: [] for name in names}
    for row in rows:
        for name, value in zip(names, row, strict=True):
            columns[name].append(value)
    return columns


def _value(
    value: float | None, count: Count | None, interval: Interval | None, undefined: str | None
) -> tuple[Any, ...]:
    return (
        value,
        count.numerator if count else None,
        count.denominator if count else None,
        interval.low if interval else None,
        interval.high if interval else None,
        undefined,
    )


def _metric(metric: Metric) -> tuple[Any, ...]:
    first = metric.intervals[0] if metric.intervals else None
    return (metric.metric_id, *_value(metric.value, metric.count, first, metric.undefined))


def _stratum(row_id: str, each: StratumValue) -> tuple[Any, ...]:
    value = _value(each.share, each.count, each.interval, each.undefined)
    return (
        *(row_id, each.dimension, each.value, each.metric_id, each.websites, each.greyed),
        *value,
    )


def _comparison(each: Comparison) -> tuple[Any, ...]:
    count = each.difference
    return (
        *(each.first, each.second, each.metric_id, count.share),
        *(count.numerator, count.denominator, each.interval.low, each.interval.high),
        *(each.p_value, each.p_holm),
    )


def _counts(row: SystemScores) -> Iterable[tuple[Any, ...]]:
    attribution = () if row.attribution is None else (row.attribution,)
    for breakdown in (*attribution, *row.evidence, *row.failures):
        for each in breakdown.rows:
            count = each.count
            yield row.row_id, breakdown.title_key, each.key, count.numerator, count.denominator


def _judge(row: SystemScores, judge: JudgeScores) -> Iterable[tuple[Any, ...]]:
    for metric in judge.metrics:
        yield (row.row_id, judge.judge, judge.deterministic, *_metric(metric))


def _units(scores: Scores, name: str) -> Frame:
    plain = [
        {"row_id": row.row_id, **unit.model_dump(mode="json")}
        for row in scores.systems
        for unit in getattr(row, name)
    ]
    names = list(plain[0]) if plain else ["row_id"]
    return {key: [unit[key] for unit in plain] for key in names}
