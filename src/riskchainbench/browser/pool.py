"""Environments in child processes: bounded in time and memory, killed with their whole tree.

The parent is asyncio and never blocks on a page. A worker that breaks a bound is killed, the
failure is typed, and a fresh worker takes its place at the next visit.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import secrets
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Protocol

from riskchainbench.browser import worker
from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.processes import ProcessTree
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.investigation import Action

_POLL = 0.5
_START_LIMIT = 60.0
_END_LIMIT = 5.0


class EnvironmentFailureError(Exception):
    """The environment failed in a way that ends the episode."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(f"{failure.failure_class}: {failure.detail}")
        self.failure = failure


class EnvHandle(Protocol):
    """One environment, wherever it runs."""

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        """Begin an episode and return its first view with the screenshot's PNG bytes."""

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        """Carry out one action and return the view after it."""

    async def end(self) -> None:
        """End the episode."""


class Pool(Protocol):
    """Hands out environments."""

    def lease(self) -> contextlib.AbstractAsyncContextManager[EnvHandle]:
        """Lend one environment for one episode."""

    async def close(self) -> None:
        """End every environment."""


class Member(EnvHandle, Protocol):
    """One environment as the pool that it belongs to sees it."""

    async def kill(self) -> None:
        """End the episode at once, whatever state it is in; another can begin."""

    async def stop(self) -> None:
        """End the environment for good."""


class Members:
    """Lends its environments one episode at a time. Implements `Pool`."""

    def __init__(self, members: Iterable[Member]) -> None:
        self._members = tuple(members)
        self._free: asyncio.Queue[Member] = asyncio.Queue()
        for member in self._members:
            self._free.put_nowait(member)

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[EnvHandle]:
        """Lend one environment for one episode; its episode is ended on return."""
        member = await self._free.get()
        try:
            yield member
            await member.end()
        except BaseException:
            await member.kill()
            raise
        finally:
            self._free.put_nowait(member)

    async def close(self) -> None:
        """End every environment."""
        await asyncio.gather(*(member.stop() for member in self._members))


class Worker:
    """One child process and the environment in it. Implements `EnvHandle`."""

    def __init__(self, settings: BrowserSettings) -> None:
        self._settings = settings
        self._process: BaseProcess | None = None
        self._conn: Connection | None = None
        self._tree: ProcessTree | None = None
        self._folder: Path | None = None
        self._episodes = 0
        self.confinement: Confinement | None = None
        self.browser_version = ""

    @property
    def tree(self) -> ProcessTree | None:
        """The child's processes while it runs."""
        return self._tree

    async def start(self) -> None:
        """Start the child and its browser.

        Raises:
            SystemFailureError: the browser does not start.
        """
        mark = secrets.token_hex(16)
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._folder = Path(tempfile.mkdtemp(prefix="riskchain-worker-"))
        self._folder.chmod(0o755)
        given = (theirs, self._settings.model_dump_json(), mark, str(self._folder))
        process = context.Process(target=worker.main, args=given, daemon=True)
        process.start()
        theirs.close()
        self._process, self._conn = process, ours
        self._tree = ProcessTree(process.pid or 0, mark)
        self._episodes = 0
        try:
            answer, _ = await self._ask({"do": "warm"}, _START_LIMIT)
        except EnvironmentFailureError as error:
            raise _failure(FailureClass.BROWSER_LAUNCH, error.failure.detail) from error
        self.confinement = Confinement.model_validate(answer["ready"])
        self.browser_version = answer["version"]

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        """Begin an episode; a worker that is down or worn is replaced first.

        Raises:
            EnvironmentFailureError: the website gave no first observation.
            SystemFailureError: the browser or the harness failed.
        """
        if self._process is not None and self._episodes >= self._settings.recycle_after:
            await self.stop()
        if self._process is None:
            await self.start()
        self._episodes += 1
        command = {"do": "open", "visit": visit.model_dump(mode="json")}
        return await self._view(command, self._settings.open_limit)

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        """Carry out one action.

        Raises:
            EnvironmentFailureError: the page hung, crashed or grew past the memory cap.
            SystemFailureError: the harness failed.
        """
        command = {"do": "act", "action": action.model_dump(mode="json")}
        return await self._view(command, self._settings.step_limit)

    async def end(self) -> None:
        """Close the episode; a child that does not manage it is killed."""
        if self._process is None:
            return
        with contextlib.suppress(EnvironmentFailureError, SystemFailureError):
            await self._ask({"do": "end"}, _END_LIMIT)

    async def stop(self) -> None:
        """End the child, gently if it lets us."""
        if self._process is None or self._conn is None:
            return
        with contextlib.suppress(OSError):
            self._conn.send_bytes(json.dumps({"do": "quit"}).encode())
        process = self._process
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(_ended(process), _END_LIMIT)
        await self.kill()

    async def kill(self) -> None:
        """Kill the child with everything it ever started."""
        process, tree, conn = self._process, self._tree, self._conn
        self._process = self._tree = self._conn = None
        if tree is not None:
            await asyncio.to_thread(tree.kill)
        if process is not None:
            await asyncio.to_thread(process.join, 5.0)
        if conn is not None:
            conn.close()
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
            self._folder = None

    async def _view(self, command: dict[str, Any], limit: float) -> tuple[PageView, bytes | None]:
        answer, png = await self._ask(command, limit)
        return PageView.model_validate(answer["view"]), png

    async def _ask(
        self, command: dict[str, Any], limit: float
    ) -> tuple[dict[str, Any], bytes | None]:
        """Send a command and wait for its answer; whatever goes wrong, the child is killed."""
        conn = self._conn
        if conn is None:
            raise _failure(FailureClass.HARNESS_ERROR, "the worker is down")
        try:
            conn.send_bytes(json.dumps(command).encode("utf-8"))
            answer: dict[str, Any] = json.loads(await self._receive(conn, limit))
            png = conn.recv_bytes() if answer.get("image") else None
            if "failure" in answer:
                raise _failure(FailureClass(answer["failure"]), answer["detail"])
        except (EOFError, OSError) as error:
            await self.kill()
            raise _failure(FailureClass.HARNESS_ERROR, "the worker process died") from error
        except BaseException:
            await self.kill()
            raise
        return answer, png

    async def _receive(self, conn: Connection, limit: float) -> bytes:
        """Return the child's answer, watching time and memory meanwhile."""
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        descriptor = conn.fileno()
        loop.add_reader(descriptor, readable.set)
        deadline = loop.time() + limit
        try:
            while not readable.is_set():
                wait = max(0.01, min(_POLL, deadline - loop.time()))
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(readable.wait(), wait)
                if not readable.is_set():
                    self._check_bounds(loop.time() >= deadline, limit)
            return conn.recv_bytes()
        finally:
            loop.remove_reader(descriptor)

    def _check_bounds(self, late: bool, limit: float) -> None:
        if self._tree is None:
            raise _failure(FailureClass.HARNESS_ERROR, "the worker was ended meanwhile")
        cap = self._settings.memory_cap
        if self._tree.memory() > cap:
            raise _failure(FailureClass.PAGE_MEMORY, f"grew past {cap // 1024**2} MiB")
        if late:
            raise _failure(FailureClass.PAGE_HUNG, f"no answer within {limit:g} seconds")


class LocalPool(Members):
    """Workers on this machine; each is started when it is first needed.

    Args:
        settings: of every environment.
        size: how many episodes may run at once.
    """

    def __init__(self, settings: BrowserSettings, size: int) -> None:
        super().__init__(Worker(settings) for _ in range(size))


def _failure(failure_class: FailureClass, detail: str) -> Exception:
    failure = Failure(failure_class=failure_class, stage=Stage.INVESTIGATION, detail=detail)
    if failure.rule.retried:
        return SystemFailureError(failure)
    return EnvironmentFailureError(failure)


async def _ended(process: BaseProcess) -> None:
    while process.is_alive():
        await asyncio.sleep(0.02)
