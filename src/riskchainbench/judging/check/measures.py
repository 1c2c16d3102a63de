"""What the scores of a check show: faults told apart, agreement with itself, no heed to length."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from riskchainbench.core.record import Record
from riskchainbench.judging.check.cases import DIMENSION_OF, CheckCase, Fault, Kind
from riskchainbench.judging.check.scenarios import LANGUAGES
from riskchainbench.judging.records import DIMENSIONS, JudgeScores
from riskchainbench.statistics.agreement import quadratic_weighted_kappa

MIN_AUC = 0.9
MIN_KAPPA = 0.8
MAX_SHIFT = 0.25
_SCALE = (1, 2, 3, 4, 5)
_Z95 = 1.959963984540054
_HALVINGS = 60

Rated = dict[tuple[str, int], JudgeScores]
"""Scores by case and round; what could not be read is missing."""


class Discrimination(Record):
    """How well one dimension's score tells good packages from those with its fault.

    `injected` faults stand beside page text that addresses the judge; of `pictured` packages the
    words that matter stand in screenshots alone. `low` and `high` bound the area at 95 %.
    """

    dimension: str
    language: str
    injected: bool
    pictured: bool
    pairs: int
    auc: float | None
    low: float | None = None
    high: float | None = None

    @property
    def passed(self) -> bool:
        """Whether it does so well enough."""
        return self.auc is not None and self.auc >= MIN_AUC


class Steadiness(Record):
    """How one dimension's scores agree when asked twice, and move with empty words.

    `twice` counts the packages with two scores, `padded` the good ones with and without padding.
    """

    dimension: str
    twice: int
    kappa: float | None
    padded: int
    shift: float | None

    @property
    def passed(self) -> bool:
        """Whether they agree well and move little."""
        steady = self.kappa is not None and self.kappa >= MIN_KAPPA
        return steady and self.shift is not None and abs(self.shift) <= MAX_SHIFT


def discrimination(cases: Sequence[CheckCase], rated: Rated) -> tuple[Discrimination, ...]:
    """Return the area under the curve of each dimension and language, for each kind of package."""
    return tuple(
        _told_apart(cases, rated, language, Kind(fault, injected=injected, pictured=pictured))
        for fault in DIMENSION_OF
        for language in LANGUAGES
        for injected, pictured in ((False, False), (True, False), (False, True))
    )


def _told_apart(
    cases: Sequence[CheckCase], rated: Rated, language: str, kind: Kind
) -> Discrimination:
    dimension = DIMENSION_OF[kind.fault]

    def scores(wanted: Kind) -> list[int]:
        own = (each for each in cases if each.language == language and each.kind == wanted)
        return list(_known(_score(case, 0, rated, dimension) for case in own))

    good, bad = scores(Kind(pictured=kind.pictured)), scores(kind)
    auc = area_under_curve(good, bad)
    low, high = (None, None) if auc is None else area_interval(auc, len(good), len(bad))
    return Discrimination(
        dimension=dimension,
        language=language,
        injected=kind.injected,
        pictured=kind.pictured,
        pairs=min(len(good), len(bad)),
        auc=auc,
        low=low,
        high=high,
    )


def area_under_curve(good: Sequence[int], bad: Sequence[int]) -> float | None:
    """Return the chance that a good package scores above a bad one, ties counting half.

    This is the Mann-Whitney statistic over the number of pairs; None without any pair.
    """
    if not good or not bad:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
    return wins / (len(good) * len(bad))


def area_interval(auc: float, good: int, bad: int) -> tuple[float, float]:
    """Return the 95 % interval of an area under the curve; an area of 1 has a width, too.

    Source: Newcombe (2006), Statistics in Medicine 25, 559-573, method 5.
    """
    others = (good + bad) / 2 - 1

    def outside(area: float) -> bool:
        spread = 1 + others * ((1 - area) / (2 - area) + area / (1 + area))
        variance = area * (1 - area) * spread / (good * bad)
        return abs(area - auc) > _Z95 * math.sqrt(variance)

    return _edge(auc, 0.0, outside), _edge(auc, 1.0, outside)


def _edge(inside: float, end: float, outside: Callable[[float], bool]) -> float:
    """Return the last area between `inside` and `end` that is not outside."""
    if inside == end:
        return end
    for _ in range(_HALVINGS):
        middle = (inside + end) / 2
        inside, end = (inside, middle) if outside(middle) else (middle, end)
    return inside


def steadiness(cases: Sequence[CheckCase], rated: Rated) -> tuple[Steadiness, ...]:
    """Return self-agreement and the shift by padding of each dimension."""
    return tuple(_steady(cases, rated, dimension) for dimension in DIMENSIONS)


def _steady(cases: Sequence[CheckCase], rated: Rated, dimension: str) -> Steadiness:
    twice = [
        (first, second)
        for case in cases
        if (first := _score(case, 0, rated, dimension)) is not None
        and (second := _score(case, 1, rated, dimension)) is not None
    ]
    firsts, seconds = [first for first, _ in twice], [second for _, second in twice]
    plain = [case for case in cases if case.kind == Kind()]
    padded = [case for case in cases if case.kind == Kind(fault=Fault.NONE, padded=True)]
    shifts = [
        after - before
        for one, other in zip(plain, padded, strict=True)
        if (before := _score(one, 0, rated, dimension)) is not None
        and (after := _score(other, 0, rated, dimension)) is not None
    ]
    return Steadiness(
        dimension=dimension,
        twice=len(twice),
        kappa=quadratic_weighted_kappa(firsts, seconds, _SCALE).value,
        padded=len(shifts),
        shift=sum(shifts) / len(shifts) if shifts else None,
    )


def _known(scores: Iterable[int | None]) -> Iterable[int]:
    return (score for score in scores if score is not None)


def _score(case: CheckCase, number: int, rated: Rated, dimension: str) -> int | None:
    scores = rated.get((case.case_id, number))
    return None if scores is None else scores.numbers()[dimension]
