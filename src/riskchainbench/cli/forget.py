"""`riskchain forget`: remove an imported website everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("forget")(forget)


def forget(
    site: Annotated[str, typer.Argument(metavar="SITE", help="The website's id in the pool.")],
    pool: Annotated[Path, typer.Option("--pool", metavar="POOL", help="The pool's folder.")],
    others: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FOLDER]...", help="What may hold it: bundles, runs, reports, or all above."
        ),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Remove the imported website SITE from POOL, and all that was made of it from each FOLDER."""
    from riskchainbench.pipeline.forget import forget as run

    result = run(site, pool, others or [])
    if as_json:
        print_json(result)
        return
    for path in result.removed:
        say(f"removed {path}")
    for path in result.rewritten:
        say(f"took its lines out of {path}")
    for folder in result.broken:
        say(f"{folder}: held it; it verifies no longer and cannot be scored")
    for path in result.left:
        say(f"{path}: still names it; look at it yourself")
    say("not reached: " + "; ".join(result.out_of_reach))
