"""The options of how a provider's model is asked, which mean the same in every verb."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from riskchainbench.cli.shared import named_values

if TYPE_CHECKING:
    from riskchainbench.investigation.ablations import Ablation
    from riskchainbench.pipeline.options import Asking

SetOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="How the model is asked, e.g. temperature=0.7, reasoning_effort=low, "
        "structured=none, at_once=4, tokens_per_minute=100000; may be repeated.",
    ),
]
UnprobedOpt = Annotated[
    bool, typer.Option("--unprobed", help="Run a model without a probe, or against it.")
]
MaxCostOpt = Annotated[
    float | None, typer.Option("--max-cost", help="Stop when so much money is spent.", min=0)
]
MaxTokensOpt = Annotated[
    int | None, typer.Option("--max-tokens", help="Stop when so many tokens are spent.", min=1)
]
CheckOpt = Annotated[
    Path | None,
    typer.Option("--judge-check", help="The file of a passed judge-check; else marked unchecked."),
]
CacheOpt = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="Take replies that stand in FOLDER instead of asking again; marks the run.",
    ),
]
PricesOpt = Annotated[
    Path | None, typer.Option("--prices", help="A file of prices, instead of the shipped one.")
]


InputOpt = Annotated[
    str, typer.Option("--input", help="How Task 1 gives a message: text, or image for models.")
]


NoCodebookOpt = Annotated[
    bool, typer.Option("--no-codebook", help="Ablation: do not give the agent the policy.")
]
AblateOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--ablate",
        help="Ablation: leave out screenshot, text, interaction or scaffold; may be repeated.",
    ),
]
FreeWaitOpt = Annotated[
    bool,
    typer.Option("--free-waiting", help="Waiting for the provider costs none of the time limit."),
]


UnconfinedOpt = Annotated[
    bool,
    typer.Option(
        "--unconfined",
        help="Run captured scripts even where Chromium's own sandbox does not work.",
    ),
]


def ablations(no_codebook: bool, given: list[str] | None) -> frozenset[Ablation]:
    """Return what an agent is not given.

    Raises:
        InputError: something is named that cannot be left out.
    """
    from riskchainbench.core.errors import InputError
    from riskchainbench.investigation.ablations import Ablation

    known = {each.name.lower(): each for each in Ablation if each is not Ablation.CODEBOOK}
    for name in given or ():
        if name not in known:
            raise InputError(f"--ablate {name}: choose {', '.join(known)}")
    found = {known[name] for name in given or ()}
    return frozenset(found | ({Ablation.CODEBOOK} if no_codebook else set()))


def is_image(given_as: str) -> bool:
    """Tell whether messages are given as images.

    Raises:
        InputError: they are given as neither text nor image.
    """
    from riskchainbench.core.errors import InputError

    if given_as not in ("text", "image"):
        raise InputError(f"--input {given_as}: choose text or image")
    return given_as == "image"


def asking(
    given: list[str] | None,
    *,
    unprobed: bool = False,
    max_cost: float | None = None,
    max_tokens: int | None = None,
    prices: Path | None = None,
    judge_check: Path | None = None,
    cache: Path | None = None,
) -> Asking:
    """Return how a model is asked.

    Raises:
        InputError: a setting does not exist or has no such value.
    """
    from pydantic import ValidationError

    from riskchainbench.core.errors import InputError
    from riskchainbench.models.provider.settings import ModelSettings, Pace
    from riskchainbench.pipeline.options import Asking

    values: dict[str, Any] = {
        name: None if value == "default" else value
        for name, value in named_values("--set", given).items()
    }
    known = sorted({*ModelSettings.model_fields, *Pace.model_fields})
    for name in values:
        if name not in known:
            raise InputError(f"--set {name}: no such setting; there are {', '.join(known)}")
    try:
        return Asking(
            settings=ModelSettings.model_validate(_of(values, ModelSettings)),
            pace=Pace.model_validate(_of(values, Pace)),
            unprobed=unprobed,
            max_cost=max_cost,
            max_tokens=max_tokens,
            prices=prices,
            judge_check=judge_check,
            cache=cache,
        )
    except ValidationError as error:
        first = error.errors()[0]
        raise InputError(f"--set {first['loc'][0]}: {first['msg']}") from error


def _of(values: dict[str, Any], kind: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in kind.model_fields}
