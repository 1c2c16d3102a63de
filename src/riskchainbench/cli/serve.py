"""`riskchain serve`: a person browses the websites."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("serve")(serve)


def serve(
    bundle: BundleArg,
    port: Annotated[
        int, typer.Option("--port", help="On loopback; 0 takes a free one.", min=0, max=65535)
    ] = 8080,
    host: Annotated[str, typer.Option("--host", help="A loopback address.")] = "127.0.0.1",
) -> None:
    """Serve BUNDLE's websites on loopback, each in a sandboxed frame with a reset button."""
    from riskchainbench.cli.shared import say
    from riskchainbench.pipeline.serve import serve as serve_bundle

    serve_bundle(bundle, host, port, say)
