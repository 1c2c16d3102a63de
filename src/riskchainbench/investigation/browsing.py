"""What an investigation needs around it: the websites served, and sealed browsers ready."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from random import SystemRandom

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.pool import LocalPool, Pool
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.bundle import Bundle
from riskchainbench.investigation.cluster import RayPool, TicketVisits
from riskchainbench.investigation.visits import SandboxVisits, Visits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer


class ClusterWorkers(int):
    """So many browsers at once, on a Ray cluster instead of in processes here."""


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
) -> AsyncIterator[tuple[Pool, Visits]]:
    """Serve the bundle's websites and keep `workers` sealed browsers ready.

    Raises:
        InputError: a cluster is asked for and Ray is not installed.
    """
    if isinstance(workers, ClusterWorkers):
        cluster = RayPool(bundle.folder, settings, workers)
        try:
            yield cluster, TicketVisits()
        finally:
            await cluster.close()
        return
    async with browsing_here(bundle, settings, workers) as (pool, visits):
        yield pool, visits


@contextlib.asynccontextmanager
async def browsing_here(
    bundle: Bundle, settings: BrowserSettings, workers: int
) -> AsyncIterator[tuple[Pool, SandboxVisits]]:
    """Do the same on this machine alone, where one can look at what the websites served."""
    websites = bundle.websites()
    sandbox = Sandbox(websites)
    with SandboxServer(sandbox) as server:
        pool = LocalPool(settings, workers)
        try:
            # Hosts are drawn afresh for every visit and appear in no record.
            yield pool, SandboxVisits(sandbox, server.port, websites, SystemRandom())
        finally:
            await pool.close()
