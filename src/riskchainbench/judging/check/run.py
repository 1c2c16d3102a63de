"""Running the check: every package rated twice, then three demands on the scores.

For each dimension and language, the score has to tell a good package from its faulty twin
(area under the curve at least `MIN_AUC`), with and without page text that addresses the judge.
Asked twice, the judge has to agree with itself (quadratic weighted kappa at least `MIN_KAPPA`).
Words that say nothing must not move a score (mean shift at most `MAX_SHIFT`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from pydantic import Field

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.failures import Failure
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.core.system import Reply
from riskchainbench.core.units import run_all
from riskchainbench.judging.check.cases import (
    DIMENSION_OF,
    LANGUAGES,
    CheckCase,
    Fault,
    check_cases,
    scenarios_sha256,
)
from riskchainbench.judging.prompts import instruction_sha256, judging_request
from riskchainbench.judging.protocol import Judge
from riskchainbench.judging.records import DIMENSIONS, JudgeScores
from riskchainbench.judging.rubric import default_rubric
from riskchainbench.judging.run import Progress, parse_scores
from riskchainbench.statistics.agreement import quadratic_weighted_kappa

MIN_AUC = 0.9
MIN_KAPPA = 0.8
MAX_SHIFT = 0.25
MIN_COVERAGE = 0.95
ROUNDS = 2
_SCALE = (1, 2, 3, 4, 5)

Rated = dict[tuple[str, int], JudgeScores]
"""Scores by case and round; what could not be read is missing."""


class Discrimination(Record):
    """How well one dimension's score tells good packages from those with its fault."""

    dimension: str
    language: str
    injected: bool
    pairs: int
    auc: float | None

    @property
    def passed(self) -> bool:
        """Whether it does so well enough."""
        return self.auc is not None and self.auc >= MIN_AUC


class Steadiness(Record):
    """How one dimension's scores agree when asked twice, and move with empty words."""

    dimension: str
    kappa: float | None
    shift: float | None

    @property
    def passed(self) -> bool:
        """Whether they agree well and move little."""
        steady = self.kappa is not None and self.kappa >= MIN_KAPPA
        return steady and self.shift is not None and abs(self.shift) <= MAX_SHIFT


class JudgeCheck(Record):
    """What a check found; it holds for this judge, these settings, this prompt and rubric."""

    schema_version: Literal["judge-check/1"] = "judge-check/1"
    judge: str
    settings: dict[str, Any] = Field(default_factory=dict)
    prompts: dict[str, Sha256]
    rubric_sha256: Sha256
    scenarios_sha256: Sha256
    asked: int
    read: int
    discrimination: tuple[Discrimination, ...]
    steadiness: tuple[Steadiness, ...]

    @property
    def coverage(self) -> float:
        """The share of replies that could be read."""
        return self.read / self.asked

    @property
    def passed(self) -> bool:
        """Whether the judge's scores may count."""
        told_apart = all(each.passed for each in self.discrimination)
        steady = all(each.passed for each in self.steadiness)
        return self.coverage >= MIN_COVERAGE and told_apart and steady

    def covers(self, judge: Judge) -> bool:
        """Tell whether this check is of `judge` as it is set now."""
        now = _identity(judge)
        return all(getattr(self, name) == value for name, value in now.items())


def _identity(judge: Judge) -> dict[str, Any]:
    return {
        "judge": judge.name,
        "settings": dict(judge.settings),
        "prompts": {language: instruction_sha256(language) for language in LANGUAGES},
        "rubric_sha256": default_rubric().sha256,
        "scenarios_sha256": scenarios_sha256(),
    }


async def check_judge(
    judge: Judge, *, concurrency: int = 4, progress: Progress | None = None
) -> JudgeCheck:
    """Let `judge` rate every package of the check twice, in the language of each.

    Raises:
        SystemFailureError: the provider failed.
    """
    cases = check_cases()
    units = [(case, number) for case in cases for number in range(ROUNDS)]
    rated: Rated = {}
    done = 0

    async def work(unit: tuple[CheckCase, int]) -> None:
        nonlocal done
        case, number = unit
        scores = parse_scores(await _reply(judge, case, number))
        if not isinstance(scores, Failure):
            rated[case.case_id, number] = scores
        done += 1
        if progress is not None:
            progress(done, len(units))

    await run_all(units, work, concurrency=concurrency)
    return JudgeCheck(
        **_identity(judge),
        asked=len(units),
        read=len(rated),
        discrimination=discrimination(cases, rated),
        steadiness=steadiness(cases, rated),
    )


async def _reply(judge: Judge, case: CheckCase, number: int) -> Reply:
    request = judging_request(
        case.package, default_codebook(), default_rubric(), _no_image, case.language
    )
    return await judge.reply(f"{case.case_id}-{number}", request)


def _no_image(sha256: Sha256) -> bytes:
    raise KeyError(sha256)


def discrimination(cases: Sequence[CheckCase], rated: Rated) -> tuple[Discrimination, ...]:
    """Return the area under the curve of each dimension, language and injection."""
    found: list[Discrimination] = []
    for fault, dimension in DIMENSION_OF.items():
        for language in LANGUAGES:
            own = [case for case in cases if case.language == language and not case.padded]
            good = _scores([case for case in own if case.fault is Fault.NONE], rated, dimension)
            for injected in (False, True):
                faulty = [case for case in own if case.fault is fault and case.injected == injected]
                bad = _scores(faulty, rated, dimension)
                found.append(
                    Discrimination(
                        dimension=dimension,
                        language=language,
                        injected=injected,
                        pairs=len(faulty),
                        auc=area_under_curve(good, bad),
                    )
                )
    return tuple(found)


def _scores(cases: Sequence[CheckCase], rated: Rated, dimension: str) -> list[int]:
    keys = [(case.case_id, number) for case in cases for number in range(ROUNDS)]
    return [rated[key].numbers()[dimension] for key in keys if key in rated]


def area_under_curve(good: Sequence[int], bad: Sequence[int]) -> float | None:
    """Return the chance that a good package scores above a bad one, ties counting half.

    This is the Mann-Whitney statistic over the number of pairs; None without any pair.
    """
    if not good or not bad:
        return None
    wins = sum((a > b) + 0.5 * (a == b) for a in good for b in bad)
    return wins / (len(good) * len(bad))


def steadiness(cases: Sequence[CheckCase], rated: Rated) -> tuple[Steadiness, ...]:
    """Return self-agreement and the shift by padding of each dimension."""
    found: list[Steadiness] = []
    for dimension in DIMENSIONS:
        first, second = (
            [_score(case, number, rated, dimension) for case in cases] for number in (0, 1)
        )
        kappa = quadratic_weighted_kappa(first, second, _SCALE)
        plain = [case for case in cases if case.fault is Fault.NONE and not case.padded]
        padded = [case for case in cases if case.padded]
        shifts = [
            after - before
            for one, other in zip(plain, padded, strict=True)
            for number in range(ROUNDS)
            if (before := _score(one, number, rated, dimension)) is not None
            and (after := _score(other, number, rated, dimension)) is not None
        ]
        found.append(
            Steadiness(
                dimension=dimension,
                kappa=kappa.value,
                shift=sum(shifts) / len(shifts) if shifts else None,
            )
        )
    return tuple(found)


def _score(case: CheckCase, number: int, rated: Rated, dimension: str) -> int | None:
    scores = rated.get((case.case_id, number))
    return None if scores is None else scores.numbers()[dimension]
