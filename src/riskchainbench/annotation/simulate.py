"""Simulated annotators: they fill a project for demonstrations and tests, and say so everywhere.

They know a reference label and miss it at given rates. Nothing measured on them says
anything about people.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from pydantic import Field, ValidationError

from riskchainbench.annotation.accounts import fresh_token
from riskchainbench.annotation.evidence_audit import RATERS, EvidenceAudit, judged_scores
from riskchainbench.annotation.form import is_catch_all
from riskchainbench.annotation.intake import Incoming, take_judgments
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import (
    EnvironmentStatus,
    EvidenceRating,
    Judged,
    Pin,
    ReportReason,
)
from riskchainbench.annotation.resolution import Path, resolve
from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR
from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.decisions import NO_TYPE, UNKNOWN_TYPE, Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream
from riskchainbench.judging.records import DIMENSIONS

PREFIX = "simulated-"
NOTE = "written by a simulated annotator"

Reference = Mapping[str, tuple[Decision, str]]
"""The label that simulated annotators aim at, by case."""


HARDER = 5.0
"""How many times as often a judgment misses on a hard website."""


class Rates(Record):
    """How often a judgment misses, by kind of miss; the rest is right.

    `flip` takes a violation for none or the reverse, `unsure` gives up, `other_type` names
    another violation type; `sure` decides where the reference is INSUFFICIENT_EVIDENCE.
    `hard` is the share of websites on which everybody misses `HARDER` times as often.
    `repeat_slip` is the chance that a hidden repeat is judged afresh instead of as before.
    With the paper's mix of labels the default comes near its paths: 460 consensus, 120 third,
    20 coordinator, and 481 first-pass agreements of which 21 are on INSUFFICIENT_EVIDENCE.
    """

    flip: float = Field(default=0.048, ge=0, le=1)
    unsure: float = Field(default=0.02, ge=0, le=1)
    other_type: float = Field(default=0.02, ge=0, le=1)
    sure: float = Field(default=0.08, ge=0, le=1)
    hard: float = Field(default=0.10, ge=0, le=1)
    repeat_slip: float = Field(default=0.15, ge=0, le=1)

    def on(self, case_id: str, seed: int) -> Rates:
        """Return the rates on a website, which is hard for everybody or for nobody."""
        if stream(seed, "hard", case_id).random() >= self.hard:
            return self
        kinds = ("flip", "unsure", "other_type", "sure")
        return self.but(**{kind: min(1.0, HARDER * getattr(self, kind)) for kind in kinds})


def rates_from(given: Mapping[str, str]) -> Rates:
    """Return the rates that somebody named, the others as they are by default.

    Raises:
        InputError: there is no such rate, or it is no share from 0 to 1.
    """
    try:
        return Rates.model_validate({**Rates().model_dump(), **given})
    except ValidationError as error:
        first = error.errors()[0]
        name = first["loc"][0]
        if name not in Rates.model_fields:
            raise InputError(
                f"rate {name!r}: choose one of {', '.join(Rates.model_fields)}"
            ) from error
        raise InputError(f"rate {name}={given[str(name)]}: must be a share from 0 to 1") from error


def simulate(
    project: Project,
    reference: Reference,
    rates: Rates,
    *,
    people: int = 4,
    stop_after: int | None = None,
    advance: Callable[[float], None] = lambda _: None,
) -> int:
    """Fill the project and return the number of judgments.

    Args:
        project: an empty project begun as simulated.
        reference: what the annotators aim at.
        rates: how often they miss.
        people: how many annotators.
        stop_after: leave the project unfinished after so many judgments.
        advance: told the seconds that each judgment took, to move a clock.

    Raises:
        InputError: the project was not begun as simulated, or is filled already.
    """
    if not project.settings.simulated:
        raise InputError(
            f"{project.folder}: begun for people; simulated work needs its own project"
        )
    if project.store.people():
        raise InputError(f"{project.folder}: is filled already; name a new folder")
    seed = int(project.settings.seed)
    names = [f"{PREFIX}{number}" for number in range(1, people + 1)]
    for name in names:
        project.add_person(name, ANNOTATOR, fresh_token())
    project.add_person(f"{PREFIX}coordinator", COORDINATOR, fresh_token())
    project.plan()
    said: dict[tuple[str, str], Judged] = {}
    given, before = 0, -1
    # In rounds, since a judgment may leave a third one to somebody who was done.
    while before != given:
        before = given
        for name in names:
            if given == stop_after:
                return given
            slot = project.next_slot(name)
            if slot is None:
                continue
            draw = stream(seed, "simulated", name, slot.slot_id)
            judged = said.get((name, slot.case_id))
            if judged is None or draw.random() < rates.repeat_slip:
                here = rates.on(slot.case_id, seed)
                judged = judged_like(reference[slot.case_id], project.codebook, here, draw)
            said[name, slot.case_id] = judged
            seconds = round(draw.lognormvariate(5.0, 0.5), 1)
            advance(seconds)
            project.submit(name, slot.slot_id, judged, seconds=seconds)
            given += 1
    _adjudicate(project, reference)
    return given


def judged_like(
    reference: tuple[Decision, str], codebook: Codebook, rates: Rates, draw: Random
) -> Judged:
    """Return a judgment that aims at `reference` and misses at the given rates."""
    decision, kind = _missed(reference, codebook, rates, draw)
    return judgment_of(decision, kind, codebook, confidence=draw.choice((3, 4, 4, 5, 5)), note=NOTE)


def _missed(
    reference: tuple[Decision, str], codebook: Codebook, rates: Rates, draw: Random
) -> tuple[Decision, str]:
    decision, kind = reference
    chance = draw.random()
    if decision is Decision.INSUFFICIENT_EVIDENCE:
        if chance >= rates.sure:
            return reference
        if draw.random() < 0.5:
            return Decision.NON_VIOLATION, NO_TYPE
        return Decision.VIOLATION, draw.choice(codebook.type_ids)
    if chance < rates.unsure:
        return Decision.INSUFFICIENT_EVIDENCE, UNKNOWN_TYPE
    if chance < rates.unsure + rates.flip:
        if decision is Decision.VIOLATION:
            return Decision.NON_VIOLATION, NO_TYPE
        return Decision.VIOLATION, draw.choice(codebook.type_ids)
    others = [other for other in codebook.type_ids if other != kind]
    missed = chance < rates.unsure + rates.flip + rates.other_type
    if decision is Decision.VIOLATION and others and missed:
        return decision, draw.choice(others)
    return reference


def judgment_of(
    decision: Decision, kind: str, codebook: Codebook, *, confidence: int = 4, note: str = ""
) -> Judged:
    """Return a judgment that the codebook accepts, with pins that no picture backs."""
    return Judged(
        environment=EnvironmentStatus.COMPLETE,
        decision=decision,
        violation_type=kind,
        pins=tuple(_pins(decision, kind, codebook)),
        confidence=confidence,
        note=note or NOTE,
    )


def _pins(decision: Decision, kind: str, codebook: Codebook) -> list[Pin]:
    anchors = {c.component_id: c.anchor for c in codebook.components}
    if decision is Decision.VIOLATION:
        of_type = next(each for each in codebook.types if each.type_id == kind)
        parts = list(of_type.complete_sets[0])
        if len(parts) == 1 and not is_catch_all(codebook, of_type):
            parts = parts * 2
        return [Pin(anchor=anchors[part], component_id=part, words=NOTE) for part in parts]
    if decision is Decision.NON_VIOLATION:
        benign = [c for c in codebook.components if c.role is not Role.VIOLATION]
        if benign:
            part = benign[0]
            return [Pin(anchor=part.anchor, component_id=part.component_id, words=NOTE)]
    return [Pin(anchor=codebook.anchors[-1], words=NOTE)]


def leave_to_coordinator(project: Project, websites: int = 2) -> int:
    """Give some websites three different judgments and report one; return how many now wait.

    Raises:
        InputError: the project was not begun as simulated.
    """
    if not project.settings.simulated:
        raise InputError(f"{project.folder}: begun for people; simulated work needs its own")
    labels = [(Decision.NON_VIOLATION, NO_TYPE), (Decision.INSUFFICIENT_EVIDENCE, UNKNOWN_TYPE)]
    labels += [(Decision.VIOLATION, kind) for kind in project.codebook.type_ids[:1]]
    split = 0
    for case_id, file in project.standing().files.items():
        given = {said.judgment.judged.joint for said in file.independent}
        said_by = {said.judgment.person for said in file.independent}
        free = [name for name in project.annotators() if name not in said_by]
        if split < websites and resolve(file).path is Path.NEEDS_THIRD and len(given) > 1 and free:
            label = next(each for each in labels if each not in given)
            third = judgment_of(*label, project.codebook)
            take_judgments(project, [Incoming("a third", case_id, free[0], third, 120.0)])
            split += 1
    name = project.annotators()[0]
    slot = project.next_slot(name)
    if slot is not None:
        project.report_site(name, slot.slot_id, ReportReason.BROKEN, NOTE)
    return split + (slot is not None)


def _adjudicate(project: Project, reference: Reference) -> None:
    for case_id, resolution in project.standing().resolutions.items():
        if resolution.path is Path.NEEDS_COORDINATOR:
            decision, kind = reference[case_id]
            project.adjudicate(
                f"{PREFIX}coordinator", case_id, decision.value, kind, "simulated: the reference"
            )


def simulate_ratings(project: Project, audit: EvidenceAudit, share: float = 0.75) -> int:
    """Let two simulated annotators rate a share of the audit's items, and return how many.

    They aim at the judge's scores, or at the middle of the scale, a little below.

    Raises:
        InputError: the project was not begun as simulated.
    """
    if not project.settings.simulated:
        raise InputError(f"{project.folder}: begun for people; simulated work needs its own")
    seed = int(project.settings.seed)
    aims = judged_scores(audit, audit.judge)
    items = sorted(audit.items)[: round(share * len(audit.items))]
    for item_id in items:
        for number in range(1, RATERS + 1):
            draw = stream(seed, "simulated rating", item_id, number)
            middle = dict.fromkeys(DIMENSIONS, 3)
            scores = {
                name: min(5, max(1, aim + draw.choice((-2, -1, 0, 0, 0, 1))))
                for name, aim in aims.get(item_id, middle).items()
            }
            project.rate_evidence(
                EvidenceRating(
                    item=item_id,
                    person=f"{PREFIX}{number}",
                    package_sha256=audit.items[item_id].package_sha256,
                    scores=scores,
                    rubric_sha256=audit.rubric.sha256,
                    seconds=round(draw.lognormvariate(4.5, 0.5), 1),
                    simulated=True,
                )
            )
    return len(items)
