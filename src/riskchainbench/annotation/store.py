"""The database of a project: transactions, the ledger's lines, people, sessions, drafts.

What any of it means is decided elsewhere; this room's other files call nothing of SQL but
through here and `assignment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sqlalchemy import Connection, delete, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError as DuplicateError
from sqlalchemy.exc import SQLAlchemyError

from riskchainbench.annotation.accounts import token_sha256
from riskchainbench.annotation.ledger import Head, chained, verify
from riskchainbench.annotation.records import Entry, LedgerLine, VisitEvent
from riskchainbench.annotation.tables import (
    drafts,
    engine_for,
    ledger,
    ledger_head,
    metadata,
    people,
    sessions,
    visits,
    wait_for_disk,
)
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.store import StorageError

DATABASE = "project.sqlite"


@dataclass(frozen=True)
class Person:
    """Somebody with an account."""

    name: str
    role: str
    active: bool


@dataclass(frozen=True)
class Session:
    """A signed-in person and the token that their forms must carry."""

    person: Person
    csrf: str


@dataclass(frozen=True)
class Draft:
    """What a person has typed so far; `version` counts the times it was saved."""

    body: str
    version: int
    saved_at: float


class Store:
    """One project's database; safe to use from several threads and several processes."""

    def __init__(self, url: str, where: str, *, durable: bool = True) -> None:
        self.where = where
        try:
            self._engine = engine_for(url)
            metadata.create_all(self._engine)
        except SQLAlchemyError as error:
            raise InputError(f"{where}: the database cannot be opened: {_reason(error)}") from error
        except ModuleNotFoundError as error:
            raise InputError(
                f"{where}: PostgreSQL needs the extra 'teams' (postgresql+pg8000://…)"
            ) from error
        self._lines: list[LedgerLine] = []
        self._lock = Lock()
        self._turn = Lock()
        self._durable = durable

    def close(self) -> None:
        """Give the connections back."""
        self._engine.dispose()

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a transaction that reads.

        Raises:
            StorageError: the database cannot be read.
        """
        try:
            with self._engine.connect() as connection, connection.begin():
                yield connection
        except SQLAlchemyError as error:
            raise StorageError(f"{self.where}: cannot be read: {_reason(error)}") from error

    @contextmanager
    def writing(self, *, lasting: bool = True) -> Iterator[Connection]:
        """Open a transaction that excludes every other writer until it ends.

        Without `lasting` it survives the end of this program but perhaps no power cut.

        Raises:
            StorageError: the database cannot be written; nothing was changed.
        """
        try:
            # Writers of this process queue here; SQLite itself would let them poll.
            with self._turn, self._engine.connect() as connection:
                connection = connection.execution_options(write=True)
                with connection.begin():
                    if self._engine.dialect.name == "postgresql":
                        connection.execute(text("SELECT pg_advisory_xact_lock(20261130)"))
                    yield connection
            if lasting and self._durable:
                wait_for_disk(self._engine)
        except DuplicateError as error:
            raise StorageError(f"{self.where}: {_reason(error)}") from error
        except (SQLAlchemyError, OSError) as error:
            raise StorageError(f"{self.where}: cannot be written: {_reason(error)}") from error

    def begin(self) -> None:
        """Begin an empty ledger.

        Raises:
            InputError: the database holds a project already.
        """
        with self.writing() as connection:
            if connection.execute(select(ledger_head.c.number)).first() is not None:
                raise InputError(
                    f"{self.where}: the database holds a project already; name an empty one"
                )
            head = Head()
            connection.execute(
                insert(ledger_head).values(id=1, number=head.number, sha256=head.sha256)
            )

    def append(self, connection: Connection, entry: Entry, at: float) -> LedgerLine:
        """Add an entry to the ledger within a writing transaction."""
        line = chained(self._head(connection), entry, round(at, 3))
        connection.execute(
            insert(ledger).values(
                number=line.number,
                at=line.at,
                body=line.to_json(),
                previous=line.previous,
                sha256=line.sha256,
            )
        )
        connection.execute(update(ledger_head).values(number=line.number, sha256=line.sha256))
        return line

    def _head(self, connection: Connection) -> Head:
        row = connection.execute(select(ledger_head.c.number, ledger_head.c.sha256)).first()
        if row is None:
            raise IntegrityError(
                f"{self.where}: the ledger's head is missing; restore the project from a copy"
            )
        return Head(row.number, row.sha256)

    def head(self) -> Head:
        """Return how far the ledger was written.

        Raises:
            IntegrityError: that is not recorded.
        """
        with self.reading() as connection:
            return self._head(connection)

    def lines(self, within: Connection | None = None) -> Sequence[LedgerLine]:
        """Return the whole ledger; lines read before are not read again.

        `within` is a transaction that has added nothing to the ledger yet.
        """
        with self._lock:
            last = self._lines[-1].number if self._lines else 0
            query = select(ledger.c.body).where(ledger.c.number > last).order_by(ledger.c.number)
            if within is None:
                with self.reading() as connection:
                    bodies = connection.execute(query).scalars().all()
            else:
                bodies = within.execute(query).scalars().all()
            if bodies:
                new = [LedgerLine.model_validate_json(body) for body in bodies]
                # A new list, since readers may still walk the old one.
                self._lines = [*self._lines, *new]
            return self._lines

    def verify(self) -> None:
        """Check the whole ledger as it stands in the database.

        Raises:
            IntegrityError: naming the first entry that was changed, left out or cut off.
        """
        with self._lock:
            self._lines = []
        with self.reading() as connection:
            verify(self.lines(connection), self._head(connection), self.where)

    def add_person(
        self, connection: Connection, name: str, role: str, password: str, at: float
    ) -> None:
        """Add an account; `password` is its hash."""
        connection.execute(
            insert(people).values(
                name=name, role=role, password=password, active=True, joined_at=at
            )
        )

    def people(self) -> list[Person]:
        """Return everybody, in order of joining."""
        with self.reading() as connection:
            rows = connection.execute(select(people).order_by(people.c.joined_at, people.c.name))
            return [Person(row.name, row.role, row.active) for row in rows]

    def password_of(self, name: str) -> str | None:
        """Return the stored hash of an active person's password."""
        with self.reading() as connection:
            return connection.execute(
                select(people.c.password).where(people.c.name == name, people.c.active)
            ).scalar()

    def active(self, connection: Connection, role: str) -> list[str]:
        """Return the names of the active people of a role, sorted."""
        query = select(people.c.name).where(people.c.active, people.c.role == role)
        return sorted(connection.execute(query).scalars())

    def set_password(self, connection: Connection, name: str, password: str) -> None:
        """Change the hash of a password and end the person's sessions."""
        connection.execute(update(people).where(people.c.name == name).values(password=password))
        connection.execute(delete(sessions).where(sessions.c.person == name))

    def deactivate(self, connection: Connection, name: str) -> None:
        """Close an account and end its sessions."""
        connection.execute(update(people).where(people.c.name == name).values(active=False))
        connection.execute(delete(sessions).where(sessions.c.person == name))

    def open_session(
        self, token: str, person: str, csrf: str, expires_at: float, now: float
    ) -> None:
        """Remember that `person` signed in; sessions past their time are forgotten."""
        with self.writing(lasting=False) as connection:
            connection.execute(delete(sessions).where(sessions.c.expires_at <= now))
            connection.execute(
                insert(sessions).values(
                    token_sha256=token_sha256(token),
                    person=person,
                    csrf=csrf,
                    expires_at=expires_at,
                )
            )

    def session(self, token: str, now: float) -> Session | None:
        """Return the session of a token that is neither unknown nor past its time."""
        with self.reading() as connection:
            row = connection.execute(
                select(sessions.c.csrf, people.c.name, people.c.role, people.c.active)
                .join(people, people.c.name == sessions.c.person)
                .where(
                    sessions.c.token_sha256 == token_sha256(token),
                    sessions.c.expires_at > now,
                    people.c.active,
                )
            ).first()
        return None if row is None else Session(Person(row.name, row.role, row.active), row.csrf)

    def close_session(self, token: str) -> None:
        """Forget a session."""
        with self.writing() as connection:
            connection.execute(
                delete(sessions).where(sessions.c.token_sha256 == token_sha256(token))
            )

    def draft(self, person: str, slot: str) -> Draft | None:
        """Return what `person` has typed for a slot."""
        with self.reading() as connection:
            row = connection.execute(
                select(drafts).where(drafts.c.person == person, drafts.c.slot == slot)
            ).first()
        return None if row is None else Draft(row.body, row.version, row.saved_at)

    def draft_version(self, connection: Connection, person: str, slot: str) -> int:
        """Return how many times `person` has saved what they typed for a slot."""
        here = (drafts.c.person == person, drafts.c.slot == slot)
        return int(connection.execute(select(drafts.c.version).where(*here)).scalar() or 0)

    def save_draft(
        self, connection: Connection, person: str, slot: str, body: str, at: float
    ) -> int:
        """Keep what `person` has typed for a slot and return its new version."""
        here = (drafts.c.person == person, drafts.c.slot == slot)
        version = self.draft_version(connection, person, slot) + 1
        values = {"body": body, "version": version, "saved_at": at}
        if version == 1:
            connection.execute(insert(drafts).values(person=person, slot=slot, **values))
        else:
            connection.execute(update(drafts).where(*here).values(**values))
        return version

    def add_visit(self, person: str, slot: str, events: Sequence[VisitEvent]) -> None:
        """Record events of a person's visit."""
        rows = [{"person": person, "slot": slot, "body": each.to_json()} for each in events]
        if rows:
            with self.writing(lasting=False) as connection:
                connection.execute(insert(visits), rows)

    def visit(self, person: str, slot: str) -> tuple[VisitEvent, ...]:
        """Return a person's events on a slot, in order."""
        with self.reading() as connection:
            rows = connection.execute(
                select(visits.c.body)
                .where(visits.c.person == person, visits.c.slot == slot)
                .order_by(visits.c.id)
            ).scalars()
            return tuple(VisitEvent.model_validate_json(body) for body in rows)

    def count_visits(self, person: str, slot: str) -> int:
        """Return how many events of a person's visit are recorded."""
        with self.reading() as connection:
            query = select(func.count()).where(visits.c.person == person, visits.c.slot == slot)
            return int(connection.execute(query).scalar_one())


def sqlite_url(folder: Path) -> str:
    """Return the address of the database that a project keeps in its own folder."""
    return f"sqlite:///{(folder / DATABASE).resolve()}"


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).split("\n")[0]
