"""`riskchain score`: labels meet predictions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json, say

if TYPE_CHECKING:
    from riskchainbench.scoring.records import Scores

RunsArg = Annotated[list[Path], typer.Argument(metavar="RUN...", help="One or more runs.")]
IncompleteOpt = Annotated[
    bool,
    typer.Option("--incomplete", help="Count open or missing cases as failures; marks the table."),
]
SubsetOpt = Annotated[
    bool, typer.Option("--subset", help="Score only what was run; headed n of S.")
]
PrevalenceOpt = Annotated[
    float | None,
    typer.Option("--prevalence", help="Share of violations to re-weight precision to, in 0..1."),
]
PricesOpt = Annotated[
    Path | None, typer.Option("--prices", help="A file of prices, in place of those that ship.")
]
CompareOpt = Annotated[
    list[str] | None,
    typer.Option("--compare", help="Compare on this exploratory metric, too; may be repeated."),
]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("score")(score)


def score(
    bundle: BundleArg,
    runs: RunsArg,
    out: Annotated[Path | None, typer.Option("--out", help="Write the scores as JSON.")] = None,
    incomplete: IncompleteOpt = False,
    subset: SubsetOpt = False,
    prevalence: PrevalenceOpt = None,
    prices: PricesOpt = None,
    compare: CompareOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Score one or more runs of BUNDLE; without --out a single run's go to RUN/scores.json."""
    from riskchainbench.pipeline.results import SCORES, score_runs, write_scores

    scores = score_runs(
        bundle,
        runs,
        incomplete=incomplete,
        subset=subset,
        prevalence=prevalence,
        prices=prices,
        compared=compare or (),
    ).scores
    target = out or (runs[0] / SCORES if len(runs) == 1 else None)
    if target is not None:
        write_scores(scores, target, runs)
    if as_json:
        print_json(scores)
        return
    print_scores(scores)
    if target is not None:
        say(f"scores: {target}")


def print_scores(scores: Scores) -> None:
    """Print the main results for a person."""
    from riskchainbench.reporting.score_tables import main_tables
    from riskchainbench.reporting.strings import translator
    from riskchainbench.reporting.tables import to_markdown
    from riskchainbench.reporting.warned import warning_lines

    words = translator("en")
    head = scores.header
    sources = ", ".join(f"{each.key} ({each.count.numerator})" for each in head.label_sources)
    say(f"labels: {head.label_audit.claim() if head.label_audit else sources}")
    for table in main_tables(scores):
        say(to_markdown(table, words))
    for line in warning_lines(scores, words):
        say(line)
