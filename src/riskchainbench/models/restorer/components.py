"""Closes characters that were written as their parts: 扌丁 reads 打.

A part that is no character of its own settles the matter; two parts that both are characters
(月及, 土止) are offered as a reading at a cost, for the sentence to decide; so is the
simplified form of a traditional character.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from opencc import OpenCC

from riskchainbench.models.restorer.tables import component_parts

_PARTS_ONLY = frozenset(
    "扌讠亻氵忄犭衤礻阝钅纟饣辶廴艹⺮爫覀宀疒刂攵灬彡彳冫囗勹匚罙咅畐尃佥巛夂殳彐冂廾⻊隹囗戋寺夬昷爰奂叟亠罒冖匕丷艮"
)
_SURE = -0.2
_TRADITIONAL = 1.0
_PLAIN = 5.2


@cache
def _converter() -> OpenCC:
    return OpenCC("t2s")


@cache
def simplified(char: str) -> str:
    """Return the simplified form of a traditional character, and any other as it is."""
    plain: str = _converter().convert(char)
    return plain if len(plain) == 1 else char


class Unit(NamedTuple):
    """One character read from a place up to `stop`, with the cost of reading it so."""

    stop: int
    char: str
    cost: float


def units(run: str) -> list[list[Unit]]:
    """Return for each place of `run` the characters that may be read from there."""
    wholes = component_parts()
    edges: list[list[Unit]] = []
    for place, char in enumerate(run):
        here = [Unit(place + 1, char, _SURE)]
        plain = simplified(char)
        if plain != char:
            here.append(Unit(place + 1, plain, _TRADITIONAL))
        whole = wholes.get(run[place : place + 2])
        if whole is not None:
            sure = char in _PARTS_ONLY or run[place + 1] in _PARTS_ONLY
            here.append(Unit(place + 2, whole, _SURE if sure else _PLAIN))
        edges.append(here)
    return edges
