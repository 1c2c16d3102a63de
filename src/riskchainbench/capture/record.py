"""What is known of an imported website beside the website itself; it reaches no model."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field, field_validator

from riskchainbench.capture.exchange import CaptureKind
from riskchainbench.capture.policy import Scripts
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.core.text import is_day

UNSTATED = "not stated"


class Origin(StrEnum):
    """Where a page of an imported website comes from.

    OBSERVED was captured; SYNTHETIC follows a form whose answer was not captured; SUBSTITUTE
    stands in for a page that the capture lacks.
    """

    OBSERVED = "observed"
    SYNTHETIC = "synthetic"
    SUBSTITUTE = "substitute"


class Provenance(Record):
    """Why a capture may be used, under which terms, and until when it is kept."""

    basis: str = UNSTATED
    terms: str = UNSTATED
    delete_by: str = UNSTATED

    @field_validator("delete_by")
    @classmethod
    def _is_day(cls, value: str) -> str:
        if value != UNSTATED and not is_day(value):
            raise ValueError(f"{value}: no day of the calendar; write it as 2027-01-31")
        return value


class Counts(Record):
    """How much was read, kept and left out; sizes are bytes."""

    exchanges: int
    pages: int
    assets: int
    bytes_captured: int
    bytes_kept: int


class PageLikeness(Record):
    """How alike a page looks when rendered from the capture and from the website; 1 is equal."""

    page_id: str
    text_overlap: float = Field(ge=0, le=1)
    image_similarity: float = Field(ge=0, le=1)


class StrataSuggestion(Record):
    """What a captured website seems to be, for a person to correct; `depth` counts clicks."""

    form: str
    topic: str
    language: str
    host_family: str
    front_end: str
    stateful: bool
    depth: int = Field(ge=1)
    difficulty: int = Field(ge=0)


class CaptureRecord(Record):
    """The private record of one imported website, ``private/<id>.json`` in a pool.

    `origins` says of every page id where it comes from; `masked` counts what was replaced by
    kind, `painted` what was painted over in pictures (None if they were not read), `left` what
    the scan for identifiers still finds; `removed` counts trackers, scripts
    and the like; `lacking` counts references that the capture does not answer.
    """

    schema_version: Literal["capture/1"] = "capture/1"
    pool_id: str
    kind: CaptureKind
    capture_sha256: Sha256
    settings_sha256: Sha256
    scripts: Scripts
    provenance: Provenance = Provenance()
    counts: Counts
    origins: dict[str, Origin]
    masked: dict[str, int] = Field(default_factory=dict)
    painted: dict[str, int] | None = None
    left: dict[str, int] = Field(default_factory=dict)
    removed: dict[str, int] = Field(default_factory=dict)
    lacking: dict[str, int] = Field(default_factory=dict)
    strata: StrataSuggestion
    likeness: tuple[PageLikeness, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
