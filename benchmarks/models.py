"""Times the harness around a model that answers at once: a stub on loopback, in its own process.

    python benchmarks/models.py [CALLS] [TRAJECTORIES]

Prints, for calls of Task 1 and for whole trajectories with their conclusions: CPU of this
process and wall time a call, all of asking, logging (flushed to the disk), parsing and freezing
included; and the memory that is resident after the first sixth (trajectory 100 of 600, say), at
the end, and at most. Pages are recorded ones, each with a screenshot of its own: no browser runs.
"""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "stub"))

import recorded_pages
import stub_model

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.store import read_lines
from riskchainbench.investigation.conclude import conclude
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.settings import ModelSettings, Pace, Structured
from riskchainbench.models.provider.system import ModelSystem
from riskchainbench.restoration.run import restore

CALLS, TRAJECTORIES = 3600, 600
AT_ONCE = 8
WORKERS = 2
PATIENCE = 10
"""After so many steps the stub ends an investigation."""

TASKS_SHA256 = "0" * 64
Update = Callable[[int], None]


def memory() -> float:
    return psutil.Process().memory_info().rss / 1e6


def system() -> ModelSystem:
    settings = ModelSettings(structured=Structured.JSON_SCHEMA)
    return ModelSystem(
        ModelCaller(
            f"openai-api/stub/{stub_model.MODEL}", settings, Pace(at_once=AT_ONCE), proven=True
        )
    )


def measured(title: str, count: int, work: Callable[[Update], Coroutine[None, None, int]]) -> None:
    """Run `work` over `count` units; it returns the number of calls it made."""
    resident: dict[int, float] = {}
    early = max(1, count // 6)

    def update(done: int) -> None:
        resident[done] = memory()

    cpu, wall = time.process_time(), time.perf_counter()
    calls = asyncio.run(work(update))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(
        f"{title}: {count} units, {calls} calls, {cpu / calls * 1000:.1f} ms CPU a call, "
        f"{calls / wall:.0f} calls a second; resident {resident[early]:.0f} MB after {early}, "
        f"{resident[count]:.0f} MB after {count}, {memory():.0f} MB when frozen, "
        f"process at most {peak:.0f} MB",
        flush=True,
    )


def task(number: int) -> RestorationTask:
    text = f"看主页[doge]找我 kaw{number}x.me.test 领取，口令{number}"
    return RestorationTask(
        sample_id=f"s{number:05}",
        platform="weibo",
        surface=Surface.COMMENT,
        messages=(Message(message_id="m1", content=text), Message(message_id="m2", content=text)),
    )


async def messages(folder: Path, count: int, update: Update) -> int:
    tasks = {each.sample_id: each for each in map(task, range(count))}
    await restore(
        tasks,
        TASKS_SHA256,
        folder,
        system(),
        language="zh-CN",
        concurrency=AT_ONCE,
        progress=lambda done, _: update(done),
    )
    return logged(folder / "restoration")


async def trajectories(folder: Path, count: int, update: Update) -> int:
    manifest = await investigate(
        recorded_pages.cases(count),
        TASKS_SHA256,
        default_codebook(),
        folder,
        system(),
        recorded_pages.RecordedPool(noise=(240, 140), controls=40, words=60),
        recorded_pages.CaseVisits(),
        recorded_pages.BROWSER,
        Rules(language="zh-CN"),
        workers=WORKERS,
        progress=lambda done, _: update(done),
    )
    assert len(manifest.files) == 2 * count
    return logged(folder / "investigation")


async def conclusions(folder: Path, count: int, update: Update) -> int:
    manifest = await conclude(
        recorded_pages.cases(count),
        TASKS_SHA256,
        default_codebook(),
        folder,
        system(),
        Rules(language="zh-CN"),
        progress=lambda done, _: update(done),
    )
    assert len(manifest.files) == count
    return logged(folder / "conclusion")


def logged(stage: Path) -> int:
    """Return the number of replies of a stage."""
    return len(read_lines(stage / "work" / "replies.jsonl"))


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    sites = int(sys.argv[2]) if len(sys.argv) > 2 else TRAJECTORIES
    stub = subprocess.Popen(
        [sys.executable, stub_model.__file__, str(PATIENCE)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert stub.stdout is not None
    os.environ["STUB_BASE_URL"] = f"http://127.0.0.1:{stub.stdout.readline().strip()}/v1"
    os.environ["STUB_API_KEY"] = stub_model.KEY
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            # The first call imports the packages, which is not the harness's work.
            asyncio.run(messages(folder / "first", 8, lambda _: None))
            measured("Task 1", calls, lambda update: messages(folder / "1", calls, update))
            measured("Task 2", sites, lambda update: trajectories(folder / "2", sites, update))
            measured("conclusion", sites, lambda update: conclusions(folder / "2", sites, update))
    finally:
        stub.kill()


if __name__ == "__main__":
    main()
