"""Writes the folder of a whole run as the stages do, without a browser or a model."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.core.conclusion import (
    Conclusion,
    ConclusionRecord,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.failures import Stage
from riskchainbench.core.hashing import sha256_bytes, sha256_file, sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Ending,
    Observation,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.core.restoration import (
    EntryCandidate,
    Prediction,
    Restoration,
    RestoredMessage,
    Usage,
)
from riskchainbench.core.stage import RunManifest, StageFolder, StageSettings
from riskchainbench.core.store import Images, jsonl_bytes, write_json
from riskchainbench.investigation.chain import START, chained, chained_end
from riskchainbench.judging.records import DimensionScore, JudgeScores, JudgmentRecord

TEXT = "Welcome to the harbor office"
PNG = b"\x89PNG no picture at all"
PROTOCOL = {"prompt_sha256": "p" * 64, "repairs": 2}
INVESTIGATION = {"prompts_sha256": "q" * 64, "repairs": 2, "count_provider_time": True}

Decide = Callable[[str], Decision]
"""From a case id to a decision."""

MakeRun = Callable[..., Path]
"""From a folder's name and what `write_frozen_run` is to do differently to the run."""


def always(decision: Decision) -> Decide:
    return lambda _: decision


def write_frozen_run(
    folder: Path,
    bundle: Bundle,
    gold: Gold,
    *,
    system: str = "model-a",
    repeat: int = 1,
    decide: Decide = lambda _: Decision.VIOLATION,
    restoration: Mapping[str, object] = PROTOCOL,
    investigation: Mapping[str, object] = INVESTIGATION,
    judges: Mapping[str, int] | None = None,
    tasks_sha256: str | None = None,
    system_settings: Mapping[str, int] | None = None,
    language: str | None = None,
) -> Path:
    """Write a run that restores everything right; `judges` give one score throughout each.

    `language` is that of every prompt, which its hash follows.
    """
    tasks = tasks_sha256 or bundle.tasks_sha256
    write_json(
        folder / "manifest.json",
        RunManifest(
            system=system,
            repeat=repeat,
            tasks_sha256=tasks,
            version="0",
            system_settings=dict(system_settings or {}),
        ),
    )

    told = {"prompt_language": language, "prompt_sha256": sha256_text(language)} if language else {}

    def stage(path: Path, name: str, settings: Mapping[str, object], **inputs: str) -> StageFolder:
        found = StageFolder(path)
        found.begin(
            StageSettings(
                stage=name,
                tasks_sha256=tasks,
                inputs=dict(inputs),
                settings={"system": system, **settings, **told},
            )
        )
        return found

    predictions = jsonl_bytes(
        Prediction(
            sample_id=sample.sample_id,
            restoration=Restoration(
                messages=tuple(
                    RestoredMessage(message_id=key, text=text)
                    for key, text in sample.messages.items()
                ),
                intent=sample.intent,
                candidates=(EntryCandidate(rank=1, value=sample.entry, confidence=0.9),),
            ),
        )
        for _, sample in sorted(gold.samples.items())
    )
    stage(folder / Stage.RESTORATION, Stage.RESTORATION, restoration).freeze(
        Stage.RESTORATION, {"predictions.jsonl": predictions}, units=len(gold.samples)
    )
    screenshot = Images(folder / "images").put(PNG)
    cases = sorted(bundle.investigation_tasks)
    seen = one_step(screenshot)
    recorded = jsonl_bytes([*seen.steps, seen.end])
    stage(
        folder / Stage.INVESTIGATION,
        Stage.INVESTIGATION,
        investigation,
        predictions=sha256_bytes(predictions),
    ).freeze(
        Stage.INVESTIGATION,
        {f"{case}/trajectory.jsonl": recorded for case in cases},
        units=len(cases),
    )
    records = {case: concluded(case, decide(case), sha256_bytes(recorded)) for case in cases}
    stage(folder / Stage.CONCLUSION, Stage.CONCLUSION, PROTOCOL).freeze(
        Stage.CONCLUSION,
        {f"{case}.json": record.to_json().encode() for case, record in records.items()},
        units=len(cases),
    )
    for judge, number in (judges or {}).items():
        stage(folder / Stage.JUDGING / judge, Stage.JUDGING, {}).freeze(
            Stage.JUDGING,
            {"judgments.jsonl": jsonl_bytes(judged(records[case], number) for case in cases)},
            units=len(cases),
            notes={"judge": judge, "title": judge, "deterministic": judge == "rules"},
        )
    return folder


def one_step(screenshot: str) -> Trajectory:
    """Return a trajectory of one step with a sound hash chain."""
    step = chained(
        START,
        Step(
            observation=Observation(
                step=0,
                screenshot=screenshot,
                title="",
                text=TEXT,
                elements=(),
                scroll=Scroll(top=0, page_height=800, viewport_height=800),
                outcome=None,
                remaining_actions=30,
                page_state=hashlib.sha256(TEXT.encode()).hexdigest(),
            ),
            action=Action(action=ActionKind.STOP),
            timing=Timing(observed_at=0.0),
        ),
    )
    end = TrajectoryEnd(
        ending=Ending.STOP, seconds=2.0, usage=Usage(calls=1, input_tokens=1000, output_tokens=100)
    )
    return Trajectory(steps=(step,), end=chained_end(step.chain, end))


def concluded(case_id: str, decision: Decision, basis: str) -> ConclusionRecord:
    return ConclusionRecord(
        case_id=case_id,
        trajectory_sha256=basis,
        conclusion=Conclusion(
            decision=decision,
            violation_type=required_type(decision) or "GAMBLING_BETTING_PROMOTION",
            rationale="as shown",
            evidence=(EvidenceReference(step=0, locator=QuoteLocator(text=TEXT)),),
            confidence=0.5,
        ),
    )


def judged(record: ConclusionRecord, number: int) -> JudgmentRecord:
    assert record.conclusion is not None
    score = DimensionScore(score=number)
    return JudgmentRecord(
        case_id=record.case_id,
        trajectory_sha256=record.trajectory_sha256,
        conclusion_sha256=sha256_text(record.conclusion.to_json()),
        scores=JudgeScores(
            faithfulness=score, sufficiency=score, completeness=score, consistency=score
        ),
    )


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def reseal(stage: Path) -> None:
    """Make a stage's manifest fit files that were changed, as a forger would."""
    path = stage / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["files"] = {name: sha256_file(stage / name) for name in manifest["files"]}
    path.write_text(json.dumps(manifest), "utf-8")
