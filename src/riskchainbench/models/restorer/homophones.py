"""What a short stretch may have been meant to say: itself, or a word that sounds or looks like it.

Every other reading has a price, by how unlike it is to what stands there. Which reading is
taken is for the sentence to decide (`sentence.py`).
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import product
from math import inf

from riskchainbench.models.restorer.lexicon import Lexicon, Spoken, lexicon
from riskchainbench.models.restorer.readings import (
    Reading,
    char_readings,
    class_letter,
    near_class,
)
from riskchainbench.models.restorer.tables import look_alikes

SAME_TONE = 1.0
OTHER_TONE = 2.0
NEAR = 6.0
ALIKE = 2.0
FIRST_EDIT = 5.0
KNOWN_WORD = 3.0
_WELL_KNOWN = 100
SLACK = 7.0
MOST = 3
MOST_LONE = 6
LONE = 4.0
_CACHE = 200_000

Choice = tuple[str, float]


@lru_cache(maxsize=_CACHE)
def _char_cost(found: str, wanted: str, reading: Reading) -> float | None:
    """Return what it costs to read `found` as `wanted`, or None where they are unlike."""
    costs = []
    if wanted in look_alikes().get(found, ()):
        costs.append(ALIKE)
    for syllable, tone in char_readings(found):
        if syllable == reading[0]:
            costs.append(SAME_TONE if tone == reading[1] else OTHER_TONE)
        elif near_class(syllable) == near_class(reading[0]):
            costs.append(NEAR)
    return min(costs, default=None)


@cache
def _sounds(char: str) -> tuple[str, str]:
    """Return the sound classes of `char`, and those of it and its look-alikes together."""
    own = [class_letter(syllable) for syllable, _ in char_readings(char)]
    alike = [
        class_letter(syllable)
        for other in sorted(look_alikes().get(char, ()))
        for syllable, _ in char_readings(other)
    ]
    return "".join(dict.fromkeys(own)), "".join(dict.fromkeys([*own, *alike]))


def _sound_keys(stretch: str) -> set[str]:
    """Return the keys under which a word meant by `stretch` may stand.

    In a word of three or more characters at most one is looked up by its look-alikes.
    """
    sounds = [_sounds(char) for char in stretch]
    if len(stretch) == 2:
        return {first + second for first in sounds[0][1] for second in sounds[1][1]}
    keys: set[str] = set()
    for place, (_, wide) in enumerate(sounds):
        options = [wide if i == place else own for i, (own, _) in enumerate(sounds)]
        keys.update(map("".join, product(*options)))
    return keys


@lru_cache(maxsize=_CACHE)
def _as_written(stretch: str) -> float:
    """Return the log score of a stretch read as the words it is written with."""
    known = lexicon()
    whole = known.score(stretch) if len(stretch) == 1 or known.knows(stretch) else -inf
    splits = (
        _as_written(stretch[:cut]) + _as_written(stretch[cut:]) for cut in range(1, len(stretch))
    )
    return max(whole, max(splits, default=-inf))


def _candidates(stretch: str, known: Lexicon) -> set[Spoken]:
    """Return the words that may have been meant: those that sound near to it or to a look-alike.

    Those that lose to the stretch as it stands at any price are left out.
    """
    floor = _as_written(stretch) + FIRST_EDIT - SLACK
    if floor > known.highest:
        return set()
    by_sound = known.by_sound
    return {
        spoken
        for key in _sound_keys(stretch)
        for spoken in by_sound.get(key, ())
        if spoken[2] > floor and spoken[0] != stretch
    }


def _edit_cost(stretch: str, spoken: Spoken) -> float | None:
    total = FIRST_EDIT
    for found, wanted, reading in zip(stretch, spoken[0], spoken[1], strict=True):
        if found == wanted:
            continue
        cost = _char_cost(found, wanted, reading)
        if cost is None:
            return None
        total += cost
    return total


@lru_cache(maxsize=_CACHE)
def choices(stretch: str) -> tuple[Choice, ...]:
    """Return the readings of a stretch as one word, each with its log score, best first.

    A stretch that is no word, and longer than a character, is not read as it stands.
    """
    known = lexicon()
    usual = known.usual.get(stretch)
    if usual is not None:
        return ((usual, known.score(usual)),)
    stands = known.knows(stretch) or len(stretch) == 1
    found: list[Choice] = [(stretch, known.score(stretch))] if stands else []
    extra = LONE if len(stretch) == 1 else 0.0
    if len(stretch) > 1 and known.counts.get(stretch, 0) >= _WELL_KNOWN:
        extra = KNOWN_WORD
    for spoken in _candidates(stretch, known):
        cost = _edit_cost(stretch, spoken)
        if cost is not None:
            found.append((spoken[0], spoken[2] - cost - extra))
    return tuple(
        sorted(found, key=lambda choice: (-choice[1], choice[0]))[
            : MOST if len(stretch) > 1 else MOST_LONE
        ]
    )
