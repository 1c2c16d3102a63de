"""Reads the restorer's hand-written tables; each is parsed once and then shared."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

SPLITS = Path(__file__).with_name("data") / "splits.txt"
SHAPES = Path(__file__).with_name("data") / "shapes.txt"


def _data(name: str) -> str:
    return (files("riskchainbench.models.restorer") / "data" / name).read_text(encoding="utf-8")


@cache
def toml_table(name: str) -> dict[str, Any]:
    """Return the table in `data/name`."""
    return tomllib.loads(_data(name))


@cache
def confusable_letters() -> dict[str, str]:
    """Return, for each look-alike, the ASCII letters or digits it may stand for, best first."""
    letters: dict[str, str] = json.loads(_data("confusables.json"))["letters"]
    return letters


@cache
def dot_like() -> frozenset[str]:
    """Return the characters that are written in a dot's place."""
    return frozenset(json.loads(_data("confusables.json"))["dots"])


@cache
def component_parts() -> dict[str, str]:
    """Return the whole character for each sequence of two parts.

    The hand-written table comes first, then that of general divisions, the commonest whole first.
    """
    parts: dict[str, str] = toml_table("components.toml")["parts"]
    wholes: dict[str, str] = {}
    for first, entries in parts.items():
        for entry in entries.split():
            wholes.setdefault(first + entry[0], entry[1])
    for line in SPLITS.read_text(encoding="utf-8").splitlines():
        whole, *ways = line.split(" ")
        for way in ways:
            wholes.setdefault(way, whole)
    return wholes


@cache
def look_alikes() -> dict[str, frozenset[str]]:
    """Return, for each character, those it is taken for."""
    alike: dict[str, set[str]] = {}
    for group in toml_table("lookalikes.toml")["groups"].split():
        for char in group:
            alike.setdefault(char, set()).update(set(group) - {char})
    for char, (close, _) in _shapes().items():
        alike.setdefault(char, set()).update(set(close) - {char})
    return {char: frozenset(others) for char, others in alike.items()}


@cache
def likenesses() -> dict[str, str]:
    """Return, for each character, common ones that share one of its two parts."""
    return {char: far for char, (_, far) in _shapes().items() if far}


@cache
def _shapes() -> dict[str, tuple[str, str]]:
    rows = (line.split(" ") for line in SHAPES.read_text(encoding="utf-8").splitlines())
    return {char: (close.strip("-"), far.strip("-")) for char, close, far in rows}
