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

FILE = Path(__file__).with_name("data") / "rows.npz"
LENGTHS = (2, 3)
TWO = 0.3
THREE = 0.8


class Rows:
    """A read-only set of rows of characters, in little memory."""

    def __init__(self) -> None:
        with np.load(FILE) as data:
            chars = data["chars"].tobytes().decode()
            self._keys = {length: _keys(data[f"rows{length}"]) for length in LENGTHS}
        self._place = {char: number for number, char in enumerate(chars)}

    def __contains__(self, row: str) -> bool:
        """Tell whether the two or three characters of `row` are usual side by side."""
        key, width = 0, len(self._place)
        for char in row:
            place = self._place.get(char)
            if place is None:
                return False
            key = key * width + place
        keys = self._keys[len(row)]
        found = bisect_left(keys, key)
        return found < len(keys) and keys[found] == key

    def crossing(self, left: str, right: str) -> float:
        """Return what the usual rows that cross from `left` into `right` speak for both."""
        last, first = left[-1], right[0]
        score = TWO if last + first in self else 0.0
        if len(left) > 1 and left[-2:] + first in self:
            score += THREE
        if len(right) > 1 and last + right[:2] in self:
            score += THREE
        return score

    def inside(self, word: str) -> float:
        """Return what the usual rows inside `word` speak for it."""
        pairs = sum(word[i : i + 2] in self for i in range(len(word) - 1))
        return TWO * pairs + THREE * sum(word[i : i + 3] in self for i in range(len(word) - 2))


def _keys(packed: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> array[int]:
    steps = np.zeros((packed.shape[1], 8), dtype=np.uint8)
    steps[:, : len(packed)] = packed.T
    return array("q", np.cumsum(steps.view(np.int64).ravel()).tobytes())


@cache
def rows() -> Rows:
    """Return the shared set."""
    return Rows()
