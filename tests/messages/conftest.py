"""Sessions written by hand for the tests of this room."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from riskchainbench.core.restoration import Intent, Message, Surface
from riskchainbench.messages.records import SourceSession

MakeSession = Callable[..., SourceSession]


@pytest.fixture
def make_session() -> MakeSession:
    """Return a maker of sessions from their texts; the entry is found in them."""

    def make(
        *texts: str,
        entry: str = "ka0w8x.m2.test",
        platform: str = "bilibili",
        number: int = 0,
        decoys: tuple[str, ...] = (),
    ) -> SourceSession:
        messages = tuple(
            Message(message_id=f"m{place}", content=text) for place, text in enumerate(texts)
        )
        holder = next((m.message_id for m in messages if entry and entry in m.content), "")
        return SourceSession(
            session_id=f"s{number:04d}",
            platform=platform,
            surface=Surface.COMMENT,
            theme="study",
            template="hand",
            intent=Intent.OPEN_SITE,
            entry=entry if holder else "",
            messages=messages,
            entry_message=holder,
            entry_position="middle" if holder else "none",
            decoys=decoys,
        )

    return make
