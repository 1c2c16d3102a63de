"""`riskchain record`: capture a site on this machine with the project's browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("record")(record)


def record(
    url: Annotated[str, typer.Argument(metavar="URL", help="Of a site on loopback.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The WACZ file to write.")],
    pages: Annotated[
        int, typer.Option("--pages", help="Pages visited at most.", min=1, max=200)
    ] = 20,
    forms: Annotated[
        bool, typer.Option("--forms/--no-forms", help="Send each form once with sample values.")
    ] = True,
    as_json: JsonOpt = False,
) -> None:
    """Visit the site at URL, which must be on loopback, and write what it answered as WACZ."""
    from riskchainbench.pipeline.record import record as run

    result = run(url, out, pages=pages, forms=forms)
    if as_json:
        print_json(result)
        return
    say(f"{out}: {result.pages} pages, {result.exchanges} responses")
    if result.refused:
        say(f"not asked, since they are elsewhere: {', '.join(result.refused)}")
