"""The bootstrap over clusters: one pinned matrix of draws, and percentile intervals.

Draws come from the raw output of PCG64 and an own mapping to clusters, so they do not depend
on a release of numpy. With integers as inputs every sum is exact, and so a result is the same
for any number of threads and any order of the units.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_text
from riskchainbench.statistics.value import Value, undefined

Floats = NDArray[np.floating[Any]]
Integers = NDArray[np.int64]
T = TypeVar("T")

DRAWS = 2000
LEVEL = 0.95
_EXACT_SINGLE = 2**24
_EXACT_DOUBLE = 2**53
_INCREMENT = 0x5851F42D4C957F2D14057B7EF767814F


def raw_words(seed: int, count: int) -> NDArray[np.uint64]:
    """Return `count` words of the PCG64 stream whose state is `seed` (modulo 2**128)."""
    generator = np.random.PCG64(0)
    generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": seed % 2**128, "inc": _INCREMENT | 1},
        "has_uint32": 0,
        "uinteger": 0,
    }
    generator.random_raw(16)  # lets a seed with few set bits spread
    words: NDArray[np.uint64] = np.asarray(generator.random_raw(count), dtype=np.uint64)
    return words


def random_indexes(seed: int, count: int, below: int) -> Integers:
    """Return `count` integers in ``range(below)``; the bias is under ``below / 2**32``."""
    high = raw_words(seed, count) >> np.uint64(32)
    return ((high * np.uint64(below)) >> np.uint64(32)).astype(np.int64)


@dataclass(frozen=True)
class Draws:
    """How often each cluster is drawn: `weights` has one row a draw, one column a cluster."""

    weights: Floats
    sha256: Sha256

    @property
    def clusters(self) -> int:
        """How many clusters are drawn from, and how many are drawn each time."""
        return int(self.weights.shape[1])

    def sums(self, columns: Integers) -> Floats:
        """Return ``weights @ columns``, transposed: one row a column, one column a draw.

        `columns` holds integers, one row a cluster. Single precision is used where every
        partial sum is below 2**24, which makes it exact too.

        Raises:
            ValueError: a sum could pass 2**53 and would not be exact.
        """
        largest = float(np.abs(columns).sum(axis=0).max(initial=0)) * float(self.weights.max())
        if largest < _EXACT_SINGLE:
            single = columns.T.astype(np.float32)
            return single @ self.weights.T.astype(np.float32)
        if largest >= _EXACT_DOUBLE:
            raise ValueError("the sums of a draw would not be exact")
        return columns.T.astype(np.float64) @ self.weights.T


def draw_matrix(seed: int, clusters: int, draws: int = DRAWS) -> Draws:
    """Draw `clusters` clusters with replacement, `draws` times.

    The hash is that of the counts as little-endian 32-bit integers, row by row.
    """
    if clusters < 1:
        raise ValueError("there is nothing to draw from")
    chosen = random_indexes(seed, draws * clusters, clusters).reshape(draws, clusters)
    flat = (chosen + np.arange(draws)[:, None] * clusters).ravel()
    counts = np.bincount(flat, minlength=draws * clusters).reshape(draws, clusters)
    return Draws(counts.astype(np.float64), sha256_bytes(counts.astype("<u4").tobytes()))


@dataclass(frozen=True)
class Spread:
    """A central percentile interval over draws; `left_out` draws had no defined value."""

    low: float
    high: float
    left_out: int = 0


def percentile_intervals(values: Floats, level: float = LEVEL) -> list[Spread | None]:
    """Return the central interval of each row of `values` (one row a statistic).

    Percentiles are interpolated linearly between order statistics. NaN marks a draw that has
    no value; it is left out and counted. A row with no value at all has no interval.
    """
    broken = np.isnan(values).any(axis=1)
    found: list[Spread | None] = [None] * len(values)
    whole = np.flatnonzero(~broken)
    if len(whole):
        low, high = _percentiles(values[whole], level)
        for row, a, b in zip(whole.tolist(), low.tolist(), high.tolist(), strict=True):
            found[row] = Spread(a, b)
    for row in np.flatnonzero(broken).tolist():
        kept = values[row][~np.isnan(values[row])]
        if len(kept):
            low, high = _percentiles(kept[None, :], level)
            found[row] = Spread(float(low[0]), float(high[0]), values.shape[1] - len(kept))
    return found


def _percentiles(values: Floats, level: float) -> tuple[Floats, Floats]:
    last = values.shape[1] - 1
    ends = []
    places = [last * (1 - level) / 2, last * (1 + level) / 2]
    below = [int(place) for place in places]
    wanted = sorted({index for low in below for index in (low, min(low + 1, last))})
    ordered = np.partition(values, wanted, axis=1).astype(np.float64)
    for place, low in zip(places, below, strict=True):
        first, second = ordered[:, low], ordered[:, min(low + 1, last)]
        ends.append(first + (second - first) * (place - low))
    return ends[0], ends[1]


def bootstrap_interval(
    units: Sequence[T], statistic: Callable[[Sequence[T]], Value], seed: int, draws: int = DRAWS
) -> tuple[Spread | None, Value]:
    """Resample `units` and return the interval of any statistic, with its own value.

    For statistics that are no ratio of sums, such as alpha; slower than `draw_matrix`.
    """
    if not units:
        return None, undefined("there are no units")
    chosen = random_indexes(seed, draws * len(units), len(units)).reshape(draws, len(units))
    drawn = [statistic([units[index] for index in row]).value for row in chosen.tolist()]
    values = np.array([[np.nan if value is None else value for value in drawn]])
    return percentile_intervals(values)[0], statistic(units)


def named_seed(identity: Sha256, *names: str) -> int:
    """Return the seed of the draws that belong to a frozen identity, such as that of tasks."""
    return int(sha256_text("\x1f".join((identity, *names)))[:32], 16)
