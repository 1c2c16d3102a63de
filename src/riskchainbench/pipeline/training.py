"""Serving a bundle's websites to agents in training."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.sandbox.server import SandboxServer

INSTALL = "pip install 'riskchainbench[training]'"


def serve_training(
    folder: Path,
    host: str,
    port: int,
    *,
    sessions: int,
    idle_seconds: float,
    evaluation: bool,
    say: Callable[[str], None],
) -> None:
    """Serve OpenEnv until interrupted.

    Raises:
        InputError: no bundle in `folder`, no train split without `evaluation`, `host` is no
            loopback address, or the extra `training` is missing.
        RiskChainError: the port is taken.
    """
    try:
        from riskchainbench.doors.openenv import openenv_app
    except ImportError as error:
        raise InputError(f"an OpenEnv server needs the extra `training`: {INSTALL}") from error
    app = openenv_app(folder, sessions=sessions, idle_seconds=idle_seconds, evaluation=evaluation)
    with SandboxServer(app, host, port, lifespan=True) as server:
        say(f"ws://{host}:{server.port}/ws  (Ctrl+C ends)")
        threading.Event().wait()
