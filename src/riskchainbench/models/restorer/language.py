"""How likely one word follows another in running Chinese.

Counts of neighboring words in general text (reviews and news; `data/neighbors.npz`, made by
`tools/count_language.py`) are smoothed in three steps: by the word itself, by the parts of speech
of both, and by the two characters that meet. So a pair that was never counted still gets a
sensible figure. It knows nothing of messages.
"""

from __future__ import annotations

from array import array
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riskchainbench.models.restorer.lexicon import lexicon

BEGIN, END = "<", ">"
FILE = Path(__file__).with_name("data") / "neighbors.npz"
PRIOR = 1000.0
_PAIR_PRIOR = 5.0
_CHARS, _PARTS = 0.34, 0.55

_Ints = npt.NDArray[np.integer[Any]]


class Tally:
    """Counts by number, in little memory: a hash table whose slots are stretches of an array."""

    __slots__ = ("_counts", "_keys", "_slots", "_starts")

    def __init__(self, keys: _Ints, counts: _Ints) -> None:
        order = np.argsort(keys)
        keys, counts = keys[order], counts[order]
        del order
        first = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))
        keys, counts = keys[first], np.add.reduceat(counts, first)
        del first
        self._slots = len(keys)
        slots = (keys % self._slots).astype(np.int32)
        stops = np.cumsum(np.bincount(slots, minlength=self._slots), dtype=np.int32)
        self._starts = array("i", [0]) + array("i", stops.tobytes())
        order = np.argsort(slots)
        del slots, stops
        self._counts = array("i", counts[order].astype(np.int32).tobytes())
        self._keys = array("q", keys[order].astype(np.int64).tobytes())

    def get(self, key: int) -> int:
        """Return the count of `key`, 0 where it was never counted."""
        slot = key % self._slots
        for place in range(self._starts[slot], self._starts[slot + 1]):
            if self._keys[place] == key:
                return self._counts[place]
        return 0


def _sums(places: _Ints, counts: _Ints, length: int) -> list[float]:
    found: list[float] = np.bincount(places, weights=counts, minlength=length).tolist()
    return found


class Language:
    """Smoothed likelihoods of word pairs; read-only but for the words that it remembers."""

    def __init__(self) -> None:
        with np.load(FILE) as data:
            words = data["words"].tobytes().decode().split("\n")
            followers = data["followers"].astype(np.int64)
            total = np.cumsum(data["steps"], dtype=np.uint32)
            counts = data["counts"].astype(np.int32)
        first = np.repeat(np.arange(len(words), dtype=np.int32), followers)
        starts = np.concatenate(([0], np.cumsum(followers)[:-1]))
        before = np.where(starts > 0, total[np.minimum(starts, len(total)) - 1], 0)
        second = total - np.repeat(before.astype(np.uint32), followers)
        del total
        self._words: dict[str, _Word] = {}
        self._place = {word: number for number, word in enumerate(words)}
        self._width = len(words)
        self._total = float(counts.sum())
        self._pairs = Tally(first.astype(np.int64) * self._width + second, counts)
        self._left = _sums(first, counts, self._width)
        self._right = _sums(second, counts, self._width)
        self._count_parts(words, first, second, counts)
        self._count_chars(words, first, second, counts)

    def _count_parts(self, words: list[str], first: _Ints, second: _Ints, counts: _Ints) -> None:
        part = np.array([_part(word) for word in words], dtype=np.int64)
        left, right = part[first], part[second]
        self._part_pairs = np.bincount(
            left * _WIDEST + right, weights=counts, minlength=_WIDEST**2
        ).tolist()
        self._word_part = Tally(first * _WIDEST + right, counts)
        self._part_word = Tally(left * self._width + second, counts)
        self._part_left = _sums(left, counts, _WIDEST)
        self._part_right = _sums(right, counts, _WIDEST)

    def _count_chars(self, words: list[str], first: _Ints, second: _Ints, counts: _Ints) -> None:
        ends = np.array([ord(word[-1]) for word in words], dtype=np.int64)[first]
        begins = np.array([ord(word[0]) for word in words], dtype=np.int64)[second]
        self._char_pairs = Tally(ends * _CHAR_WIDTH + begins, counts)
        self._char_left = _sums(ends, counts, _CHAR_WIDTH)
        self._char_right = _sums(begins, counts, _CHAR_WIDTH)

    def lift(self, first: str, second: str) -> float:
        """Return the natural log of how much likelier than by itself `second` follows `first`."""
        one, two = self._word(first), self._word(second)
        prior = PRIOR * self._guess(one, two)
        if one.place < 0:
            return log(prior / PRIOR)
        pair = self._pairs.get(one.place * self._width + two.place) if two.place >= 0 else 0
        return log((pair / two.alone + prior) / (one.left + PRIOR))

    def _guess(self, one: _Word, two: _Word) -> float:
        """Return the lift of a pair by its parts of speech, each word's habits, and characters."""
        seen = self._part_pairs[one.part * _WIDEST + two.part]
        expected = one.part_left * two.part_right / self._total
        parts = plain = (seen + _PAIR_PRIOR) / (expected + _PAIR_PRIOR)
        if one.place >= 0:
            seen = self._word_part.get(one.place * _WIDEST + two.part)
            expected = one.left * two.part_right / self._total * plain
            parts *= (seen + _PAIR_PRIOR) / (expected + _PAIR_PRIOR)
        if two.place >= 0:
            seen = self._part_word.get(one.part * self._width + two.place)
            expected = two.right * one.part_left / self._total * plain
            parts *= (seen + _PAIR_PRIOR) / (expected + _PAIR_PRIOR)
        seen = self._char_pairs.get(one.ends * _CHAR_WIDTH + two.begins)
        expected = one.char_left * two.char_right / self._total
        chars = (seen + _PAIR_PRIOR) / (expected + _PAIR_PRIOR)
        guess: float = chars**_CHARS * parts**_PARTS
        return guess

    def _word(self, word: str) -> _Word:
        known = self._words.get(word)
        if known is None:
            known = self._words[word] = self._described(word)
        return known

    def _described(self, word: str) -> _Word:
        place, part = self._place.get(word, -1), _part(word)
        ends, begins = ord(word[-1]), ord(word[0])
        left = self._left[place] if place >= 0 else 0.0
        right = self._right[place] if place >= 0 else 0.0
        alone = right / self._total if word == END else exp(lexicon().score(word))
        return _Word(
            place, part, ends, begins, left, right, alone,
            self._part_left[part], self._part_right[part],
            self._char_left[ends], self._char_right[begins],
        )  # fmt: skip


class _Word(NamedTuple):
    """What is known of a word: numbers that name it, and counts of it, its part and its ends."""

    place: int
    part: int
    ends: int
    begins: int
    left: float
    right: float
    alone: float
    part_left: float
    part_right: float
    char_left: float
    char_right: float


def _part(word: str) -> int:
    tag = lexicon().parts.get(word, word if word in (BEGIN, END) else "x")[:2]
    return _NUMBERS.setdefault(tag, len(_NUMBERS))


_CHAR_WIDTH = 0xA000
_WIDEST = 256
_NUMBERS: dict[str, int] = {}


@cache
def language() -> Language:
    """Return the shared language model."""
    return Language()
