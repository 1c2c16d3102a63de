"""A project: one bundle labeled by people under one codebook, in a folder of its own.

Every change goes through here: it checks who may do what, writes the ledger and lets the
assignment follow. The workbench, the command line and the tests use nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from riskchainbench.annotation import assignment
from riskchainbench.annotation.accounts import hash_password
from riskchainbench.annotation.assignment import Progress, Rules, Slot
from riskchainbench.annotation.form import problems
from riskchainbench.annotation.records import (
    Adjudication,
    Entry,
    EvidenceRating,
    Frozen,
    HumanJudgment,
    Judged,
    LedgerLine,
    PersonEvent,
    ReportReason,
    SiteReport,
    TrainingAnswer,
    VisitEvent,
)
from riskchainbench.annotation.resolution import (
    CaseFile,
    Resolution,
    case_files,
    resolve,
    resolve_all,
)
from riskchainbench.annotation.resolution import (
    Path as Way,
)
from riskchainbench.annotation.settings import (
    ANNOTATOR,
    COORDINATOR,
    NAME,
    PICTURES,
    Clock,
    ProjectSettings,
    RefusedError,
)
from riskchainbench.annotation.store import Person, Store, sqlite_url
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.store import Images


@dataclass(frozen=True)
class Standing:
    """The state of all websites, read off the ledger at one moment."""

    files: dict[str, CaseFile]
    resolutions: dict[str, Resolution]


class Project:
    """An opened project."""

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
        self._standing: tuple[int, Standing] | None = None
        self.rules = Rules(
            seed=int(settings.seed),
            lease=settings.lease_seconds,
            repeat_rate=settings.repeat_rate,
            repeat_gap=settings.repeat_gap,
        )

    # Reading

    def lines(self) -> Sequence[LedgerLine]:
        """Return the ledger."""
        return self.store.lines()

    def standing(self) -> Standing:
        """Return the state of every website."""
        lines = self.lines()
        if self._standing is None or self._standing[0] != len(lines):
            files = case_files(lines, self.settings.cases)
            self._standing = (len(lines), Standing(files, resolve_all(files)))
        return self._standing[1]

    def person(self, name: str) -> Person:
        """Return the active person of that name.

        Raises:
            InputError: there is none.
        """
        for person in self.store.people():
            if person.name == name and person.active:
                return person
        raise InputError(f"{self.folder}: no active person {name!r}")

    def annotators(self) -> list[str]:
        """Return the names of the active annotators."""
        return [p.name for p in self.store.people() if p.active and p.role == ANNOTATOR]

    def progress(self, person: str) -> Progress:
        """Return how far `person` has come."""
        with self.store.reading() as connection:
            return assignment.progress(connection, person)

    # People

    def add_person(self, name: str, role: str, password: str) -> None:
        """Open an account; a new annotator takes a share of what nobody has begun.

        Raises:
            InputError: the name is taken, the role unknown or the password too short.
        """
        if re.match(NAME, name) is None:
            raise InputError(
                f"name {name!r}: letters, digits, dot, dash and underscore, at most 64"
            )
        if role not in (ANNOTATOR, COORDINATOR):
            raise InputError(f"role {role!r}: choose {ANNOTATOR} or {COORDINATOR}")
        if any(person.name == name for person in self.store.people()):
            raise InputError(f"name {name!r}: taken; names stay taken after people leave")
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
            InputError: there is no such person, or the password is too short.
        """
        self.person(name)
        hashed = hash_password(password)
        with self.store.writing() as connection:
            self.store.set_password(connection, name, hashed)

    def active(self, connection: Connection) -> list[str]:
        """Return the active annotators, sorted, as the transaction sees them."""
        return self.store.active(connection, ANNOTATOR)

    def remove_person(self, name: str) -> int:
        """Close an account, hand its open work to others and return how many websites moved."""
        person = self.person(name)
        with self.store.writing() as connection:
            self.store.deactivate(connection, name)
            self.append(connection, PersonEvent(person=name, role=person.role, event="left"))
            return assignment.leave(connection, name, self.active(connection), self.rules)

    # Work

    def plan(self) -> None:
        """Hand every website to two people; does nothing where that was done.

        Raises:
            InputError: there are fewer than two annotators.
        """
        with self.store.writing() as connection:
            assignment.plan_cases(
                connection, self.settings.cases, self.active(connection), self.rules
            )

    def next_slot(self, person: str) -> Slot | None:
        """Return what `person` should judge next, with a lease."""
        with self.store.writing() as connection:
            return assignment.next_slot(connection, person, self.clock(), self.rules)

    def slot_of(self, person: str, slot_id: int) -> Slot:
        """Return a slot that `person` owes.

        Raises:
            RefusedError: it is not theirs, no longer theirs, or settled.
        """
        with self.store.reading() as connection:
            return self._checked(connection, person, slot_id)

    def _checked(self, connection: Connection, person: str, slot_id: int) -> Slot:
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

    def save_draft(self, person: str, slot_id: int, body: str) -> int:
        """Keep what `person` typed, renew the lease, and return the draft's version.

        The draft is kept even where the slot is no longer theirs.
        """
        with self.store.writing() as connection:
            found = assignment.slot(connection, slot_id)
            mine = found is not None and found.owner == person and found.done is None
            if not mine and self.store.draft(person, str(slot_id)) is None:
                raise RefusedError("refused.not_yours", f"slot {slot_id}: not assigned to {person}")
            if mine:
                assignment.renew(connection, slot_id, self.clock(), self.rules)
            return self.store.save_draft(connection, person, str(slot_id), body, self.clock())

    def keep(self, person: str, key: str, body: str) -> int:
        """Keep other unfinished work of a person, such as pins or practice."""
        with self.store.writing() as connection:
            return self.store.save_draft(connection, person, key, body, self.clock())

    def own_judgments(self, person: str) -> list[HumanJudgment]:
        """Return the person's judgments in effect, the newest first, repeats left out."""
        said = [
            each.judgment
            for file in self.standing().files.values()
            for each in (*file.independent, *((file.third,) if file.third else ()))
            if each.judgment.person == person
        ]
        return sorted(said, key=lambda judgment: -judgment.slot)

    def own_judgment(self, person: str, slot_id: int) -> HumanJudgment:
        """Return the person's judgment of a slot.

        Raises:
            RefusedError: there is none, or it can no longer be corrected.
        """
        for judgment in self.own_judgments(person):
            if judgment.slot == slot_id:
                return judgment
        raise RefusedError("refused.not_yours", f"slot {slot_id}: not judged by {person}")

    def planned(self) -> bool:
        """Tell whether the websites were handed out."""
        with self.store.reading() as connection:
            return assignment.any_slot(connection)

    def submit(
        self,
        person: str,
        slot_id: int,
        judged: Judged,
        visit: tuple[VisitEvent, ...] = (),
        *,
        seconds: float | None = None,
    ) -> LedgerLine:
        """Record a judgment and let what follows from it follow.

        Raises:
            RefusedError: the judgment breaks a rule of the codebook, or the slot is not theirs.
        """
        wrong = problems(judged, self.codebook)
        if wrong:
            what = ", ".join(problem.key for problem in wrong)
            raise RefusedError("refused.incomplete", f"the judgment is incomplete: {what}", wrong)
        with self.store.writing() as connection:
            slot = self._checked(connection, person, slot_id)
            spent = self.clock() - (slot.started_at or self.clock()) if seconds is None else seconds
            line = self.append(
                connection,
                HumanJudgment(
                    case_id=slot.case_id,
                    person=person,
                    purpose=slot.purpose,
                    slot=slot_id,
                    judged=judged,
                    seconds=round(max(0.0, spent), 1),
                    visit=visit,
                    codebook_sha256=self.codebook.sha256,
                    simulated=self.settings.simulated,
                ),
            )
            assignment.finish(connection, slot_id, line.number)
            self._follow(connection, slot.case_id, line)
        return line

    def correct(self, person: str, slot_id: int, judged: Judged) -> LedgerLine:
        """Record a new judgment in the place of an earlier one; the earlier one stays on record.

        Raises:
            RefusedError: it is not theirs, or the website has moved on to a third or a coordinator.
        """
        wrong = problems(judged, self.codebook)
        if wrong:
            raise RefusedError("refused.incomplete", "the judgment is incomplete", wrong)
        with self.store.writing() as connection:
            slot = assignment.slot(connection, slot_id)
            if slot is None or slot.owner != person or slot.done is None:
                raise RefusedError("refused.not_yours", f"slot {slot_id}: not judged by {person}")
            file = self._file(slot.case_id)
            mine = [said for said in file.independent if said.judgment.slot == slot_id]
            moved = file.third is not None or file.adjudication is not None or self._is_frozen()
            if not mine or moved or not assignment.drop_third(connection, slot.case_id):
                raise RefusedError("refused.moved_on", f"{slot.case_id}: has moved on")
            line = self.append(
                connection,
                mine[0].judgment.but(judged=judged, corrects=mine[0].sha256),
            )
            self._follow(connection, slot.case_id, line)
        return line

    def _follow(self, connection: Connection, case_id: str, line: LedgerLine) -> None:
        lines = [*self.lines(), line]
        resolution = resolve(case_files(lines, [case_id])[case_id])
        if resolution.path is Way.NEEDS_THIRD:
            assignment.want_third(connection, case_id, self.active(connection), self.rules)

    def _file(self, case_id: str) -> CaseFile:
        return case_files(self.lines(), [case_id])[case_id]

    def _is_frozen(self) -> bool:
        return any(isinstance(line.entry, Frozen) for line in self.lines())

    def report_site(self, person: str, slot_id: int, reason: ReportReason, note: str = "") -> None:
        """Let a person leave a website; nobody else is shown it until a coordinator decides."""
        with self.store.writing() as connection:
            slot = self._checked(connection, person, slot_id)
            line = self.append(
                connection,
                SiteReport(
                    case_id=slot.case_id, person=person, slot=slot_id, reason=reason, note=note
                ),
            )
            assignment.finish(connection, slot_id, -line.number)
            assignment.drop_open(connection, slot.case_id)

    def adjudicate(
        self,
        person: str,
        case_id: str,
        decision: str,
        violation_type: str,
        reason: str,
        secondary: tuple[str, ...] = (),
    ) -> LedgerLine:
        """Record a coordinator's decision on a website that waits for one.

        Raises:
            RefusedError: the person is no coordinator, the website does not wait for one, the pair
                does not fit or no reason is given.
        """
        if self.person(person).role != COORDINATOR:
            raise RefusedError("refused.role", f"{person} is no {COORDINATOR}")
        if not reason.strip():
            raise RefusedError("refused.reason", "an adjudication needs a reason")
        if not self.codebook.fits(Decision(decision), violation_type):
            raise RefusedError("refused.type", f"{violation_type} does not go with {decision}")
        with self.store.writing() as connection:
            if case_id not in self.settings.cases:
                raise RefusedError("refused.case", f"{case_id}: not in this project")
            if resolve(self._file(case_id)).path is not Way.NEEDS_COORDINATOR:
                raise RefusedError("refused.not_waiting", f"{case_id}: waits for no coordinator")
            return self.append(
                connection,
                Adjudication(
                    case_id=case_id,
                    person=person,
                    decision=Decision(decision),
                    violation_type=violation_type,
                    secondary_types=secondary,
                    reason=reason.strip(),
                    codebook_sha256=self.codebook.sha256,
                    simulated=self.settings.simulated,
                ),
            )

    def answer_training(self, answer: TrainingAnswer) -> LedgerLine:
        """Record an answer to a training website."""
        return self.record(answer)

    def rate_evidence(self, rating: EvidenceRating) -> LedgerLine:
        """Record a person's four scores; a second rating of the same item is refused."""
        for line in self.lines():
            entry = line.entry
            if isinstance(entry, EvidenceRating) and (entry.item, entry.person) == (
                rating.item,
                rating.person,
            ):
                raise RefusedError("refused.done", f"{rating.item}: {rating.person} has rated it")
        return self.record(rating)

    def record(self, entry: Entry) -> LedgerLine:
        """Add an entry that nothing follows from."""
        with self.store.writing() as connection:
            return self.append(connection, entry)

    def append(self, connection: Connection, entry: Entry) -> LedgerLine:
        """Add an entry within a writing transaction that the caller opened."""
        return self.store.append(connection, entry, self.clock())

    def trained(self, person: str) -> tuple[TrainingAnswer, ...]:
        """Return the person's answers to training websites."""
        return tuple(
            line.entry
            for line in self.lines()
            if isinstance(line.entry, TrainingAnswer) and line.entry.person == person
        )

    def close(self) -> None:
        """Give the database back."""
        self.store.close()
