"""The tallies of evidence truth over all websites (design decision 18)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.outcomes import EvidenceOutcome
from riskchainbench.scoring.records import Breakdown, Count, NamedCount
from riskchainbench.scoring.tally import Level, Tally, rate
from riskchainbench.scoring.task2 import CaseScore


def evidence_tallies(frame: Frame, scores: Sequence[CaseScore]) -> list[Tally]:
    """Return exposure, citation and what became of the decision given either."""
    ones = frame.case_ones
    found = np.array([score.marks.found for score in scores], dtype=np.int64)
    right = np.array([score.outcome.decision_correct for score in scores], dtype=np.int64)
    decisive = np.array([len(score.marks.decisive) for score in scores], dtype=np.int64)
    seen = np.array([len(s.marks.decisive & s.marks.exposed) for s in scores], dtype=np.int64)
    cited = np.array([len(s.marks.decisive & s.marks.cited) for s in scores], dtype=np.int64)
    tallies = [
        rate("evidence.sites_exposed", Level.CASE, found, ones),
        rate("evidence.exposure", Level.CASE, seen, decisive, "no website has a component"),
        rate("evidence.citation", Level.CASE, cited, seen, "no component was exposed"),
        rate(
            "evidence.accuracy_given_exposure",
            Level.CASE,
            right * found,
            found,
            "no website's evidence was exposed",
        ),
    ]
    for outcome in EvidenceOutcome:
        if outcome is not EvidenceOutcome.RIGHT_WITH_EVIDENCE:
            hits = np.array([s.outcome.evidence is outcome for s in scores], dtype=np.int64)
            tallies.append(rate(f"evidence.{outcome}", Level.CASE, hits, ones))
    return tallies


def evidence_breakdown(scores: Sequence[CaseScore]) -> Breakdown:
    """Count what became of each website's evidence; the counts sum to S."""
    found = [score.outcome.evidence for score in scores]
    return Breakdown(
        breakdown_id="evidence",
        title_key="evidence_outcome",
        rows=tuple(
            NamedCount(
                key=outcome, count=Count(numerator=found.count(outcome), denominator=len(found))
            )
            for outcome in EvidenceOutcome
        ),
    )
