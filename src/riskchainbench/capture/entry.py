"""One imported website as it stands in a pool: written whole, found again, and forgotten."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from riskchainbench.capture.archive import Archive
from riskchainbench.capture.compiler import Compiled, compile_capture
from riskchainbench.capture.exchange import Capture
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.record import CaptureRecord, Counts, Provenance
from riskchainbench.capture.seal import seal_problems
from riskchainbench.capture.suggestions import read_table, suggest, table
from riskchainbench.capture.urls import host_of
from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256, sha256_json, sha256_text
from riskchainbench.core.store import read_json, write_atomic, write_json
from riskchainbench.websites.files import check_website, write_website

WEBSITES = "websites"
PRIVATE = "private"
STRATA = "strata.csv"
SALT = "private/salt.txt"
PREFIX = "c"


def pool_id(capture_sha256: Sha256) -> str:
    """Return the id of a captured website; it tells nothing of the capture."""
    return PREFIX + sha256_text(f"website {capture_sha256}")[:12]


def settings_sha256(policy: ImportPolicy, provenance: Provenance) -> Sha256:
    """Return the identity of an import's settings."""
    return sha256_json([policy.model_dump(mode="json"), provenance.model_dump(mode="json")])


def pool_salt(pool: Path) -> str:
    """Return the pool's salt, drawn at the first import."""
    path = pool / SALT
    if not path.exists():
        write_atomic(path, (secrets.token_hex(16) + "\n").encode())
    return path.read_text(encoding="ascii").strip()


def finished(pool: Path, capture_sha256: Sha256, settings: Sha256) -> CaptureRecord | None:
    """Return the record of an import that was finished under the same settings."""
    path = pool / PRIVATE / f"{pool_id(capture_sha256)}.json"
    if not path.exists():
        return None
    record = read_json(path, CaptureRecord)
    return record if record.settings_sha256 == settings else None


def make_record(
    capture: Capture, compiled: Compiled, policy: ImportPolicy, provenance: Provenance, salt: str
) -> CaptureRecord:
    """Return the private record of a compiled website, its checks made.

    Raises:
        InputError: a reference inside the website leads nowhere.
    """
    name = pool_id(capture.sha256)
    check_website(compiled.loaded, name)
    archive = Archive(capture)
    problems = seal_problems(compiled.loaded, archive.hosts)
    kept = sum(len(body) for body in compiled.loaded.files.values())
    website = compiled.loaded.website
    return CaptureRecord(
        pool_id=name,
        kind=capture.kind,
        capture_sha256=capture.sha256,
        settings_sha256=settings_sha256(policy, provenance),
        scripts=policy.scripts,
        provenance=provenance,
        counts=Counts(
            exchanges=len(capture.exchanges),
            pages=len(website.pages),
            assets=len(website.assets),
            bytes_captured=capture.size,
            bytes_kept=kept,
        ),
        origins=compiled.origins,
        masked=dict(compiled.masked),
        painted=None if compiled.painted is None else dict(compiled.painted),
        left=dict(compiled.left),
        removed=dict(compiled.removed),
        lacking=dict(compiled.lacking),
        strata=suggest(compiled, host_of(archive.start().url), salt),
        notes=capture.notes,
        warnings=(*compiled.warnings, *problems[:50]),
    )


def write_entry(pool: Path, compiled: Compiled, record: CaptureRecord) -> None:
    """Write a website into the pool, its private record last.

    An entry of other settings is replaced; files that are no longer its own are removed.
    """
    folder = pool / WEBSITES / record.pool_id
    (pool / PRIVATE / f"{record.pool_id}.json").unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    write_website(folder, compiled.loaded)
    write_json(pool / PRIVATE / f"{record.pool_id}.json", record)


def records(pool: Path) -> Iterator[CaptureRecord]:
    """Yield the records of all imported websites of a pool, by id."""
    for path in sorted((pool / PRIVATE).glob(f"{PREFIX}*.json")):
        yield read_json(path, CaptureRecord)


def write_strata(pool: Path) -> Path:
    """Write the table of suggested strata anew, keeping rows that stand there already."""
    path = pool / STRATA
    known = list(records(pool))
    if path.exists():
        corrected = read_table(path)
        known = [
            record.but(strata=corrected.get(record.pool_id, record.strata)) for record in known
        ]
    write_atomic(path, table(known))
    return path


def compile_entry(
    capture: Capture,
    policy: ImportPolicy,
    provenance: Provenance,
    salt: str,
    frozen: Mapping[str, str] | None = None,
) -> tuple[Compiled, CaptureRecord]:
    """Compile a capture and make its record; nothing is written."""
    compiled = compile_capture(capture, policy, frozen)
    return compiled, make_record(capture, compiled, policy, provenance, salt)


def forget(pool: Path, name: str) -> tuple[Path, ...]:
    """Remove an imported website from a pool and return what was removed.

    Raises:
        InputError: the pool holds no imported website of that id.
    """
    if not name.startswith(PREFIX) or not name.isalnum():
        raise InputError(f"{name}: not the id of an imported website")
    private = pool / PRIVATE / f"{name}.json"
    folder = pool / WEBSITES / name
    if not private.exists() and not folder.exists():
        raise InputError(f"{pool}: holds no imported website {name}")
    removed = [path for path in (folder, private) if path.exists()]
    shutil.rmtree(folder, ignore_errors=True)
    private.unlink(missing_ok=True)
    if (pool / STRATA).exists():
        write_strata(pool)
    return tuple(removed)
