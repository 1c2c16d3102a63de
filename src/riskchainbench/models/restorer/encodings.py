"""Undoes what encodes a stretch of text as a whole: bracketed dots, percent codes, reversed runs.

Each character keeps the stretch of the text that it was read from, so that a name found among
them can be taken out of the text.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import regex

_DOT = regex.compile(r"[\[({<（【｛〔「]\s?(?:[.。．｡,，]|(?i:dot)|点|點)\s?[\])}>）】｝〕」]")
_PERCENT = regex.compile(r"(?:%[2-7][0-9A-Fa-f]){4,}")
_REVERSED = regex.compile("\u202e([^\u202a-\u202e\n]+)(?:\u202c|(?=\n|$))")
_ANY = regex.compile("|".join(f"(?:{one.pattern})" for one in (_DOT, _PERCENT, _REVERSED)))
_HINTS = frozenset("%\u202e[({<（【｛〔「")
_BYTE = 3
_PUNYCODE = "xn--"


class Spelled(NamedTuple):
    """A character, and the stretch of the text, end exclusive, that spells it."""

    char: str
    start: int
    stop: int


def spelled(text: str) -> Iterator[Spelled]:
    """Yield the characters of `text` in the order in which they are read."""
    place = 0
    for match in _ANY.finditer(text) if not _HINTS.isdisjoint(text) else ():
        yield from _as_it_stands(text, place, match.start())
        yield from _decoded(match)
        place = match.end()
    yield from _as_it_stands(text, place, len(text))


def _as_it_stands(text: str, start: int, stop: int) -> Iterator[Spelled]:
    return map(Spelled, text[start:stop], range(start, stop), range(start + 1, stop + 1))


def _decoded(match: regex.Match[str]) -> Iterator[Spelled]:
    start, stop = match.span()
    inner = match.group(1)
    if inner is not None:
        yield from (Spelled(char, start, stop) for char in reversed(inner))
    elif match.group().startswith("%"):
        for place in range(start, stop, _BYTE):
            code = match.group()[place - start + 1 : place - start + _BYTE]
            yield Spelled(chr(int(code, 16)), place, place + _BYTE)
    else:
        yield Spelled(".", start, stop)


def from_punycode(label: str) -> str | None:
    """Return the Unicode form of an encoded label; None where it is no valid one."""
    if not label.startswith(_PUNYCODE):
        return None
    try:
        return label.removeprefix(_PUNYCODE).encode("ascii").decode("punycode")
    except UnicodeError:
        return None
