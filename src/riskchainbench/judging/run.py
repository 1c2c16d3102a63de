"""The judging stage: each valid conclusion rated once, beside the run it belongs to.

Folder ``judging/<judge>/``: settings, logs, ``judgments.jsonl`` sorted by case, manifest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from riskchainbench.bundle import Bundle
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.failures import Failure, Stage
from riskchainbench.core.hashing import Sha256, sha256_text
from riskchainbench.core.investigation import MAX_REPAIRS, Viewport
from riskchainbench.core.stage import StageFolder, StageManifest, StageSettings, read_run
from riskchainbench.core.store import Images, jsonl_bytes, read_json
from riskchainbench.core.system import Reply
from riskchainbench.core.units import run_all, tried
from riskchainbench.investigation.trajectory import IMAGES, read_trajectory, trajectory_sha256
from riskchainbench.judging.masking import Mask, private_terms
from riskchainbench.judging.package import build_package
from riskchainbench.judging.prompts import (
    DEFAULT_LANGUAGE,
    instruction_sha256,
    judging_request,
)
from riskchainbench.judging.protocol import Judge, JudgingRequest
from riskchainbench.judging.read import JUDGMENTS, judging_stage
from riskchainbench.judging.records import DIMENSIONS, JudgeScores, JudgmentRecord
from riskchainbench.judging.rubric import Rubric, default_rubric
from riskchainbench.models.ask import ReplyLog, ask
from riskchainbench.models.extract import extract_object

Progress = Callable[[int, int], None]
"""Called with the number of units done and the number of all."""


@dataclass(frozen=True)
class Frozen:
    """One case to be judged: its conclusion and the hashes a judgment binds to."""

    case_id: str
    record: ConclusionRecord
    conclusion_sha256: Sha256
    trajectory_sha256: Sha256

    def bound(self, judgment: JudgmentRecord) -> bool:
        """Tell whether a judgment is of this trajectory and this conclusion."""
        return (judgment.trajectory_sha256, judgment.conclusion_sha256) == (
            self.trajectory_sha256,
            self.conclusion_sha256,
        )


@dataclass(frozen=True)
class Bench:
    """What is the same for every case of a judged run."""

    run: Path
    system: str
    codebook: Codebook
    rubric: Rubric
    judge: Judge
    language: str
    repairs: int


async def judge(
    bundle: Bundle,
    run: Path,
    judge: Judge,
    *,
    language: str = DEFAULT_LANGUAGE,
    concurrency: int = 4,
    repairs: int = MAX_REPAIRS,
    progress: Progress | None = None,
) -> StageManifest:
    """Rate every valid conclusion of `run` once and freeze ``judging/<judge>/judgments.jsonl``.

    A finished stage is returned as it is, unless the conclusions were frozen anew since; then
    only conclusions that changed are rated again. A reply that cannot be read leaves the case
    without scores, which counts against coverage.

    Args:
        bundle: the benchmark that the run was made for.
        run: the run's folder; its conclusions have to be frozen.
        judge: who rates.
        language: of the prompt and rubric.
        concurrency: how many packages are rated at once.
        repairs: repair turns allowed for a reply that breaks the contract.
        progress: told how far the stage is.

    Raises:
        InputError: the conclusions are not frozen.
        IntegrityError: a frozen file was changed.
        DriftError: the stage was begun under other settings.
        StorageError: the disk is full; finished judgments are kept.
    """
    rubric = default_rubric()
    bench = Bench(run, read_run(run).system, bundle.codebook, rubric, judge, language, repairs)
    stage = judging_stage(run, judge.name)
    stage.begin(_settings(bench, bundle.tasks_sha256))
    concluded = StageFolder(run / Stage.CONCLUSION)
    basis = concluded.identity()
    if stage.complete and stage.manifest().notes.get("conclusions") == basis:
        return stage.manifest()
    cases = {case.case_id: case for case in frozen_conclusions(run)}
    log = stage.log("judgments")
    done = {
        judgment.case_id: judgment
        for judgment in log.records(JudgmentRecord)
        if judgment.case_id in cases and cases[judgment.case_id].bound(judgment)
    }
    replies = ReplyLog(stage.log("replies"))
    open_units: list[str] = []

    async def work(case: Frozen) -> None:
        async def attempt() -> JudgmentRecord:
            viewport = bundle.investigation_tasks[case.case_id].viewport
            return await _judged(case, viewport, bench, replies)

        outcome = await tried(attempt)
        if isinstance(outcome, Failure):
            stage.note_system_failure(case.case_id, outcome)
            open_units.append(case.case_id)
            return
        log.append(outcome.model_dump(mode="json"))
        done[case.case_id] = outcome
        if progress is not None:
            progress(len(done), len(cases))

    todo = [case for case_id, case in sorted(cases.items()) if case_id not in done]
    await run_all(todo, work, concurrency=concurrency)
    return stage.freeze(
        Stage.JUDGING,
        {JUDGMENTS: jsonl_bytes(done[case_id] for case_id in sorted(done))},
        units=len(cases),
        open_units=tuple(sorted(open_units)),
        notes={
            "judge": judge.name,
            "title": judge.title,
            "deterministic": judge.deterministic,
            "conclusions": basis,
        },
    )


def frozen_conclusions(run: Path) -> list[Frozen]:
    """Return the cases of `run` with a valid conclusion, checked against their manifests.

    Raises:
        InputError: the conclusions are not frozen.
        IntegrityError: a conclusion or a trajectory was changed after it was frozen.
    """
    stage = StageFolder(run / Stage.CONCLUSION)
    found: list[Frozen] = []
    for name in sorted(stage.verified().files):
        record = read_json(stage.folder / name, ConclusionRecord)
        if record.conclusion is None:
            continue
        folder = _investigated(run, record.case_id)
        identity = trajectory_sha256(folder)
        if identity != record.trajectory_sha256:
            raise IntegrityError(f"{folder}: the trajectory is not the one that was concluded from")
        concluded = sha256_text(record.conclusion.to_json())
        found.append(Frozen(record.case_id, record, concluded, identity))
    return found


def parse_scores(reply: Reply) -> JudgeScores | Failure:
    """Read a judge's reply; what cannot be read is a failure and never a score."""
    return extract_object(reply, JudgeScores, DIMENSIONS, Stage.JUDGING, single=True)


async def _judged(
    case: Frozen, viewport: Viewport, bench: Bench, replies: ReplyLog
) -> JudgmentRecord:
    conclusion = case.record.conclusion
    if conclusion is None:
        raise InputError(f"{case.case_id}: has no conclusion to judge")
    trajectory = read_trajectory(_investigated(bench.run, case.case_id))
    mask = Mask(private_terms(case.case_id, bench.system))
    request = judging_request(
        build_package(trajectory, conclusion, viewport, mask),
        bench.codebook,
        bench.rubric,
        Images(bench.run / IMAGES).get,
        bench.language,
    )

    async def call(question: JudgingRequest) -> Reply:
        return await bench.judge.reply(case.case_id, question)

    answer = await ask(
        call,
        request,
        parse_scores,
        replies.unit(case.case_id),
        repairs=bench.repairs,
        language=bench.language,
    )
    return JudgmentRecord(
        case_id=case.case_id,
        trajectory_sha256=case.trajectory_sha256,
        conclusion_sha256=case.conclusion_sha256,
        scores=answer.value,
        failure=answer.failure,
        usage=answer.usage,
    )


def _investigated(run: Path, case_id: str) -> Path:
    return run / Stage.INVESTIGATION / case_id


def _settings(bench: Bench, tasks_sha256: Sha256) -> StageSettings:
    settings: dict[str, Any] = {
        "judge": bench.judge.name,
        **{f"judge.{name}": value for name, value in sorted(bench.judge.settings.items())},
        "prompt_language": bench.language,
        "prompt_sha256": instruction_sha256(bench.language),
        "rubric_version": bench.rubric.version,
        "rubric_sha256": bench.rubric.sha256,
        "codebook_sha256": bench.codebook.sha256,
        "repairs": bench.repairs,
    }
    return StageSettings(
        stage=Stage.JUDGING, tasks_sha256=tasks_sha256, inputs={}, settings=settings
    )
