"""From a judge's name to the judge."""

from __future__ import annotations

from riskchainbench.core.errors import UsageError
from riskchainbench.judging.protocol import Judge
from riskchainbench.judging.rules_judge import RulesJudge

JUDGE_NAMES = (RulesJudge.name,)


def make_judge(name: str) -> Judge:
    """Return the judge called `name`.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    if name != RulesJudge.name:
        raise UsageError(f"no judge {name!r}; choose one of {', '.join(JUDGE_NAMES)}")
    return RulesJudge()
