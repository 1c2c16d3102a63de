"""What a short stretch may have been meant to say: itself, or a word that sounds or looks like it.

Every other reading has a price, by how unlike it is to what stands there. Which reading is
taken is for the sentence to decide (`sentence.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from heapq import heappop, heappush
from itertools import product
from math import inf, log
from typing import NamedTuple

from riskchainbench.models.restorer.lexicon import LEAST, RARE_CHAR, Lexicon, Spoken, lexicon
from riskchainbench.models.restorer.readings import (
    char_readings,
    class_letter,
)
from riskchainbench.models.restorer.rows import rows
from riskchainbench.models.restorer.tables import look_alikes

SAME_TONE = 6.0
OTHER_TONE = 7.25
NEAR = 9.3
ALIKE = 5.5
LIKENESS = (0.0, 1.5, 2.5, 3.0, 3.6, 5.0, 5.5)
MORE = 1.0
UNHEARD = 4.0
FAMILIAR = -9.0
STRANGE = 1.0
REACH = 6.5
FARTHEST = 6.0
MOST = 2
MOST_LONE = 3
_CACHE = 60_000
_WRITTEN_CACHE = 20_000


_Meanings = dict[str, tuple[float, bool]]


class Choice(NamedTuple):
    """A reading of a stretch as one word: its log score, and how many characters were changed.

    `sounds` counts those changed by sound, `shapes` those changed by look.
    """

    word: str
    score: float
    sounds: int
    shapes: int


def _strangeness(char: str) -> float:
    """Return how much less likely than a familiar character `char` was put for one by sound.

    Who writes a word by its sound takes a character that everyone can read: a rare one is
    rather meant as it stands.
    """
    return STRANGE * max(0.0, FAMILIAR - lexicon().chars.get(char, RARE_CHAR))


@cache
def _meanings(found: str) -> _Meanings:
    """Return what each character that `found` may stand for costs, and whether it is by sound."""
    costs: _Meanings = {}
    by_class = lexicon().by_class
    strange = _strangeness(found)
    same_tone, other_tone = (SAME_TONE + strange, True), (OTHER_TONE + strange, True)
    near = (NEAR + strange, True)
    for syllable, tone in char_readings(found):
        for wanted, other, its_tone in by_class.get(class_letter(syllable), ()):
            same = same_tone if tone == its_tone else other_tone
            known = same if syllable == other else near
            if wanted not in costs or known < costs[wanted]:
                costs[wanted] = known
    for wanted, likeness in look_alikes(found).items():
        seen = (ALIKE + LIKENESS[likeness], False)
        if wanted not in costs or seen < costs[wanted]:
            costs[wanted] = seen
    costs.pop(found, None)
    return costs


@cache
def _seen(found: str) -> dict[str, float]:
    """Return the characters that `found` may stand for by look, the likeliest first."""
    score, least = lexicon().score, log(LEAST) - lexicon().log_total
    seen = ((score(wanted), wanted) for wanted, (_, heard) in _meanings(found).items() if not heard)
    return {wanted: known for known, wanted in sorted(seen, reverse=True) if known >= least}


@cache
def _sounds(char: str) -> str:
    """Return the sound classes of `char`."""
    return "".join(dict.fromkeys(class_letter(syllable) for syllable, _ in char_readings(char)))


@lru_cache(maxsize=_WRITTEN_CACHE)
def _as_written(stretch: str) -> float:
    """Return the log score of a stretch read as the words it is written with."""
    known = lexicon()
    whole = known.score(stretch) if len(stretch) == 1 or known.knows(stretch) else -inf
    splits = (
        _as_written(stretch[:cut]) + _as_written(stretch[cut:]) for cut in range(1, len(stretch))
    )
    return max(whole, max(splits, default=-inf))


def _meant(
    stretch: str, similar: list[Sequence[Spoken]], known: Lexicon, most: int
) -> list[Choice]:
    """Return the `most` likeliest of the `similar` words.

    Those that lose to the stretch as it stands whatever stands around it are left out.
    """
    least = min(SAME_TONE, ALIKE)
    floor = _as_written(stretch) + least - REACH
    if floor > known.highest:
        return []
    found: dict[str, Choice] = {}
    scores: list[float] = []
    meanings = [_meanings(char) for char in stretch]
    for words in similar:
        for word, score in words:
            if score <= floor:
                break
            if word == stretch or word in found:
                continue
            choice = _changed(stretch, meanings, word, score)
            if choice is None:
                continue
            found[word] = choice
            heappush(scores, choice.score)
            if len(scores) > most:
                heappop(scores)
                floor = max(floor, scores[0] + least)
    return list(found.values())


def _similar(stretch: str, known: Lexicon) -> list[Sequence[Spoken]]:
    """Return the words that sound near to a stretch, and each that differs by one look-alike.

    What stands together is sorted, the likeliest word first.
    """
    found: list[Sequence[Spoken]] = []
    for key in product(*map(_sounds, stretch)):
        words = known.by_sound.get("".join(key))
        if words is not None:
            found.append(words)
    if len(stretch) == 1:
        found.append(list(_seen(stretch).items()))
        return found
    for place, char in enumerate(stretch):
        before, after = stretch[:place], stretch[place + 1 :]
        fillings = known.fillings(before, after)
        if not fillings or fillings == char:
            continue
        seen = _seen(char)
        for wanted in fillings:
            if wanted in seen:
                word = before + wanted + after
                found.append(((word, known.score(word)),))
    return found


def _changed(stretch: str, meanings: list[_Meanings], word: str, score: float) -> Choice | None:
    sounds = shapes = 0
    for found, wanted, costs in zip(stretch, word, meanings, strict=True):
        if found == wanted:
            continue
        known = costs.get(wanted)
        if known is None:
            return None
        score -= known[0] + (MORE if sounds + shapes else 0.0)
        sounds += known[1]
        shapes += not known[1]
    return Choice(word, score, sounds, shapes)


@lru_cache(maxsize=_CACHE)
def choices(stretch: str) -> tuple[Choice, ...]:
    """Return the readings of a stretch as one word, best first.

    A stretch of two characters that is no word may still be a name or a new word.
    """
    known = lexicon()
    usual = known.usual.get(stretch)
    if usual is not None:
        return (Choice(usual, known.score(usual), 0, 0),)
    found: list[Choice] = []
    if known.knows(stretch) or len(stretch) == 1:
        found.append(Choice(stretch, known.score(stretch), 0, 0))
    elif len(stretch) == 2:
        found.append(Choice(stretch, known.spelled(stretch) - UNHEARD, 0, 0))
    most = MOST if len(stretch) > 1 else MOST_LONE
    similar = _similar(stretch, known)
    if similar:
        least = _as_written(stretch) - FARTHEST
        meant = _meant(stretch, similar, known, most)
        found += [choice for choice in meant if choice.score > least]
        found.sort(key=lambda choice: (-choice.score, choice.word))
    inside = rows().inside
    return tuple(
        Choice(word, score + inside(word), sounds, shapes)
        for word, score, sounds, shapes in found[:most]
    )
