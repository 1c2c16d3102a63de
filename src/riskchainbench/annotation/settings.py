"""What a project is begun with, and the error by which it refuses what a person asks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from pydantic import Field

from riskchainbench.annotation.form import Problem
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record

PROJECT = "project.json"
PICTURES = "pictures"
ANNOTATOR, COORDINATOR = "annotator", "coordinator"
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z"

Clock = Callable[[], float]
"""Seconds since the epoch, as the ledger records them."""


class ProjectSettings(Record):
    """What a project was begun with; none of it changes later."""

    schema_version: Literal["annotation-project/1"] = "annotation-project/1"
    tasks_sha256: Sha256
    codebook_sha256: Sha256
    codebook_version: str
    cases: tuple[str, ...]
    seed: str
    lease_seconds: float = Field(default=3600.0, gt=0)
    repeat_rate: float = Field(default=0.08, ge=0, le=1)
    repeat_gap: int = Field(default=10, ge=1)
    training: int = Field(default=3, ge=0)
    simulated: bool = False
    database: str | None = None


class RefusedError(InputError):
    """The project refuses what a person asked for; `key` names the text that says why."""

    def __init__(self, key: str, message: str, found: tuple[Problem, ...] = ()) -> None:
        super().__init__(message)
        self.key = key
        self.problems = found
