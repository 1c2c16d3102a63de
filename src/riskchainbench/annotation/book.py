"""The book of a project: its settings, its database, and what the ledger says so far.

People, work and judgments each add a layer to it; `project.Project` is the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import Connection

from riskchainbench.annotation.assignment import Rules
from riskchainbench.annotation.records import Entry, LedgerLine, TrainingAnswer
from riskchainbench.annotation.settings import ANNOTATOR, PICTURES, Clock, ProjectSettings
from riskchainbench.annotation.standing import Standing, Standings
from riskchainbench.annotation.store import Store, sqlite_url
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.store import Images


class Book:
    """Reads the ledger and adds to it; asks nobody whether they may."""

    def __init__(
        self, folder: Path, settings: ProjectSettings, codebook: Codebook, clock: Clock
    ) -> None:
        self.folder = folder
        self.settings = settings
        self.codebook = codebook
        self.clock = clock
        self.pictures = Images(folder / PICTURES)
        url = settings.database or sqlite_url(folder)
        self.store = Store(url, str(folder), durable=not settings.simulated)
        self._standings = Standings(settings.cases)
        self.rules = Rules(
            seed=int(settings.seed),
            lease=settings.lease_seconds,
            repeat_rate=settings.repeat_rate,
            repeat_gap=settings.repeat_gap,
        )

    def lines(self) -> Sequence[LedgerLine]:
        """Return the ledger."""
        return self.store.lines()

    def standing(self, within: Connection | None = None) -> Standing:
        """Return the state of every website.

        `within` is a writing transaction that has added nothing to the ledger yet.
        """
        return self._standings.after(self.store.lines(within))

    def record(self, entry: Entry) -> LedgerLine:
        """Add an entry that nothing follows from."""
        with self.store.writing() as connection:
            return self.append(connection, entry)

    def append(self, connection: Connection, entry: Entry) -> LedgerLine:
        """Add an entry within a writing transaction that the caller opened."""
        return self.store.append(connection, entry, self.clock())

    def active(self, connection: Connection) -> list[str]:
        """Return the active annotators, sorted, as the transaction sees them."""
        return self.store.active(connection, ANNOTATOR)

    def trained(self, person: str) -> tuple[TrainingAnswer, ...]:
        """Return the person's answers to training websites."""
        return self.standing().trained.get(person, ())

    def practiced(self, person: str) -> frozenset[str]:
        """Return the training websites that the person answered or left."""
        return self.standing().practiced.get(person, frozenset())

    def close(self) -> None:
        """Give the database back."""
        self.store.close()
