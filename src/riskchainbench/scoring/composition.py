"""Entry-gated composition, offline from two frozen folders (equations 5 and 8)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskchainbench.core.gold import PRIMARY_VARIANT
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.gate import opens_gate
from riskchainbench.scoring.outcomes import CaseOutcome
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.tally import Level, Tally, rate
from riskchainbench.scoring.task2 import View


def gates(frame: Frame, run: RunData) -> dict[str, bool]:
    """Return g for each case, from the primary variant alone.

    Empty where the run has no gated view; a case without a primary variant never opens.
    """
    if run.gated_missing is not None:
        return {}
    predictions = run.predictions or {}
    opened = dict.fromkeys(frame.case_ids, False)
    for sample in frame.samples:
        if sample.variant == PRIMARY_VARIANT:
            prediction = predictions.get(sample.sample_id)
            restoration = prediction.restoration if prediction is not None else None
            opened[sample.case_id] = opens_gate(restoration, sample.entry)
    return opened


def composition_tallies(
    frame: Frame, outcomes: Sequence[CaseOutcome], web_only: View, gated: View
) -> list[Tally]:
    """Return the gate pass rate and the gate loss, web-only accuracy less gated accuracy."""
    ones = frame.case_ones
    passed = np.array([outcome.gate is True for outcome in outcomes], dtype=np.int64)
    return [
        rate("composition.gate_pass", Level.CASE, passed, ones),
        rate("composition.gate_loss", Level.CASE, web_only.right - gated.right, ones),
    ]
