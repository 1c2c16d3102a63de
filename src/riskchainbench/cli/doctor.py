"""`riskchain doctor`: what was found, what is missing, and the command that mends it."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say

_MARKS = {"ok": "ok     ", "warning": "warning", "missing": "missing"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(
    only: Annotated[
        str | None, typer.Option("--only", help="Look at one thing: browser, fonts, ...")
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Say whether this machine has what the benchmark needs."""
    from riskchainbench.pipeline.doctor import examine

    report = examine(only)
    if as_json:
        print_json(report)
    else:
        for item in report.items:
            say(f"{_MARKS[item.state]}  {item.name}: {item.found}")
            if item.mend:
                say(f"         mend with: {item.mend}")
    if not report.healthy:
        raise typer.Exit(1)
