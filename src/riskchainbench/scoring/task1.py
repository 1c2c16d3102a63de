"""Task 1: what became of each message variant, and the tallies over all of them (section 3.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from riskchainbench.core.failures import FAILURES, FailureClass, Stage
from riskchainbench.core.gold import SampleGold
from riskchainbench.core.restoration import MAX_CANDIDATES, Prediction
from riskchainbench.core.text import compared_text
from riskchainbench.scoring.calibrated import brier_tally, calibration_tally
from riskchainbench.scoring.catalogue import FAILED
from riskchainbench.scoring.distance import Distance, Reference
from riskchainbench.scoring.frame import Frame
from riskchainbench.scoring.gate import (
    entry_rank,
    opens_gate,
    opens_gate_tolerantly,
    top_candidate,
)
from riskchainbench.scoring.outcomes import MessageOutcome
from riskchainbench.scoring.run import RunData
from riskchainbench.scoring.tally import Integers, Level, Tally, rate


class MessageScore(NamedTuple):
    """A message variant's outcome with what only sums need."""

    outcome: MessageOutcome
    distance: Distance
    tolerant: bool
    usable: bool
    confidence: float | None


def score_message(
    sample: SampleGold, reference: Reference, prediction: Prediction | None
) -> MessageScore:
    """Compare one prediction with its reference; no prediction, or a failure, has all wrong."""
    restoration = prediction.restoration if prediction is not None else None
    if restoration is None:
        return _lost(sample, reference, prediction)
    raw = {message.message_id: message.text for message in restoration.messages}
    exact = raw == sample.messages
    distance, acceptable = reference.nothing_lost, exact
    if not exact:
        restored = {key: compared_text(text) for key, text in raw.items()}
        distance = reference.distance(restored)
        exact = reference.exact(restored)
        acceptable = exact or (bool(sample.accepted) and reference.acceptable(restored))
    entry = opens_gate(restoration, sample.entry)
    intent = restoration.intent is sample.intent
    top = top_candidate(restoration)
    outcome = MessageOutcome(
        sample_id=sample.sample_id,
        case_id=sample.case_id,
        entry_rank=1 if entry else entry_rank(restoration, sample.entry),
        entry_correct=entry,
        message_exact=exact,
        message_accepted=acceptable,
        intent_correct=intent,
        full=exact and intent and entry,
        full_accepted=acceptable and intent and entry,
        abstained=restoration.abstain,
        failure=None,
        edits=distance.edits,
        length=distance.length,
    )
    return MessageScore(
        outcome,
        distance,
        tolerant=entry or opens_gate_tolerantly(restoration, sample.entry),
        usable=True,
        confidence=top.confidence if top is not None else None,
    )


def _lost(sample: SampleGold, reference: Reference, prediction: Prediction | None) -> MessageScore:
    failed = prediction.failure if prediction is not None else None
    distance = reference.all_lost
    outcome = MessageOutcome(
        sample_id=sample.sample_id,
        case_id=sample.case_id,
        entry_rank=None,
        entry_correct=False,
        message_exact=False,
        message_accepted=False,
        intent_correct=False,
        full=False,
        full_accepted=False,
        abstained=False,
        failure=failed.failure_class if failed is not None else None,
        edits=distance.edits,
        length=distance.length,
    )
    return MessageScore(outcome, distance, tolerant=False, usable=False, confidence=None)


def score_messages(frame: Frame, run: RunData) -> tuple[MessageScore, ...]:
    """Score every message variant of the frame, in its order."""
    predictions = run.predictions or {}
    return tuple(
        score_message(sample, reference, predictions.get(sample.sample_id))
        for sample, reference in zip(frame.samples, frame.references, strict=True)
    )


def task1_tallies(frame: Frame, scores: Sequence[MessageScore]) -> list[Tally]:
    """Return the tallies of every Task 1 metric, in the order of the catalogue."""
    outcomes = [score.outcome for score in scores]
    ones = frame.sample_ones
    ranks = np.array([x.entry_rank or MAX_CANDIDATES + 1 for x in outcomes], dtype=np.int64)
    entry = _flags([x.entry_correct for x in outcomes])

    def message_rate(name: str, hits: Integers) -> Tally:
        return rate(f"task1.{name}", Level.MESSAGE, hits, ones, "no message was scored")

    distances = np.array([score.distance for score in scores], dtype=np.int64).reshape(-1, 4)
    edits, token_edits = (np.ascontiguousarray(distances[:, column]) for column in (0, 2))
    tallies = [
        message_rate("entry_top1", entry),
        message_rate("full", _flags([x.full for x in outcomes])),
        rate("task1.cer", Level.MESSAGE, edits, frame.lengths, "no text was scored"),
        message_rate("full_accepted", _flags([x.full_accepted for x in outcomes])),
        message_rate("message_exact", _flags([x.message_exact for x in outcomes])),
        message_rate("message_accepted", _flags([x.message_accepted for x in outcomes])),
        message_rate("intent", _flags([x.intent_correct for x in outcomes])),
        rate(
            "task1.mixed_token_error",
            Level.MESSAGE,
            token_edits,
            frame.tokens,
            "no text was scored",
        ),
        message_rate("entry_tolerant", _flags([score.tolerant for score in scores])),
        message_rate("abstention", _flags([x.abstained for x in outcomes])),
        message_rate("output_valid", _flags([score.usable for score in scores])),
    ]
    tallies += [
        message_rate(f"recall_at_{k}", (ranks <= k).astype(np.int64))
        for k in range(1, MAX_CANDIDATES + 1)
    ]
    confidences = [score.confidence for score in scores]
    right = [x.entry_correct for x in outcomes]
    tallies.append(brier_tally("calibration.entry_brier", Level.MESSAGE, confidences, right))
    tallies.append(calibration_tally("calibration.entry_ece", Level.MESSAGE, confidences, right))
    return tallies


def task1_failure_tallies(frame: Frame, scores: Sequence[MessageScore]) -> list[Tally]:
    """Return the rate of each failure class that a restoration can have."""
    classes = [score.outcome.failure for score in scores]
    return [
        rate(
            f"task1.{FAILED}{kind}",
            Level.MESSAGE,
            _flags([found is kind for found in classes]),
            frame.sample_ones,
            "no message was scored",
        )
        for kind in FailureClass
        if Stage.RESTORATION in FAILURES[kind].stages
    ]


def _flags(values: Sequence[bool]) -> Integers:
    return np.array(values, dtype=np.int64)
