"""`riskchain report`: one HTML report that opens offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.score import IncompleteOpt, RunsArg, SubsetOpt
from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("report")(report)


def report(
    bundle: BundleArg,
    runs: RunsArg,
    out: Annotated[Path, typer.Option("--out", help="The report's folder.")],
    public: Annotated[
        bool, typer.Option("--public", help="Leave out all gold and per-case outcomes.")
    ] = False,
    images: Annotated[
        str, typer.Option("--images", help="Screenshots to copy: cited, all or none.")
    ] = "cited",
    incomplete: IncompleteOpt = False,
    subset: SubsetOpt = False,
    as_json: JsonOpt = False,
) -> None:
    """Write an HTML report of one or more runs: tables, figures and a case browser."""
    from riskchainbench.pipeline.results import report_runs

    page = report_runs(
        bundle, runs, out, public=public, images=images, incomplete=incomplete, subset=subset
    )
    if as_json:
        print_json({"report": str(page)})
        return
    say(f"report: {page}")
