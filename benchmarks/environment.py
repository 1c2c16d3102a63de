"""Step and reset of the environment against stock BrowserGym, on the same pages in one run.

    .venv/bin/python benchmarks/environment.py [--steps N] [--pages small]
    .venv/bin/python benchmarks/environment.py --episodes N

Stock is BrowserGym's own environment with its chat window left out, its slow motion off and its
default observation; both drive the same browser. Prints medians in seconds and their ratios.
With --episodes, no stock: N scripted episodes of eight steps on two workers over the demonstration
bundle, how many that makes in an hour, the bytes that a step keeps, and how long after the
deadline a page that hangs is replaced by one that works.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browsergym.core.env as stock
from browsergym.core.task import OpenEndedTask

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.environment import InvestigationEnv
from riskchainbench.browser.pool import EnvironmentFailureError, Worker
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.task import NullChat
from riskchainbench.bundle import open_bundle
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.core.system import ActionRequest, Reply
from riskchainbench.investigation.browsing import browsing
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate
from riskchainbench.pipeline.build import build

BUDGETS = {"small": 0.45, "large": 0.35, "reset": 0.4}
ROUNDS = 8
RESETS = 3
STEPS_AN_EPISODE = 8
EPISODES_AN_HOUR = 600
BYTES_A_STEP = 150_000
RECOVERY_SECONDS = 3.0
HANG_LIMIT = 5.0

Step = Callable[[int], object]


def page(rows: int) -> bytes:
    body = "".join(
        f"<div><a href='/?{row}'>item {row}</a> <span>some words on item {row}</span>"
        f"<button>choose {row}</button></div>"
        for row in range(rows)
    )
    return f"<!doctype html><title>items</title><h1>Items</h1>{body}".encode()


PAGES = {
    "/small": page(25),
    "/large": page(900),
    "/hang": b"<button onclick='while(true){}'>go</button>",
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        body = PAGES.get(self.path, PAGES["/small"])
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class StockTask(OpenEndedTask):
    def __init__(self, seed: int, start_url: str) -> None:
        super().__init__(seed, start_url)
        self.slow_mo = 0


@contextlib.contextmanager
def stock_env(binary: Path, url: str) -> Iterator[tuple[Callable[[], object], Step]]:
    """Yield what resets stock BrowserGym on a page and what makes its n-th step there."""
    stock.Chat = NullChat
    env = stock.BrowserEnv(
        StockTask, {"start_url": url}, pw_chromium_kwargs={"executable_path": str(binary)}
    )
    turns = ("scroll(0, 300)", "scroll(0, -300)")
    yield lambda: env.reset(seed=0), lambda number: env.step(turns[number % 2])
    env.close()


@contextlib.contextmanager
def our_env(settings: BrowserSettings, visit: Visit) -> Iterator[tuple[Callable[[], object], Step]]:
    """Yield what resets our environment on a page and what makes its n-th step there."""
    env = InvestigationEnv(settings)
    turns = [
        Action(action=kind).to_json() for kind in (ActionKind.SCROLL_DOWN, ActionKind.SCROLL_UP)
    ]
    yield (
        lambda: env.reset(options={"visit": visit}),
        lambda number: env.step(turns[number % 2]),
    )
    env.close()


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def compare(settings: BrowserSettings, port: int, name: str, steps: int) -> None:
    """Print medians of both environments, taken in turn so that a busy machine slows both alike."""
    visit = Visit(host="bench.test", port=port, start_path=f"/{name}")
    url = f"http://127.0.0.1:{port}/{name}"
    with our_env(settings, visit) as ours, stock_env(settings.binary, url) as theirs:
        both = (theirs, ours)
        resets: tuple[list[float], list[float]] = ([], [])
        made: tuple[list[float], list[float]] = ([], [])
        for _ in range(ROUNDS):
            for (reset, step), reset_times, step_times in zip(both, resets, made, strict=True):
                # What the other's turn left undone or got ready goes into a reset not counted.
                reset()
                reset_times += [seconds(reset) for _ in range(RESETS)]
                step_times += [seconds(partial(step, number)) for number in range(steps)]
    for what, taken, budget in (
        ("step ", made, BUDGETS[name]),
        ("reset", resets, BUDGETS["reset"]),
    ):
        old, new = (statistics.median(times) for times in taken)
        print(
            f"{what} {name:5}  stock {old:.3f}  ours {new:.3f}  "
            f"ratio {new / old:.2f} (budget {budget})"
        )


class Scripted:
    """Scrolls down and up for eight steps, then stops."""

    name = "scripted"
    settings: dict[str, str] = {}  # noqa: RUF012

    async def reply(self, unit_id: str, request: ActionRequest) -> Reply:  # noqa: ARG002
        done = len(request.steps)
        kinds = (ActionKind.SCROLL_DOWN, ActionKind.SCROLL_UP)
        kind = ActionKind.STOP if done >= STEPS_AN_EPISODE else kinds[done % 2]
        return Reply(Action(action=kind).to_json())


async def episodes(settings: BrowserSettings, count: int, folder: Path) -> None:
    build(folder / "bundle", "demo", 7)
    bundle = open_bundle(folder / "bundle")
    rules = Rules(language="en")
    async with browsing(bundle, settings, 2) as (pool, visits):
        async with pool.lease() as one, pool.lease() as two:
            first = next(iter(bundle.investigation_tasks.values()))
            for env in (one, two):
                await env.open(visits.open(first))
        started = time.perf_counter()
        await investigate(
            bundle.investigation_tasks,
            bundle.tasks_sha256,
            bundle.codebook,
            folder / "run",
            Scripted(),
            pool,
            visits,
            settings,
            rules,
            workers=2,
            limit=count,
        )
        taken = time.perf_counter() - started
    done = len(list((folder / "run").glob("investigation/*/trajectory.jsonl")))
    kept = sum(path.stat().st_size for path in (folder / "run").rglob("*") if path.is_file())
    print(
        f"episodes {done} of {STEPS_AN_EPISODE} steps in {taken:.1f} s on two workers: "
        f"{done * 3600 / taken:.0f} an hour (budget {EPISODES_AN_HOUR})"
    )
    steps = done * (STEPS_AN_EPISODE + 1)
    print(f"kept a step, screenshots included: {kept / steps:.0f} bytes (budget {BYTES_A_STEP})")


async def recovery(settings: BrowserSettings, port: int) -> None:
    worker = Worker(settings.but(step_limit=HANG_LIMIT, load_cap=2.0))
    view, _ = await worker.open(Visit(host="bench.test", port=port, start_path="/hang"))
    started = time.perf_counter()
    with contextlib.suppress(EnvironmentFailureError):
        await worker.act(Action(action=ActionKind.CLICK, element=view.elements[0].element_id))
    killed = time.perf_counter() - started - HANG_LIMIT
    await worker.open(Visit(host="bench.test", port=port, start_path="/small"))
    again = time.perf_counter() - started - HANG_LIMIT
    await worker.stop()
    print(
        f"hang: told {killed:.2f} s past the deadline (budget {RECOVERY_SECONDS:g}), "
        f"the next page shown {again:.2f} s past it"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=4, help="a round")
    parser.add_argument("--pages", nargs="*", choices=("small", "large"), help="both by default")
    parser.add_argument("--episodes", type=int, default=0)
    arguments = parser.parse_args()
    steps = arguments.steps
    found = find_browser()
    settings = BrowserSettings(binary=found.path, version=found.version)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    if arguments.episodes:
        asyncio.run(recovery(settings, server.server_port))
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(episodes(settings, arguments.episodes, Path(folder)))
        server.shutdown()
        return
    print(f"{found.kind} {found.version}, {ROUNDS} rounds of {steps} steps and {RESETS} resets")
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    for name in arguments.pages or ("small", "large"):
        compare(settings, server.server_port, name, steps)
    server.shutdown()


if __name__ == "__main__":
    main()
