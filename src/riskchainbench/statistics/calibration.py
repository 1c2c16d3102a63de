"""Whether stated confidence means what it says: Brier score, calibration error, risk curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from riskchainbench.statistics.value import Value, undefined

BINS = 10
MOST_POINTS = 100
NOTHING_STATED = "no confidence was stated"


@dataclass(frozen=True)
class Bin:
    """The answers whose confidence falls in one of ten equal bins."""

    units: int
    confidence: float
    accuracy: float


@dataclass(frozen=True)
class RiskPoint:
    """The error rate among the `units` most confident answers, a share `coverage` of all."""

    units: int
    coverage: float
    risk: float


def bin_of(confidence: float, bins: int = BINS) -> int:
    """Return the number of the equal-width bin; 1.0 falls in the last."""
    return min(int(confidence * bins), bins - 1)


def brier_score(confidences: Sequence[float], right: Sequence[bool]) -> Value:
    """Return the mean squared gap between confidence and being right (Brier, 1950)."""
    if not confidences:
        return undefined(NOTHING_STATED)
    gaps = [(c - r) ** 2 for c, r in zip(confidences, right, strict=True)]
    return Value(sum(gaps) / len(gaps))


def reliability(confidences: Sequence[float], right: Sequence[bool]) -> list[Bin]:
    """Return the non-empty bins, lowest confidence first."""
    members: dict[int, list[tuple[float, bool]]] = {}
    for confidence, is_right in zip(confidences, right, strict=True):
        members.setdefault(bin_of(confidence), []).append((confidence, is_right))
    return [
        Bin(
            len(found), sum(c for c, _ in found) / len(found), sum(r for _, r in found) / len(found)
        )
        for _, found in sorted(members.items())
    ]


def expected_calibration_error(confidences: Sequence[float], right: Sequence[bool]) -> Value:
    """Return the mean gap between confidence and accuracy over bins, by their size.

    Source: Naeini et al. (2015), AAAI, with ten bins of equal width.
    """
    if not confidences:
        return undefined(NOTHING_STATED)
    bins = reliability(confidences, right)
    gaps = sum(found.units * abs(found.confidence - found.accuracy) for found in bins)
    return Value(gaps / len(confidences))


def risk_coverage(
    confidences: Sequence[float], right: Sequence[bool], units: int
) -> list[RiskPoint]:
    """Return the error rate by coverage, most confident answers first, in at most 100 points.

    Answers of equal confidence enter together, so their order has no influence. `units` is
    the number of all units, also those without an answer, which no coverage reaches.
    Source: El-Yaniv and Wiener (2010), JMLR 11.
    """
    ordered = sorted(zip(confidences, right, strict=True), reverse=True)
    step = -(-len(ordered) // MOST_POINTS)
    points: list[RiskPoint] = []
    wrong, due = 0, step
    for seen, (confidence, is_right) in enumerate(ordered, start=1):
        wrong += not is_right
        last = seen == len(ordered)
        if last or (seen >= due and ordered[seen][0] != confidence):
            points.append(RiskPoint(seen, seen / units, wrong / seen))
            due = seen + step
    return points
