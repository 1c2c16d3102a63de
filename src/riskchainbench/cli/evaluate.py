"""`riskchain eval`: all stages of one system."""

from __future__ import annotations

import typer

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
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("eval")(evaluate)


def evaluate(
    bundle: BundleArg,
    run: RunArg,
    system: SystemOpt,
    workers: WorkersOpt = 2,
    system_seed: SystemSeedOpt = 0,
    prompt_language: LanguageOpt = "zh-CN",
    strict: StrictOpt = False,
    as_json: JsonOpt = False,
) -> None:
    """Restore, investigate, conclude, judge and score one system; resumes where it stopped."""
    from riskchainbench.cli.score import print_scores
    from riskchainbench.pipeline.evaluate import evaluate as evaluate_system
    from riskchainbench.pipeline.stages import Options

    options = Options(
        system_seed=system_seed, language=prompt_language, strict=strict, workers=workers
    )
    scores = evaluate_system(bundle, run, system, options, progress)
    if as_json:
        print_json(scores)
        return
    print_scores(scores)
