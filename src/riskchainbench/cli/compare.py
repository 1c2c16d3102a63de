"""`riskchain compare-bundles`: how far two bundles differ, and whether systems rank alike."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("compare-bundles")(compare)


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A bundle's folder.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another bundle's folder.")],
    scores: Annotated[
        list[Path] | None,
        typer.Option("--scores", help="scores.json of A, then of B: the same systems on both."),
    ] = None,
    metrics: Annotated[
        list[str] | None, typer.Option("--metric", help="A metric to rank systems by.")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Print how the websites of A and B differ, and the rank correlation of systems run on both."""
    from riskchainbench.pipeline.likeness import RANKED, compare_bundles, pair_of

    result = compare_bundles(first, second, pair_of(scores or []), metrics or RANKED)
    if as_json:
        print_json(result)
        return
    say(f"{result.websites_a} and {result.websites_b} websites")
    say(f"{'':<22}{'median A':>12}{'median B':>12}{'KS distance':>13}")
    for row in result.features:
        say(f"{row.feature:<22}{row.median_a:>12.1f}{row.median_b:>12.1f}{row.distance:>13.2f}")
    for rank in result.ranks:
        tau = f"{rank.tau:.2f}" if rank.tau is not None else f"undefined: {rank.reason}"
        say(f"Kendall's tau-b of {rank.systems} systems, {rank.metric}: {tau}")
    if not result.ranks:
        say("no scores of both given (--scores twice): nothing is said of external validity")
