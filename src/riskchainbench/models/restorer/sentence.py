"""Reads a sentence: closes decompositions and puts miswritten words right, by context.

A noisy channel: every stretch may be read as it stands, or as another word at a price, and the
path through the sentence is taken whose words are likeliest side by side (Viterbi over the last
word). What the price is depends on how far the message is taken to be tampered with.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from riskchainbench.models.restorer.components import Unit, units
from riskchainbench.models.restorer.grammar import leads_to_a_name, lift
from riskchainbench.models.restorer.homophones import choices
from riskchainbench.models.restorer.language import BEGIN, END, language
from riskchainbench.models.restorer.lexicon import MAX_WORD, lexicon
from riskchainbench.models.restorer.rows import rows

_CACHE = 4_000
_ARCS_CACHE = 400
_STRETCH = 400
_RUN = re.compile(rf"[\u2e80-\u2fdf\u3400-\u9fff]{{1,{_STRETCH}}}")
_LATIN = re.compile(r"[A-Za-z0-9]")
BEAM = 2
MARGIN = 3.5
NAME_LIFT = 7.0
CONTEXT = 0.33
GRAMMAR = 0.22
_MEMO = 25_000


class Doubt(NamedTuple):
    """How far a message is taken to be tampered with.

    `sounds` comes off the price of a character changed by sound, `shapes` off one changed by
    look or closed; `toll` is what every character left as it stands costs in return.
    """

    sounds: float
    shapes: float
    toll: float


NO_DOUBT = Doubt(-4.8, -4.8, 0.0)


class Reading(NamedTuple):
    """A text as read, and how well it reads: a log likelihood."""

    text: str
    score: float


Arc = tuple[int, str, float, int, int]
"""A word that may stand in a place: where it stops, the word, its score, the changes of sound and
of shape that it takes."""

Step = tuple[float, int, str]
"""A score so far, where the last word starts, and the word before it."""


def repair(text: str, doubt: Doubt = NO_DOUBT, *, before_name: bool = False) -> str:
    """Return `text` as `read` reads it."""
    return read(text, doubt, before_name=before_name).text


def read(text: str, doubt: Doubt = NO_DOUBT, *, before_name: bool = False) -> Reading:
    """Return `text` with decompositions closed and miswritten words put right.

    Only runs of Han characters are read; everything else stays as it is. `before_name` says
    that an entry follows right after `text`.
    """
    out: list[str] = []
    place, score = 0, 0.0
    for run in _RUN.finditer(text):
        named = before_name if run.end() == len(text) else bool(_LATIN.match(text, run.end()))
        found = _read(run.group(), doubt, named)
        out += [text[place : run.start()], found.text]
        score += found.score
        place = run.end()
    return Reading("".join([*out, text[place:]]), score)


@lru_cache(maxsize=_CACHE)
def _read(run: str, doubt: Doubt, before_name: bool) -> Reading:
    """Return the likeliest reading of a run of Han characters and their parts."""
    best: list[dict[str, Step]] = [{} for _ in range(len(run) + 1)]
    best[0][BEGIN] = (0.0, 0, BEGIN)
    for_sound, for_shape, toll = doubt
    for start, arcs in enumerate(_arcs(run)):
        here = best[start]
        if not here:
            continue
        states = [(step[0], last) for last, step in here.items()]
        if len(states) > BEAM:
            states = sorted(states, reverse=True)[:BEAM]
            if states[1][0] <= states[0][0] - MARGIN:
                states.pop()
        (first_score, first), (second_score, second) = states[0], states[-1]
        after_first = _followers(first, _before(here, first))
        after_second = _followers(second, _before(here, second))
        for stop, word, score, sounds, shapes in arcs:
            total, before = first_score + after_first[word], first
            other = second_score + after_second[word]
            if other > total:
                total, before = other, second
            total += score
            if sounds or shapes:
                total += sounds * for_sound + shapes * for_shape
            there = best[stop]
            known = there.get(word)
            if known is None or total > known[0]:
                there[word] = (total, start, before)
    ends = {
        last: step[0]
        + (_toward_a_name(last) if before_name else _followers(last, _before(best[-1], last))[END])
        for last, step in best[-1].items()
    }
    word = max(ends, key=ends.__getitem__)
    return Reading(_walk_back(best, word), ends[word] - toll * len(run))


class _Followers(dict[str, float]):
    """How much likelier than by itself a word follows the one that this is made for."""

    __slots__ = ("_kinds", "_last", "_row")

    def __init__(self, last: str, before: str) -> None:
        super().__init__()
        self._last = last
        self._row = (before + last)[-2:]
        self._kinds = lexicon().kinds_of(last)

    def __missing__(self, word: str) -> float:
        known = CONTEXT * language().lift(self._last, word)
        known += GRAMMAR * lift(self._kinds, lexicon().kinds_of(word))
        if word != END and self._last != BEGIN:
            known += rows().crossing(self._row, word)
        self[word] = known
        return known


def _before(steps: dict[str, Step], last: str) -> str:
    """Return the character before the word `last`, where that is needed to make two."""
    return steps[last][2][-1] if len(last) == 1 and last != BEGIN else ""


_followers = lru_cache(maxsize=_MEMO)(_Followers)


def _toward_a_name(last: str) -> float:
    return NAME_LIFT if leads_to_a_name(lexicon().kinds_of(last)) else 0.0


@lru_cache(maxsize=_ARCS_CACHE)
def _arcs(run: str) -> list[list[Arc]]:
    """Return for each place the words that may start there."""
    edges = units(run)
    found: list[list[Arc]] = []
    for start in range(len(run)):
        here: dict[tuple[int, str], Arc] = {}
        for stop, stretch, cost in _stretches(run, edges, start):
            closed = stop - start - len(stretch)
            for word, score, sounds, shapes in choices(stretch):
                known = here.get((stop, word))
                if known is None or score - cost > known[2]:
                    here[stop, word] = (stop, word, score - cost, sounds, shapes + closed)
        found.append(list(here.values()))
    return found


def _stretches(run: str, edges: list[list[Unit]], start: int) -> list[tuple[int, str, float]]:
    """Return what may be read from `start` on, each with where it stops and what it costs."""
    ahead = edges[start : start + MAX_WORD]
    if all(len(units) == 1 for units in ahead):
        costs = accumulate(units[0].cost for units in ahead)
        return [(stop, run[start:stop], cost) for stop, cost in enumerate(costs, start + 1)]
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


def _walk_back(best: list[dict[str, Step]], word: str) -> str:
    words: list[str] = []
    place = len(best) - 1
    while place > 0:
        words.append(word)
        _, place, word = best[place][word]
    return "".join(reversed(words))
