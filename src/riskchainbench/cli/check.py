"""`riskchain check`: prove a bundle's websites, with a browser if asked."""

from __future__ import annotations

from typing import Annotated

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, WorkersOpt, print_json, progress, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("check")(check)


def check(
    bundle: BundleArg,
    browser: Annotated[
        bool, typer.Option("--browser", help="Also walk the websites in the sealed browser.")
    ] = False,
    audits: Annotated[
        bool, typer.Option("--audits", help="Audit for leaks, shortcuts and sameness instead.")
    ] = False,
    sample: Annotated[
        int | None, typer.Option("--sample", help="Only N websites, evenly spaced.", min=1)
    ] = None,
    workers: WorkersOpt = 2,
    as_json: JsonOpt = False,
) -> None:
    """Run the proofs over BUNDLE's websites: evidence reachable, decisive facts where declared."""
    from riskchainbench.pipeline.check import audit
    from riskchainbench.pipeline.check import check as check_bundle

    if audits:
        result = audit(bundle)
    else:
        with progress("check") as update:
            result = check_bundle(
                bundle, browser=browser, sample=sample, workers=workers, tell=update
            )
    if as_json:
        print_json(result)
    else:
        done = "audited" if audits else f"proven; browser walked {result.walked}"
        say(f"{bundle}: {result.websites} websites {done}")
        if result.captured:
            say(f"  {result.captured} of them captured: exempt from the proofs of a design")
        for figure in result.figures:
            say(f"  {figure}")
        for finding in result.findings:
            say(f"  FAILED {finding}" if audits else f"  {finding}")
    if result.findings:
        raise typer.Exit(1)
