"""Environments on a Ray cluster: the second way, beside processes here, to have a pool.

Each actor serves the bundle's websites on its own machine's loopback and holds the same
killable child as a local worker. The bundle's folder must stand at the same path on every
machine. Needs the optional dependency `ray`.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
from pathlib import Path
from random import SystemRandom
from typing import Any

from riskchainbench.browser.pool import EnvironmentFailureError, Members, Worker
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import open_bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.investigation import Action, InvestigationTask
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer

_TICKET = ".ticket.test"
_UNUSED_PORT = 1

Answer = dict[str, Any]


class TicketVisits:
    """Visits that only name their case: the actor that takes one opens the episode itself."""

    def open(self, task: InvestigationTask) -> Visit:
        """Return a visit that stands for the task's website."""
        return Visit(host=f"{task.case_id}{_TICKET}", port=_UNUSED_PORT)

    def close(self, visit: Visit) -> None:
        """Do nothing; the actor closes its episode."""


class Seat:
    """What an actor holds: the websites, and one worker that looks at them."""

    def __init__(self, folder: str, settings_json: str) -> None:
        bundle = open_bundle(Path(folder))
        websites = bundle.websites()
        sandbox = Sandbox(websites)
        self._tasks = bundle.investigation_tasks
        self._server = SandboxServer(sandbox)
        self._server.start()
        self._visits = SandboxVisits(sandbox, self._server.port, websites, SystemRandom())
        self._worker = Worker(BrowserSettings.model_validate_json(settings_json))
        self._visit: Visit | None = None

    async def open(self, case_id: str) -> Answer:
        """Begin an episode of a case."""
        self._leave()
        self._visit = self._visits.open(self._tasks[case_id])
        return await _answered(self._worker.open(self._visit))

    async def act(self, action_json: str) -> Answer:
        """Carry out one action."""
        return await _answered(self._worker.act(Action.model_validate_json(action_json)))

    async def end(self) -> None:
        """End the episode."""
        await self._worker.end()
        self._leave()

    async def kill(self) -> None:
        """Kill the browser and all that belongs to it; the next episode has a fresh one."""
        await self._worker.kill()
        self._leave()

    async def stop(self) -> None:
        """End the browser and the server."""
        await self._worker.stop()
        self._leave()
        await asyncio.to_thread(self._server.stop)

    def _leave(self) -> None:
        if self._visit is not None:
            self._visits.close(self._visit)
            self._visit = None


async def _answered(work: Any) -> Answer:
    """Return a view, or the failure as a value: Ray would wrap an exception."""
    try:
        view, png = await work
    except (EnvironmentFailureError, SystemFailureError) as error:
        return {"failure": error.failure.model_dump_json()}
    return {"view": view.model_dump_json(), "png": png}


class ClusterEnv:
    """One actor as an environment. Implements `EnvHandle`."""

    def __init__(self, actor: Any, gone: tuple[type[Exception], ...]) -> None:
        self._actor = actor
        self._gone = gone

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        """Begin an episode of the case that the visit stands for."""
        return await self._seen("open", visit.host.removesuffix(_TICKET))

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        """Carry out one action."""
        return await self._seen("act", action.model_dump_json())

    async def end(self) -> None:
        """End the episode."""
        await self._call("end")

    async def kill(self) -> None:
        """End the actor's browser."""
        with contextlib.suppress(SystemFailureError):
            await self._call("kill")

    async def stop(self) -> None:
        """End what the actor holds."""
        with contextlib.suppress(SystemFailureError):
            await self._call("stop")

    async def _seen(self, method: str, given: str) -> tuple[PageView, bytes | None]:
        answer: Answer = await self._call(method, given)
        if "failure" not in answer:
            return PageView.model_validate_json(answer["view"]), answer["png"]
        failure = Failure.model_validate_json(answer["failure"])
        if failure.rule.retried:
            raise SystemFailureError(failure)
        raise EnvironmentFailureError(failure)

    async def _call(self, method: str, *given: str) -> Any:
        try:
            return await getattr(self._actor, method).remote(*given)
        except self._gone as error:
            detail = f"a worker of the cluster was lost: {type(error).__name__}"
            failure = Failure(
                failure_class=FailureClass.HARNESS_ERROR, stage=Stage.INVESTIGATION, detail=detail
            )
            raise SystemFailureError(failure) from error


class RayPool(Members):
    """Actors of a Ray cluster, one episode each at a time.

    Ray restarts an actor that was lost with its machine; its episode is a system failure and
    tried again.

    Args:
        folder: the bundle's, at the same path on every machine.
        settings: of every environment.
        size: how many episodes may run at once.

    Raises:
        InputError: Ray is not installed.
    """

    def __init__(self, folder: Path, settings: BrowserSettings, size: int) -> None:
        self._ray = _ray()
        self._ours = not self._ray.is_initialized()
        if self._ours:
            self._ray.init(log_to_driver=False, include_dashboard=False)
        actor = self._ray.remote(num_cpus=1, max_restarts=2)(Seat)
        given = (str(folder.resolve()), settings.model_dump_json())
        gone = (self._ray.exceptions.RayError,)
        self._actors = [actor.remote(*given) for _ in range(size)]
        super().__init__(ClusterEnv(each, gone) for each in self._actors)

    async def close(self) -> None:
        """End every actor, and Ray if it was started for this pool."""
        await super().close()
        for actor in self._actors:
            self._ray.kill(actor)
        if self._ours:
            self._ray.shutdown()


def _ray() -> Any:
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise InputError("Ray is not installed: pip install 'riskchainbench[ray]'") from error
