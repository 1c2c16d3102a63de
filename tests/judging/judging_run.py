"""A recorded investigation and a frozen run for judges."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from riskchainbench.core.codebook import Codebook, default_codebook
from riskchainbench.core.conclusion import (
    Conclusion,
    ConclusionRecord,
    EvidenceReference,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256, sha256_bytes
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    Ending,
    InvestigationTask,
    Observation,
    Outcome,
    OutcomeStatus,
    Scroll,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
    Viewport,
)
from riskchainbench.core.stage import RunManifest, StageFolder, open_run
from riskchainbench.core.store import Images
from riskchainbench.investigation.chain import chained, chained_end
from riskchainbench.investigation.trajectory import trajectory_sha256, write_trajectory

VIEWPORT = Viewport(width=1280, height=720)
TASKS = "7" * 64
CASES = ("c0000001", "c0000002", "c0000003")
PNG = b"\x89PNG one"


def observed(step: int, text: str, names: tuple[str, ...], **changes: object) -> Observation:
    return Observation(
        step=step,
        screenshot=sha256_bytes(PNG),
        title=f"Page {step}",
        text=text,
        elements=tuple(
            Element(element_id=f"e{step}-{n}", kind=ElementKind.LINK, role="link", name=name)
            for n, name in enumerate(names)
        ),
        scroll=Scroll(top=0, page_height=720, viewport_height=720),
        outcome=None if step == 0 else Outcome(status=OutcomeStatus.DONE),
        remaining_actions=30 - step,
        page_state=str(step) * 64,
    ).but(**changes)


def linked(steps: list[Step], ending: Ending = Ending.STOP) -> Trajectory:
    chain, whole = "", []
    for step in steps:
        whole.append(chained(chain, step))
        chain = whole[-1].chain
    return Trajectory(steps=tuple(whole), end=chained_end(chain, TrajectoryEnd(ending=ending)))


@pytest.fixture
def trajectory() -> Trajectory:
    first = observed(0, "Live odds tonight. Place a bet.", ("Cashier", "Help"))
    second = observed(1, "Minimum stake 5. Cash out any time.", ("Help",))
    click = Action(action=ActionKind.CLICK, element="e0-0", reason="I think it pays out.")
    return linked(
        [
            Step(observation=first, action=click, timing=Timing(observed_at=0.0)),
            Step(observation=second, timing=Timing(observed_at=1.0)),
        ]
    )


@pytest.fixture
def conclusion() -> Conclusion:
    return Conclusion(
        decision=Decision.VIOLATION,
        violation_type="GAMBLING_BETTING_PROMOTION",
        rationale="A direct offer of bets and stakes: “Place a bet” (step 0), “Minimum stake 5” "
        "(step 1); gambling and betting promotion.",
        evidence=(
            EvidenceReference(step=0, locator=QuoteLocator(text="Place a bet.")),
            EvidenceReference(step=1, locator=QuoteLocator(text="Minimum stake 5.")),
        ),
        confidence=0.9,
    )


@dataclass(frozen=True)
class Benchmark:
    """What the judging stage asks of a bundle."""

    codebook: Codebook
    tasks_sha256: Sha256
    investigation_tasks: dict[str, InvestigationTask]


@pytest.fixture
def benchmark_bundle() -> Benchmark:
    tasks = {
        case_id: InvestigationTask(case_id=case_id, scaffold=(), viewport=VIEWPORT)
        for case_id in CASES
    }
    return Benchmark(default_codebook(), TASKS, tasks)


def freeze_conclusions(run: Path, conclusions: dict[str, Conclusion | None]) -> None:
    files = {}
    for case_id, conclusion in conclusions.items():
        record = ConclusionRecord(
            case_id=case_id,
            trajectory_sha256=trajectory_sha256(run / "investigation" / case_id),
            conclusion=conclusion,
            failure=None
            if conclusion is not None
            else {"failure_class": "REFUSAL", "stage": "conclusion"},
        )
        files[f"{case_id}.json"] = (record.to_json() + "\n").encode()
    StageFolder(run / "conclusion").freeze("conclusion", files, units=len(files))


@pytest.fixture
def run(tmp_path: Path, trajectory: Trajectory, conclusion: Conclusion) -> Path:
    """A run of three cases: two concluded, one refused."""
    folder = tmp_path / "run"
    manifest = RunManifest(system="maker/model-9", tasks_sha256=TASKS, version="0")
    open_run(folder, manifest)
    Images(folder / "images").put(PNG)
    for case_id in CASES:
        write_trajectory(folder / "investigation" / case_id, trajectory, [])
    freeze_conclusions(folder, {CASES[0]: conclusion, CASES[1]: conclusion, CASES[2]: None})
    return folder
