"""From a system's name to the system."""

from __future__ import annotations

from riskchainbench.core.errors import InputError
from riskchainbench.core.system import System
from riskchainbench.models.chance import RandomSystem
from riskchainbench.models.constant import AlwaysInsufficient, AlwaysNonViolation, AlwaysViolation
from riskchainbench.models.oracle import Answers, Oracle

BUILTIN_NAMES = (
    "rules",
    "random",
    "always-violation",
    "always-non-violation",
    "always-insufficient",
    "oracle",
)
_CONSTANTS = {kind.name: kind for kind in (AlwaysViolation, AlwaysNonViolation, AlwaysInsufficient)}


def require_known(name: str) -> None:
    """Check that `name` names a system.

    Raises:
        InputError: it names none; the message lists those there are.
    """
    if name not in BUILTIN_NAMES:
        raise InputError(f"no system {name!r}; choose one of {', '.join(BUILTIN_NAMES)}")


def make_system(name: str, *, seed: int = 0, answers: Answers | None = None) -> System:
    """Return the system called `name`.

    Args:
        name: one of `BUILTIN_NAMES`.
        seed: of the random system.
        answers: of the oracle, which cannot be made without.

    Raises:
        InputError: there is no such system, or the oracle was given no answers.
    """
    require_known(name)
    if name == "rules":
        from riskchainbench.models.rules import RulesSystem

        return RulesSystem()
    if name == "random":
        return RandomSystem(seed)
    if name == "oracle":
        if answers is None:
            raise InputError("the oracle needs a bundle with its gold; this one has none")
        return Oracle(answers)
    return _CONSTANTS[name]()
