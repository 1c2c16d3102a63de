"""`riskchain status`: how far runs are and what they spent."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.asking import PricesOpt
from riskchainbench.cli.shared import JsonOpt, print_json, say

if TYPE_CHECKING:
    from riskchainbench.pipeline.spending import Spending
    from riskchainbench.pipeline.status import RunStatus

RunsFolderArg = Annotated[Path, typer.Argument(metavar="RUNS", help="A folder with runs in it.")]
_HEAD = ("run", "system", "restored", "investigated", "concluded", "judged", "tokens", "cost")


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("status")(status)


def status(runs: RunsFolderArg, prices: PricesOpt = None, as_json: JsonOpt = False) -> None:
    """Print how far each run below RUNS is, and its tokens and cost, judges apart."""
    from riskchainbench.models.provider.prices import load_prices
    from riskchainbench.pipeline.status import status as status_of

    found = status_of(runs, load_prices(prices))
    if as_json:
        print_json([each.model_dump(mode="json") for each in found])
        return
    print_status(found)


def print_status(found: list[RunStatus]) -> None:
    """Print one line a run, in columns."""
    rows = [_HEAD, *map(_row, found)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEAD))]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        say("  ".join(cells).rstrip())


def _row(run: RunStatus) -> tuple[str, ...]:
    from riskchainbench.pipeline.status import JUDGED_BY

    restored, investigated, concluded, *judged = run.stages
    system = run.system if run.repeat == 1 else f"{run.system} #{run.repeat}"
    tokens, cost = [_tokens(run.spending)], [_cost(run.spending)]
    if run.judge_spending.calls and run.judge_spending.tokens:
        tokens.append(_tokens(run.judge_spending))
        cost.append(_cost(run.judge_spending))
    return (
        run.run,
        system,
        restored.told,
        investigated.told,
        concluded.told,
        ", ".join(f"{each.told} by {each.stage.removeprefix(JUDGED_BY)}" for each in judged) or "-",
        " + judge ".join(tokens),
        " + judge ".join(cost),
    )


def _tokens(spending: Spending) -> str:
    if not spending.tokens:
        return "-"
    return f"{spending.input_tokens} in, {spending.output_tokens} out"


def _cost(spending: Spending) -> str:
    if not spending.tokens:
        return "-"
    return "unknown" if spending.cost is None else f"{spending.cost:.2f} {spending.currency}"
