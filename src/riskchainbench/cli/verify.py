"""`riskchain verify`: check a bundle's files and run its audits again from the disk."""

from __future__ import annotations

import typer

from riskchainbench.cli.shared import BundleArg, JsonOpt, ProcessesOpt, print_json, processes, say


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("verify")(verify)


def verify(bundle: BundleArg, processes_: ProcessesOpt = None, as_json: JsonOpt = False) -> None:
    """Verify every file of BUNDLE, reverse every trace and run the audits and proofs again.

    Where the websites were selected from a pool that follows from the seed, the pool is made,
    proved and audited again.
    """
    from riskchainbench.pipeline.verify import verify as verify_folder

    result = verify_folder(bundle, processes(processes_))
    if as_json:
        print_json(result)
        return
    say(f"{bundle}: {result.files} files hold")
    say(f"{result.websites} websites, {result.messages} messages")
    if result.gold:
        say("every trace reverses; audits and proofs pass")
    else:
        say("no gold here: audits and proofs that need it were left out")
    for figure in result.figures:
        say(f"  {figure}")
    for note in result.notes:
        say(note)
    for name in result.foreign:
        say(f"not part of the bundle, ignored: {name}")
