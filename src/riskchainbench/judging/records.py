"""What a judge is shown and what it returns."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import Failure
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import (
    ActionKind,
    Box,
    ElementKind,
    Ending,
    EventKind,
    OutcomeStatus,
    Viewport,
)
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Usage

DIMENSIONS = ("faithfulness", "sufficiency", "completeness", "consistency")
"""The four dimensions of the paper's equation 7, in its order."""


class PackagedControl(Record):
    """One control of the inventory, as the agent was shown it."""

    control_id: str
    kind: ElementKind
    name: str
    options: tuple[str, ...] = ()
    disabled: bool = False
    in_viewport: bool = True


class PackagedEvent(Record):
    """One event beside the page."""

    kind: EventKind
    text: str


class PackagedObservation(Record):
    """What the agent saw at one step; `screenshot` only where the image is admitted.

    `seen_to` and `page_height` are the lower edge of the viewport and the length of the page,
    in CSS pixels. `state` numbers the distinct page states in order of first sight.
    """

    step: int
    title: str
    text: str
    controls: tuple[PackagedControl, ...]
    events: tuple[PackagedEvent, ...] = ()
    seen_to: float
    page_height: float
    state: int
    screenshot: Sha256 | None = None


class LedgerEntry(Record):
    """One action, on which control, and what came of it; `action` is None for a lost turn."""

    step: int
    action: ActionKind | None
    control_id: str | None = None
    control: str | None = None
    option: str | None = None
    outcome: OutcomeStatus | None = None
    detail: str = ""
    fixture: str | None = None


class PackagedCitation(Record):
    """One evidence reference with what stands there.

    `content` is the quote or the control's name, `context` the words around a quote;
    `whole_viewport` marks a box that covers everything and so points at nothing.
    """

    step: int
    kind: Literal["quote", "element", "box"]
    resolved: bool
    content: str = ""
    context: str = ""
    box: Box | None = None
    whole_viewport: bool = False

    @property
    def specific(self) -> bool:
        """Whether the citation resolves and points at something in particular."""
        return self.resolved and not self.whole_viewport


class PackagedConclusion(Record):
    """The frozen conclusion under judgment."""

    decision: Decision
    violation_type: str
    rationale: str
    confidence: float
    citations: tuple[PackagedCitation, ...]


class EvidencePackage(Record):
    """The sanitized trajectory that a judge receives: no label, model, host, URL or case id.

    The agent's stated reasons are left out with everything else it thought. `images` lists
    the admitted screenshots by step and hash.
    """

    schema_version: Literal["package/1"] = "package/1"
    viewport: Viewport
    observations: tuple[PackagedObservation, ...]
    ledger: tuple[LedgerEntry, ...]
    ending: Ending
    conclusion: PackagedConclusion
    images: tuple[tuple[int, Sha256], ...] = ()


class DimensionScore(Record):
    """One score on an anchored scale and the reason given for it."""

    score: int = Field(ge=1, le=5, strict=True)
    reason: str = ""


class JudgeScores(Record):
    """The output contract of a judge: four scores from 1 to 5."""

    faithfulness: DimensionScore
    sufficiency: DimensionScore
    completeness: DimensionScore
    consistency: DimensionScore

    def numbers(self) -> dict[str, int]:
        """Return the scores by dimension."""
        return {name: getattr(self, name).score for name in DIMENSIONS}


class JudgmentRecord(Record):
    """What one judge said of one case; a reply that could not be read is a failure, no score.

    The two hashes say which frozen trajectory and which conclusion were judged.
    """

    schema_version: Literal["judgment/1"] = "judgment/1"
    case_id: str
    trajectory_sha256: Sha256
    conclusion_sha256: Sha256
    scores: JudgeScores | None
    failure: Failure | None = None
    usage: Usage = Usage()

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.scores is None) == (self.failure is None):
            raise ValueError("scores: exactly one of scores and failure must be given")
        return self
