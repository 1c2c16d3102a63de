"""`riskchain export`: a bundle as a data set for a hub."""

from __future__ import annotations

import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json, say


class Target(StrEnum):
    """Where the data set is for."""

    HF = "hf"


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("export")(export)


def export(
    bundle: BundleArg,
    out: Annotated[Path, typer.Option("--out", help="The new folder.")],
    to: Annotated[Target, typer.Option("--to", help="The hub: hf is Hugging Face.")] = Target.HF,
    with_gold: Annotated[
        bool, typer.Option("--with-gold", help="Hold labels, pairs and reference texts, too.")
    ] = False,
    date: Annotated[
        str | None,
        typer.Option("--date", help="Day of publication, YYYY-MM-DD; today if left out."),
    ] = None,
    as_json: JsonOpt = False,
) -> None:
    """Write BUNDLE as Parquet with a data card and Croissant metadata; nothing is uploaded."""
    from riskchainbench.pipeline.export import export_bundle

    day = date or datetime.datetime.now(datetime.UTC).date().isoformat()
    files = export_bundle(bundle, out, day, with_gold=with_gold)
    if as_json:
        print_json(
            {
                "export": str(out),
                "to": to.value,
                "tables": {file.path: file.rows for file in files},
                "with_gold": with_gold,
            }
        )
        return
    gold = "with gold" if with_gold else "without gold"
    say(f"export: {out} ({len(files)} tables, {gold})")
