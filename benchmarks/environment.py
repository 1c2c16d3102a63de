"""Step and reset of the environment against stock BrowserGym, on the same pages in one run.

    .venv/bin/python benchmarks/environment.py [--steps N]

Stock is BrowserGym's own environment with its chat window left out, its slow motion off and its
default observation; both drive the same browser. Prints medians in seconds and their ratios.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import browsergym.core.env as stock
from browsergym.core.task import OpenEndedTask

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.environment import InvestigationEnv, NullChat
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.core.investigation import Action, ActionKind

BUDGETS = {"small": 0.45, "large": 0.35, "reset": 0.4}


def page(rows: int) -> bytes:
    body = "".join(
        f"<div><a href='/?{row}'>item {row}</a> <span>some words on item {row}</span>"
        f"<button>choose {row}</button></div>"
        for row in range(rows)
    )
    return f"<!doctype html><title>items</title><h1>Items</h1>{body}".encode()


PAGES = {"/small": page(25), "/large": page(900)}


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


def median(work: Callable[[int], object], times: int) -> float:
    taken = []
    for number in range(times):
        started = time.perf_counter()
        work(number)
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def stock_times(binary: Path, port: int, path: str, steps: int) -> tuple[float, float]:
    stock.Chat = NullChat
    env = stock.BrowserEnv(
        StockTask,
        {"start_url": f"http://127.0.0.1:{port}{path}"},
        pw_chromium_kwargs={"executable_path": str(binary)},
    )
    env.reset(seed=0)
    reset = median(lambda _: env.reset(seed=0), 3)
    turns = ("scroll(0, 300)", "scroll(0, -300)")
    step = median(lambda number: env.step(turns[number % 2]), steps)
    env.close()
    return step, reset


def our_times(settings: BrowserSettings, port: int, path: str, steps: int) -> tuple[float, float]:
    env = InvestigationEnv(settings)
    visit = Visit(host="bench.test", port=port, start_path=path)
    env.reset(options={"visit": visit})
    reset = median(lambda _: env.reset(options={"visit": visit}), 3)
    turns = [
        Action(action=kind).to_json() for kind in (ActionKind.SCROLL_DOWN, ActionKind.SCROLL_UP)
    ]
    step = median(lambda number: env.step(turns[number % 2]), steps)
    env.close()
    return step, reset


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=12)
    steps = parser.parse_args().steps
    found = find_browser()
    settings = BrowserSettings(binary=found.path, version=found.version)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"{found.kind} {found.version}, {steps} steps")
    for name in ("small", "large"):
        ours, our_reset = our_times(settings, server.server_port, f"/{name}", steps)
        theirs, their_reset = stock_times(found.path, server.server_port, f"/{name}", steps)
        print(
            f"step  {name:5}  stock {theirs:.3f}  ours {ours:.3f}  "
            f"ratio {ours / theirs:.2f} (budget {BUDGETS[name]})"
        )
        print(
            f"reset {name:5}  stock {their_reset:.3f}  ours {our_reset:.3f}  "
            f"ratio {our_reset / their_reset:.2f} (budget {BUDGETS['reset']})"
        )
    server.shutdown()


if __name__ == "__main__":
    main()
