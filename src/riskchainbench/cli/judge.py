"""`riskchain judge`: rate the evidence of a run's conclusions."""

from __future__ import annotations

import typer

from riskchainbench.cli.asking import (
    CacheOpt,
    CheckOpt,
    MaxCostOpt,
    MaxTokensOpt,
    PricesOpt,
    SetOpt,
    UnprobedOpt,
    asking,
)
from riskchainbench.cli.shared import (
    BundleArg,
    JsonOpt,
    JudgeOpt,
    RunArg,
    print_json,
    progress,
    say,
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("judge")(judge)


def judge(
    bundle: BundleArg,
    run: RunArg,
    judge: JudgeOpt = "rules",
    settings: SetOpt = None,
    unprobed: UnprobedOpt = False,
    max_cost: MaxCostOpt = None,
    max_tokens: MaxTokensOpt = None,
    prices: PricesOpt = None,
    cache: CacheOpt = None,
    judge_check: CheckOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Rate how well RUN's conclusions are supported by what was recorded."""
    from dataclasses import replace

    from riskchainbench.pipeline.asking import require_model
    from riskchainbench.pipeline.options import Options
    from riskchainbench.pipeline.stages import Stages

    asked = asking(
        settings,
        unprobed=unprobed,
        max_cost=max_cost,
        max_tokens=max_tokens,
        prices=prices,
        judge_check=judge_check,
        cache=cache,
    )
    require_model(judge, asked)
    # The cache is the judge's; a run that used none stays unmarked.
    options = Options(asking=replace(asked, cache=None), judging=asked)
    stages = Stages.of_run(bundle, run, options)
    with progress("judge", stages.waiting) as update:
        manifest = stages.judge(judge, update)
    if as_json:
        print_json(manifest)
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} conclusions judged by {judge}")
