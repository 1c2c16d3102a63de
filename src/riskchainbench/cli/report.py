"""`riskchain report`: one HTML report that opens offline."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.score import (
    CompareOpt,
    IncompleteOpt,
    PrevalenceOpt,
    PricesOpt,
    RunsArg,
    SubsetOpt,
)
from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json, say


class Images(StrEnum):
    """The screenshots that a report takes along."""

    CITED = "cited"
    ALL = "all"
    NONE = "none"


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
        Images, typer.Option("--images", help="The screenshots to copy.")
    ] = Images.CITED,
    incomplete: IncompleteOpt = False,
    subset: SubsetOpt = False,
    prevalence: PrevalenceOpt = None,
    prices: PricesOpt = None,
    compare: CompareOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Write an HTML report of one or more runs: tables, figures and a case browser."""
    from riskchainbench.pipeline.reports import report_runs
    from riskchainbench.pipeline.results import score_runs

    scored = score_runs(
        bundle,
        runs,
        incomplete=incomplete,
        subset=subset,
        prevalence=prevalence,
        prices=prices,
        compared=compare or (),
    )
    page = report_runs(scored, runs, out, public=public, images=images.value)
    if as_json:
        print_json({"report": str(page)})
        return
    say(f"report: {page}")
