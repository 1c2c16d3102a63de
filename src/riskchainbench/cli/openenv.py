"""`riskchain openenv`: agents in training step the websites."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("openenv")(openenv)


def openenv(
    bundle: BundleArg,
    port: Annotated[
        int, typer.Option("--port", help="On loopback; 0 takes a free one.", min=0, max=65535)
    ] = 8900,
    host: Annotated[str, typer.Option("--host", help="A loopback address.")] = "127.0.0.1",
    sessions: Annotated[
        int, typer.Option("--sessions", help="How many may be open at once.", min=1, max=64)
    ] = 2,
    idle_seconds: Annotated[
        float, typer.Option("--idle-seconds", help="End a session that idles so long.", min=1)
    ] = 600.0,
    evaluation: Annotated[
        bool, typer.Option("--evaluation", help="Open all websites, not the train split alone.")
    ] = False,
) -> None:
    """Serve BUNDLE's train split to OpenEnv clients, a browser and an episode a session."""
    from riskchainbench.cli.shared import say
    from riskchainbench.pipeline.training import serve_training

    serve_training(
        bundle,
        host,
        port,
        sessions=sessions,
        idle_seconds=idle_seconds,
        evaluation=evaluation,
        say=say,
    )
