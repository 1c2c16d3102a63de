"""`riskchain restore-file`: Task 1 on inputs made elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from riskchainbench.cli.shared import (
    JsonOpt,
    LanguageOpt,
    StrictOpt,
    SystemOpt,
    SystemSeedOpt,
    print_json,
    progress,
    say,
)


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("restore-file")(restore_file)


def restore_file(
    source: Annotated[Path, typer.Argument(metavar="IN", help="Inputs, one JSON object a line.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The file of predictions.")],
    system: SystemOpt,
    system_seed: SystemSeedOpt = 0,
    prompt_language: LanguageOpt = "zh-CN",
    strict: StrictOpt = False,
    as_json: JsonOpt = False,
) -> None:
    """Restore messages in the published file format and write predictions in it."""
    from riskchainbench.pipeline.options import Options
    from riskchainbench.pipeline.restore_file import restore_file as restore_tasks

    options = Options(system_seed=system_seed, language=prompt_language, strict=strict)
    with progress("restore") as update:
        count = restore_tasks(source, out, system, options, update)
    if as_json:
        print_json({"predictions": str(out), "tasks": count})
        return
    say(f"{out}: {count} tasks restored")
