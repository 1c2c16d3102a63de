"""Whether the browsers of a run are sealed: tested at its start, once a process."""

from __future__ import annotations

import asyncio

from riskchainbench.browser.canary import IsolationReport, isolation_test
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.failures import SystemFailureError

_LIMIT = 90.0
_TRIES = 2
_sealed: set[BrowserSettings] = set()


async def require_sealed(settings: BrowserSettings) -> None:
    """Run the quick self-test of isolation unless these settings passed it in this process.

    Raises:
        RiskChainError: something got out, or the test could not be made.
    """
    if settings in _sealed:
        return
    try:
        async with asyncio.timeout(_LIMIT):
            report = await _complete(settings)
    except SystemFailureError as error:
        raise RiskChainError(
            f"the browser does not start ({error.failure.detail}); look with `riskchain doctor`"
        ) from error
    except TimeoutError as error:
        raise RiskChainError(
            f"the self-test of isolation did not end within {_LIMIT:g} seconds; "
            "look with `riskchain doctor --isolation`"
        ) from error
    _require(report)
    _sealed.add(settings)


async def _complete(settings: BrowserSettings) -> IsolationReport:
    """Return the first report whose page made all its attempts, or the last one."""
    for _ in range(_TRIES - 1):
        report = await isolation_test(settings, quick=True)
        if report.complete:
            return report
    return await isolation_test(settings, quick=True)


def _require(report: IsolationReport) -> None:
    if report.reached:
        ways = ", ".join(sorted({reached.vector for reached in report.reached}))
        raise RiskChainError(
            f"the browser is not sealed: {ways} reached a listener outside the website; "
            "look with `riskchain doctor --isolation`"
        )
    if not report.complete:
        raise RiskChainError(
            "the self-test of isolation made not all its attempts; "
            "look with `riskchain doctor --isolation`"
        )
