"""What each person owes: websites handed out, leased, and drafts of judgments under way."""

from __future__ import annotations

from sqlalchemy import Connection

from riskchainbench.annotation import assignment
from riskchainbench.annotation.assignment import Progress, Slot
from riskchainbench.annotation.settings import RefusedError
from riskchainbench.annotation.team import Team


class Worklist(Team):
    """A team with work."""

    def plan(self) -> None:
        """Hand every website to two people; does nothing where that was done.

        Raises:
            RefusedError: there are fewer than two annotators.
        """
        with self.store.writing() as connection:
            assignment.plan_cases(
                connection, self.settings.cases, self.active(connection), self.rules
            )

    def planned(self) -> bool:
        """Tell whether the websites were handed out."""
        with self.store.reading() as connection:
            return assignment.any_slot(connection)

    def progress(self, person: str) -> Progress:
        """Return how far `person` has come."""
        with self.store.reading() as connection:
            return assignment.progress(connection, person, self.rules)

    def next_slot(self, person: str) -> Slot | None:
        """Return what `person` should judge next, with a lease."""
        with self.store.writing(lasting=False) as connection:
            return assignment.next_slot(connection, person, self.clock(), self.rules)

    def slot_of(self, person: str, slot_id: int) -> Slot:
        """Return a slot that `person` owes.

        Raises:
            RefusedError: it is not theirs, no longer theirs, or settled.
        """
        with self.store.reading() as connection:
            return self.checked(connection, person, slot_id)

    def checked(self, connection: Connection, person: str, slot_id: int) -> Slot:
        """Return a slot that `person` owes, as the transaction sees it.

        Raises:
            RefusedError: it is not theirs, no longer theirs, or settled.
        """
        found = assignment.slot(connection, slot_id)
        if found is not None and found.owner == person and found.done is None:
            return found
        if found is not None and found.owner == person:
            raise RefusedError("refused.done", f"slot {slot_id}: {person} has judged it already")
        draft = self.store.draft(person, str(slot_id))
        if draft is not None:
            raise RefusedError(
                "refused.lease",
                f"slot {slot_id}: the lease of {person} ran out and somebody else has it now",
            )
        raise RefusedError("refused.not_yours", f"slot {slot_id}: not assigned to {person}")

    def save_draft(
        self, person: str, slot_id: int, body: str, seen: int | None = None
    ) -> tuple[int, bool]:
        """Keep what `person` typed, renew the lease, and return the draft's version.

        The draft is kept even where the slot is no longer theirs; the second value tells.

        Raises:
            RefusedError: the slot never was theirs, or a version after `seen` was saved.
        """
        with self.store.writing(lasting=False) as connection:
            found = assignment.slot(connection, slot_id)
            mine = found is not None and found.owner == person and found.done is None
            if mine:
                assignment.renew(connection, slot_id, self.clock(), self.rules)
            elif self.store.draft(person, str(slot_id)) is None:
                raise RefusedError("refused.not_yours", f"slot {slot_id}: not assigned to {person}")
            return self._kept(connection, person, str(slot_id), body, seen), mine

    def keep(self, person: str, key: str, body: str, seen: int | None = None) -> int:
        """Keep other unfinished work of a person, such as pins or practice.

        Raises:
            RefusedError: a version after `seen` was saved.
        """
        with self.store.writing(lasting=False) as connection:
            return self._kept(connection, person, key, body, seen)

    def _kept(
        self, connection: Connection, person: str, key: str, body: str, seen: int | None
    ) -> int:
        newest = self.store.draft_version(connection, person, key)
        if seen is not None and newest > seen:
            raise RefusedError(
                "elsewhere", f"{key}: {person} has saved a later draft from another window"
            )
        return self.store.save_draft(connection, person, key, body, self.clock())
