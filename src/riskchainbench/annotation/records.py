"""What people say about a website, and the entries in which the ledger keeps it."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import Box
from riskchainbench.core.record import Record

MAX_NOTE = 4_000
MAX_PINS = 30


class EnvironmentStatus(StrEnum):
    """Whether the environment is good enough to be judged; asked before anything else."""

    COMPLETE = "COMPLETE"
    PARTIAL = "PARTIAL"
    INACCESSIBLE = "INACCESSIBLE"
    INVALID = "INVALID"


class Purpose(StrEnum):
    """Why a person was given a website. The person is never told which of the three it is."""

    INDEPENDENT = "independent"
    THIRD = "third"
    REPEAT = "repeat"


class VisitKind(StrEnum):
    """What a person's visit did: asked the website for something, or moved within a page."""

    REQUEST = "request"
    SCROLL = "scroll"
    INPUT = "input"


class VisitEvent(Record):
    """One event of a person's visit; `at` counts seconds since they were given the website.

    `fields` names the form fields that were sent or typed into, never what was typed; `top` is
    how far the page was scrolled, in CSS pixels. Method, effect, status and state are those of
    a request; the other kinds are told by the page itself.
    """

    kind: VisitKind = VisitKind.REQUEST
    at: float = Field(ge=0)
    path: str
    method: str = ""
    effect: str = ""
    status: int | None = None
    fields: tuple[str, ...] = ()
    top: int | None = None
    state_sha256: Sha256 | None = None


class Pin(Record):
    """An evidence anchor: one fact, where it was seen, and the picture that shows it.

    `component_id` is None for what no component names, such as a limit of the environment.
    `box` is given in CSS pixels of the picture `screenshot`.
    """

    anchor: str
    component_id: str | None = None
    path: str = "/"
    words: str = Field(default="", max_length=500)
    screenshot: Sha256 | None = None
    box: Box | None = None


class Judged(Record):
    """The content of a judgment, as the form asks for it."""

    environment: EnvironmentStatus
    decision: Decision
    violation_type: str
    secondary_types: tuple[str, ...] = ()
    pins: tuple[Pin, ...] = Field(default=(), max_length=MAX_PINS)
    counter_evidence: str = Field(default="", max_length=MAX_NOTE)
    confidence: int = Field(ge=1, le=5)
    note: str = Field(default="", max_length=MAX_NOTE)

    @property
    def joint(self) -> tuple[str, str]:
        """Decision and type together, over which majorities are taken."""
        return (self.decision.value, self.violation_type)


class HumanJudgment(Record):
    """One person's judgment of one website.

    `corrects` names the entry of the same person and slot that this one takes the place of.
    """

    kind: Literal["judgment"] = "judgment"
    case_id: str
    person: str
    purpose: Purpose
    slot: int
    judged: Judged
    seconds: float = Field(ge=0)
    visit: tuple[VisitEvent, ...] = ()
    codebook_sha256: Sha256
    simulated: bool = False
    corrects: Sha256 | None = None


class Adjudication(Record):
    """A coordinator's decision on a website without a majority, with the reason for it."""

    kind: Literal["adjudication"] = "adjudication"
    case_id: str
    person: str
    decision: Decision
    violation_type: str
    secondary_types: tuple[str, ...] = ()
    reason: str = Field(min_length=1, max_length=MAX_NOTE)
    codebook_sha256: Sha256
    simulated: bool = False


class ReportReason(StrEnum):
    """Why a person left a website."""

    DISTRESSING = "distressing"
    ILLEGAL = "illegal"
    BROKEN = "broken"


class SiteReport(Record):
    """A person left a website; nothing of it is copied. A coordinator decides what follows."""

    kind: Literal["report"] = "report"
    case_id: str
    person: str
    slot: int
    reason: ReportReason
    note: str = Field(default="", max_length=MAX_NOTE)


class TrainingAnswer(Record):
    """A person's answer to a training website, and whether it met the reference."""

    kind: Literal["training"] = "training"
    case_id: str
    person: str
    judged: Judged
    decision_right: bool
    type_right: bool
    simulated: bool = False


class PersonEvent(Record):
    """A person joined or left the project; departed people's open websites go to others."""

    kind: Literal["person"] = "person"
    person: str
    role: str
    event: Literal["joined", "left"]


class EvidenceRating(Record):
    """The judge's four scores, given by a person who sees what the judge sees.

    `package_sha256` identifies the evidence package; `reasons` may be left empty.
    """

    kind: Literal["evidence-rating"] = "evidence-rating"
    item: str
    person: str
    package_sha256: Sha256
    scores: dict[str, int]
    reasons: dict[str, str] = Field(default_factory=dict)
    rubric_sha256: Sha256
    seconds: float = 0.0
    simulated: bool = False


class Frozen(Record):
    """The labels of the project were frozen into a bundle."""

    kind: Literal["frozen"] = "frozen"
    gold_sha256: Sha256
    labels: int


Entry = Annotated[
    HumanJudgment
    | Adjudication
    | SiteReport
    | TrainingAnswer
    | PersonEvent
    | EvidenceRating
    | Frozen,
    Field(discriminator="kind"),
]


class LedgerLine(Record):
    """One link of the chain: `sha256` covers the number, the time, the entry and `previous`."""

    number: int = Field(ge=1)
    at: float
    entry: Entry
    previous: Sha256
    sha256: Sha256
