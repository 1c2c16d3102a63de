"""The two tasks: samples from a bundle, solvers that run this project's stages for one unit."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import MAX_REPAIRS, Trajectory
from riskchainbench.core.restoration import Prediction
from riskchainbench.core.store import Images, Log
from riskchainbench.core.system import Reply, RestorationRequest
from riskchainbench.doors.inspect.asking import EvaluatedModel
from riskchainbench.investigation.browsing import browser_settings, browsing
from riskchainbench.investigation.conclude import conclude_case
from riskchainbench.investigation.episode import Rules, run_episode
from riskchainbench.models.ask import ReplyLog, ask
from riskchainbench.restoration.prompts import build_request
from riskchainbench.restoration.run import parse_restoration
from riskchainbench.scoring.case import UnitScorer

DEFAULT_LANGUAGE = "zh-CN"
_PREDICTION, _TRAJECTORY, _RECORD = "prediction", "trajectory", "record"
_MEANS = [mean(), stderr()]


@task
def restoration(bundle: str, language: str = DEFAULT_LANGUAGE, repairs: int = MAX_REPAIRS) -> Task:
    """Task 1 over the bundle in the folder `bundle`."""
    opened = open_bundle(Path(bundle))
    return Task(
        dataset=_dataset(sorted(opened.restoration_tasks), "Restore one message."),
        solver=restore_one(bundle, language, repairs),
        scorer=restored_rightly(bundle),
    )


@task
def investigation(
    bundle: str, language: str = DEFAULT_LANGUAGE, repairs: int = MAX_REPAIRS
) -> Task:
    """Task 2 over the bundle in the folder `bundle`, its conclusions included."""
    opened = open_bundle(Path(bundle))
    return Task(
        dataset=_dataset(sorted(opened.investigation_tasks), "Investigate one website."),
        solver=investigate_one(bundle, language, repairs),
        scorer=concluded_rightly(bundle),
    )


def _dataset(ids: list[str], words: str) -> MemoryDataset:
    """Return samples that name a unit; what is asked is made by the solver, and no target."""
    return MemoryDataset([Sample(id=unit_id, input=words, target="") for unit_id in ids])


@solver
def restore_one(bundle: str, language: str, repairs: int) -> Solver:
    """Restore the sample's message."""
    opened = open_bundle(Path(bundle))
    system = EvaluatedModel()

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        asked = opened.restoration_tasks[str(state.sample_id)]

        async def call(request: RestorationRequest) -> Reply:
            return await system.reply(asked.sample_id, request)

        with tempfile.TemporaryDirectory() as folder:
            answer = await ask(
                call,
                build_request(asked, language),
                parse_restoration,
                ReplyLog(Log(Path(folder) / "replies.jsonl")).unit(asked.sample_id),
                repairs=repairs,
                language=language,
            )
        prediction = Prediction(
            sample_id=asked.sample_id,
            restoration=answer.value,
            failure=answer.failure,
            usage=answer.usage,
        )
        state.store.set(_PREDICTION, prediction.model_dump(mode="json"))
        state.output.completion = prediction.to_json()
        return state

    return solve


@solver
def investigate_one(bundle: str, language: str, repairs: int) -> Solver:
    """Investigate the sample's website in a browser of its own, then conclude."""
    opened = open_bundle(Path(bundle))

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001
        rules = Rules(language=language, repairs=repairs)
        trajectory, record = await _investigated(opened, str(state.sample_id), rules)
        state.store.set(_TRAJECTORY, trajectory.model_dump(mode="json"))
        state.store.set(_RECORD, record.model_dump(mode="json"))
        state.output.completion = record.to_json()
        return state

    return solve


async def _investigated(
    bundle: Bundle, case_id: str, rules: Rules
) -> tuple[Trajectory, ConclusionRecord]:
    case = bundle.investigation_tasks[case_id]
    system = EvaluatedModel()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = Images(folder / "images")
        async with browsing(bundle, browser_settings(), 1) as (pool, visits):
            visit = visits.open(case)
            async with pool.lease() as env:
                episode = await run_episode(
                    case,
                    visit,
                    env,
                    system,
                    bundle.codebook,
                    images,
                    ReplyLog(Log(folder / "actions.jsonl")).unit(case_id),
                    time.monotonic,
                    rules,
                )
            visits.close(visit)
        record = await conclude_case(
            case,
            episode.trajectory,
            sha256_text(episode.trajectory.to_json()),
            bundle.codebook,
            system,
            images,
            ReplyLog(Log(folder / "conclusions.jsonl")).unit(case_id),
            time.monotonic,
            rules,
        )
    return episode.trajectory, record


@scorer(metrics={"*": _MEANS})
def restored_rightly(bundle: str) -> Scorer:
    """Compare with the gold of the bundle: entry, messages, intent, and all of them."""
    units = UnitScorer(open_bundle(Path(bundle)))

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        prediction = Prediction.model_validate(state.store.get(_PREDICTION))
        found = units.message(prediction)
        return Score(
            value=_numbers(
                entry=found.entry_correct,
                messages=found.message_exact,
                intent=found.intent_correct,
                full=found.full,
            ),
            explanation=str(found.failure or ""),
        )

    return score


@scorer(metrics={"*": _MEANS})
def concluded_rightly(bundle: str) -> Scorer:
    """Compare with the gold of the bundle: whether concluded at all, decision, and type too."""
    units = UnitScorer(open_bundle(Path(bundle)))

    async def score(state: TaskState, target: Target) -> Score:  # noqa: ARG001
        trajectory = Trajectory.model_validate(state.store.get(_TRAJECTORY))
        record = ConclusionRecord.model_validate(state.store.get(_RECORD))
        found = units.case(trajectory, record, record.case_id)
        return Score(
            value=_numbers(
                concluded=found.decision is not None,
                decision=found.decision_correct,
                exact=found.exact,
            ),
            explanation=found.first_failure.value,
        )

    return score


def _numbers(**outcomes: bool) -> dict[str, Any]:
    return {name: float(outcome) for name, outcome in outcomes.items()}
