"""Every metric in every stratum at once: sums of columns over masks, and what follows of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from riskchainbench.scoring.records import Count
from riskchainbench.scoring.tally import AnyFloats, Drawn, Integers, Part, Tally

Point = tuple[float | None, Count | None]
"""A metric's value in one stratum, or None where it is undefined; its count if it has one."""


class StratumSums:
    """The sums of all columns of some tallies over each of some masks, all of one level.

    The sums are of integers far below 2**53, so double precision is exact.
    """

    def __init__(self, tallies: Sequence[Tally], members: Sequence[Integers]) -> None:
        columns: dict[int, Integers] = {}
        for tally in tallies:
            for part in tally.parts:
                for column in (part.numerator, part.denominator, part.support):
                    if column is not None:
                        columns[id(column)] = column
        self._places = {key: place for place, key in enumerate(columns)}
        stacked = np.array(list(columns.values()), dtype=np.float64)
        self._sums: AnyFloats = stacked @ np.array(members, dtype=np.float64).T

    def points(self, tally: Tally) -> list[Point]:
        """Return the tally's value in each mask; a class without gold there leaves the mean."""
        drawn = Drawn(
            self._rows([part.numerator for part in tally.parts]),
            self._rows([part.denominator for part in tally.parts]),
            np.array([self._supported(part) for part in tally.parts]),
        )
        if tally.plain:
            tops, bottoms = drawn.numerators[0].tolist(), drawn.denominators[0].tolist()
            counts = [
                Count(numerator=int(top), denominator=int(bottom))
                for top, bottom in zip(tops, bottoms, strict=True)
            ]
            return [(count.share, count) for count in counts]
        if not tally.parts:
            return [(None, None)] * self._sums.shape[1]
        values = tally.combine(drawn).tolist()
        return [(None if value != value else value, None) for value in values]

    def _rows(self, columns: Sequence[Integers]) -> AnyFloats:
        found: AnyFloats = self._sums[[self._places[id(column)] for column in columns]]
        return found

    def _supported(self, part: Part) -> AnyFloats:
        if part.support is None:
            return np.ones(self._sums.shape[1])
        found: AnyFloats = self._rows([part.support])[0] > 0
        return found
