"""`riskchain verify-run`: check a submitted run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, RunArg, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("verify-run")(verify_run)


def verify_run(
    run: RunArg,
    bundle: Annotated[
        Path | None,
        typer.Option("--bundle", help="The bundle it was made for; citations are checked, too."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Check manifests, hashes, the chain of every trajectory, and what was made from what."""
    from riskchainbench.pipeline.verify_run import verify_submission

    result = verify_submission(run, bundle)
    if as_json:
        print_json(result)
        return
    say(f"{run}: {result.system}, repeat {result.repeat}, tasks {result.tasks_sha256[:12]}: holds")
    say(
        f"{result.predictions} predictions, {result.trajectories} trajectories, "
        f"{result.conclusions} conclusions, {result.judgments} judgments, "
        f"{result.images} screenshots"
    )
    if bundle is None:
        say("no --bundle: units and citations were not checked against it")
    for note in result.notes:
        say(f"note: {note}")
