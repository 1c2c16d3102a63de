"""Task 2 with everything that it needs around it: a sandbox, sealed browsers, a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from riskchainbench.browser.isolation import Unlaunched, require_sealed
from riskchainbench.bundle import Bundle
from riskchainbench.core.stage import StageManifest
from riskchainbench.core.system import System
from riskchainbench.investigation.browsing import browser_settings, browsing
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate

__all__ = ["browser_settings", "browsing", "investigate_bundle"]

Update = Callable[[int, int], None]


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
    """Investigate the bundle's websites in real browsers and freeze the trajectories.

    Raises:
        RiskChainError: the browser is not sealed.
    """
    settings = browser_settings()
    unlaunched = await require_sealed(settings)
    async with browsing(bundle, settings, workers) as (pool, visits):
        return await investigate(
            bundle.investigation_tasks,
            bundle.tasks_sha256,
            bundle.codebook,
            run,
            system,
            pool if unlaunched is None else Unlaunched(unlaunched),
            visits,
            settings,
            rules,
            workers=workers,
            cases=cases,
            limit=limit,
            progress=update,
        )
