"""The OpenEnv application over a bundle: isolated sessions, idle ones ended."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.types import ConcurrencyConfig

from riskchainbench.doors.gymnasium import opened_cases, release_browsers
from riskchainbench.doors.openenv.environment import WebsitesEnvironment
from riskchainbench.doors.openenv.records import WebsiteAction, WebsiteObservation
from riskchainbench.doors.openenv.rewards import SharedScorer


def openenv_app(
    bundle: Path | str,
    *,
    sessions: int = 2,
    idle_seconds: float = 600.0,
    evaluation: bool = False,
    language: str = "en",
) -> Any:
    """Return the ASGI application that serves a bundle's websites to OpenEnv clients.

    Each session has a browser and a website episode of its own.

    Args:
        bundle: the bundle's folder.
        sessions: how many may be open at once; a further one is refused.
        idle_seconds: a session that did nothing for so long is ended.
        evaluation: open all websites, those of the evaluation included.
        language: of the goal's words.

    Raises:
        InputError: there is no bundle, or no train split and `evaluation` is not set.
    """
    folder = Path(bundle)
    cases = opened_cases(folder, evaluation=evaluation)
    scorer = SharedScorer(folder)
    app = create_fastapi_app(
        partial(WebsitesEnvironment, folder, cases, scorer, language),
        WebsiteAction,
        WebsiteObservation,
        concurrency_config=ConcurrencyConfig(
            max_concurrent_envs=sessions, session_timeout=idle_seconds
        ),
    )
    inner = app.router.lifespan_context

    @contextlib.asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[Any]:
        async with inner(app) as state:
            try:
                yield state
            finally:
                scorer.close()
                release_browsers()

    app.router.lifespan_context = lifespan
    return app
