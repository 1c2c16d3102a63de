"""Preparing to ask a provider's model: the probe, the settled settings and the budget.

A run's settings are settled once: what the probe found stands in the run, and a resumed run
takes it from there instead of probing again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from random import SystemRandom
from typing import Any

from riskchainbench.core.errors import InputError
from riskchainbench.core.stage import MANIFEST, SETTINGS, RunManifest, StageSettings, read_run
from riskchainbench.core.store import read_json, write_json
from riskchainbench.models.provider.budget import Account, Budget
from riskchainbench.models.provider.cache import ReplyCache
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.prices import Price, load_prices
from riskchainbench.models.provider.probe import Probe, probe, probe_pace
from riskchainbench.models.provider.profiles import profile_of, require_environment
from riskchainbench.models.provider.settings import ModelSettings, Pace, Structured
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.options import Asking
from riskchainbench.pipeline.spending import Spending, run_spending

PROBE = "probe.json"


def run_budget(run: Path, asking: Asking) -> Budget:
    """Return the budget of a run, less what its earlier starts spent.

    Raises:
        InputError: the prices cannot be read.
    """
    budget = Budget(max_cost=asking.max_cost, max_tokens=asking.max_tokens)
    if not (run / MANIFEST).exists():
        return budget
    prices = load_prices(asking.prices)
    for each in run_spending(run, base_name(read_run(run)), prices):
        Account(budget, prices.of(each.payer)).spend(each.spending)
    return budget


def base_name(manifest: RunManifest) -> str:
    """Return the name of the system that ran, without the marks of an ablation."""
    return str(manifest.system_settings.get("base", manifest.system))


def system_caller(run: Path, name: str, asking: Asking, budget: Budget) -> ModelCaller:
    """Return what asks the model that `run` evaluates, under the run's settled settings.

    Raises:
        InputError: a key or a price is missing, or the model does not follow the contract.
        ProviderStopError: the provider answers no call.
    """
    recorded = None
    if (run / MANIFEST).exists():
        recorded = read_run(run).system_settings
    return _caller(run, name, asking, budget, recorded)


def judge_caller(stage: Path, name: str, asking: Asking, budget: Budget) -> ModelCaller:
    """Return what asks the model that judges in the folder `stage`.

    Raises:
        InputError: a key or a price is missing, or the model fails the probe.
        ProviderStopError: the provider answers no call.
    """
    recorded = None
    if (stage / SETTINGS).exists():
        begun = read_json(stage / SETTINGS, StageSettings).settings
        recorded = {key.removeprefix("judge."): value for key, value in begun.items()}
    caller = _caller(stage, name, asking, budget, recorded)
    require_sight(stage, name, asking)
    return caller


def _caller(
    folder: Path, name: str, asking: Asking, budget: Budget, recorded: Mapping[str, Any] | None
) -> ModelCaller:
    price = require_price(name, asking)
    structured = _structured(folder, name, asking, recorded)
    settings = asking.settings
    if settings.structured is Structured.AUTO:
        settings = settings.but(structured=structured)
    return ModelCaller(
        name,
        settings,
        asking.pace,
        proven=(folder / PROBE).exists(),
        account=Account(budget, price),
        cache=None if asking.cache is None else ReplyCache(asking.cache),
    )


def require_price(name: str, asking: Asking) -> Price | None:
    """Return the price of a model, if it is known.

    Raises:
        InputError: it is not, and a budget in money is to be kept.
    """
    price = load_prices(asking.prices).of(name)
    if price is None and asking.max_cost is not None:
        raise InputError(
            f"{name}: no price is known, so --max-cost cannot be kept; name a file with "
            "--prices, or use --max-tokens"
        )
    return price


def _structured(
    folder: Path, name: str, asking: Asking, recorded: Mapping[str, Any] | None
) -> Structured:
    """Return how replies are asked for: as recorded, else as a probe finds now."""
    if recorded is not None and "structured" in recorded:
        return Structured(recorded["structured"])
    if asking.unprobed:
        return Structured.NONE
    found = probed(folder, name, asking.settings, asking.pace)
    if not found.follows_contract:
        raise InputError(
            f"{name}: does not keep to the output contract ({found.text_detail}); "
            "--unprobed runs it nevertheless"
        )
    return found.structured


def probed(folder: Path, name: str, settings: ModelSettings, pace: Pace) -> Probe:
    """Return the probe that stands in `folder`, made now if there is none under these settings."""
    path = folder / PROBE
    if path.exists():
        found = read_json(path, Probe)
        if found.system == name and settings.structured in (Structured.AUTO, found.structured):
            return found
    found = probe_model(name, settings, pace)
    write_json(path, found)
    return found


def probe_model(name: str, settings: ModelSettings, pace: Pace) -> Probe:
    """Probe a model now, no more patiently than `pace` says.

    Raises:
        InputError: it is none of a known provider's, or a key or a package is missing.
        ProviderStopError: the provider refuses every call or does not answer.
    """
    profile_of(name)
    require_environment(name)
    # A code that can be foreseen could be answered without being seen.
    return asyncio.run(probe(name, settings, SystemRandom(), probe_pace(pace)))


def require_sight(folder: Path, name: str, asking: Asking) -> None:
    """Check that the model was seen to see images, where it was probed.

    Raises:
        InputError: it does not, and `unprobed` does not say to go on.
    """
    path = folder / PROBE
    if asking.unprobed or not path.exists():
        return
    found = read_json(path, Probe)
    if not found.sees_images:
        raise InputError(
            f"{name}: does not see images ({found.image_detail}); --unprobed runs it nevertheless"
        )


def require_model(name: str, asking: Asking, *, shared: bool = False) -> None:
    """Check that nothing is asked of a system that only a model can heed.

    Args:
        name: the system.
        asking: how it is to be asked.
        shared: the budget is also that of others, who may heed it.

    Raises:
        InputError: the system is no model, and something of it was given.
    """
    if is_model(name):
        return
    given = {
        "--set": asking.settings != ModelSettings() or asking.pace != Pace(),
        "--cache": asking.cache is not None,
        "--max-cost": not shared and asking.max_cost is not None,
        "--max-tokens": not shared and asking.max_tokens is not None,
        "--unprobed": not shared and asking.unprobed,
    }
    wrong = [option for option, named in given.items() if named]
    if wrong:
        raise InputError(f"{name}: is not asked over a network; leave {', '.join(wrong)} out")


def spending_of(run: Path, asking: Asking) -> list[tuple[str, Spending]]:
    """Return what each stage of `run` spent, by stage."""
    found = run_spending(run, base_name(read_run(run)), load_prices(asking.prices))
    return [(each.stage, each.spending) for each in found]
