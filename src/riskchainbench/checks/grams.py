"""Character runs as features: how often each pair and triple of code points stands in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

COLUMNS = 1 << 15
_LENGTHS = (2, 3)
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_KEPT_BITS = np.uint64(64 - 15)


def gram_counts(texts: Sequence[str]) -> csr_matrix:
    """Return a row a text and a column a hash of runs of two or three code points.

    Equal texts are read once.
    """
    places: dict[str, int] = {}
    for text in texts:
        places.setdefault(text, len(places))
    rows = [_counted(_hashes(text)) for text in places]
    starts = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    matrix = csr_matrix(
        (_joined(counts for _, counts in rows), _joined(columns for columns, _ in rows), starts),
        shape=(len(rows), COLUMNS),
        dtype=np.float64,
    )
    return matrix[[places[text] for text in texts]]


def _hashes(text: str) -> Iterator[NDArray[np.int64]]:
    points = np.frombuffer(text.casefold().encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    for length in _LENGTHS:
        value = np.full(max(0, len(points) - length + 1), length, dtype=np.uint64)
        for place in range(length):
            value = (value ^ points[place : place + len(value)]) * _FACTOR
            value ^= value >> np.uint64(29)
        yield (value * _FACTOR >> _KEPT_BITS).astype(np.int64)


def _counted(
    hashes: Iterable[NDArray[np.int64]],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    columns, counts = np.unique(np.concatenate(list(hashes)), return_counts=True)
    return columns, counts


def _joined(parts: Iterable[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate([np.zeros(0, dtype=np.int64), *parts])
