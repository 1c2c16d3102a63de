"""Scoring one unit at a time, for doors whose host keeps its own results."""

from __future__ import annotations

from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.investigation import Trajectory
from riskchainbench.core.restoration import Prediction
from riskchainbench.scoring.distance import Reference
from riskchainbench.scoring.outcomes import CaseOutcome, MessageOutcome
from riskchainbench.scoring.task1 import score_message
from riskchainbench.scoring.task2 import score_case


class UnitScorer:
    """Compares single predictions and conclusions with the gold of a bundle.

    Its numbers are those of a whole score for the same unit; intervals, gates and views need
    the whole run.
    """

    def __init__(self, bundle: Bundle) -> None:
        """Open the bundle's gold.

        Raises:
            InputError: the bundle has none, or websites without a label.
        """
        self._bundle = bundle
        self._gold = open_gold(bundle).labeled()

    def message(self, prediction: Prediction) -> MessageOutcome:
        """Return what became of one message variant."""
        sample = self._gold.samples[prediction.sample_id]
        reference = Reference(sample.messages, sample.accepted)
        return score_message(sample, reference, prediction).outcome

    def case(
        self, trajectory: Trajectory | None, record: ConclusionRecord | None, case_id: str
    ) -> CaseOutcome:
        """Return what became of one website, seen on its own (the web-only view)."""
        return score_case(
            self._gold.labels[case_id],
            self._gold.components[case_id],
            self._bundle.codebook,
            trajectory,
            record,
        ).outcome
