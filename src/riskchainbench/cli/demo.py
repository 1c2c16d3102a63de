"""`riskchain demo`: from nothing to a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, SeedOpt, WorkersOpt, announced, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("demo")(demo)


def demo(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The demo's folder.")] = Path("demo"),
    seed: SeedOpt = 7,
    workers: WorkersOpt = 2,
    as_json: JsonOpt = False,
) -> None:
    """Build a small benchmark, run six systems that need no key, and write a report."""
    from riskchainbench.cli.score import print_scores
    from riskchainbench.pipeline.demo import demo as run_demo

    scores, page = run_demo(out, seed, workers, announced)
    if as_json:
        print_json({"report": str(page), "scores": str(out / "scores.json")})
        return
    print_scores(scores)
    say(f"report: {page.resolve()}")
