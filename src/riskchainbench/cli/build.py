"""`riskchain build`: make a benchmark."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, SeedOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("build")(build)


def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new bundle's folder.")],
    preset: Annotated[str, typer.Option("--preset", help="demo or full.")] = "demo",
    seed: SeedOpt = None,
    codebook: Annotated[
        Path | None, typer.Option("--codebook", help="A codebook of your own (TOML).")
    ] = None,
    recipes: Annotated[
        str,
        typer.Option("--recipes", help="paper (the six), or with ladder, extended or all beside."),
    ] = "paper",
    as_json: JsonOpt = False,
) -> None:
    """Build a benchmark: messages, websites, labels and their proofs, frozen in OUT."""
    from riskchainbench.core.codebook import load_codebook
    from riskchainbench.pipeline.build import build as build_bundle

    own = load_codebook(codebook) if codebook else None
    manifest = build_bundle(out, preset, seed, own, recipes)
    if as_json:
        print_json(manifest.model_dump(mode="json", exclude={"files"}))
        return
    say(f"{out}: {manifest.websites} websites, {manifest.messages} messages")
    say(f"labels: {manifest.label_source.value}; tasks {manifest.tasks_sha256[:12]}")
