"""Puts the usual word where a word of the same sound or look was written.

A path through the sentence is chosen by word probabilities (Viterbi): every stretch may be
read as it stands, or as a word that sounds or looks like it at a cost. A stretch that is a
plausible word, or part of one, keeps its place unless the other reading is far likelier.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import product
from math import inf

from riskchainbench.models.restorer.components import Unit, units
from riskchainbench.models.restorer.lexicon import MAX_WORD, Lexicon, Spoken, lexicon
from riskchainbench.models.restorer.readings import (
    Reading,
    char_readings,
    class_letter,
    half_alike,
    near_class,
)
from riskchainbench.models.restorer.tables import look_alikes

SAME_TONE = 1.0
OTHER_TONE = 2.0
NEAR = 4.0
FAR = 11.0
ALIKE = 2.0
FIRST_EDIT = 5.0
KNOWN_WORD = 3.0
_WELL_KNOWN = 100
RELIEF = 3.0
_CACHE = 200_000
_STRETCH = 400

_RUN = re.compile(rf"[\u2e80-\u2fdf\u3400-\u9fff]{{1,{_STRETCH}}}")

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
        elif half_alike(syllable, reading[0]):
            costs.append(FAR)
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
    """Return the words that may have been meant: all sound near, or all but one is as written.

    Those that lose to the stretch as it stands at any price are left out.
    """
    floor = _as_written(stretch) + FIRST_EDIT - RELIEF
    if floor > known.highest:
        return set()
    found: set[Spoken] = set()
    for key in _sound_keys(stretch):
        found.update(known.by_sound.get(key, ()))
    for place in range(len(stretch)):
        rest = (place, stretch[:place] + stretch[place + 1 :])
        found.update(known.by_rest.get(rest, ()))
    return {spoken for spoken in found if spoken[2] > floor and spoken[0] != stretch}


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

    A single character is read as it stands. Of the words written otherwise the best two count.
    """
    known = lexicon()
    if len(stretch) == 1:
        return ((stretch, known.score(stretch)),)
    usual = known.usual.get(stretch)
    if usual is not None:
        return ((usual, known.score(usual)),)
    stands = known.knows(stretch)
    found: list[Choice] = [(stretch, known.score(stretch))] if stands else []
    extra = KNOWN_WORD if known.counts.get(stretch, 0) >= _WELL_KNOWN else 0.0
    for spoken in _candidates(stretch, known):
        cost = _edit_cost(stretch, spoken)
        if cost is not None:
            found.append((spoken[0], spoken[2] - cost - extra))
    return tuple(sorted(found, key=lambda choice: (-choice[1], choice[0]))[:2])


def repair(text: str, relief: float = 0.0) -> str:
    """Return `text` with decompositions closed and miswritten words put right.

    Only runs of Han characters are read; everything else stays as it is. `relief` is taken
    off the cost of each rewritten word, for a message already known to be tampered with.
    """
    out: list[str] = []
    place = 0
    for run in _RUN.finditer(text):
        out += [text[place : run.start()], _repair_run(run.group(), relief)]
        place = run.end()
    return "".join([*out, text[place:]])


@lru_cache(maxsize=_CACHE // 10)
def _repair_run(run: str, relief: float) -> str:
    """Return the likeliest reading of a run of Han characters and their parts."""
    edges = units(run)
    best: list[tuple[float, int, str] | None] = [None] * (len(run) + 1)
    best[0] = (0.0, 0, "")
    for start in range(len(run)):
        here = best[start]
        if here is None:
            continue
        for stop, stretch, cost in _stretches(edges, start):
            for word, score in choices(stretch):
                total = here[0] + score - cost
                if word != stretch:
                    total += relief
                there = best[stop]
                if there is None or total > there[0]:
                    best[stop] = (total, start, word)
    return _walk_back(best)


def _stretches(edges: list[list[Unit]], start: int) -> list[tuple[int, str, float]]:
    found: list[tuple[int, str, float]] = []
    frontier = [(start, "", 0.0)]
    for _ in range(MAX_WORD):
        frontier = [
            (unit.stop, stretch + unit.char, cost + unit.cost)
            for place, stretch, cost in frontier
            if place < len(edges)
            for unit in edges[place]
        ]
        found.extend(frontier)
    return found


def _walk_back(best: list[tuple[float, int, str] | None]) -> str:
    words: list[str] = []
    place = len(best) - 1
    while place > 0:
        step = best[place]
        assert step is not None
        words.append(step[2])
        place = step[1]
    return "".join(reversed(words))
