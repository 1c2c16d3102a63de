"""Alternatives inside a text, ``<dawn|first light>``: one is drawn, all can be listed.

They stand in any words of a scenario or a phrase bank, inside marks too, and never nest.
"""

from __future__ import annotations

import re
from itertools import product
from random import Random
from typing import Any

from riskchainbench.core.errors import InputError

MAX_READINGS = 64
"""Ways to read one marked phrase; the proofs look for every one of them."""

_CHOICE = re.compile(r"<([^<>]*)>")


def drawn(value: Any, rng: Random) -> Any:
    """Return `value` with every alternative in its strings drawn from `rng`.

    Lists, tuples and tables are walked in order, so equal values draw equally.
    """
    if isinstance(value, str):
        return _CHOICE.sub(lambda match: rng.choice(match[1].split("|")), value)
    if isinstance(value, list | tuple):
        return type(value)(drawn(entry, rng) for entry in value)
    if isinstance(value, dict):
        return {key: drawn(entry, rng) for key, entry in value.items()}
    return value


def first_reading(text: str) -> str:
    """Return `text` with the first of every group of alternatives."""
    return _CHOICE.sub(lambda match: match[1].split("|")[0], text)


def alternatives(text: str) -> list[list[str]]:
    """Return what can stand in each place of `text`: one piece, or several to choose from."""
    parts = _CHOICE.split(text)
    return [part.split("|") if place % 2 else [part] for place, part in enumerate(parts)]


def readings(text: str) -> tuple[str, ...]:
    """Return every way to read `text`, first alternatives first.

    Raises:
        InputError: there are more than `MAX_READINGS`.
    """
    options = alternatives(text)
    size = 1
    for option in options:
        size *= len(option)
    if size > MAX_READINGS:
        raise InputError(f"{text[:60]!r}: {size} readings, at most {MAX_READINGS} are allowed")
    return tuple("".join(chosen) for chosen in product(*options))
