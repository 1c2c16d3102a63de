"""Both stages over served websites in real browsers, uninterrupted, shuffled and killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from stage_runner import TASKS, TURNS, Slow, run_both

from riskchainbench.browser.worker import MARK
from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.stage import StageFolder
from riskchainbench.core.store import Images, read_json
from riskchainbench.investigation.trajectory import read_trajectory

pytestmark = pytest.mark.browser

RUNNER = Path(__file__).parent / "stage_runner.py"


def chains(run: Path) -> dict[str, str]:
    folder = run / "investigation"
    return {case_id: read_trajectory(folder / case_id).end.chain for case_id in TASKS}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that nothing interrupted."""
    import asyncio

    run = tmp_path_factory.mktemp("whole")
    asyncio.run(run_both(run, Slow(0), 2, []))
    return run


def test_a_run_records_what_was_seen_and_done(whole: Path) -> None:
    steps = read_trajectory(whole / "investigation" / "c1").steps
    assert len(steps) == len(TURNS) + 1
    assert steps[0].observation.text.startswith("Site 1\nHello")
    filled = steps[1].observation.outcome
    assert filled is not None
    assert filled.fixture == "a first name"
    assert "Hello Ada" in steps[2].observation.text
    for step in steps:
        assert step.observation.screenshot is not None
        Images(whole / "images").get(step.observation.screenshot)
    record = read_json(whole / "conclusion" / "c1.json", ConclusionRecord)
    assert record.conclusion is not None


def test_the_order_of_cases_makes_no_difference(whole: Path, tmp_path: Path) -> None:
    import asyncio

    asyncio.run(run_both(tmp_path, Slow(0), 1, ["c4", "c2"]))
    assert chains(tmp_path) == chains(whole)


@pytest.mark.slow
def test_kill_and_start_again_gives_the_same_cases_once(whole: Path, tmp_path: Path) -> None:
    command = [sys.executable, str(RUNNER), str(tmp_path), "0.3", "2"]
    for seconds in (6.0, 9.0):
        running = subprocess.Popen(command)
        time.sleep(seconds)
        running.send_signal(signal.SIGKILL)
        running.wait()
    subprocess.run(command, check=True, timeout=120)
    assert chains(tmp_path) == chains(whole)
    for stage in ("investigation", "conclusion"):
        assert StageFolder(tmp_path / stage).verified().open_units == ()
    assert not list(tmp_path.rglob(".writing-*"))


@pytest.mark.slow
def test_a_killed_run_leaves_no_process(tmp_path: Path) -> None:
    running = subprocess.Popen([sys.executable, str(RUNNER), str(tmp_path), "0.3", "2"])
    deadline = time.monotonic() + 60
    members: list[psutil.Process] = []
    while len(members) < 12 and time.monotonic() < deadline:
        time.sleep(0.3)
        members = psutil.Process(running.pid).children(recursive=True)
    marks = {mark for member in members if (mark := _mark(member))}
    running.send_signal(signal.SIGKILL)
    running.wait()
    _, alive = psutil.wait_procs(members, timeout=10)
    assert alive == []
    assert not [p for p in psutil.process_iter() if _mark(p) in marks and _mark(p)]


def _mark(process: psutil.Process) -> str | None:
    try:
        return process.environ().get(MARK)
    except (psutil.Error, OSError):
        return None
