"""The errors that a person can mend: each says what was wrong, where, and what to do."""

from __future__ import annotations


class RiskChainError(Exception):
    """An expected failure of a command; the command line prints its message as one line."""


class InputError(RiskChainError):
    """A file, folder or value given by the user is not what it has to be."""


class UsageError(InputError):
    """An option names something that there is not; the command line leaves with 2."""


class IntegrityError(InputError):
    """A frozen file differs from what its manifest recorded."""


class DriftError(RiskChainError):
    """A stage is resumed under other settings or inputs than those it was begun with."""
