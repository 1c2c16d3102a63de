"""`riskchain select`: take websites from a pool by quotas."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("select")(select)


def select(
    pool: Annotated[Path, typer.Argument(metavar="POOL", help="The pool's folder.")],
    selection: Annotated[
        str | None,
        typer.Option("--selection", help="balanced, paper-mix or lite; balanced if left out."),
    ] = None,
    quotas: Annotated[
        Path | None, typer.Option("--quotas", help="Quotas of your own (TOML).")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Chooses among equally good selections.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write it; POOL.selection.json if left out."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Select websites from POOL so that every quota holds, with a certificate of optimality."""
    from riskchainbench.pipeline.select import select_pool

    file = out or pool.with_name(f"{pool.name}.selection.json")
    certificate = select_pool(pool, selection, quotas, seed, file)
    if as_json:
        print_json(certificate)
        return
    say(f"{file}: {len(certificate.selected)} of {certificate.candidates} websites")
    for line in certificate.lines():
        say(f"  {line}")
