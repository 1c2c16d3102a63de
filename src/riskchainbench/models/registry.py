"""From a system's name to the system: a built-in one, or ``provider/model``."""

from __future__ import annotations

from riskchainbench.core.errors import InputError, UsageError
from riskchainbench.core.system import System
from riskchainbench.models.chance import RandomSystem
from riskchainbench.models.constant import AlwaysInsufficient, AlwaysNonViolation, AlwaysViolation
from riskchainbench.models.oracle import Answers, Oracle
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.profiles import profile_of
from riskchainbench.models.provider.settings import ModelSettings
from riskchainbench.models.provider.system import ModelSystem

BUILTIN_NAMES = (
    "rules",
    "random",
    "always-violation",
    "always-non-violation",
    "always-insufficient",
    "oracle",
)
_CONSTANTS = {kind.name: kind for kind in (AlwaysViolation, AlwaysNonViolation, AlwaysInsufficient)}


def is_model(name: str) -> bool:
    """Tell whether `name` is that of a provider's model rather than of a built-in system."""
    return "/" in name


def require_known(name: str) -> None:
    """Check that `name` names a system.

    Raises:
        UsageError: it names none; the message lists those there are.
    """
    if is_model(name):
        profile_of(name)
        return
    if name not in BUILTIN_NAMES:
        raise UsageError(
            f"no system {name!r}; choose one of {', '.join(BUILTIN_NAMES)}, "
            "or a model as PROVIDER/MODEL"
        )


def make_system(
    name: str,
    *,
    seed: int = 0,
    answers: Answers | None = None,
    caller: ModelCaller | None = None,
) -> System:
    """Return the system called `name`.

    Args:
        name: one of `BUILTIN_NAMES`, or ``provider/model``.
        seed: of the random system.
        answers: of the oracle, which cannot be made without.
        caller: asks the model; one with the default settings if None.

    Raises:
        InputError: there is no such system, or the oracle was given no answers.
    """
    require_known(name)
    if is_model(name):
        return ModelSystem(caller or ModelCaller(name, ModelSettings()))
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
