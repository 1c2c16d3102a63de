"""Reads a sentence: closes decompositions and puts miswritten words right, by context.

A path through the sentence is chosen by word probabilities and a small grammar (Viterbi over
the kinds of the last word): every stretch may be read as it stands, or as another word at a
price. A plausible stretch keeps its place unless the other reading is far likelier.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from riskchainbench.models.restorer.components import Unit, units
from riskchainbench.models.restorer.grammar import Kinds, leads_to_a_name, lift
from riskchainbench.models.restorer.homophones import choices
from riskchainbench.models.restorer.lexicon import MAX_WORD, lexicon
from riskchainbench.models.restorer.tables import look_alikes

_CACHE = 20_000
_STRETCH = 400
_RUN = re.compile(rf"[\u2e80-\u2fdf\u3400-\u9fff]{{1,{_STRETCH}}}")
BEAM = 6
NAME_LIFT = 4.5
GRAMMAR = 0.6

Step = tuple[float, int, Kinds, str]
"""A score so far, where the last word starts, the kinds before it, and the word as read."""


class Doubt(NamedTuple):
    """How far a message is known to be tampered with: what comes off the price of a reading.

    `words` comes off every rewritten word, `shapes` off a single character that is read as its
    look-alike, on top.
    """

    words: float = 0.0
    shapes: float = 0.0


NO_DOUBT = Doubt()
WORDS_CHANGED = Doubt(words=2.0)
SHAPES_CHANGED = Doubt(words=3.0, shapes=3.0)


def doubt_about(before: Sequence[str], after: Sequence[str]) -> Doubt:
    """Return how far texts that read differently after a first `repair` are to be doubted.

    A reading that is shorter closed a decomposition, so characters were changed by shape.
    """
    if any(len(new) < len(old) for old, new in zip(before, after, strict=True)):
        return SHAPES_CHANGED
    return WORDS_CHANGED if list(before) != list(after) else NO_DOUBT


def repair(text: str, doubt: Doubt = NO_DOUBT, *, before_name: bool = False) -> str:
    """Return `text` with decompositions closed and miswritten words put right.

    Only runs of Han characters are read; everything else stays as it is. `before_name` says
    that an entry follows right after `text`.
    """
    out: list[str] = []
    place = 0
    for run in _RUN.finditer(text):
        out += [
            text[place : run.start()],
            _read(run.group(), doubt, before_name and run.end() == len(text)),
        ]
        place = run.end()
    return "".join([*out, text[place:]])


@lru_cache(maxsize=_CACHE)
def _read(run: str, doubt: Doubt, before_name: bool) -> str:
    """Return the likeliest reading of a run of Han characters and their parts."""
    kinds = lexicon().kinds
    edges = units(run)
    best: list[dict[Kinds, Step]] = [{} for _ in range(len(run) + 1)]
    best[0][0] = (0.0, 0, 0, "")
    for start in range(len(run)):
        if not best[start]:
            continue
        here = sorted(best[start].items(), key=lambda state: -state[1][0])[:BEAM]
        arrivals: dict[Kinds, tuple[float, Kinds]] = {}
        for stop, stretch, cost in _stretches(edges, start):
            there = best[stop]
            for word, score in choices(stretch):
                own = score - cost
                if word != stretch:
                    own += doubt.words
                    own += doubt.shapes if word in look_alikes().get(stretch, ()) else 0.0
                kind = kinds.get(word, 0)
                reached = arrivals.get(kind)
                if reached is None:
                    reached = arrivals[kind] = max(
                        (step[0] + GRAMMAR * lift(last, kind), last) for last, step in here
                    )
                total, before = reached
                known = there.get(kind)
                if known is None or total + own > known[0]:
                    there[kind] = (total + own, start, before, word)
    if before_name:
        best[-1] = {last: _toward_a_name(last, step) for last, step in best[-1].items()}
    return _walk_back(best)


def _toward_a_name(last: Kinds, step: Step) -> Step:
    lifted = step[0] + (NAME_LIFT if leads_to_a_name(last) else 0.0)
    return lifted, step[1], step[2], step[3]


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


def _walk_back(best: list[dict[Kinds, Step]]) -> str:
    words: list[str] = []
    place = len(best) - 1
    kind = max(best[place], key=lambda last: best[place][last][0])
    while place > 0:
        _, place, kind, word = best[place][kind]
        words.append(word)
    return "".join(reversed(words))
