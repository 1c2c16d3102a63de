"""`riskchain gallery`: a screenshot of every website."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, WorkersOpt, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("gallery")(gallery)


def gallery(
    bundle: BundleArg,
    out: Annotated[
        Path | None, typer.Option("--out", help="The gallery's folder; BUNDLE.gallery by default.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option("--sample", help="Only N websites, evenly spaced.", min=1)
    ] = None,
    workers: WorkersOpt = 2,
    as_json: JsonOpt = False,
) -> None:
    """Take a picture of every website of BUNDLE and lay them out on one page."""
    from riskchainbench.pipeline.gallery import INDEX
    from riskchainbench.pipeline.gallery import gallery as make_gallery

    folder = out or bundle.with_name(f"{bundle.name}.gallery")
    with progress("gallery") as update:
        result = make_gallery(bundle, folder, sample=sample, workers=workers, tell=update)
    if as_json:
        print_json(result)
    else:
        say(f"{folder / INDEX}: {result.websites - len(result.failed)} websites")
        for line in result.failed:
            say(f"  {line}")
    if result.failed:
        raise typer.Exit(1)
