"""`riskchain restore`: Task 1 of one system."""

from __future__ import annotations

import typer

from riskchainbench.cli.asking import (
    CacheOpt,
    InputOpt,
    MaxCostOpt,
    MaxTokensOpt,
    PricesOpt,
    SetOpt,
    UnprobedOpt,
    asking,
    is_image,
)
from riskchainbench.cli.shared import (
    BundleArg,
    JsonOpt,
    LanguageOpt,
    RunArg,
    StrictOpt,
    SystemOpt,
    SystemSeedOpt,
    print_json,
    progress,
    say,
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("restore")(restore)


def restore(
    bundle: BundleArg,
    run: RunArg,
    system: SystemOpt,
    system_seed: SystemSeedOpt = 0,
    prompt_language: LanguageOpt = "zh-CN",
    strict: StrictOpt = False,
    given_as: InputOpt = "text",
    settings: SetOpt = None,
    unprobed: UnprobedOpt = False,
    max_cost: MaxCostOpt = None,
    max_tokens: MaxTokensOpt = None,
    prices: PricesOpt = None,
    cache: CacheOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Restore every message of BUNDLE and freeze the predictions in RUN."""
    from riskchainbench.pipeline.options import Options
    from riskchainbench.pipeline.stages import Stages

    asked = asking(
        settings,
        unprobed=unprobed,
        max_cost=max_cost,
        max_tokens=max_tokens,
        prices=prices,
        cache=cache,
    )
    options = Options(
        system_seed=system_seed,
        language=prompt_language,
        strict=strict,
        asking=asked,
        image_input=is_image(given_as),
    )
    stages = Stages(bundle, run, system, options)
    with progress("restore", stages.waiting) as update:
        manifest = stages.restore(update)
    if as_json:
        print_json(manifest)
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} of {manifest.units} messages restored")
