"""Judges that are models: their check, and what a table has to say beside their name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import SystemFailureError
from riskchainbench.core.store import read_json, write_json
from riskchainbench.judging.check.run import JudgeCheck, check_judge
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.judging.protocol import Judge
from riskchainbench.judging.read import judging_stage
from riskchainbench.judging.registry import make_judge
from riskchainbench.models.provider.budget import Budget
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.profiles import profile_of, require_environment
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.asking import judge_caller, require_model, require_price
from riskchainbench.pipeline.options import Asking

UNCHECKED = "unchecked"
SAME_VENDOR = "same vendor as the system"


def judge_marks(caller: ModelCaller, system: str, check: Path | None) -> list[str]:
    """Return what has to stand beside a judge's name.

    Args:
        caller: asks the judging model.
        system: the system that is judged.
        check: the file of a check that the judge passed, if it was checked.

    Raises:
        InputError: the file is of another judge, other settings or an older check, or the
            judge failed it.
    """
    marks: list[str] = []
    if check is None:
        marks.append(UNCHECKED)
    else:
        found = read_json(check, JudgeCheck)
        if not found.covers(ModelJudge(caller)):
            raise InputError(
                f"{check}: is a check of {found.judge} under another prompt, rubric or settings; "
                "run riskchain judge-check again"
            )
        _require_passed(found, check)
    if is_model(system) and vendor(system) == vendor(caller.name):
        marks.append(SAME_VENDOR)
    return marks


def require_judge_name(name: str) -> None:
    """Check that `name` names a judge.

    Raises:
        InputError: it does not.
    """
    if is_model(name):
        profile_of(name)
    else:
        make_judge(name)


def require_judge(name: str, asking: Asking, run: Path) -> None:
    """Check, before anything is paid for, what can be known of the judge of `run`.

    Raises:
        InputError: there is no such judge, its key or its price is missing, or its check is of
            another judge or was not passed.
    """
    require_judge_name(name)
    if not is_model(name):
        if asking.judge_check is not None:
            raise InputError(f"{name}: needs no check; leave --judge-check out")
        return
    if not judging_stage(run, name).complete:
        require_environment(name)
    require_price(name, asking)
    if asking.judge_check is not None:
        found = read_json(asking.judge_check, JudgeCheck)
        if found.judge != name:
            raise InputError(f"{asking.judge_check}: is a check of {found.judge}, not of {name}")
        _require_passed(found, asking.judge_check)


def vendor(model: str) -> str:
    """Return who made a model, as far as its name tells: the part before the model's own."""
    return model.split("/")[-2].casefold()


def _require_passed(found: JudgeCheck, path: Path) -> None:
    if not found.passed:
        raise InputError(f"{path}: {found.judge} did not pass this check")


def run_judge_check(
    name: str, asking: Asking, out: Path, progress: Callable[[int, int], None]
) -> JudgeCheck:
    """Check the judge called `name` and write what was found to ``judge-check.json`` in `out`.

    Raises:
        InputError: there is no such judge, its probe failed, or it is no model and options of
            one were given.
        ProviderStopError: the provider does not answer.
    """
    require_model(name, asking)
    try:
        found = asyncio.run(check_judge(_judge(name, asking, out), progress=progress))
    except SystemFailureError as error:
        raise ProviderStopError(f"{name}: {error.failure.detail}") from error
    write_json(out / "judge-check.json", found)
    return found


def _judge(name: str, asking: Asking, out: Path) -> Judge:
    if not is_model(name):
        return make_judge(name)
    budget = Budget(max_cost=asking.max_cost, max_tokens=asking.max_tokens)
    return ModelJudge(judge_caller(out, name, asking, budget))
