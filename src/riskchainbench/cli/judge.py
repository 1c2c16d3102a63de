"""`riskchain judge`: rate the evidence of a run's conclusions."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, RunArg, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("judge")(judge)


def judge(
    bundle: BundleArg,
    run: RunArg,
    judge: Annotated[str, typer.Option("--judge", help="The judge; rules needs no key.")] = "rules",
    as_json: JsonOpt = False,
) -> None:
    """Rate how well RUN's conclusions are supported by what was recorded."""
    from riskchainbench.pipeline.stages import Stages

    with progress("judge") as update:
        manifest = Stages.of_run(bundle, run).judge(judge, update)
    if as_json:
        print_json(manifest)
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} conclusions judged by {judge}")
