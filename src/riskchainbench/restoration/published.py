"""Task 1 in the published file format, so that a system can be run on inputs made elsewhere.

One JSON object a line. Inputs are ``obfuscated-reconstruction-task/v0.1``, outputs
``obfuscated-reconstruction-prediction/v0.1``; fields of an input that are not needed are
ignored, since they are the publisher's to change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_file
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import (
    Intent,
    Message,
    Prediction,
    RestorationTask,
    RestoredMessage,
    Surface,
)
from riskchainbench.core.store import jsonl_bytes, read_lines, validate
from riskchainbench.core.text import gate

INPUT_SCHEMA = "obfuscated-reconstruction-task/v0.1"


class _PublishedMessage(BaseModel):
    """One message of an input line."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    message_id: str
    content: str


class _PublishedTask(BaseModel):
    """One input line; what is not needed is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    schema_version: Literal["obfuscated-reconstruction-task/v0.1"]
    sample_id: str
    platform: str
    surface: Surface
    input_view: Literal["TOKEN_TEXT"] = "TOKEN_TEXT"
    messages: tuple[_PublishedMessage, ...] = Field(min_length=1)


class PublishedCandidate(Record):
    """One entry candidate of an output line."""

    rank: int
    value: str
    confidence: float | None


class PublishedPrediction(Record):
    """One output line."""

    schema_version: Literal["obfuscated-reconstruction-prediction/v0.1"] = (
        "obfuscated-reconstruction-prediction/v0.1"
    )
    sample_id: str
    model_id: str
    run_id: str
    input_view: Literal["TOKEN_TEXT"] = "TOKEN_TEXT"
    reconstructed_messages: tuple[RestoredMessage, ...]
    intent: Intent
    platform: str
    entry_candidates: tuple[PublishedCandidate, ...]
    abstain: bool
    uncertainties: tuple[str, ...]


def read_published(path: Path) -> tuple[dict[str, RestorationTask], Sha256]:
    """Read a published input file; return its tasks by sample id and the file's identity.

    Raises:
        InputError: naming the file, the line and the field.
    """
    tasks: dict[str, RestorationTask] = {}
    for where, value in read_lines(path):
        found = validate(_PublishedTask, value, where)
        if found.sample_id in tasks:
            raise InputError(f"{where}: sample_id: {found.sample_id} stands twice")
        tasks[found.sample_id] = RestorationTask(
            sample_id=found.sample_id,
            platform=found.platform,
            surface=found.surface,
            messages=tuple(
                Message(message_id=message.message_id, content=gate(message.content)[0])
                for message in found.messages
            ),
        )
    if not tasks:
        raise InputError(f"{path}: holds no task")
    return tasks, sha256_file(path)


def published_bytes(
    tasks: dict[str, RestorationTask], predictions: list[Prediction], *, system: str, run_id: str
) -> bytes:
    """Return predictions as published output lines, in the order of `tasks`.

    A task without a restoration becomes an abstention that gives the failure's class.
    """
    found = {prediction.sample_id: prediction for prediction in predictions}
    return jsonl_bytes(
        _line(task, found.get(sample_id), system, run_id) for sample_id, task in tasks.items()
    )


def _line(
    task: RestorationTask, prediction: Prediction | None, system: str, run_id: str
) -> PublishedPrediction:
    restoration = prediction.restoration if prediction is not None else None
    if restoration is None:
        failure = prediction.failure if prediction is not None else None
        why = failure.failure_class.value if failure is not None else "no outcome"
        return PublishedPrediction(
            sample_id=task.sample_id,
            model_id=system,
            run_id=run_id,
            reconstructed_messages=(),
            intent=Intent.UNKNOWN,
            platform=task.platform,
            entry_candidates=(),
            abstain=True,
            uncertainties=(why,),
        )
    return PublishedPrediction(
        sample_id=task.sample_id,
        model_id=system,
        run_id=run_id,
        reconstructed_messages=restoration.messages,
        intent=restoration.intent,
        platform=task.platform,
        entry_candidates=tuple(
            PublishedCandidate(rank=c.rank, value=c.value, confidence=c.confidence)
            for c in sorted(restoration.candidates, key=lambda c: c.rank)
        ),
        abstain=restoration.abstain,
        uncertainties=restoration.uncertainties,
    )
