"""`riskchain leaderboard`: a static site of one or many runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.score import RunsArg
from riskchainbench.cli.shared import JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("leaderboard")(leaderboard)


def leaderboard(
    runs: RunsArg,
    bundle: Annotated[
        list[Path],
        typer.Option("--bundle", help="The bundle that runs were made for; may be repeated."),
    ],
    out: Annotated[Path, typer.Option("--out", help="The site's folder.")],
    as_json: JsonOpt = False,
) -> None:
    """Verify runs, score them anew and rank them, a board for each protocol; holds no gold."""
    from riskchainbench.pipeline.leaderboard import leaderboard as make

    page = make(runs, bundle, out)
    if as_json:
        print_json({"leaderboard": str(page)})
        return
    say(f"leaderboard: {page}")
