"""Whether the call under way is being retried: what a clock that runs out has to know.

A clock that ends while the model thinks ends the model's time; one that ends while the
provider fails has measured the provider.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from riskchainbench.core.failures import Failure


@dataclass
class Trouble:
    """The failure of the last attempt, while no later one succeeded."""

    failure: Failure | None = None


_CURRENT: ContextVar[Trouble | None] = ContextVar("trouble", default=None)


def begin_trouble() -> Trouble:
    """Return a fresh record that calls made from here on report to."""
    trouble = Trouble()
    _CURRENT.set(trouble)
    return trouble


def report_trouble(failure: Failure | None) -> None:
    """Say that the last attempt failed, or with None that it succeeded."""
    trouble = _CURRENT.get()
    if trouble is not None:
        trouble.failure = failure
