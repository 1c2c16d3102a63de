"""`riskchain eval`: all stages of one system, or of every system of a matrix."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.asking import (
    AblateOpt,
    CacheOpt,
    CheckOpt,
    FreeWaitOpt,
    InputOpt,
    MaxCostOpt,
    MaxTokensOpt,
    NoCodebookOpt,
    PricesOpt,
    SetOpt,
    UnconfinedOpt,
    UnprobedOpt,
    ablations,
    asking,
    is_image,
)
from riskchainbench.cli.shared import (
    BundleArg,
    JsonOpt,
    JudgeOpt,
    LanguageOpt,
    StrictOpt,
    SystemSeedOpt,
    WorkersOpt,
    print_json,
    progress,
    say,
    warn,
)

if TYPE_CHECKING:
    from riskchainbench.pipeline.options import Options

FolderArg = Annotated[
    Path, typer.Argument(metavar="RUN", help="The run's folder; with --systems, that of all runs.")
]
OneSystemOpt = Annotated[str | None, typer.Option("--system", help="The system to evaluate.")]
SystemsOpt = Annotated[
    Path | None, typer.Option("--systems", help="A TOML file of systems to run one by one.")
]
RepeatOpt = Annotated[
    int, typer.Option("--repeat", help="Run the system anew so many times.", min=1)
]
EstimateOpt = Annotated[
    bool, typer.Option("--estimate", help="Only tell calls, tokens, money and hours.")
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("eval")(evaluate)


def evaluate(
    bundle: BundleArg,
    run: FolderArg,
    system: OneSystemOpt = None,
    systems: SystemsOpt = None,
    judge: JudgeOpt = "rules",
    workers: WorkersOpt = 2,
    repeat: RepeatOpt = 1,
    estimate: EstimateOpt = False,
    system_seed: SystemSeedOpt = 0,
    prompt_language: LanguageOpt = "zh-CN",
    strict: StrictOpt = False,
    given_as: InputOpt = "text",
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
    judge_check: CheckOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Restore, investigate, conclude, judge and score; resumes where it stopped."""
    from riskchainbench.core.errors import InputError
    from riskchainbench.pipeline.options import Options

    if (system is None) == (systems is None):
        raise InputError("name one system with --system, or a file of them with --systems")
    if cache is not None and repeat > 1:
        raise InputError("--repeat: every repeat would take the first one's replies; no --cache")
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
        asking=asked,
        ablations=ablations(no_codebook, ablate),
        count_provider_time=not free_waiting,
        unconfined=unconfined,
        image_input=is_image(given_as),
        judging=asking(
            None,
            unprobed=unprobed,
            max_cost=max_cost,
            prices=prices,
            judge_check=judge_check,
            cache=cache,
        ),
    )
    if systems is not None:
        own = {"--repeat": repeat > 1, "--input": given_as != "text", "--set": settings}
        own |= {
            "--cache": cache is not None,
            "--no-codebook": no_codebook,
            "--ablate": ablate,
            "--judge": judge != "rules",
        }
        wrong = [name for name, given in own.items() if given]
        if wrong:
            raise InputError(f"{', '.join(wrong)}: belongs into the file of --systems")
        if estimate:
            _estimates(bundle, systems, options, as_json)
            return
        _tell_of_no_labels(bundle)
        _matrix(bundle, run, systems, options, as_json)
        return
    assert system is not None
    if estimate:
        _estimate(bundle, system, judge, options, repeat, as_json)
        return
    _tell_of_no_labels(bundle)
    _one(bundle, run, system, judge, options, repeat, as_json)


def _tell_of_no_labels(bundle: Path) -> None:
    """Say before anything is spent that a bundle without labels cannot be scored."""
    from riskchainbench.bundle import open_bundle
    from riskchainbench.core.gold import LabelSource

    if open_bundle(bundle).manifest.label_source is LabelSource.NONE:
        warn(
            f"{bundle} has no labels: all stages run, but scoring will be refused; label it "
            "(riskchain annotate, then labels freeze) and score this run on the labeled copy"
        )


def _one(
    bundle: Path,
    run: Path,
    system: str,
    judge: str,
    options: Options,
    repeats: int,
    as_json: bool,
) -> None:
    from riskchainbench.cli.score import print_scores
    from riskchainbench.pipeline.evaluate import evaluate as evaluate_system

    scores = evaluate_system(bundle, run, system, options, progress, judge=judge, repeats=repeats)
    if as_json:
        print_json(scores)
        return
    print_scores(scores)


def _matrix(bundle: Path, runs: Path, file: Path, options: Options, as_json: bool) -> None:
    from riskchainbench.cli.status import print_status
    from riskchainbench.models.provider.prices import load_prices
    from riskchainbench.pipeline.matrix import read_matrix, run_matrix
    from riskchainbench.pipeline.status import status

    done = run_matrix(bundle, runs, read_matrix(file), options, progress)
    failed = [each for each in done if each.error]
    if any(path.exists() for each in done for path in each.runs):
        found = status(runs, load_prices(options.asking.prices))
        if as_json:
            print_json([each.model_dump(mode="json") for each in found])
        else:
            print_status(found)
    for each in failed:
        say(f"{each.name}: {each.error}")
    if failed:
        raise typer.Exit(1)


def _estimates(bundle: Path, file: Path, options: Options, as_json: bool) -> None:
    from riskchainbench.pipeline.estimate import estimate
    from riskchainbench.pipeline.matrix import entry_options, read_matrix

    matrix = read_matrix(file)
    found = [
        estimate(
            bundle, each.name, matrix.judge, entry_options(each, matrix, options), each.repeats
        )
        for each in matrix.system
    ]
    if as_json:
        print_json([each.model_dump(mode="json") for each in found])
        return
    for each in found:
        for line in each.lines():
            say(line)


def _estimate(
    bundle: Path, system: str, judge: str, options: Options, repeats: int, as_json: bool
) -> None:
    from riskchainbench.pipeline.estimate import estimate

    found = estimate(bundle, system, judge, options, repeats)
    if as_json:
        print_json(found)
        return
    for line in found.lines():
        say(line)
