"""Weighs how far a message was tampered with: each supposition reads it, and the likeliest wins.

The kinds of change in one message go together: where one character was changed by look, others
were. So a message is read under several suppositions, each with its own prices, and the one
under which all of it reads best is kept. Codes scattered through a message and a name written
downwards speak for heavy tampering beforehand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from riskchainbench.models.restorer.sentence import Doubt, Reading


class Signs(NamedTuple):
    """What shows before a word is read: codes taken out, an entry set downwards."""

    codes: bool
    tall: bool


CLEAN, HEARD, SOME, MANY = range(4)
LEVELS = [[-4.8, -4.8, 0.0], [0.0, -3.5, 0.02], [-0.8, -2.65, -0.014], [-0.1, 0.3, 0.059]]
CODES = [0.0, -1.6, -0.1, -0.1]
TALL = [0.0, -1.2, -0.5, -0.7]

Read = Callable[[Doubt], Sequence[Sequence[Reading]]]


def likeliest(reading: Read, signs: Signs) -> Sequence[Sequence[Reading]]:
    """Return what `reading` gives under the supposition that makes it likeliest."""
    extremes = (_weighed(reading, CLEAN, signs), _weighed(reading, MANY, signs))
    if _texts(extremes[0][1]) == _texts(extremes[1][1]):
        return extremes[0][1]
    between = (_weighed(reading, number, signs) for number in (HEARD, SOME))
    return max((*extremes, *between), key=lambda one: one[0])[1]


def _weighed(reading: Read, number: int, signs: Signs) -> tuple[float, Sequence[Sequence[Reading]]]:
    found = reading(Doubt(*LEVELS[number]))
    score = sum(part.score for message in found for part in message)
    return score + CODES[number] * signs.codes + TALL[number] * signs.tall, found


def _texts(found: Sequence[Sequence[Reading]]) -> list[str]:
    return [part.text for message in found for part in message]
