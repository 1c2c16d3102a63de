"""The hash chain of the ledger: every line covers all lines before it.

Pure; the database that keeps the lines is `store`'s.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from riskchainbench.annotation.records import Entry, LedgerLine
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.hashing import Sha256, sha256_json

START = "0" * 64


@dataclass(frozen=True)
class Head:
    """How far the ledger was written: the number of its last entry and that entry's hash.

    It is kept apart from the entries, so that an end cut off is missed.
    """

    number: int = 0
    sha256: Sha256 = START


def chained(head: Head, entry: Entry, at: float) -> LedgerLine:
    """Return the line that follows `head` and holds `entry`, said at time `at`."""
    number = head.number + 1
    return LedgerLine(
        number=number,
        at=at,
        entry=entry,
        previous=head.sha256,
        sha256=line_sha256(number, at, entry, head.sha256),
    )


def line_sha256(number: int, at: float, entry: Entry, previous: Sha256) -> Sha256:
    """Return the hash that a line of these values must have."""
    return sha256_json([number, at, entry.model_dump(mode="json"), previous])


def verify(lines: Iterable[LedgerLine], head: Head, where: str) -> None:
    """Check numbers, hashes and links of a whole ledger, and that it ends at `head`.

    Raises:
        IntegrityError: naming the first entry that was changed, left out, moved or cut off.
    """
    before = Head()
    for line in lines:
        if line.number != before.number + 1 or line.previous != before.sha256:
            raise IntegrityError(
                f"{where}: entry {before.number + 1} of the ledger is missing or does not follow "
                f"entry {before.number}; restore the project from a copy"
            )
        if line_sha256(line.number, line.at, line.entry, line.previous) != line.sha256:
            raise IntegrityError(
                f"{where}: entry {line.number} ({named(line.entry)}) was changed "
                "after it was written; restore the project from a copy"
            )
        before = Head(line.number, line.sha256)
    if before != head:
        raise IntegrityError(_other_end(before, head, where))


def named(entry: Entry) -> str:
    """Return what an entry is, of which website and by whom."""
    who = getattr(entry, "person", "")
    what = " ".join(x for x in (entry.kind, getattr(entry, "case_id", "")) if x)
    return f"{what}{' by ' + who if who else ''}"


def _other_end(found: Head, head: Head, where: str) -> str:
    if found.number < head.number:
        gone = f"entry {head.number} is"
        if head.number - found.number > 1:
            gone = f"entries {found.number + 1} to {head.number} are"
        return (
            f"{where}: the ledger ends at entry {found.number} and {gone} cut off; "
            "restore the project from a copy"
        )
    return (
        f"{where}: entry {found.number} of the ledger is not the last one that was written "
        f"(that was entry {head.number}); restore the project from a copy"
    )
