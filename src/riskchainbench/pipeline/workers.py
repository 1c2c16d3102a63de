"""Processes that work beside this one; with one process, the work is done here and at once."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Generic, ParamSpec, Self, TypeVar

from riskchainbench.core.errors import RiskChainError

P = ParamSpec("P")
R = TypeVar("R")


class Pending(Generic[R]):
    """Work that was begun; calling it waits for what comes of it."""

    def __init__(self, future: Future[R]) -> None:
        self._future = future

    def __call__(self) -> R:
        """Return the outcome.

        Raises:
            RiskChainError: the process was ended from outside.
        """
        try:
            return self._future.result()
        except BrokenProcessPool as error:
            raise _ended() from error


def _ended() -> RiskChainError:
    return RiskChainError(
        "a process that proves websites was ended from outside; free memory, or allow one "
        "process only"
    )


class Workers:
    """So many processes; they begin with the first work and end with the context."""

    def __init__(self, processes: int = 1) -> None:
        self._processes = processes
        self._executor: ProcessPoolExecutor | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)

    def start(self, work: Callable[P, R], *args: P.args, **options: P.kwargs) -> Pending[R]:
        """Begin work; it is taken up in the order in which it was begun.

        Raises:
            RiskChainError: a process was ended from outside before.
        """
        if self._processes == 1:
            done: Future[R] = Future()
            done.set_result(work(*args, **options))
            return Pending(done)
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self._processes, mp_context=context)
        try:
            return Pending(self._executor.submit(work, *args, **options))
        except BrokenProcessPool as error:
            raise _ended() from error
