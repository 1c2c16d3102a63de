"""Which two or three characters are usual in a row in running Chinese.

A row counts as usual if it is what its syllables most often stand for in the text that
SimplePinyin counted (`data/rows.npz`, made by `tools/collect_rows.py`). So of several rows that
sound alike at most one is usual, which is what tells homophones apart.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt

FILE = Path(__file__).with_name("data") / "rows.npz"
LENGTHS = (2, 3)
SIEVE = 33_554_393
_PORTIONS = 50
TWO = 0.3
THREE = 0.8

_Ints = npt.NDArray[np.int64]


class Rows:
    """A read-only set of rows of characters, in little memory."""

    def __init__(self) -> None:
        with np.load(FILE) as data:
            chars = data["chars"].tobytes().decode()
            self._twos, self._threes = (Numbers(_keys(data[f"rows{n}"])) for n in LENGTHS)
        self._place = {char: number for number, char in enumerate(chars)}

    def __contains__(self, row: str) -> bool:
        """Tell whether the two or three characters of `row` are usual side by side."""
        key, width = 0, len(self._place)
        for char in row:
            place = self._place.get(char)
            if place is None:
                return False
            key = key * width + place
        return key in (self._twos if len(row) == 2 else self._threes)

    def crossing(self, left: str, right: str) -> float:
        """Return what the usual rows that cross from `left` into `right` speak for both."""
        place, width = self._place.get, len(self._place)
        last, first = place(left[-1]), place(right[0])
        if last is None or first is None:
            return 0.0
        pair = last * width + first
        score = TWO if pair in self._twos else 0.0
        if len(left) > 1 and (before := place(left[-2])) is not None:
            score += THREE * (before * width * width + pair in self._threes)
        if len(right) > 1 and (after := place(right[1])) is not None:
            score += THREE * (pair * width + after in self._threes)
        return score

    def inside(self, word: str) -> float:
        """Return what the usual rows inside `word` speak for it."""
        if len(word) == 1:
            return 0.0
        pairs = sum(word[i : i + 2] in self for i in range(len(word) - 1))
        return TWO * pairs + THREE * sum(word[i : i + 3] in self for i in range(len(word) - 2))


class Numbers:
    """A sorted list of numbers, behind a sieve of bits that stops most of those not in it."""

    __slots__ = ("_keys", "_sieve")

    def __init__(self, keys: _Ints) -> None:
        sieve = np.zeros(SIEVE // 8 + 1, dtype=np.uint8)
        for some in np.array_split(keys, _PORTIONS):
            bits = some % SIEVE
            np.bitwise_or.at(sieve, bits >> 3, (1 << (bits & 7)).astype(np.uint8))
        self._sieve = sieve.tobytes()
        self._keys = array("q", keys.tobytes())

    def __contains__(self, key: int) -> bool:
        """Tell whether `key` stands in the list."""
        bit = key % SIEVE
        if not self._sieve[bit >> 3] >> (bit & 7) & 1:
            return False
        found = bisect_left(self._keys, key)
        return found < len(self._keys) and self._keys[found] == key


def _keys(packed: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> _Ints:
    steps = np.zeros((packed.shape[1], 8), dtype=np.uint8)
    steps[:, : len(packed)] = packed.T
    return np.cumsum(steps.view(np.int64).ravel())


@cache
def rows() -> Rows:
    """Return the shared set."""
    return Rows()
