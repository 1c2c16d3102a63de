"""The people of a project: accounts, roles, and who joins and leaves."""

from __future__ import annotations

import re

from riskchainbench.annotation import assignment
from riskchainbench.annotation.accounts import hash_password
from riskchainbench.annotation.book import Book
from riskchainbench.annotation.records import PersonEvent
from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR, NAME, RefusedError
from riskchainbench.annotation.store import Person


class Team(Book):
    """A book with people."""

    def person(self, name: str) -> Person:
        """Return the active person of that name.

        Raises:
            RefusedError: there is none.
        """
        for person in self.store.people():
            if person.name == name and person.active:
                return person
        raise RefusedError("refused.nobody", f"{self.folder}: no active person {name!r}")

    def annotators(self) -> list[str]:
        """Return the names of the active annotators."""
        return [p.name for p in self.store.people() if p.active and p.role == ANNOTATOR]

    def add_person(self, name: str, role: str, password: str) -> None:
        """Open an account; a new annotator takes a share of what nobody has begun.

        Raises:
            RefusedError: the name is taken or cannot be one, the role is unknown or the password
                too short.
        """
        if re.match(NAME, name) is None:
            raise RefusedError(
                "refused.name",
                f"name {name!r}: letters, digits, dot, dash and underscore, at most 64",
            )
        if role not in (ANNOTATOR, COORDINATOR):
            raise RefusedError(
                "refused.no_role", f"role {role!r}: choose {ANNOTATOR} or {COORDINATOR}"
            )
        if any(person.name == name for person in self.store.people()):
            raise RefusedError(
                "refused.taken", f"name {name!r}: taken; names stay taken after people leave"
            )
        hashed, now = hash_password(password), self.clock()
        with self.store.writing() as connection:
            self.store.add_person(connection, name, role, hashed, now)
            self.append(connection, PersonEvent(person=name, role=role, event="joined"))
            if role == ANNOTATOR:
                people = self.active(connection)
                assignment.join(connection, name, people, self.rules)

    def set_password(self, name: str, password: str) -> None:
        """Give an active person a new password and end their sessions.

        Raises:
            RefusedError: there is no such person, or the password is too short.
        """
        self.person(name)
        hashed = hash_password(password)
        with self.store.writing() as connection:
            self.store.set_password(connection, name, hashed)

    def remove_person(self, name: str) -> int:
        """Close an account, hand its open work to others and return how many websites moved."""
        person = self.person(name)
        with self.store.writing() as connection:
            self.store.deactivate(connection, name)
            self.append(connection, PersonEvent(person=name, role=person.role, event="left"))
            return assignment.leave(connection, name, self.active(connection), self.rules)
