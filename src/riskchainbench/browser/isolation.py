"""Whether the browsers of a run are sealed: tested before their first page, once a process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from typing import NoReturn

from riskchainbench.browser.canary import IsolationReport, isolation_test
from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.pool import EnvHandle
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.failures import Failure, SystemFailureError
from riskchainbench.core.investigation import Action

_LIMIT = 90.0
_TRIES = 2
_sealed: dict[BrowserSettings, Confinement] = {}


class Unlaunched:
    """Stands in for the browsers that did not start, so that every case stays open for it.

    Implements `Pool` and `EnvHandle`.
    """

    def __init__(self, failure: Failure) -> None:
        self._failure = failure

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[EnvHandle]:
        """Lend what cannot be opened."""
        yield self

    async def open(self, visit: Visit) -> NoReturn:
        """Fail as the browser did."""
        del visit
        raise SystemFailureError(self._failure, exhausted=True)

    async def act(self, action: Action) -> NoReturn:
        """Fail as the browser did."""
        del action
        raise SystemFailureError(self._failure, exhausted=True)

    async def end(self) -> None:
        """End nothing."""

    async def close(self) -> None:
        """Close nothing."""


async def require_sealed(settings: BrowserSettings) -> Failure | None:
    """Run the quick self-test of isolation unless these settings passed it in this process.

    Returns:
        the failure of a browser that did not start; no case may be tried with it then.

    Raises:
        RiskChainError: something got out, or the test did not end.
    """
    if settings in _sealed:
        return None
    try:
        async with asyncio.timeout(_LIMIT):
            report = await _complete(settings)
    except SystemFailureError as error:
        return error.failure
    except TimeoutError as error:
        raise RiskChainError(
            f"the self-test of isolation did not end within {_LIMIT:g} seconds; "
            "look with `riskchain doctor --isolation`"
        ) from error
    _require(report)
    _sealed[settings] = report.confinement
    return None


def require_chromium_sandbox(settings: BrowserSettings) -> None:
    """Check that scripts which somebody else wrote run inside Chromium's own sandbox.

    Args:
        settings: they passed `require_sealed` in this process.

    Raises:
        RiskChainError: this machine forbids what that sandbox is made of.
    """
    if not _sealed[settings].chromium_sandbox:
        raise RiskChainError(
            "websites made of captured pages hold scripts of others, and Chromium's own sandbox "
            "does not work on this machine; --unconfined runs them nevertheless"
        )


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
