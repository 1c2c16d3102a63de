"""`riskchain probe`: two calls that say whether a model can be evaluated."""

from __future__ import annotations

import typer

from riskchainbench.cli.asking import SetOpt, asking
from riskchainbench.cli.shared import JsonOpt, SystemOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("probe")(probe)


def probe(system: SystemOpt, settings: SetOpt = None, as_json: JsonOpt = False) -> None:
    """Ask a model for a code in words and one in an image; fails if it gets either wrong."""
    from riskchainbench.pipeline.asking import probe_model

    asked = asking(settings)
    found = probe_model(system, asked.settings, asked.pace)
    if as_json:
        print_json(found)
    else:
        say(f"{system}: structured output: {found.structured.value}")
        say(f"{system}: follows the contract: {_told(found.follows_contract, found.text_detail)}")
        say(f"{system}: sees images: {_told(found.sees_images, found.image_detail)}")
        tokens = f"{found.input_tokens} tokens in, {found.output_tokens} out"
        say(f"{system}: {tokens}, {found.seconds:.1f} s")
    if not found.passed:
        raise typer.Exit(1)


def _told(good: bool, detail: str) -> str:
    return "yes" if good else f"no ({detail})"
