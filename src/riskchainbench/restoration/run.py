"""The restoration stage: every task asked once, every prediction frozen before any browsing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from riskchainbench.core.failures import Failure, Stage
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import MAX_REPAIRS
from riskchainbench.core.restoration import Prediction, Restoration, RestorationTask
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings
from riskchainbench.core.store import Images
from riskchainbench.core.system import Reply, RestorationRequest, System
from riskchainbench.core.units import run_all, tried
from riskchainbench.models.ask import ReplyLog, ask
from riskchainbench.models.extract import extract_object
from riskchainbench.restoration.fonts import fonts_sha256
from riskchainbench.restoration.prompts import (
    build_image_request,
    build_request,
    image_instruction_sha256,
    instruction_sha256,
)

IMAGES = "images"
PREDICTIONS = "predictions.jsonl"
REQUIRED_KEYS = ("messages", "intent")

Progress = Callable[[int, int], None]
"""Called with the number of units done and the number of all."""


def parse_restoration(reply: Reply) -> Restoration | Failure:
    """Read a restorer's reply."""
    return extract_object(reply, Restoration, REQUIRED_KEYS, Stage.RESTORATION)


async def restore(
    tasks: Mapping[str, RestorationTask],
    tasks_sha256: Sha256,
    run: Path,
    system: System,
    *,
    language: str,
    concurrency: int = 8,
    repairs: int = MAX_REPAIRS,
    as_image: bool = False,
    progress: Progress | None = None,
) -> StageManifest:
    """Restore every task and freeze ``restoration/predictions.jsonl``, sorted by sample id.

    A finished stage is returned as it is; an unfinished one goes on where it stopped.

    Args:
        tasks: the restoration tasks by sample id.
        tasks_sha256: the identity of the bundle's tasks.
        run: the run's folder.
        system: what is evaluated.
        language: of the prompt.
        concurrency: how many tasks are asked at once.
        repairs: repair turns allowed for a reply that breaks the contract.
        as_image: show the messages as an image, drawn, instead of giving their text.
        progress: told how far the stage is.

    Raises:
        DriftError: the stage was begun under other settings.
        StorageError: the disk is full; what was finished is kept.
    """
    stage = StageFolder(run / Stage.RESTORATION)
    stage.begin(_settings(tasks_sha256, system, language, repairs, as_image))
    if stage.complete:
        return stage.verified()
    log = stage.log("predictions")
    # Lines, since predictions take three times their memory.
    done = {each.sample_id: each.to_json() + "\n" for each in log.records(Prediction)}
    replies = ReplyLog(stage.log("replies"))
    images = Images(run / IMAGES)
    open_units: list[str] = []

    def request(task: RestorationTask) -> RestorationRequest:
        if as_image:
            return build_image_request(task, language, images)
        return build_request(task, language)

    async def work(task: RestorationTask) -> None:
        async def attempt() -> Prediction:
            return await _predict(request(task), system, replies, language, repairs)

        outcome = await tried(attempt)
        if isinstance(outcome, Failure):
            stage.note_system_failure(task.sample_id, outcome)
            open_units.append(task.sample_id)
            return
        log.append(outcome.model_dump(mode="json"))
        done[task.sample_id] = outcome.to_json() + "\n"
        if progress is not None:
            progress(len(done), len(tasks))

    todo = [task for sample_id, task in sorted(tasks.items()) if sample_id not in done]
    await run_all(todo, work, concurrency=concurrency)
    return stage.freeze(
        Stage.RESTORATION,
        {PREDICTIONS: "".join(done[sample_id] for sample_id in sorted(done)).encode("utf-8")},
        units=len(tasks),
        open_units=tuple(sorted(open_units)),
    )


async def _predict(
    request: RestorationRequest, system: System, replies: ReplyLog, language: str, repairs: int
) -> Prediction:
    task = request.task

    async def call(question: RestorationRequest) -> Reply:
        return await system.reply(task.sample_id, question)

    answer = await ask(
        call,
        request,
        parse_restoration,
        replies.unit(task.sample_id),
        repairs=repairs,
        language=language,
    )
    return Prediction(
        sample_id=task.sample_id,
        restoration=answer.value,
        failure=answer.failure,
        usage=answer.usage,
    )


def _settings(
    tasks_sha256: Sha256, system: System, language: str, repairs: int, as_image: bool
) -> StageSettings:
    prompt = image_instruction_sha256(language) if as_image else instruction_sha256(language)
    drawn = {"input": "image", "fonts_sha256": fonts_sha256()} if as_image else {}
    return StageSettings(
        stage=Stage.RESTORATION,
        tasks_sha256=tasks_sha256,
        inputs={},
        settings={
            "system": system.name,
            **{f"system.{name}": value for name, value in sorted(system.settings.items())},
            "prompt_language": language,
            "prompt_sha256": prompt,
            "repairs": repairs,
            **drawn,
        },
    )
