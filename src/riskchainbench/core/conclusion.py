"""The conclusion of a website: decision, type, rationale and cited evidence (section 3.3)."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.decisions import Decision, compatible
from riskchainbench.core.failures import Failure
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Usage

MAX_REFERENCES = 20


class QuoteLocator(Record):
    """Words found in the step's viewport text after white-space folding."""

    kind: Literal["quote"] = "quote"
    text: str = Field(min_length=1)


class ElementLocator(Record):
    """A control of the step's inventory."""

    kind: Literal["element"] = "element"
    element_id: str


class BoxLocator(Record):
    """A rectangle inside the step's viewport, for evidence that stands in pixels only."""

    kind: Literal["box"] = "box"
    x: float = Field(ge=0)
    y: float = Field(ge=0)
    width: float = Field(gt=0)
    height: float = Field(gt=0)


Locator = Annotated[QuoteLocator | ElementLocator | BoxLocator, Field(discriminator="kind")]


class EvidenceReference(Record):
    """One citation (t, ℓ): an observed step and where in it the evidence stands."""

    step: int = Field(ge=0)
    locator: Locator


class Conclusion(Record):
    """The output contract of the conclusion stage."""

    decision: Decision
    violation_type: str
    rationale: str
    evidence: tuple[EvidenceReference, ...] = Field(min_length=1, max_length=MAX_REFERENCES)
    confidence: float = Field(ge=0, le=1)

    @model_validator(mode="after")
    def _type_fits(self) -> Self:
        if not compatible(self.decision, self.violation_type):
            raise ValueError(
                f"violation_type: {self.violation_type} does not go with {self.decision}"
            )
        return self


class Validity(Record):
    """The verdict of the validator V(τ, E) and its first reason against."""

    valid: bool
    failure: Failure | None = None


class ConclusionRecord(Record):
    """The frozen conclusion of one case: a conclusion with V = 1, or the failure instead."""

    schema_version: Literal["conclusion/1"] = "conclusion/1"
    case_id: str
    trajectory_sha256: str
    conclusion: Conclusion | None
    failure: Failure | None = None
    usage: Usage = Usage()
    seconds: float = 0.0

    @model_validator(mode="after")
    def _one_outcome(self) -> Self:
        if (self.conclusion is None) == (self.failure is None):
            raise ValueError("conclusion: exactly one of conclusion and failure must be given")
        return self
