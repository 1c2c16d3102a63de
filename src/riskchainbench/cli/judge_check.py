"""`riskchain judge-check`: whether a judge's scores may count."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riskchainbench.cli.asking import (
    MaxCostOpt,
    MaxTokensOpt,
    PricesOpt,
    SetOpt,
    UnprobedOpt,
    asking,
)
from riskchainbench.cli.shared import JsonOpt, print_json, progress, say

if TYPE_CHECKING:
    from riskchainbench.judging.check.measures import Discrimination
    from riskchainbench.judging.check.run import JudgeCheck

OutArg = Annotated[
    Path,
    typer.Argument(
        metavar="OUT", help="A folder for judge-check.json and what a check cut short needs."
    ),
]
CheckedOpt = Annotated[str, typer.Option("--judge", help="The judge to check.")]


def register(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("judge-check")(judge_check)


def judge_check(
    out: OutArg,
    judge: CheckedOpt,
    settings: SetOpt = None,
    unprobed: UnprobedOpt = False,
    max_cost: MaxCostOpt = None,
    max_tokens: MaxTokensOpt = None,
    prices: PricesOpt = None,
    as_json: JsonOpt = False,
) -> None:
    """Let a judge rate planted faults in matched pairs; fails if it is not good enough."""
    from riskchainbench.pipeline.judges import JudgeChecking

    asked = asking(
        settings, unprobed=unprobed, max_cost=max_cost, max_tokens=max_tokens, prices=prices
    )
    checking = JudgeChecking(judge, asked, out)
    with progress("judge-check", checking.waiting) as update:
        found = checking.run(update)
    if as_json:
        print_json(found)
    else:
        _print(found)
    if not found.passed:
        raise typer.Exit(1)


def _print(found: JudgeCheck) -> None:
    say(f"{found.judge}: {found.read} of {found.asked} replies could be read")
    for each in found.discrimination:
        beside = ", beside text that addresses the judge" if each.injected else ""
        beside += ", in pictures" if each.pictured else ""
        say(
            f"{_mark(each.passed)} {each.dimension}, {each.language}: {_area(each)} "
            f"over {each.pairs} pairs{beside}"
        )
    for steady in found.steadiness:
        kappa = "undefined" if steady.kappa is None else f"{steady.kappa:.3f}"
        shift = "undefined" if steady.shift is None else f"{steady.shift:+.2f}"
        say(
            f"{_mark(steady.passed)} {steady.dimension}: weighted kappa with itself {kappa} over "
            f"{steady.twice} packages, shift by empty words {shift} over {steady.padded}"
        )
    say(f"{found.judge}: {'passed' if found.passed else 'failed'}")


def _area(each: Discrimination) -> str:
    if each.auc is None or each.low is None or each.high is None:
        return "AUC undefined"
    return f"AUC {each.auc:.3f} [{each.low:.2f}, {each.high:.2f}]"


def _mark(passed: bool) -> str:
    return "ok  " if passed else "FAIL"
