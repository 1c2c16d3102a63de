"""Judges that are models: their check, and what a table has to say beside their name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import read_json
from riskchainbench.judging.check.run import JudgeCheck, check_judge
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.judging.protocol import Judge
from riskchainbench.judging.read import judging_stage
from riskchainbench.judging.registry import make_judge
from riskchainbench.models.provider.budget import Account, Budget
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.profiles import profile_of, require_environment
from riskchainbench.models.provider.waiting import Waiting
from riskchainbench.models.registry import is_model
from riskchainbench.pipeline.asking import judge_caller, require_model, require_price
from riskchainbench.pipeline.options import Asking
from riskchainbench.pipeline.spending import stage_spending

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


class JudgeChecking:
    """One check of one judge, begun or gone on with in the folder `out`."""

    def __init__(self, name: str, asking: Asking, out: Path) -> None:
        """Make the judge ready to be asked.

        Raises:
            InputError: there is no such judge, its probe failed, or it is no model and options of
                one were given.
            ProviderStopError: the provider does not answer.
        """
        require_model(name, asking)
        self._out = out
        self._waiting: Waiting | None = None
        self._judge = self._made(name, asking)

    def _made(self, name: str, asking: Asking) -> Judge:
        if not is_model(name):
            return make_judge(name)
        price = require_price(name, asking)
        budget = Budget(max_cost=asking.max_cost, max_tokens=asking.max_tokens)
        Account(budget, price).spend(stage_spending(self._out, price))
        caller = judge_caller(self._out, name, asking, budget)
        self._waiting = caller.waiting
        return ModelJudge(caller)

    def waiting(self) -> str:
        """Return what the judge's calls are waiting for, in one phrase."""
        return "" if self._waiting is None else self._waiting.told()

    def run(self, progress: Callable[[int, int], None]) -> JudgeCheck:
        """Ask what was not answered yet and write what was found to ``judge-check.json``.

        Raises:
            DriftError: the check was begun of another judge or under other settings.
            RiskChainError: the provider failed; the same check goes on.
        """
        return asyncio.run(check_judge(self._judge, self._out, progress=progress))
