"""`riskchain conclude`: conclusions from frozen trajectories."""

from __future__ import annotations

import typer

from riskchainbench.cli.asking import (
    CacheOpt,
    MaxCostOpt,
    MaxTokensOpt,
    PricesOpt,
    SetOpt,
    UnprobedOpt,
    asking,
)
from riskchainbench.cli.shared import BundleArg, JsonOpt, RunArg, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("conclude")(conclude)


def conclude(
    bundle: BundleArg,
    run: RunArg,
    pace: SetOpt = None,
    unprobed: UnprobedOpt = False,
    max_cost: MaxCostOpt = None,
    max_tokens: MaxTokensOpt = None,
    prices: PricesOpt = None,
    cache: CacheOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Let RUN's own system conclude from its frozen trajectories, without a browser."""
    from riskchainbench.pipeline.options import Options
    from riskchainbench.pipeline.stages import Stages

    asked = asking(
        pace,
        unprobed=unprobed,
        max_cost=max_cost,
        max_tokens=max_tokens,
        prices=prices,
        cache=cache,
    )
    stages = Stages.of_run(bundle, run, Options(asking=asked))
    with progress("conclude", stages.waiting) as update:
        manifest = stages.conclude(update)
    if as_json:
        print_json(manifest)
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} conclusions frozen")
