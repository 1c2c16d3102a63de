"""A statistic that may be undefined: a number, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Value:
    """Exactly one of `value` and `reason` is given; a Value is never 0 or NaN for want of data."""

    value: float | None
    reason: str | None = None

    def __post_init__(self) -> None:
        if (self.value is None) == (self.reason is None):
            raise ValueError("exactly one of value and reason must be given")

    def known(self) -> float:
        """Return the number.

        Raises:
            ValueError: the statistic is undefined; the message is the reason.
        """
        if self.value is None:
            raise ValueError(self.reason)
        return self.value


def undefined(reason: str) -> Value:
    """Return the value of a statistic that cannot be had, and why."""
    return Value(None, reason)
