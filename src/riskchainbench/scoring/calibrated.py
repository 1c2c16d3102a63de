"""Tallies of stated confidence: Brier score and calibration error as sums of integers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskchainbench.scoring.records import Curve, CurvePoint
from riskchainbench.scoring.tally import Integers, Level, Part, Tally, sum_of_gaps
from riskchainbench.statistics.calibration import (
    BINS,
    NOTHING_STATED,
    bin_of,
    reliability,
    risk_coverage,
)

SCALE = 10_000
"""Confidence is scored in steps of 1/10,000, so that sums over draws stay exact."""


def _whole(confidences: Sequence[float | None]) -> tuple[Integers, Integers]:
    values = np.array(confidences, dtype=np.float64)  # None becomes NaN
    stated = ~np.isnan(values)
    scaled = np.rint(np.where(stated, values, 0.0) * SCALE)
    return scaled.astype(np.int64), stated.astype(np.int64)


def brier_tally(
    metric_id: str, level: Level, confidences: Sequence[float | None], right: Sequence[bool]
) -> Tally:
    """Return the tally of the mean squared gap, over the answers that state a confidence."""
    scaled, stated = _whole(confidences)
    gaps = scaled - SCALE * np.array(right, dtype=np.int64)
    part = Part("brier", stated * gaps**2, stated * SCALE**2)
    return Tally(metric_id, level, (part,), NOTHING_STATED)


def calibration_tally(
    metric_id: str, level: Level, confidences: Sequence[float | None], right: Sequence[bool]
) -> Tally:
    """Return the tally of the expected calibration error over ten bins of equal width."""
    scaled, stated = _whole(confidences)
    gaps = stated * (scaled - SCALE * np.array(right, dtype=np.int64))
    bins = np.array([bin_of(value or 0.0) for value in confidences], dtype=np.int64)
    of = stated * SCALE
    parts = tuple(Part(f"bin_{k}", gaps * (bins == k), of) for k in range(BINS))
    return Tally(metric_id, level, parts, NOTHING_STATED, sum_of_gaps)


def confidence_curves(
    name: str, confidences: Sequence[float | None], right: Sequence[bool]
) -> tuple[Curve, ...]:
    """Return the risk-coverage curve and the reliability diagram; none if nothing is stated."""
    pairs = [
        (value, is_right)
        for value, is_right in zip(confidences, right, strict=True)
        if value is not None
    ]
    if not pairs:
        return ()
    values, rights = [value for value, _ in pairs], [is_right for _, is_right in pairs]
    risks = risk_coverage(values, rights, len(confidences))
    bins = reliability(values, rights)
    return (
        Curve(
            curve_id=f"{name}.risk_coverage",
            title_key="risk_coverage",
            x_key="coverage",
            y_key="risk",
            points=tuple(CurvePoint(x=p.coverage, y=p.risk, units=p.units) for p in risks),
        ),
        Curve(
            curve_id=f"{name}.reliability",
            title_key="reliability",
            x_key="confidence",
            y_key="accuracy",
            points=tuple(CurvePoint(x=b.confidence, y=b.accuracy, units=b.units) for b in bins),
        ),
    )
