"""How many calls run at once, and how many tokens a minute they may take."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

_MINUTE = 60.0

Sleep = Callable[[float], Awaitable[None]]
Clock = Callable[[], float]


class Pacer:
    """Lets calls through at the pace asked for.

    A pause that a provider asks for holds back every call, not only the one that was told.
    """

    def __init__(
        self, at_once: int, tokens_per_minute: int | None, clock: Clock, sleep: Sleep
    ) -> None:
        self._slots = asyncio.Semaphore(at_once)
        self._limit = tokens_per_minute
        self._clock = clock
        self._sleep = sleep
        self._spent: deque[tuple[float, int]] = deque()
        self._not_before = 0.0

    @asynccontextmanager
    async def slot(self, tokens: int) -> AsyncIterator[None]:
        """Hold one slot for a call of about `tokens`, once there is room for it."""
        async with self._slots:
            await self._room(tokens)
            yield

    def hold(self, seconds: float) -> None:
        """Let no call start for so many seconds."""
        self._not_before = max(self._not_before, self._clock() + seconds)

    async def _room(self, tokens: int) -> None:
        while (wait := self._wait(tokens)) > 0:
            await self._sleep(wait)
        if self._limit is not None:
            self._spent.append((self._clock(), tokens))

    def _wait(self, tokens: int) -> float:
        now = self._clock()
        if self._not_before > now:
            return self._not_before - now
        if self._limit is None:
            return 0.0
        while self._spent and self._spent[0][0] <= now - _MINUTE:
            self._spent.popleft()
        used = sum(count for _, count in self._spent)
        if not self._spent or used + tokens <= self._limit:
            return 0.0
        return self._spent[0][0] + _MINUTE - now
