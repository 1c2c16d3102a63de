"""The paired permutation test that flips whole clusters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from riskchainbench.statistics.bootstrap import raw_words

SAMPLES = 10_000
_LARGEST_EXACT = 100_000


@dataclass(frozen=True)
class PermutationTest:
    """A two-sided p-value; `exact` where the whole distribution was enumerated."""

    p_value: float
    exact: bool


def sign_flip_test(differences: Sequence[int], seed: int = 0) -> PermutationTest:
    """Test whether two systems differ, given each cluster's difference of numerators.

    Under the null hypothesis the two systems' outcomes in a cluster could be exchanged, which
    flips the sign of its difference. The p-value is the share of the 2**k flips whose sum is
    at least as far from 0 as the observed one. As differences are integers, the distribution
    of the sum is built up cluster by cluster and is exact. Only where the sums span more than
    200,000 values are 10,000 flips drawn from `seed` instead.
    """
    sizes = sorted(abs(value) for value in differences if value)
    observed = abs(sum(differences))
    if not sizes or observed == 0:
        return PermutationTest(1.0, True)
    if sum(sizes) > _LARGEST_EXACT:
        return _sampled(sizes, observed, seed)
    return PermutationTest(_exact(sizes, observed), True)


def _exact(sizes: Sequence[int], observed: int) -> float:
    # A sum of k sizes, some flipped, is the total less twice those flipped: so the chance of
    # each subset sum is enough. Halving is exact and additions run in one fixed order.
    total = sum(sizes)
    chances = np.zeros(total + 1)
    chances[0] = 1.0
    reached = 0
    for size in sizes:
        chances[: reached + size + 1] *= 0.5
        chances[size : reached + size + 1] += chances[: reached + 1].copy()
        reached += size
    flipped = np.arange(total + 1)
    extreme = np.abs(total - 2 * flipped) >= observed
    return min(1.0, float(chances[extreme].sum()))


def _sampled(sizes: Sequence[int], observed: int, seed: int) -> PermutationTest:
    words_each = (len(sizes) + 63) // 64
    words = raw_words(seed, SAMPLES * words_each).reshape(SAMPLES, words_each)
    bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1)[:, : len(sizes)]
    sums = (bits.astype(np.int64) * 2 - 1) @ np.array(sizes, dtype=np.int64)
    extreme = int((np.abs(sums) >= observed).sum())
    # The observed labeling is one of the flips, so it counts among them.
    return PermutationTest((extreme + 1) / (SAMPLES + 1), False)
