"""Running many units of work at once, with the retries that system failures are due.

Only failures owned by the system are tried again; after the last try the unit stays open.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from riskchainbench.core.failures import SYSTEM_RETRIES, Failure, SystemFailureError

U = TypeVar("U")
V = TypeVar("V")


async def tried(
    attempt: Callable[[], Awaitable[V]], pause: Callable[[int], Awaitable[None]] | None = None
) -> V | Failure:
    """Return what `attempt` gives, tried again after system failures, or the last failure.

    Args:
        attempt: does the whole unit anew.
        pause: waits before try number n, n counting from 1.
    """
    for number in range(SYSTEM_RETRIES + 1):
        try:
            return await attempt()
        except SystemFailureError as error:
            failure = error.failure
            if error.exhausted:
                break
        if pause is not None and number < SYSTEM_RETRIES:
            await pause(number + 1)
    return failure


async def run_all(
    units: Iterable[U], work: Callable[[U], Awaitable[None]], *, concurrency: int
) -> None:
    """Do `work` on every unit, at most `concurrency` at once, in the order given.

    The first exception that `work` lets through ends the run; units already under way are
    cancelled.
    """
    queue = iter(units)

    async def worker() -> None:
        for unit in queue:
            await work(unit)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(worker())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
