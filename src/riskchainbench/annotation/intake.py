"""Judgments made elsewhere, taken into a project under the same rules as typed ones."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection

from riskchainbench.annotation import assignment
from riskchainbench.annotation.accounts import fresh_token, hash_password
from riskchainbench.annotation.form import problems
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import (
    HumanJudgment,
    Judged,
    PersonEvent,
    Purpose,
)
from riskchainbench.annotation.resolution import CaseFile, Path, resolve, taken
from riskchainbench.annotation.settings import ANNOTATOR, NAME
from riskchainbench.core.errors import InputError


@dataclass(frozen=True)
class Incoming:
    """One judgment from outside; `where` names its line for messages."""

    where: str
    case_id: str
    person: str
    judged: Judged
    seconds: float


def take_judgments(project: Project, incoming: Iterable[Incoming]) -> int:
    """Take all judgments, or none, and return how many.

    People without an account get one that nobody can sign in to until its password is set.

    Raises:
        InputError: naming the judgment that breaks a rule.
    """
    count = 0
    accounts = {person.name for person in project.store.people()}
    with project.store.writing() as connection:
        files = dict(project.standing(connection).files)
        for each in incoming:
            _check(project, each)
            if each.person not in accounts:
                _account(project, connection, each)
                accounts.add(each.person)
            files[each.case_id] = _take(project, connection, files[each.case_id], each)
            count += 1
    return count


def _check(project: Project, each: Incoming) -> None:
    if each.case_id not in project.settings.cases:
        raise InputError(f"{each.where}: case_id: {each.case_id} is not in this project")
    wrong = problems(each.judged, project.codebook)
    if wrong:
        raise InputError(f"{each.where}: {wrong[0].field}: {wrong[0].key}")


def _account(project: Project, connection: Connection, each: Incoming) -> None:
    if re.match(NAME, each.person) is None:
        raise InputError(f"{each.where}: person: {each.person!r} cannot be an account's name")
    hashed = hash_password(fresh_token())
    project.store.add_person(connection, each.person, ANNOTATOR, hashed, project.clock())
    joined = PersonEvent(person=each.person, role=ANNOTATOR, event="joined")
    project.append(connection, joined)


def _take(project: Project, connection: Connection, file: CaseFile, each: Incoming) -> CaseFile:
    path = resolve(file).path
    if path not in (Path.OPEN, Path.NEEDS_THIRD):
        raise InputError(f"{each.where}: {each.case_id} needs no further judgment")
    if each.person in {said.judgment.person for said in file.independent}:
        raise InputError(f"{each.where}: {each.person} has judged {each.case_id} already")
    purpose = Purpose.THIRD if path is Path.NEEDS_THIRD else Purpose.INDEPENDENT
    slot = assignment.claim(connection, each.case_id, purpose, each.person, project.rules)
    line = project.append(
        connection,
        HumanJudgment(
            case_id=each.case_id,
            person=each.person,
            purpose=purpose,
            slot=slot,
            judged=each.judged,
            seconds=each.seconds,
            codebook_sha256=project.codebook.sha256,
            simulated=project.settings.simulated,
        ),
    )
    assignment.finish(connection, slot, line.number)
    after = taken(file, line)
    if resolve(after).path is Path.NEEDS_THIRD:
        people = project.active(connection)
        assignment.want_third(connection, each.case_id, people, project.rules)
    return after
