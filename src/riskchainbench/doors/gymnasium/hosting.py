"""One website served and one sealed browser for it, driven from code that is not asynchronous.

Browsers are kept warm between environments of one process: an environment that is closed hands
its own back, and the next one of the same settings takes it.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import threading
from collections.abc import Coroutine
from random import SystemRandom
from typing import Any, TypeVar

from riskchainbench.browser.isolation import require_sealed
from riskchainbench.browser.pool import Worker
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle
from riskchainbench.core.failures import SystemFailureError
from riskchainbench.core.investigation import Action, InvestigationTask
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer

T = TypeVar("T")

Seen = tuple[PageView, bytes | None]


class _Browsers:
    """The idle browsers of this process, and the event loop that all of them are driven by."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[tuple[BrowserSettings, Worker]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Carry out `work` in the loop and return what it gives."""
        return asyncio.run_coroutine_threadsafe(work, self._running()).result()

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, daemon=True).start()
            return self._loop

    def take(self, settings: BrowserSettings) -> Worker:
        """Return a browser of these settings, an idle one if there is one.

        Raises:
            RiskChainError: such a browser is not sealed on this machine.
            SystemFailureError: it does not start.
        """
        unlaunched = self.run(require_sealed(settings))
        if unlaunched is not None:
            raise SystemFailureError(unlaunched)
        with self._lock:
            for place, (its, worker) in enumerate(self._idle):
                if its == settings:
                    del self._idle[place]
                    return worker
        return Worker(settings)

    def give_back(self, settings: BrowserSettings, worker: Worker) -> None:
        """Keep a browser for the next environment."""
        with self._lock:
            self._idle.append((settings, worker))

    def release(self) -> None:
        """End every idle browser."""
        with self._lock:
            idle, self._idle = self._idle, []
        for _, worker in idle:
            with contextlib.suppress(Exception):
                self.run(worker.stop())


_BROWSERS = _Browsers()


def release_browsers() -> None:
    """End the browsers that closed environments of this process left warm."""
    _BROWSERS.release()


atexit.register(release_browsers)


class Host:
    """Serves one case after another and looks at it.

    A page that hangs is killed with its browser.

    Raises:
        RiskChainError: the browser is not sealed on this machine.
        SystemFailureError: it does not start.
    """

    def __init__(self, bundle: Bundle, settings: BrowserSettings) -> None:
        self._bundle = bundle
        self._settings = settings
        self._worker: Worker | None = _BROWSERS.take(settings)
        self._case_id = ""
        self._server: SandboxServer | None = None
        self._visits: SandboxVisits | None = None
        self._visit: Visit | None = None

    def open(self, task: InvestigationTask) -> Seen:
        """Begin a fresh episode of the task's website."""
        self._leave()
        if self._visits is None or self._case_id != task.case_id:
            self._visits = self._serve(task.case_id)
        self._visit = self._visits.open(task)
        return _BROWSERS.run(self._own().open(self._visit))

    def act(self, action: Action) -> Seen:
        """Carry out one action."""
        return _BROWSERS.run(self._own().act(action))

    def close(self) -> None:
        """End the server; the browser stays warm for another environment."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        with contextlib.suppress(Exception):
            _BROWSERS.run(worker.end())
        self._leave()
        if self._server is not None:
            self._server.stop()
        _BROWSERS.give_back(self._settings, worker)

    def _own(self) -> Worker:
        assert self._worker is not None, "the host was closed"
        return self._worker

    def _serve(self, case_id: str) -> SandboxVisits:
        if self._server is not None:
            self._server.stop()
        websites = {case_id: self._bundle.website(case_id)}
        sandbox = Sandbox(websites)
        self._server = SandboxServer(sandbox)
        self._server.start()
        self._case_id = case_id
        return SandboxVisits(sandbox, self._server.port, websites, SystemRandom())

    def _leave(self) -> None:
        if self._visit is not None and self._visits is not None:
            self._visits.close(self._visit)
            self._visit = None
