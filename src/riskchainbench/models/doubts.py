"""Rejections that name no reason in the request: the model's own, or a wrong set-up's?

A unit whose request is rejected in this way is set aside and asked again. The rejection is
final only if, between the two, a question of another unit of the same stage was answered: then
the set-up was right. Until then the unit stays open, so that a wrong setting costs no unit.
"""

from __future__ import annotations


class Doubts:
    """The units of one stage that were rejected without a reason, over all its starts."""

    def __init__(self) -> None:
        self._rejected: set[str] = set()
        self._answered_since: set[str] = set()
        self._set_aside: set[str] = set()

    def note_rejection(self, unit_id: str) -> None:
        """Note that a request of the unit was rejected without a reason."""
        self._rejected.add(unit_id)
        self._answered_since.discard(unit_id)

    def note_answer(self, unit_id: str) -> None:
        """Note that a question of the unit was answered."""
        self._answered_since |= self._rejected - {unit_id}

    def final(self, unit_id: str) -> bool:
        """Tell whether another rejection of the unit is its own."""
        return unit_id in self._answered_since

    def set_aside(self, unit_id: str) -> bool:
        """Tell whether the unit can be put off once more in this start, and note that it was."""
        new = unit_id not in self._set_aside
        self._set_aside.add(unit_id)
        return new
