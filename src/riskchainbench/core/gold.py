"""Gold records: labels, pairs, strata and designed evidence. They stand in evaluator_only/ alone.

The shapes are no secret; the values are reached through `bundle.open_gold` only.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal, Self

from pydantic import Field, model_validator

from riskchainbench.core.codebook import Role
from riskchainbench.core.decisions import Decision, compatible
from riskchainbench.core.investigation import ActionKind
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Intent


class LabelSource(StrEnum):
    """Where a label comes from; captured websites have none until people gave them one."""

    DESIGNED = "designed, unaudited"
    AUDITED = "designed, audited"
    HUMAN = "human"
    SIMULATED = "simulated annotators"
    NONE = "none"

    @property
    def designed(self) -> bool:
        """Whether the label follows from how the website was made."""
        return self in (LabelSource.DESIGNED, LabelSource.AUDITED)


CAPTURED = "captured"
"""The scenario of websites that nobody designed: they were made of captured pages."""


class WebsiteLabel(Record):
    """The gold annotation y = (d, c) of one website."""

    schema_version: Literal["label/1"] = "label/1"
    case_id: str
    decision: Decision
    violation_type: str
    secondary_types: tuple[str, ...] = ()
    source: LabelSource = LabelSource.DESIGNED
    codebook_version: str

    @model_validator(mode="after")
    def _type_fits(self) -> Self:
        if not compatible(self.decision, self.violation_type):
            raise ValueError(
                f"violation_type: {self.violation_type} does not go with {self.decision}"
            )
        return self


class Medium(StrEnum):
    """Whether a component can be read as text or stands in pixels only."""

    TEXT = "text"
    PIXELS = "pixels"


class Placement(StrEnum):
    """How an agent gets to see a component."""

    FIRST_PAGE = "first_page"
    NAVIGATION = "navigation"
    FORM = "form"
    CHAT = "chat"
    GATE = "gate"
    SPLIT = "split"


class PlacedComponent(Record):
    """One designed component of a website and where it can be observed.

    `page` is the id of the page (view) that shows it; `realization` the exact words shown,
    or drawn when `medium` is pixels; `asserted` is False for decoys: quoted, educational or
    licensed mentions that do not count (design decision 17).
    """

    schema_version: Literal["component/1"] = "component/1"
    case_id: str
    component_id: str
    role: Role
    page: str
    placement: Placement
    medium: Medium
    realization: str = Field(min_length=1)
    asserted: bool = True


class Stratum(Record):
    """Selection metadata of one website; it never decides a label and reaches no model.

    Contrast sets with the same `parallel` state the same facts, each in another language.
    A website is `clickable` if a control leads to another view, and `stateful` if it keeps
    what a visitor did.
    """

    schema_version: Literal["stratum/1"] = "stratum/1"
    case_id: str
    contrast_set: str
    parallel: str = ""
    scenario: str
    brand_family: str
    form: str
    topic: str
    language: str
    front_end: str
    clickable: bool = True
    stateful: bool
    depth: int = Field(ge=1)
    difficulty: int = Field(ge=0)
    oracle_steps: int = Field(ge=0)

    @property
    def captured(self) -> bool:
        """Whether the website was made of captured pages, so that nothing of it was designed."""
        return self.scenario == CAPTURED


class SampleGold(Record):
    """The reference restoration of one message variant and its strata.

    `accepted` maps a message id to the other canonical texts that count as right in the rate
    with accepted equivalents (design decision 2). `rearranged` marks a recipe that changes
    which messages there are, so that the reference is not the source session's text.
    """

    schema_version: Literal["source/1"] = "source/1"
    sample_id: str
    case_id: str
    variant: str
    session: str
    messages: dict[str, str]
    accepted: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    intent: Intent
    entry: str
    platform: str
    recipe: str
    operators: tuple[str, ...]
    severity: str
    entry_position: str
    length: str
    theme: str
    template: str
    rearranged: bool = False


PRIMARY_VARIANT = "v000"


class WalkStep(Record):
    """One step of the shortest way to a website's evidence.

    `control` is the accessible name of the control to act on, as the inventory shows it;
    `option` the label to choose; `fixture` the name of the synthetic value to fill in.
    """

    action: ActionKind
    control: str | None = None
    option: str | None = None
    fixture: str | None = None
