"""Entries: random reserved names that lie far enough apart to be told from each other.

The rule of what an entry is stands in `core.entries`; this file only draws them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from random import Random

from riskchainbench.core.errors import InputError
from riskchainbench.core.seeds import stream

CONFUSABLE = "akw"
"""Letters that have a curated look-alike outside ASCII."""

MIN_CONFUSABLE = 3
"""How many places of every entry hold one of `CONFUSABLE`."""

ALPHABET = "abcdefghjkmnpqrstuvwxyz0123456789"
"""All characters of an entry's labels.

Without i, l and o, so that no two entries differ in a pair that a reader cannot tell apart,
such as 1 and l or 0 and o.
"""

FIRST_LENGTHS = (5, 6, 7)
SECOND_LENGTH = 2

_MAX_DIGIT_RUN = 4
_REFUSED = (
    "ass",
    "cao",
    "cum",
    "fag",
    "fuc",
    "fuk",
    "gay",
    "jb",
    "kkk",
    "sb",
    "sex",
    "twat",
    "wank",
)
_ATTEMPTS = 1000


def make_entries(seed: int, count: int, avoid: Iterable[str] = ()) -> tuple[str, ...]:
    """Draw `count` entries such as ``kaw08x.m3.test``.

    Any two of them, and any of them and a name in `avoid`, are at an edit distance of at
    least two: one slip in one character never turns a name into another. Every entry holds
    `MIN_CONFUSABLE` of `CONFUSABLE`. The first entries stay the same when `count` grows.

    Raises:
        InputError: `count` is negative, or more names are asked for than have room.
    """
    if count < 0:
        raise InputError(f"entries: count is {count}, must be 0 or more")
    rng = stream(seed, "messages", "entries")
    taken = {form for name in avoid for form in _neighborhood(name)}
    entries: list[str] = []
    for _ in range(count):
        name = _draw_apart(rng, taken)
        taken.update(_neighborhood(name))
        entries.append(name)
    return tuple(entries)


def _draw_apart(rng: Random, taken: set[str]) -> str:
    for _ in range(_ATTEMPTS):
        name = _draw(rng)
        if _is_fit(name) and taken.isdisjoint(_neighborhood(name)):
            return name
    raise InputError("entries: no room for another name that lies apart; ask for fewer")


def _draw(rng: Random) -> str:
    first = rng.choice(FIRST_LENGTHS)
    length = first + SECOND_LENGTH
    chars = rng.choices(ALPHABET, k=length)
    for place in rng.sample(range(length), MIN_CONFUSABLE):
        chars[place] = rng.choice(CONFUSABLE)
    return f"{''.join(chars[:first])}.{''.join(chars[first:])}.test"


def _is_fit(name: str) -> bool:
    """Tell whether `name` is safe to print, whole or cut short.

    It spells no rude word and holds no run that reads like a number. Its second label has
    a digit, which no top-level domain has: with ``.test`` lost it still names nobody.
    """
    second = name.split(".")[1]
    runs = [len(list(run)) for digit, run in groupby(name, str.isdigit) if digit]
    return (
        not second.isalpha()
        and max(runs) <= _MAX_DIGIT_RUN
        and not any(word in name for word in _REFUSED)
    )


def _neighborhood(name: str) -> Iterator[str]:
    """Yield `name` and every form of it that lacks one character.

    Two names at an edit distance of one share such a form, whether the edit replaces,
    inserts or deletes; so disjoint neighborhoods prove a distance of at least two.
    """
    yield name
    for place in range(len(name)):
        yield name[:place] + name[place + 1 :]
