"""An event loop whose clock jumps to the next thing that waits, and a provider that lives by it.

Hours of waiting pass in milliseconds. Nothing of the run may wait for anything outside the
process, since a jump takes no heed of it; so the provider answers in place of the one client
that talks to a network.
"""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from stub_model import Seen, answer

from riskchainbench.core.system import Finish
from riskchainbench.models.provider.client import ChatMessageIn, Output, ReplySchema
from riskchainbench.models.provider.errors import Verdict, judged
from riskchainbench.models.provider.settings import Structured

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """Never waits; the time it was to wait is added to `now`."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is not None and timeout > 0:
            self.now += timeout
        return super().select(0)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop in simulated seconds, which go on from one `run` to the next."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` to its end."""
        asyncio.set_event_loop(self)
        return self.run_until_complete(work)

    def pass_time(self, seconds: float) -> None:
        """Let nothing happen for so many seconds."""
        self._jumping.now += seconds


class OutageError(Exception):
    """What a call meets while the provider is down."""


class Provider:
    """Answers as the stub does after `seconds`; down between `down_at` and `up_at`.

    While it is down it refuses connections in one minute and answers 503 in the next. With
    `pictures` it judges by what stands in a package.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        seconds: float = 5.0,
        pictures: dict[str, dict[float, str]] | None = None,
    ) -> None:
        self.loop = loop
        self.pictures = pictures
        self.seconds = seconds
        self.down_at = self.up_at = 0.0
        self.answered = self.refused = 0

    def go_down(self, after: float, duration: float) -> None:
        """Be down for so long, from so many seconds on."""
        self.down_at = self.loop.time() + after
        self.up_at = self.down_at + duration

    @property
    def down(self) -> bool:
        return self.down_at <= self.loop.time() < self.up_at

    async def generate(
        self,
        messages: Sequence[ChatMessageIn],
        structured: Structured = Structured.NONE,
        schema: ReplySchema | None = None,
    ) -> Output:
        if not self.down:
            await asyncio.sleep(self.seconds)
        if self.down:
            self.refused += 1
            raise OutageError
        self.answered += 1
        return Output(answer(_seen(messages), 3, self.pictures), Finish.STOP, 100, 10, 0, 0)

    def explain(self, error: Exception, *, proven: bool) -> Verdict:
        assert isinstance(error, OutageError), error
        if self.loop.time() // 60 % 2:
            return judged(None, "Connection error.", None, proven=proven)
        return judged(503, "overloaded", None, proven=proven)


def _seen(messages: Sequence[ChatMessageIn]) -> Seen:
    user = [part for each in messages if each.role == "user" for part in each.parts]
    return Seen(
        system="".join(part.text or "" for part in messages[0].parts),
        text="\n".join(part.text for part in user if part.text is not None),
        images=[part.image.png for part in user if part.image is not None],
        turns=0,
    )
