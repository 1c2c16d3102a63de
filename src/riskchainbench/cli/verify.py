"""`riskchain verify`: check a bundle's files and run its audits again from the disk."""

from __future__ import annotations

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, print_json, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("verify")(verify)


def verify(bundle: BundleArg, as_json: JsonOpt = False) -> None:
    """Verify every file of BUNDLE, reverse every trace and run the audits and proofs again."""
    from riskchainbench.pipeline.verify import verify as verify_folder

    result = verify_folder(bundle)
    if as_json:
        print_json(result)
        return
    say(f"{bundle}: {result.files} files hold")
    say(f"{result.websites} websites, {result.messages} messages")
    if result.gold:
        say("every trace reverses; audits and proofs pass")
    else:
        say("no gold here: audits and proofs that need it were left out")
    for name in result.foreign:
        say(f"not part of the bundle, ignored: {name}")
