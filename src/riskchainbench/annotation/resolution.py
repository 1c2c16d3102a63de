"""From the judgments of a website to its label: consensus, blind third, coordinator.

Source: the paper, "Human construction of website gold". Pure; majorities are over decision
and type jointly, and a vote for INSUFFICIENT_EVIDENCE in the first pass always goes to review.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from riskchainbench.annotation.records import (
    Adjudication,
    HumanJudgment,
    LedgerLine,
    Purpose,
    SiteReport,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record

INDEPENDENT = 2
"""Judgments of a website before anything is compared."""


class Path(StrEnum):
    """How far a website has come; the first three are ends."""

    PAIR_CONSENSUS = "pair_consensus"
    THIRD_MAJORITY = "third_majority"
    COORDINATOR = "coordinator"
    OPEN = "open"
    NEEDS_THIRD = "needs_third"
    NEEDS_COORDINATOR = "needs_coordinator"


ENDS = (Path.PAIR_CONSENSUS, Path.THIRD_MAJORITY, Path.COORDINATOR)


@dataclass(frozen=True)
class Said:
    """A judgment in effect and the hash of the ledger's line that holds it."""

    sha256: Sha256
    judgment: HumanJudgment
    at: float = 0.0


@dataclass(frozen=True)
class CaseFile:
    """Everything the ledger says about one website, corrections applied.

    `originals` are the independent judgments as first given: raw disagreement is kept.
    """

    case_id: str
    independent: tuple[Said, ...] = ()
    originals: tuple[Said, ...] = ()
    third: Said | None = None
    repeats: tuple[Said, ...] = ()
    adjudication: tuple[Sha256, Adjudication] | None = None
    reports: tuple[tuple[Sha256, SiteReport], ...] = ()
    corrections: int = 0


class Resolution(Record):
    """Where a website stands; decision and type are given at an end only."""

    case_id: str
    path: Path
    decision: Decision | None = None
    violation_type: str | None = None
    secondary_types: tuple[str, ...] = ()
    supporting: tuple[Sha256, ...] = ()

    @property
    def resolved(self) -> bool:
        """Whether the website has its label."""
        return self.path in ENDS

    @property
    def joint(self) -> tuple[str, str] | None:
        """Decision and type together, once resolved."""
        if self.decision is None or self.violation_type is None:
            return None
        return (self.decision.value, self.violation_type)


def case_files(lines: Iterable[LedgerLine], cases: Iterable[str]) -> dict[str, CaseFile]:
    """Sort the ledger by website; `cases` are the project's websites, judged or not."""
    files = {case_id: CaseFile(case_id) for case_id in cases}
    for line in lines:
        case_id = getattr(line.entry, "case_id", None)
        if case_id in files:
            files[case_id] = taken(files[case_id], line)
    return files


def taken(file: CaseFile, line: LedgerLine) -> CaseFile:
    """Return `file` with what one more line of the ledger says of its website."""
    entry = line.entry
    if isinstance(entry, HumanJudgment):
        return _judged(file, Said(line.sha256, entry, line.at))
    if isinstance(entry, Adjudication):
        return replace(file, adjudication=(line.sha256, entry))
    if isinstance(entry, SiteReport):
        return replace(file, reports=(*file.reports, (line.sha256, entry)))
    return file


def _judged(file: CaseFile, said: Said) -> CaseFile:
    judgment = said.judgment
    if judgment.corrects is not None:
        independent = tuple(
            said if old.judgment.slot == judgment.slot else old for old in file.independent
        )
        return replace(file, independent=independent, corrections=file.corrections + 1)
    if judgment.purpose is Purpose.THIRD:
        return replace(file, third=said)
    if judgment.purpose is Purpose.REPEAT:
        return replace(file, repeats=(*file.repeats, said))
    return replace(file, independent=(*file.independent, said), originals=(*file.originals, said))


def resolve(file: CaseFile) -> Resolution:
    """Return where the website stands.

    An adjudication always decides. A website that somebody reported and left waits for the
    coordinator, since no further person is shown it.
    """
    if file.adjudication is not None:
        sha256, decided = file.adjudication
        return Resolution(
            case_id=file.case_id,
            path=Path.COORDINATOR,
            decision=decided.decision,
            violation_type=decided.violation_type,
            secondary_types=decided.secondary_types,
            supporting=(sha256,),
        )
    if file.reports:
        return Resolution(case_id=file.case_id, path=Path.NEEDS_COORDINATOR)
    if len(file.independent) < INDEPENDENT:
        return Resolution(case_id=file.case_id, path=Path.OPEN)
    pair = file.independent[:INDEPENDENT]
    if _consensus(pair):
        return _by(file.case_id, Path.PAIR_CONSENSUS, pair)
    if file.third is None:
        return Resolution(case_id=file.case_id, path=Path.NEEDS_THIRD)
    votes = [*pair, file.third]
    joint, count = Counter(said.judgment.judged.joint for said in votes).most_common(1)[0]
    if count < 2:
        return Resolution(case_id=file.case_id, path=Path.NEEDS_COORDINATOR)
    agreeing = [said for said in votes if said.judgment.judged.joint == joint]
    return _by(file.case_id, Path.THIRD_MAJORITY, agreeing)


def _consensus(pair: Sequence[Said]) -> bool:
    first, second = (said.judgment.judged for said in pair)
    unsure = Decision.INSUFFICIENT_EVIDENCE in (first.decision, second.decision)
    return first.joint == second.joint and not unsure


def _by(case_id: str, path: Path, agreeing: Sequence[Said]) -> Resolution:
    judged = [said.judgment.judged for said in agreeing]
    shared = set.intersection(*(set(each.secondary_types) for each in judged))
    return Resolution(
        case_id=case_id,
        path=path,
        decision=judged[0].decision,
        violation_type=judged[0].violation_type,
        secondary_types=tuple(t for t in judged[0].secondary_types if t in shared),
        supporting=tuple(said.sha256 for said in agreeing),
    )


def path_counts(resolutions: Iterable[Resolution]) -> dict[str, int]:
    """Count the websites on each path; the counts add up to the number of websites."""
    counts = Counter(each.path for each in resolutions)
    return {path.value: counts[path] for path in Path}
