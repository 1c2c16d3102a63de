"""The hash chain of the ledger: every line covers all lines before it.

Pure; the database that keeps the lines is `store`'s.
"""

from __future__ import annotations

from collections.abc import Iterable

from riskchainbench.annotation.records import Entry, LedgerLine
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.hashing import Sha256, sha256_json

START = "0" * 64


def chained(previous: LedgerLine | None, entry: Entry, at: float) -> LedgerLine:
    """Return the line that follows `previous` and holds `entry`, said at time `at`."""
    number = 1 if previous is None else previous.number + 1
    before = START if previous is None else previous.sha256
    return LedgerLine(
        number=number,
        at=at,
        entry=entry,
        previous=before,
        sha256=line_sha256(number, at, entry, before),
    )


def line_sha256(number: int, at: float, entry: Entry, previous: Sha256) -> Sha256:
    """Return the hash that a line of these values must have."""
    return sha256_json([number, at, entry.model_dump(mode="json"), previous])


def verify(lines: Iterable[LedgerLine], where: str) -> None:
    """Check numbers, hashes and links of a whole ledger.

    Raises:
        IntegrityError: naming the first entry that was changed, left out or moved.
    """
    before, expected = START, 1
    for line in lines:
        if line.number != expected or line.previous != before:
            raise IntegrityError(
                f"{where}: entry {expected} of the ledger is missing or does not follow entry "
                f"{expected - 1}; restore the project from a copy"
            )
        if line_sha256(line.number, line.at, line.entry, line.previous) != line.sha256:
            who = getattr(line.entry, "person", "")
            what = " ".join(x for x in (line.entry.kind, getattr(line.entry, "case_id", "")) if x)
            raise IntegrityError(
                f"{where}: entry {line.number} ({what}{' by ' + who if who else ''}) was changed "
                "after it was written; restore the project from a copy"
            )
        before, expected = line.sha256, expected + 1
