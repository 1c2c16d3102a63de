"""`riskchain conclude`: conclusions from frozen trajectories."""

from __future__ import annotations

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, RunArg, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("conclude")(conclude)


def conclude(bundle: BundleArg, run: RunArg, as_json: JsonOpt = False) -> None:
    """Let RUN's own system conclude from its frozen trajectories, without a browser."""
    from riskchainbench.pipeline.stages import Stages

    with progress("conclude") as update:
        manifest = Stages.of_run(bundle, run).conclude(update)
    if as_json:
        print_json(manifest)
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} conclusions frozen")
