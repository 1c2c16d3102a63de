"""The outcome of one website and of one message: what the units of every metric are."""

from __future__ import annotations

from enum import StrEnum

from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import Ending
from riskchainbench.core.record import Record


class FirstFailure(StrEnum):
    """The first stage at which a website's run failed, or success (design decision 13)."""

    EXECUTION = "execution"
    MISSING_CONCLUSION = "missing_conclusion"
    DECISION = "decision"
    TYPE = "type"
    SUCCESS = "success"


class EvidenceOutcome(StrEnum):
    """What became of a website's designed evidence (design decision 18)."""

    RIGHT_WITH_EVIDENCE = "right_with_evidence"
    RIGHT_WITHOUT_EVIDENCE = "right_without_evidence"
    NOT_FOUND = "not_found"
    FOUND_NOT_USED = "found_not_used"
    MISJUDGED = "misjudged"


class CaseOutcome(Record):
    """What one run made of one website.

    `decision` and `violation_type` are None where no valid conclusion exists (⊥). `gate` is
    None where the run has no gated view. `exposed` and `cited` count designed components,
    `components` how many there are.
    """

    case_id: str
    gold_decision: Decision
    gold_type: str
    decision: Decision | None
    violation_type: str | None
    confidence: float | None
    decision_correct: bool
    exact: bool
    gate: bool | None
    first_failure: FirstFailure
    failure: FailureClass | None
    ending: Ending | None
    evidence: EvidenceOutcome | None
    components: int = 0
    exposed: int = 0
    cited: int = 0
    steps: int = 0


class MessageOutcome(Record):
    """What one run made of one message variant; `edits` and `length` are code points."""

    sample_id: str
    case_id: str
    entry_rank: int | None
    entry_correct: bool
    message_exact: bool
    message_accepted: bool
    intent_correct: bool
    full: bool
    full_accepted: bool
    abstained: bool
    failure: FailureClass | None
    edits: int
    length: int
