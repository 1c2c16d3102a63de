"""Task 2 with everything that it needs around it: a sandbox, sealed browsers, a clock."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from random import SystemRandom

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.pool import LocalPool, Pool
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.bundle import Bundle
from riskchainbench.core.stage import StageManifest
from riskchainbench.core.system import System
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer

Update = Callable[[int, int], None]


def browser_settings() -> BrowserSettings:
    """Return the settings of every environment, for the browser found on this machine.

    Raises:
        InputError: there is no browser.
    """
    binary = find_browser()
    return BrowserSettings(binary=binary.path, version=binary.version)


@contextlib.asynccontextmanager
async def browsing(
    bundle: Bundle, settings: BrowserSettings, workers: int
) -> AsyncIterator[tuple[Pool, SandboxVisits]]:
    """Serve the bundle's websites and keep `workers` sealed browsers ready."""
    websites = bundle.websites()
    sandbox = Sandbox(websites)
    with SandboxServer(sandbox) as server:
        pool = LocalPool(settings, workers)
        try:
            # Hosts are drawn afresh for every visit and appear in no record.
            yield pool, SandboxVisits(sandbox, server.port, websites, SystemRandom())
        finally:
            await pool.close()


async def investigate_bundle(
    bundle: Bundle,
    run: Path,
    system: System,
    rules: Rules,
    *,
    workers: int,
    cases: Iterable[str] | None,
    limit: int | None,
    update: Update,
) -> StageManifest:
    """Investigate the bundle's websites in real browsers and freeze the trajectories."""
    settings = browser_settings()
    async with browsing(bundle, settings, workers) as (pool, visits):
        return await investigate(
            bundle.investigation_tasks,
            bundle.tasks_sha256,
            bundle.codebook,
            run,
            system,
            pool,
            visits,
            settings,
            rules,
            workers=workers,
            cases=cases,
            limit=limit,
            progress=update,
        )
