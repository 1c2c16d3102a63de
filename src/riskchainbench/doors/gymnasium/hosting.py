"""One website served and one sealed browser for it, driven from code that is not asynchronous."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine
from random import SystemRandom
from typing import Any, TypeVar

from riskchainbench.browser.pool import Worker
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle
from riskchainbench.core.investigation import Action, InvestigationTask
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer

T = TypeVar("T")

Seen = tuple[PageView, bytes | None]


class Host:
    """Serves one case and looks at it. A page that hangs is killed with its browser."""

    def __init__(self, bundle: Bundle, task: InvestigationTask, settings: BrowserSettings) -> None:
        websites = {task.case_id: bundle.website(task.case_id)}
        sandbox = Sandbox(websites)
        self._task = task
        self._server = SandboxServer(sandbox)
        self._server.start()
        self._visits = SandboxVisits(sandbox, self._server.port, websites, SystemRandom())
        self._visit: Visit | None = None
        self._worker = Worker(settings)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def open(self) -> Seen:
        """Begin a fresh episode of the website."""
        self._leave()
        self._visit = self._visits.open(self._task)
        return self._run(self._worker.open(self._visit))

    def act(self, action: Action) -> Seen:
        """Carry out one action."""
        return self._run(self._worker.act(action))

    def close(self) -> None:
        """End the browser and the server."""
        if self._loop.is_closed():
            return
        with contextlib.suppress(Exception):
            self._run(self._worker.stop())
        self._leave()
        self._server.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _leave(self) -> None:
        if self._visit is not None:
            self._visits.close(self._visit)
            self._visit = None

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()
