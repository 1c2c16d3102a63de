"""Running many units of work at once, with the retries that system failures are due.

Only failures owned by the system are tried again; after the last try the unit stays open. A unit
may also put itself off until all others were done.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar

from riskchainbench.core.failures import SYSTEM_RETRIES, Failure, SystemFailureError

U = TypeVar("U")
V = TypeVar("V")


class SetAsideError(Exception):
    """What a unit came to cannot be told yet: it is to be done again when all others were."""


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

    A unit that is set aside is done again after the last; set aside again, it is done once more
    after that, as long as its work says so. The first other exception that `work` lets through
    ends the run; units already under way are cancelled.
    """
    queue = deque(units)
    while queue:
        queue = await _round(queue, work, concurrency)


async def _round(
    queue: deque[U], work: Callable[[U], Awaitable[None]], concurrency: int
) -> deque[U]:
    """Do `work` on every unit of `queue` and return those that were set aside."""
    aside: deque[U] = deque()

    async def worker() -> None:
        while queue:
            unit = queue.popleft()
            try:
                await work(unit)
            except SetAsideError:
                aside.append(unit)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(max(1, concurrency)):
                group.create_task(worker())
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    return aside
