"""Forgetting an imported website: in its pool, and in all that was made of it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from riskchainbench.bundle.layout import WEBSITES
from riskchainbench.capture.entry import forget as forget_entry
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import sha256_file
from riskchainbench.core.record import Record
from riskchainbench.pipeline.traces_left import Sweep
from riskchainbench.websites.files import RECORD_FILE

OUT_OF_REACH = (
    "the capture itself, wherever it lies",
    "copies outside the folders that were named, and backups",
    "exports, archives, response caches and whatever else holds it without its id",
)
"""What no command can remove; a person has to."""


class Forgotten(Record):
    """What was done.

    `rewritten` files lost the lines that named the website. `broken` are bundles and runs that
    verify no longer, since they held it. `left` files still name it by its id and have to be
    looked at: manifests hold no more than that, a labeling project also what people wrote.
    """

    removed: tuple[str, ...]
    rewritten: tuple[str, ...]
    broken: tuple[str, ...]
    left: tuple[str, ...]
    out_of_reach: tuple[str, ...] = OUT_OF_REACH


def forget(name: str, pool: Path, others: Iterable[Path]) -> Forgotten:
    """Remove an imported website from `pool`, and whatever was made of it from `others`.

    Copies are known by their bytes and by the strata of the bundles that hold them, all else
    by the ids that these go by; name a folder above pools, bundles, runs and reports, or each.

    Raises:
        InputError: there is no website of that id, neither in the pool nor elsewhere.
    """
    folders = list(others)
    for folder in folders:
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder")
    record = pool / WEBSITES / name / RECORD_FILE
    identity = sha256_file(record) if name.isalnum() and record.exists() else None
    sweep = Sweep({name})
    missing: InputError | None = None
    try:
        sweep.removed += [str(path) for path in forget_entry(pool, name)]
    except InputError as error:
        missing = error
    if missing is not None and not name.isalnum():
        raise missing
    sweep.run(folders, identity)
    if missing is not None and not (sweep.removed or sweep.rewritten):
        raise missing
    return Forgotten(
        removed=tuple(sweep.removed),
        rewritten=tuple(sweep.rewritten),
        broken=tuple(sorted(sweep.broken)),
        left=tuple(sweep.left),
    )
