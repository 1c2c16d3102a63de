"""What judges said: four means and their mean, always beside judge coverage (section 3.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.records import Breakdown, Count, JudgeAgreement, NamedCount
from riskchainbench.scoring.run import JudgeRun, Judgment
from riskchainbench.scoring.tally import Level, Tally, rate
from riskchainbench.statistics.agreement import (
    Scale,
    krippendorff_alpha,
    quadratic_weighted_kappa,
)

SCALE_POINTS = (1, 2, 3, 4, 5)
NOTHING_JUDGED = "no run was judged"


def covered_scores(
    outcomes: Sequence[CaseOutcome], judgments: Mapping[str, Judgment]
) -> list[Mapping[str, int] | None]:
    """Return each case's four scores; None where V = 0, or no parsable judgment exists."""
    found: list[Mapping[str, int] | None] = []
    for outcome in outcomes:
        judgment = judgments.get(outcome.case_id)
        scored = outcome.decision is not None and judgment is not None
        found.append(judgment.scores if scored and judgment is not None else None)
    return found


def judge_coverage(outcomes: Sequence[CaseOutcome], judge: JudgeRun) -> Count:
    """Return how many of the runs with V = 1 were judged."""
    scores = covered_scores(outcomes, judge.judgments)
    return Count(
        numerator=sum(score is not None for score in scores),
        denominator=sum(outcome.decision is not None for outcome in outcomes),
    )


def judge_tallies(frame: Frame, outcomes: Sequence[CaseOutcome], judge: JudgeRun) -> list[Tally]:
    """Return coverage, the four means over covered runs and their unweighted mean."""
    scores = covered_scores(outcomes, judge.judgments)
    covered = np.array([score is not None for score in scores], dtype=np.int64)
    valid = np.array([outcome.decision is not None for outcome in outcomes], dtype=np.int64)
    columns = {
        name: np.array([score[name] if score else 0 for score in scores], dtype=np.int64)
        for name in DIMENSIONS
    }
    total = sum(columns.values(), np.zeros_like(frame.case_ones))
    return [
        rate("judge.coverage", Level.CASE, covered, valid, "no run has a valid conclusion"),
        *(
            rate(f"judge.{name}", Level.CASE, columns[name], covered, NOTHING_JUDGED)
            for name in DIMENSIONS
        ),
        rate("judge.mean", Level.CASE, total, covered * len(DIMENSIONS), NOTHING_JUDGED),
    ]


def judge_distributions(outcomes: Sequence[CaseOutcome], judge: JudgeRun) -> tuple[Breakdown, ...]:
    """Return, for each dimension, how often each score was given."""
    scores = [s for s in covered_scores(outcomes, judge.judgments) if s is not None]
    return tuple(
        Breakdown(
            breakdown_id=f"judge.{name}",
            title_key=name,
            rows=tuple(
                NamedCount(
                    key=str(point),
                    count=Count(
                        numerator=sum(score[name] == point for score in scores),
                        denominator=len(scores),
                    ),
                )
                for point in SCALE_POINTS
            ),
        )
        for name in DIMENSIONS
    )


def judge_agreement(
    row_id: str, outcomes: Sequence[CaseOutcome], judges: Sequence[JudgeRun]
) -> list[JudgeAgreement]:
    """Compare each two judges of one row, or a judge with people, dimension by dimension."""
    found: list[JudgeAgreement] = []
    for first, second in combinations(sorted(judges, key=lambda judge: judge.judge), 2):
        left = covered_scores(outcomes, first.judgments)
        right = covered_scores(outcomes, second.judgments)
        both = [(a, b) for a, b in zip(left, right, strict=True) if a and b]
        for name in DIMENSIONS:
            pairs = [(a[name], b[name]) for a, b in both]
            found.append(_agreement(row_id, first.judge, second.judge, name, pairs))
    return found


def _agreement(
    row_id: str, first: str, second: str, dimension: str, pairs: Sequence[tuple[int, int]]
) -> JudgeAgreement:
    kappa = quadratic_weighted_kappa([a for a, _ in pairs], [b for _, b in pairs], SCALE_POINTS)
    alpha = krippendorff_alpha(pairs, Scale.ORDINAL, SCALE_POINTS).alpha
    return JudgeAgreement(
        system=row_id,
        first=first,
        second=second,
        dimension=dimension,
        units=len(pairs),
        quadratic_kappa=kappa.value,
        ordinal_alpha=alpha.value,
        undefined=kappa.reason or alpha.reason,
    )
