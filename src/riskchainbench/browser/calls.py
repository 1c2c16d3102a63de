"""Calls to Playwright as tasks of its own loop: several under way at once, and cheaper.

Each of Playwright's blocking calls looks through the whole stack and its sources for a trace,
which takes longer than most answers do; a call made here leaves none.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

from playwright._impl._sync_base import EventInfo, SyncBase

T = TypeVar("T")

_NO_TRACE = {"apiName": "", "frames": []}


@contextlib.contextmanager
def untraced(owner: SyncBase) -> Iterator[None]:
    """Leave no trace of what is sent to Playwright meanwhile without waiting for an answer."""
    zone = owner._impl_obj._connection._api_zone
    before = zone.set(_NO_TRACE)
    try:
        yield
    finally:
        zone.reset(before)


def begun(owner: SyncBase, call: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
    """Begin a call of the asynchronous face below an object of Playwright's.

    It goes on whenever any call is waited for; whoever never waits for it sees no error of it.
    """
    zone = owner._impl_obj._connection._api_zone

    async def traceless() -> T:
        zone.set(_NO_TRACE)
        return await call

    task: asyncio.Task[T] = owner._loop.create_task(traceless())
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    return task


def awaited(owner: SyncBase, task: asyncio.Task[T]) -> T:
    """Wait for a call that was begun and return its answer, or raise its error."""
    if not task.done():
        done = owner._loop.create_future()
        task.add_done_callback(lambda _: done.set_result(None))
        _ = EventInfo(owner, done).value
    return task.result()


def called(owner: SyncBase, call: Coroutine[Any, Any, T]) -> T:
    """Make one call and wait for it."""
    return awaited(owner, begun(owner, call))
