"""A project: one bundle labeled by people under one codebook, in a folder of its own.

Every change goes through here: it checks who may do what, writes the ledger and lets the
assignment follow. The workbench, the command line and the tests use nothing else.
"""

from __future__ import annotations

from sqlalchemy import Connection

from riskchainbench.annotation import assignment
from riskchainbench.annotation.form import problems, secondary_fit
from riskchainbench.annotation.records import (
    Adjudication,
    EvidenceRating,
    Frozen,
    HumanJudgment,
    Judged,
    LedgerLine,
    ReportReason,
    SiteReport,
    VisitEvent,
)
from riskchainbench.annotation.resolution import CaseFile, resolve, taken
from riskchainbench.annotation.resolution import Path as Way
from riskchainbench.annotation.settings import COORDINATOR, RefusedError
from riskchainbench.annotation.worklist import Worklist
from riskchainbench.core.decisions import Decision


class Project(Worklist):
    """An opened project: people, their work, and what they judge."""

    def own_judgments(self, person: str) -> list[HumanJudgment]:
        """Return the person's judgments in effect, the newest first, repeats left out."""
        said = [
            each
            for file in self.standing().files.values()
            for each in (*file.independent, *((file.third,) if file.third else ()))
            if each.judgment.person == person
        ]
        return [each.judgment for each in sorted(said, key=lambda each: -each.at)]

    def own_judgment(self, person: str, slot_id: int) -> HumanJudgment:
        """Return the person's judgment of a slot.

        Raises:
            RefusedError: there is none, or it can no longer be corrected.
        """
        for judgment in self.own_judgments(person):
            if judgment.slot == slot_id:
                return judgment
        raise RefusedError("refused.not_yours", f"slot {slot_id}: not judged by {person}")

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
            standing = self.standing(connection)
            slot = self.checked(connection, person, slot_id)
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
            self._follow(connection, taken(standing.files[slot.case_id], line))
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
            file = self.standing(connection).files[slot.case_id]
            mine = [said for said in file.independent if said.judgment.slot == slot_id]
            moved = (
                file.third is not None
                or file.adjudication is not None
                or self._is_frozen(connection)
            )
            if not mine or moved or not assignment.drop_third(connection, slot.case_id):
                raise RefusedError("refused.moved_on", f"{slot.case_id}: has moved on")
            line = self.append(
                connection,
                mine[0].judgment.but(judged=judged, corrects=mine[0].sha256),
            )
            self._follow(connection, taken(file, line))
        return line

    def _follow(self, connection: Connection, file: CaseFile) -> None:
        if resolve(file).path is Way.NEEDS_THIRD:
            assignment.want_third(connection, file.case_id, self.active(connection), self.rules)

    def _is_frozen(self, connection: Connection) -> bool:
        return any(isinstance(line.entry, Frozen) for line in self.store.lines(connection))

    def report_site(self, person: str, slot_id: int, reason: ReportReason, note: str = "") -> None:
        """Let a person leave a website; nobody else is shown it until a coordinator decides."""
        with self.store.writing() as connection:
            slot = self.checked(connection, person, slot_id)
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
            RefusedError: the person is no coordinator, the website does not wait for one, the
                types do not fit or no reason is given.
        """
        if self.person(person).role != COORDINATOR:
            raise RefusedError("refused.role", f"{person} is no {COORDINATOR}")
        if not reason.strip():
            raise RefusedError("refused.reason", "an adjudication needs a reason")
        if not self.codebook.fits(Decision(decision), violation_type):
            raise RefusedError("refused.type", f"{violation_type} does not go with {decision}")
        if not secondary_fit(Decision(decision), violation_type, secondary, self.codebook):
            raise RefusedError("problem.secondary", f"{', '.join(secondary)}: do not fit")
        with self.store.writing() as connection:
            if case_id not in self.settings.cases:
                raise RefusedError("refused.case", f"{case_id}: not in this project")
            if self.standing(connection).resolutions[case_id].path is not Way.NEEDS_COORDINATOR:
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

    def leave_practice(self, person: str, case_id: str, reason: ReportReason, note: str) -> None:
        """Let a person leave a training website; it counts as practiced."""
        self.record(SiteReport(case_id=case_id, person=person, slot=0, reason=reason, note=note))

    def rate_evidence(self, rating: EvidenceRating) -> LedgerLine:
        """Record a person's four scores.

        Raises:
            RefusedError: the person has rated the item already.
        """
        with self.store.writing() as connection:
            for line in self.store.lines(connection):
                entry = line.entry
                if isinstance(entry, EvidenceRating) and (entry.item, entry.person) == (
                    rating.item,
                    rating.person,
                ):
                    raise RefusedError(
                        "refused.done", f"{rating.item}: {rating.person} has rated it"
                    )
            return self.append(connection, rating)
