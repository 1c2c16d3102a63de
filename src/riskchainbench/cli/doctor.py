"""`riskchain doctor`: what was found, what is missing, and the command that mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.shared import JsonOpt, print_json, say

if TYPE_CHECKING:
    from riskchainbench.browser.canary import IsolationReport

_MARKS = {"ok": "ok     ", "warning": "warning", "missing": "missing"}


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("doctor")(doctor)


def doctor(
    only: Annotated[
        str | None, typer.Option("--only", help="Look at one thing: browser, fonts, ...")
    ] = None,
    isolation: Annotated[
        bool, typer.Option("--isolation", help="Try every way out of a website; takes a minute.")
    ] = False,
    as_json: JsonOpt = False,
) -> None:
    """Say whether this machine has what the benchmark needs."""
    from riskchainbench.pipeline.doctor import examine, examine_isolation

    if isolation:
        tested = examine_isolation()
        if as_json:
            print_json({**tested.model_dump(mode="json"), "sealed": tested.sealed})
        else:
            say("\n".join(_table(tested)))
        if not tested.sealed:
            raise typer.Exit(1)
        return
    report = examine(only)
    if as_json:
        print_json(report)
    else:
        for item in report.items:
            say(f"{_MARKS[item.state]}  {item.name}: {item.found}")
            if item.mend:
                say(f"         mend with: {item.mend}")
    if not report.healthy:
        raise typer.Exit(1)


def _table(report: IsolationReport) -> list[str]:
    """Return the lines of a table: a row for each way out, a column for each target."""
    reached = {(each.vector, each.target) for each in report.reached}
    vectors = [*report.vectors, *sorted({way for way, _ in reached} - set(report.vectors))]
    wide = max((len(vector) for vector in vectors), default=0)
    head = " ".join(f"{target:8}" for target in report.targets)
    lines = [f"{'way out':{wide}}  {head}".rstrip()]
    for vector in vectors:
        cells = ["REACHED" if (vector, to) in reached else "held" for to in report.targets]
        lines.append(f"{vector:{wide}}  {' '.join(f'{cell:8}' for cell in cells)}".rstrip())
    confined = report.confinement
    sandbox = "on" if confined.chromium_sandbox else "off"
    namespace = "on" if confined.network_namespace else "off"
    lines.append("")
    lines.append(
        f"browser: as {confined.user}, Chromium's own sandbox {sandbox}, "
        f"network namespace {namespace}"
    )
    lines.append(
        f"tried: {len(vectors)} ways to {len(report.targets)} targets, "
        f"{report.attempts} refusals recorded"
    )
    lines.append(f"reached: {len(reached)}")
    if not report.complete:
        lines.append("not complete: a page made not all its attempts; try again")
    return lines
