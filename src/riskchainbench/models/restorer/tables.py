"""Reads the restorer's hand-written tables; each is parsed once and then shared."""

from __future__ import annotations

import json
import tomllib
from enum import IntEnum
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

SPLITS = Path(__file__).with_name("data") / "splits.txt"
SHAPES = Path(__file__).with_name("data") / "shapes.txt"
GLYPHS = Path(__file__).with_name("data") / "glyphs.txt"


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


class Likeness(IntEnum):
    """How surely one character is taken for another by its look, the surest first."""

    USUAL = 0
    CLOSE = 1
    HIGH = 2
    FAIR = 3
    RELATED = 4
    LOW = 5
    DISTANT = 6


_GRADES = (Likeness.CLOSE, Likeness.HIGH, Likeness.RELATED, Likeness.LOW)
_RAISED: dict[Likeness | None, Likeness] = {
    Likeness.CLOSE: Likeness.CLOSE,
    Likeness.HIGH: Likeness.CLOSE,
    Likeness.RELATED: Likeness.FAIR,
    Likeness.LOW: Likeness.RELATED,
}


def look_alikes(char: str) -> dict[str, Likeness]:
    """Return the characters that `char` may be taken for by its look, and how surely.

    USUAL are pairs listed by hand. The others are graded by the likeness of their pictures and
    raised by one where they are listed as alike or share one of their two parts.
    """
    alike: dict[str, Likeness] = {}
    for grade, chars in zip(_GRADES, _graded(GLYPHS).get(char, "").split(" "), strict=False):
        alike.update(dict.fromkeys(chars.strip("-"), grade))
    for other in _graded(SHAPES).get(char, "").replace(" ", "").replace("-", ""):
        if other != char:
            alike[other] = _RAISED.get(alike.get(other), Likeness.DISTANT)
    for group in _groups():
        if char in group:
            alike.update(dict.fromkeys(group.replace(char, ""), Likeness.USUAL))
    return alike


@cache
def _graded(path: Path) -> dict[str, str]:
    """Return the rest of each line by the character that it starts with."""
    return {line[0]: line[2:] for line in path.read_text(encoding="utf-8").splitlines()}


@cache
def _groups() -> list[str]:
    groups: str = toml_table("lookalikes.toml")["groups"]
    return groups.split()
