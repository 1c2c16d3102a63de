"""How a model is asked: what changes its answers, which is recorded, and the pace, which is not."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from riskchainbench.core.record import Record

DEFAULT = "default"
"""How a setting that is left to the provider is recorded."""


class Structured(StrEnum):
    """How a reply's form is asked for, besides in the prompt.

    `AUTO` is settled by the probe before a run; a run itself knows only the other three.
    """

    AUTO = "auto"
    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    NONE = "none"


LADDER = (Structured.JSON_SCHEMA, Structured.JSON_OBJECT, Structured.NONE)
"""What the probe tries for `AUTO`, in order."""

Effort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class ModelSettings(Record):
    """What changes a model's answers; None leaves the choice to the provider.

    `max_tokens` bounds one reply. The image limits override the provider's profile.
    """

    temperature: float | None = Field(default=0.0, ge=0, le=2)
    max_tokens: int | None = Field(default=8192, gt=0)
    top_p: float | None = Field(default=None, gt=0, le=1)
    seed: int | None = None
    reasoning_effort: Effort | None = None
    reasoning_tokens: int | None = Field(default=None, gt=0)
    structured: Structured = Structured.AUTO
    image_edge: int | None = Field(default=None, ge=64)
    image_bytes: int | None = Field(default=None, ge=10_000)
    images: int | None = Field(default=None, ge=1)

    def recorded(self) -> dict[str, str | int | float | bool]:
        """Return the settings in the form that manifests hold."""
        return {
            name: DEFAULT if value is None else value
            for name, value in self.model_dump(mode="json").items()
        }

    @classmethod
    def of_record(cls, recorded: Mapping[str, Any]) -> ModelSettings:
        """Return the settings that a manifest holds."""
        names = cls.model_fields.keys() & recorded.keys()
        return cls.model_validate(
            {name: None if recorded[name] == DEFAULT else recorded[name] for name in names}
        )


class Pace(Record):
    """How fast and how stubbornly a provider is asked; no answer depends on it.

    `attempts` bounds the calls made for one question, `attempt_seconds` each of them;
    `longest_pause` caps the seconds waited between two, Retry-After included.
    `give_up_after` questions in a row without any answer end the run.
    """

    at_once: int = Field(default=8, gt=0)
    tokens_per_minute: int | None = Field(default=None, gt=0)
    attempts: int = Field(default=6, gt=0)
    attempt_seconds: float = Field(default=300.0, gt=0)
    first_pause: float = Field(default=1.0, gt=0)
    longest_pause: float = Field(default=120.0, gt=0)
    give_up_after: int = Field(default=3, gt=0)
