"""`riskchain investigate`: Task 2 of one system, its conclusions included."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.asking import (
    AblateOpt,
    CacheOpt,
    FreeWaitOpt,
    MaxCostOpt,
    MaxTokensOpt,
    NoCodebookOpt,
    PricesOpt,
    SetOpt,
    UnconfinedOpt,
    UnprobedOpt,
    ablations,
    asking,
)
from riskchainbench.cli.shared import (
    BundleArg,
    JsonOpt,
    LanguageOpt,
    RunArg,
    StrictOpt,
    SystemOpt,
    SystemSeedOpt,
    WorkersOpt,
    print_json,
    progress,
    say,
    warn,
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("investigate")(investigate)


def investigate(
    bundle: BundleArg,
    run: RunArg,
    system: SystemOpt,
    workers: WorkersOpt = 2,
    limit: Annotated[
        int | None, typer.Option("--limit", help="Only the first N websites.", min=1)
    ] = None,
    case: Annotated[
        list[str] | None, typer.Option("--case", help="Only this website; may be repeated.")
    ] = None,
    system_seed: SystemSeedOpt = 0,
    prompt_language: LanguageOpt = "zh-CN",
    strict: StrictOpt = False,
    no_codebook: NoCodebookOpt = False,
    ablate: AblateOpt = None,
    free_waiting: FreeWaitOpt = False,
    unconfined: UnconfinedOpt = False,
    settings: SetOpt = None,
    unprobed: UnprobedOpt = False,
    max_cost: MaxCostOpt = None,
    max_tokens: MaxTokensOpt = None,
    prices: PricesOpt = None,
    cache: CacheOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Send the agent through the websites of BUNDLE, then conclude; frozen in RUN."""
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
        workers=workers,
        limit=limit,
        cases=tuple(case or ()),
        asking=asked,
        ablations=ablations(no_codebook, ablate),
        count_provider_time=not free_waiting,
        unconfined=unconfined,
    )
    stages = Stages(bundle, run, system, options)
    gateless = stages.gateless
    with progress("investigate", stages.waiting) as update:
        manifest = stages.investigate(update)
    with progress("conclude", stages.waiting) as update:
        concluded = stages.conclude(update)
    if gateless:
        warn(f"{run}: no predictions were frozen before, so this run has no gated view")
    if as_json:
        print_json(
            {
                "investigation": manifest.model_dump(mode="json"),
                "conclusion": concluded.model_dump(mode="json"),
            }
        )
        return
    say(f"{run}: {manifest.units - len(manifest.open_units)} websites investigated")
    say(f"{run}: {concluded.units - len(concluded.open_units)} conclusions frozen")
