"""Forgetting an imported website: in its pool, and in the bundles and runs that hold it."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from riskchainbench.bundle.layout import WEBSITES
from riskchainbench.capture.entry import forget as forget_entry
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_file
from riskchainbench.core.record import Record
from riskchainbench.websites.files import RECORD_FILE

_CASE_FOLDERS = ("investigation", "conclusion", "judging")


class Forgotten(Record):
    """What was removed; `broken` are bundles that verify no longer, since they held it."""

    removed: tuple[str, ...]
    broken: tuple[str, ...]


def forget(name: str, pool: Path, others: Iterable[Path]) -> Forgotten:
    """Remove an imported website from `pool`, and every copy of it from the folders `others`.

    A bundle's copy is known by the bytes of its record, a run's by the bundle's case id; name
    bundles and runs together.

    Raises:
        InputError: the pool holds no imported website of that id.
    """
    record = pool / WEBSITES / name / RECORD_FILE
    identity = sha256_file(record) if name.isalnum() and record.exists() else None
    removed = [str(path) for path in forget_entry(pool, name)]
    folders = list(others)
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder")
    cases: set[str] = set()
    broken: list[str] = []
    for folder in folders:
        copies = list(_copies(folder, identity))
        for copy in copies:
            cases.add(copy.name)
            shutil.rmtree(copy)
            removed.append(str(copy))
        if copies:
            broken.append(str(folder))
    for folder in folders:
        for path in _of_cases(folder, cases):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
            removed.append(str(path))
    return Forgotten(removed=tuple(removed), broken=tuple(broken))


def _copies(folder: Path, identity: Sha256 | None) -> Iterator[Path]:
    for record in sorted(folder.glob(f"**/{WEBSITES}/*/{RECORD_FILE}")):
        if identity is not None and sha256_file(record) == identity:
            yield record.parent


def _of_cases(folder: Path, cases: set[str]) -> Iterator[Path]:
    for place in _CASE_FOLDERS:
        for case in sorted(cases):
            yield from sorted(folder.glob(f"**/{place}/{case}"))
            yield from sorted(folder.glob(f"**/{place}/**/{case}.json"))
