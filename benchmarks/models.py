"""Times the harness around a model that answers at once: a stub on loopback, in its own process.

    python benchmarks/models.py [CALLS] [TURNS]

Prints, for Task 1 and for agent turns with a screenshot: CPU of this process and wall time a
call, all of asking, logging (flushed to the disk) and parsing included; and how much memory
grew between the first tenth and the end.
"""

from __future__ import annotations

import asyncio
import io
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil
from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "stub"))

import stub_model

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.investigation import (
    Element,
    ElementKind,
    InvestigationTask,
    Observation,
    Scroll,
    Viewport,
)
from riskchainbench.core.restoration import Message, RestorationTask, Surface
from riskchainbench.core.store import Images, Log
from riskchainbench.core.system import ActionRequest, Reply
from riskchainbench.investigation.actions import parse_action
from riskchainbench.investigation.prompts import action_request
from riskchainbench.models.ask import ReplyLog, ask
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.settings import ModelSettings, Pace, Structured
from riskchainbench.models.provider.system import ModelSystem
from riskchainbench.restoration.run import restore

CALLS, TURNS = 3600, 600
AT_ONCE = 8


def memory() -> float:
    return psutil.Process().memory_info().rss / 1e6


def system() -> ModelSystem:
    settings = ModelSettings(structured=Structured.JSON_SCHEMA)
    return ModelSystem(
        ModelCaller(
            f"openai-api/stub/{stub_model.MODEL}", settings, Pace(at_once=AT_ONCE), proven=True
        )
    )


def measured(
    title: str, count: int, work: Callable[[Callable[[int], None]], Awaitable[None]]
) -> None:
    early = 0.0

    def update(done: int) -> None:
        nonlocal early
        if done == max(1, count // 10):
            early = memory()

    cpu, wall = time.process_time(), time.perf_counter()
    asyncio.run(work(update))
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    print(
        f"{title}: {cpu / count * 1000:.1f} ms CPU a call, {count / wall:.0f} calls a second, "
        f"memory {memory():.0f} MB, {memory() - early:+.0f} MB since the first tenth",
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


async def messages(folder: Path, count: int, update: Callable[[int], None]) -> None:
    tasks = {each.sample_id: each for each in map(task, range(count))}
    await restore(
        tasks,
        "0" * 64,
        folder,
        system(),
        language="zh-CN",
        concurrency=AT_ONCE,
        progress=lambda done, _: update(done),
    )


def screenshot(rng: random.Random) -> bytes:
    """A picture of about the size that a page's screenshot has."""
    image = Image.new("RGB", (1280, 720), (rng.randrange(256), 240, 240))
    noise = Image.frombytes("RGB", (240, 140), rng.randbytes(240 * 140 * 3))
    image.paste(noise, (100, 100))
    out = io.BytesIO()
    image.save(out, format="PNG")
    return out.getvalue()


def observation(step: int, sha256: str) -> Observation:
    elements = tuple(
        Element(element_id=f"e{n}", kind=ElementKind.LINK, role="link", name=f"link {n}")
        for n in range(40)
    )
    return Observation(
        step=step,
        screenshot=sha256,
        title="a page",
        text="words that a page shows " * 60,
        elements=elements,
        scroll=Scroll(top=0, page_height=2000, viewport_height=720),
        remaining_actions=30 - step,
        page_state="0" * 64,
    )


async def turns(folder: Path, count: int, update: Callable[[int], None]) -> None:
    rng = random.Random(1)
    images = Images(folder / "images")
    shown = [images.put(screenshot(rng)) for _ in range(10)]
    codebook = default_codebook()
    asked = system()
    log = ReplyLog(Log(folder / "work" / "replies.jsonl"))
    case = InvestigationTask(case_id="w1", scaffold=(), viewport=Viewport(width=1280, height=720))

    async def call(request: ActionRequest) -> Reply:
        return await asked.reply("w1", request)

    for number in range(count):
        request = action_request(
            case,
            codebook,
            (),
            observation(0, shown[number % len(shown)]),
            600.0,
            images.get,
            "zh-CN",
        )
        answer = await ask(
            call,
            request,
            parse_action,
            log.unit(f"w{number}"),
            repairs=2,
            language="zh-CN",
            remaining=lambda: 600.0,
        )
        assert answer.value is not None, answer.failure
        update(number + 1)


def main() -> None:
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else CALLS
    turned = int(sys.argv[2]) if len(sys.argv) > 2 else TURNS
    stub = subprocess.Popen(
        [sys.executable, stub_model.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert stub.stdout is not None
    os.environ["STUB_BASE_URL"] = f"http://127.0.0.1:{stub.stdout.readline().strip()}/v1"
    os.environ["STUB_API_KEY"] = stub_model.KEY
    try:
        with tempfile.TemporaryDirectory() as folder:
            # The first call imports the packages, which is not the harness's work.
            asyncio.run(messages(Path(folder) / "first", 8, lambda _: None))
            measured("Task 1", calls, lambda update: messages(Path(folder) / "run", calls, update))
            measured(
                "agent turn", turned, lambda update: turns(Path(folder) / "turn", turned, update)
            )
    finally:
        stub.kill()


if __name__ == "__main__":
    main()
