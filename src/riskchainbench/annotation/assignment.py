"""Handing out websites: slots, leases, thirds, hidden repeats, and people who come and go.

A slot is one judgment that somebody owes. Everything here works within a writing transaction
that the caller opened, so that two people never get the same slot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from riskchainbench.annotation.plan import (
    balanced_pairs,
    least_loaded,
    personal_rank,
    repeatable,
    repeats_due,
)
from riskchainbench.annotation.records import Purpose
from riskchainbench.annotation.tables import slots
from riskchainbench.core.seeds import stream

MOST_SLOTS = 10**9


@dataclass(frozen=True)
class Rules:
    """How websites are handed out; `lease` is in seconds, `gap` in judgments."""

    seed: int
    lease: float
    repeat_rate: float
    repeat_gap: int


@dataclass(frozen=True)
class Slot:
    """One judgment owed by `owner`; `done` is the number of the ledger's line that gave it."""

    slot_id: int
    case_id: str
    purpose: Purpose
    owner: str | None
    started_at: float | None
    lease_until: float | None
    done: int | None


@dataclass(frozen=True)
class Progress:
    """How many websites a person has judged, and how many are still waiting."""

    done: int
    waiting: int


def plan_cases(
    connection: Connection, cases: Sequence[str], people: Sequence[str], rules: Rules
) -> None:
    """Give every website that has no slots yet to two people.

    Raises:
        RefusedError: there are fewer than two people.
    """
    planned = set(connection.execute(select(slots.c.case_id).distinct()).scalars())
    todo = [case for case in cases if case not in planned]
    if not todo:
        return
    for case_id, pair in balanced_pairs(todo, people, rules.seed).items():
        for person in pair:
            _add(connection, case_id, Purpose.INDEPENDENT, person, rules)


def any_slot(connection: Connection) -> bool:
    """Tell whether anything was handed out."""
    return connection.execute(select(slots.c.id).limit(1)).first() is not None


def _add(
    connection: Connection, case_id: str, purpose: Purpose, owner: str | None, rules: Rules
) -> int:
    slot_id = _fresh_id(connection, case_id, rules)
    connection.execute(
        insert(slots).values(
            id=slot_id, case_id=case_id, purpose=purpose.value, owner=owner, rank=0.0
        )
    )
    _own(connection, slot_id, owner, rules)
    return slot_id


def _fresh_id(connection: Connection, case_id: str, rules: Rules) -> int:
    """Draw a slot's number. In order, numbers would tell late slots: thirds and repeats."""
    of_case = select(func.count()).where(slots.c.case_id == case_id)
    draw = stream(rules.seed, "slot", case_id, connection.execute(of_case).scalar_one())
    while True:
        number = draw.randrange(1, MOST_SLOTS)
        if connection.execute(select(slots.c.id).where(slots.c.id == number)).first() is None:
            return number


def _own(connection: Connection, slot_id: int, owner: str | None, rules: Rules) -> None:
    rank = personal_rank(rules.seed, owner or "", slot_id)
    connection.execute(
        update(slots)
        .where(slots.c.id == slot_id)
        .values(owner=owner, rank=rank, started_at=None, lease_until=None)
    )


def claim(connection: Connection, case_id: str, purpose: Purpose, person: str, rules: Rules) -> int:
    """Return a slot of `person` for a judgment made elsewhere.

    It is their own open one, or else it takes the place of one that nobody has begun.
    """
    rows = connection.execute(
        select(slots).where(
            slots.c.case_id == case_id,
            slots.c.purpose == purpose.value,
            slots.c.done.is_(None),
        )
    ).all()
    for row in rows:
        if row.owner == person:
            return int(row.id)
    for row in rows:
        if row.started_at is None:
            _own(connection, row.id, person, rules)
            return int(row.id)
    return _add(connection, case_id, purpose, person, rules)


def next_slot(connection: Connection, person: str, now: float, rules: Rules) -> Slot | None:
    """Return the slot that `person` should work on, with a fresh lease; None if all is done.

    What was begun comes first, then a hidden repeat that is due, then the person's own slots
    in an order of their own, at last what others left lying past its lease.
    """
    found = (
        _begun(connection, person)
        or _repeat(connection, person, rules)
        or _own_open(connection, person)
        or _left_lying(connection, person, now, rules)
    )
    if found is None:
        return None
    renew(connection, found.id, now, rules)
    return slot(connection, found.id)


def _begun(connection: Connection, person: str) -> Row[Any] | None:
    return connection.execute(
        select(slots)
        .where(slots.c.owner == person, slots.c.done.is_(None), slots.c.started_at.is_not(None))
        .order_by(slots.c.started_at)
        .limit(1)
    ).first()


def _own_open(connection: Connection, person: str) -> Row[Any] | None:
    return connection.execute(
        select(slots)
        .where(slots.c.owner == person, slots.c.done.is_(None))
        .order_by(slots.c.rank)
        .limit(1)
    ).first()


def _repeat(connection: Connection, person: str, rules: Rules) -> Row[Any] | None:
    rows = connection.execute(
        select(slots.c.case_id, slots.c.purpose)
        .where(slots.c.owner == person, slots.c.done.is_not(None), slots.c.done > 0)
        .order_by(slots.c.done)
    ).all()
    repeated = {row.case_id for row in rows if row.purpose == Purpose.REPEAT}
    # A repeat counts as a judgment in between, but is never repeated itself.
    history = [row.case_id for row in rows]
    given = sum(row.purpose != Purpose.REPEAT for row in rows)
    if not repeats_due(given, len(repeated), rules.repeat_rate):
        return None
    choice = repeatable(history, repeated, rules.repeat_gap)
    if not choice:
        return None
    slot_id = _add(connection, choice[0], Purpose.REPEAT, person, rules)
    return _row(connection, slot_id)


def _left_lying(connection: Connection, person: str, now: float, rules: Rules) -> Row[Any] | None:
    seen = select(slots.c.case_id).where(slots.c.owner == person)
    row = connection.execute(
        select(slots)
        .where(
            slots.c.done.is_(None),
            slots.c.purpose != Purpose.REPEAT.value,
            slots.c.case_id.not_in(seen),
            (slots.c.owner.is_(None)) | (slots.c.lease_until < now),
        )
        .order_by(slots.c.id)
        .limit(1)
    ).first()
    if row is not None:
        _own(connection, row.id, person, rules)
    return row


def renew(connection: Connection, slot_id: int, now: float, rules: Rules) -> None:
    """Give the slot a lease from `now` on; the first one starts its clock."""
    until = now + rules.lease
    connection.execute(update(slots).where(slots.c.id == slot_id).values(lease_until=until))
    connection.execute(
        update(slots)
        .where(slots.c.id == slot_id, slots.c.started_at.is_(None))
        .values(started_at=now)
    )


def slot(connection: Connection, slot_id: int) -> Slot | None:
    """Return the slot of that id."""
    row = _row(connection, slot_id)
    return None if row is None else _slot(row)


def _row(connection: Connection, slot_id: int) -> Row[Any] | None:
    return connection.execute(select(slots).where(slots.c.id == slot_id)).first()


def _slot(row: Row[Any]) -> Slot:
    return Slot(
        slot_id=row.id,
        case_id=row.case_id,
        purpose=Purpose(row.purpose),
        owner=row.owner,
        started_at=row.started_at,
        lease_until=row.lease_until,
        done=row.done,
    )


def finish(connection: Connection, slot_id: int, line: int) -> None:
    """Record the ledger's line that settled the slot."""
    connection.execute(
        update(slots).where(slots.c.id == slot_id).values(done=line, lease_until=None)
    )


def want_third(connection: Connection, case_id: str, people: Collection[str], rules: Rules) -> None:
    """See to it that somebody new owes a third judgment of the website.

    Where nobody is left who has not judged it, the slot waits for somebody to join.
    """
    if _open_third(connection, case_id) is not None:
        return
    owners = _owners(connection, case_id)
    load = _load(connection)
    chosen = least_loaded(people, owners, load, rules.seed, case_id)
    _add(connection, case_id, Purpose.THIRD, chosen, rules)


def drop_third(connection: Connection, case_id: str) -> bool:
    """Take back a third judgment that nobody has begun; False if somebody has."""
    row = _open_third(connection, case_id)
    if row is None:
        return True
    if row.started_at is not None:
        return False
    connection.execute(delete(slots).where(slots.c.id == row.id))
    return True


def drop_open(connection: Connection, case_id: str) -> None:
    """Take the website away from everybody who has not judged it yet."""
    connection.execute(delete(slots).where(slots.c.case_id == case_id, slots.c.done.is_(None)))


def _open_third(connection: Connection, case_id: str) -> Row[Any] | None:
    return connection.execute(
        select(slots).where(
            slots.c.case_id == case_id,
            slots.c.purpose == Purpose.THIRD.value,
            slots.c.done.is_(None),
        )
    ).first()


def _owners(connection: Connection, case_id: str) -> set[str]:
    rows = connection.execute(select(slots.c.owner).where(slots.c.case_id == case_id)).scalars()
    return {owner for owner in rows if owner is not None}


def _load(connection: Connection) -> Counter[str]:
    owners = connection.execute(select(slots.c.owner)).scalars()
    return Counter(owner for owner in owners if owner is not None)


def leave(connection: Connection, person: str, people: Collection[str], rules: Rules) -> int:
    """Hand everything that `person` still owes to others and return how much it was."""
    rows = connection.execute(
        select(slots).where(slots.c.owner == person, slots.c.done.is_(None)).order_by(slots.c.id)
    ).all()
    load = _load(connection)
    for row in rows:
        if row.purpose == Purpose.REPEAT:
            connection.execute(delete(slots).where(slots.c.id == row.id))
            continue
        excluded = _owners(connection, row.case_id) | {person}
        chosen = least_loaded(people, excluded, load, rules.seed, row.case_id)
        _own(connection, row.id, chosen, rules)
        if chosen is not None:
            load[chosen] += 1
    return len(rows)


def join(connection: Connection, person: str, people: Collection[str], rules: Rules) -> None:
    """Give a newcomer what waits for somebody, then a fair share of what nobody has begun."""
    for row in _free(connection, None):
        if person not in _owners(connection, row.case_id):
            _own(connection, row.id, person, rules)
    open_load = {name: len(_free(connection, name)) for name in sorted(people) if name != person}
    mine = len(_free(connection, person))
    while open_load:
        busiest = max(open_load, key=lambda name: (open_load[name], name))
        if open_load[busiest] <= mine + 1 or not _moved(connection, busiest, person, rules):
            return
        open_load[busiest] -= 1
        mine += 1


def _free(connection: Connection, owner: str | None) -> Sequence[Row[Any]]:
    whose = slots.c.owner.is_(None) if owner is None else slots.c.owner == owner
    return connection.execute(
        select(slots)
        .where(whose, slots.c.done.is_(None), slots.c.started_at.is_(None))
        .order_by(slots.c.rank.desc())
    ).all()


def _moved(connection: Connection, giver: str, taker: str, rules: Rules) -> bool:
    for row in _free(connection, giver):
        if row.purpose != Purpose.REPEAT and taker not in _owners(connection, row.case_id):
            _own(connection, row.id, taker, rules)
            return True
    return False


def progress(connection: Connection, person: str, rules: Rules) -> Progress:
    """Return how far `person` has come.

    Repeats that are still to come are counted as waiting, so that none is told by the count.
    """
    query = select(slots.c.purpose, slots.c.done).where(slots.c.owner == person)
    rows = connection.execute(query).all()
    done = sum(row.done is not None for row in rows)
    repeats = [row for row in rows if row.purpose == Purpose.REPEAT]
    given = sum(row.done is not None and row.done > 0 for row in rows if row not in repeats)
    owed = sum(row.done is None for row in rows) - sum(row.done is None for row in repeats)
    return Progress(done=done, waiting=owed + _repeats_left(repeats, given, owed, rules))


def _repeats_left(repeats: Sequence[Any], given: int, owed: int, rules: Rules) -> int:
    opened = sum(row.done is None for row in repeats)
    if owed == 0:
        return opened
    answered = len(repeats) - opened
    return max(opened, int((given + owed) * rules.repeat_rate) - answered)
