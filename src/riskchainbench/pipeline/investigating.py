"""Task 2 with everything that it needs around it: a sandbox, sealed browsers, a clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from riskchainbench.browser.isolation import Unlaunched, require_chromium_sandbox, require_sealed
from riskchainbench.bundle import Bundle
from riskchainbench.core.stage import StageManifest
from riskchainbench.core.system import System
from riskchainbench.investigation.browsing import browser_settings, browsing, browsing_here
from riskchainbench.investigation.episode import Rules
from riskchainbench.investigation.run import investigate

__all__ = ["browser_settings", "browsing", "browsing_here", "investigate_bundle"]

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
    unconfined: bool = False,
    update: Update,
) -> StageManifest:
    """Investigate the bundle's websites in real browsers and freeze the trajectories.

    Raises:
        RiskChainError: the browser is not sealed, or captured scripts would run without
            Chromium's own sandbox and `unconfined` does not allow it.
    """
    settings = browser_settings()
    unlaunched = await require_sealed(settings)
    if unlaunched is None and not unconfined and _holds_captured_scripts(bundle):
        require_chromium_sandbox(settings)
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


def _holds_captured_scripts(bundle: Bundle) -> bool:
    if not bundle.manifest.captured:
        return False
    return any(website.scripted for website in bundle.websites().values())
