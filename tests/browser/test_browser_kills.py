"""However and whenever a worker is killed, nothing that it started lives on."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from browser_pages import PageServer, visit_of

from riskchainbench.browser.pool import Worker
from riskchainbench.browser.processes import ProcessTree
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.failures import SystemFailureError
from riskchainbench.core.seeds import stream

pytestmark = [pytest.mark.browser, pytest.mark.hostile]

LONGEST = 3.0


async def killed_after(
    seconds: float, settings: BrowserSettings, server: PageServer
) -> ProcessTree:
    """Start a worker, let it open a page, and kill it wherever it has come to by then."""
    worker = Worker(settings)
    opening = asyncio.create_task(worker.open(visit_of(server)))
    while worker.tree is None:
        await asyncio.sleep(0.01)
    tree = worker.tree
    await asyncio.wait([opening], timeout=seconds)
    await worker.kill()
    opening.cancel()
    with contextlib.suppress(asyncio.CancelledError, SystemFailureError):
        await opening
    return tree


async def kills(count: int, settings: BrowserSettings, server: PageServer) -> list[int]:
    server.pages["/"] = "<p>here</p>"
    rng = stream(1, "kills")
    left: list[int] = []
    for start in range(0, count, 2):
        moments = [rng.uniform(0, LONGEST) for _ in range(min(2, count - start))]
        trees = await asyncio.gather(*(killed_after(each, settings, server) for each in moments))
        left += [process.pid for tree in trees for process in tree.orphans()]
    return left


async def test_four_kills_leave_no_process(settings: BrowserSettings, server: PageServer) -> None:
    assert await kills(4, settings, server) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_a_hundred_kills_leave_no_process(
    settings: BrowserSettings, server: PageServer
) -> None:
    assert await kills(100, settings, server) == []
