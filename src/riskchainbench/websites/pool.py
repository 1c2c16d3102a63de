"""A pool of websites in a folder: public websites, and apart from them what is known of each."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from riskchainbench import __version__
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import NO_TYPE, UNKNOWN_TYPE, Decision
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.gold import PlacedComponent, Stratum
from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_json
from riskchainbench.core.record import Record
from riskchainbench.core.store import read_json, write_json
from riskchainbench.websites.files import read_website, write_website
from riskchainbench.websites.quotas import Candidate
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.synthesis import BuiltWebsite

MANIFEST = "manifest.json"
WEBSITES = "websites"
PRIVATE = "private"


PoolId = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
"""The name of a website's folder, which cannot climb out of the pool's."""


class PrivateRecord(Record):
    """All that is known of one website of a pool and stands in none of its files."""

    schema_version: Literal["private/1"] = "private/1"
    decision: Decision | None
    violation_type: str
    secondary_types: tuple[str, ...] = ()
    components: tuple[PlacedComponent, ...]
    stratum: Stratum


class PoolManifest(Record):
    """What a pool is; `websites` names the hash of each website and of its private record."""

    schema_version: Literal["pool/1"] = "pool/1"
    generator: str
    codebook_id: str
    codebook_version: str
    websites: dict[PoolId, tuple[Sha256, Sha256]]


def candidates_of(pool: Sequence[BuiltWebsite]) -> tuple[Candidate, ...]:
    """Return the websites of a pool as a selection sees them."""
    return tuple(Candidate(b.pool_id, b.decision, b.violation_type, b.stratum) for b in pool)


def write_pool(folder: Path, pool: Sequence[BuiltWebsite], codebook: Codebook) -> PoolManifest:
    """Write `pool` to `folder`, which must not exist yet; it is either absent or whole.

    Raises:
        InputError: `folder` exists, or two websites share an id.
    """
    if folder.exists():
        raise InputError(f"{folder}: exists already; name a new folder")
    hashes: dict[str, tuple[Sha256, Sha256]] = {}
    partial = folder.with_name(f".{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        for built in sorted(pool, key=lambda built: built.pool_id):
            if built.pool_id in hashes:
                raise InputError(f"website {built.pool_id}: its id is given twice")
            private = _private(built)
            hashes[built.pool_id] = (website_sha256(built.loaded), sha256_json(_plain(private)))
            write_website(partial / WEBSITES / built.pool_id, built.loaded)
            write_json(partial / PRIVATE / f"{built.pool_id}.json", private)
        manifest = PoolManifest(
            generator=__version__,
            codebook_id=codebook.codebook_id,
            codebook_version=codebook.version,
            websites=hashes,
        )
        write_json(partial / MANIFEST, manifest)
        partial.rename(folder)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return manifest


def read_pool(folder: Path, codebook: Codebook) -> tuple[BuiltWebsite, ...]:
    """Read a pool back, checking every website and its labels.

    Raises:
        InputError: naming the website and the field: a missing file, a transition to nowhere,
            a path that climbs, a type that the codebook does not know.
        IntegrityError: a file was changed.
    """
    manifest = _manifest(folder)
    return tuple(_read(folder, pool_id, manifest, codebook) for pool_id in manifest.websites)


def read_candidates(folder: Path) -> tuple[Candidate, ...]:
    """Read what a selection needs to know of a pool; every website is checked, and let go.

    Raises:
        InputError: naming the website and the field, as `read_pool` does; types are left to
            it, since they need the codebook.
        IntegrityError: a file was changed.
    """
    manifest = _manifest(folder)
    found: list[Candidate] = []
    for pool_id in manifest.websites:
        private = _read_private(folder, pool_id)
        _read_website(folder, pool_id, manifest, private)
        found.append(Candidate(pool_id, private.decision, private.violation_type, private.stratum))
    return tuple(found)


def _manifest(folder: Path) -> PoolManifest:
    path = folder / MANIFEST
    if not path.is_file():
        raise InputError(
            f"{folder}: not a pool (no {MANIFEST}); riskchain build --keep-pool writes one"
        )
    _require_unique(path)
    manifest = read_json(path, PoolManifest)
    if not manifest.websites:
        raise InputError(f"{path}: websites: the pool holds none")
    return manifest


def _require_unique(path: Path) -> None:
    """Check that no website is named twice, which a reader of JSON would not tell."""

    def checked(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
            raise InputError(f"{path}: {twice}: is given twice")
        return found

    with suppress(UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        # What is no JSON at all is told by whoever reads it.
        json.loads(path.read_bytes(), object_pairs_hook=checked)


def _read(folder: Path, pool_id: str, manifest: PoolManifest, codebook: Codebook) -> BuiltWebsite:
    private = _read_private(folder, pool_id)
    known = {*codebook.type_ids, NO_TYPE, UNKNOWN_TYPE}
    for kind in (private.violation_type, *private.secondary_types):
        if kind not in known:
            raise InputError(
                f"website {pool_id}: violation_type: {kind} is no type of codebook "
                f"{codebook.codebook_id}"
            )
    components = {component.component_id for component in codebook.components}
    for component in private.components:
        if component.component_id not in components:
            raise InputError(
                f"website {pool_id}: components: {component.component_id} is no component of "
                f"codebook {codebook.codebook_id}"
            )
    loaded = _read_website(folder, pool_id, manifest, private)
    return BuiltWebsite(
        pool_id=pool_id,
        loaded=loaded,
        decision=private.decision,
        violation_type=private.violation_type,
        secondary_types=private.secondary_types,
        components=private.components,
        stratum=private.stratum,
    )


def _read_website(
    folder: Path, pool_id: str, manifest: PoolManifest, private: PrivateRecord
) -> LoadedWebsite:
    loaded = read_website(folder / WEBSITES / pool_id)
    if manifest.websites[pool_id] != (website_sha256(loaded), sha256_json(_plain(private))):
        raise IntegrityError(f"website {pool_id}: changed after the pool was written")
    return loaded


def _read_private(folder: Path, pool_id: str) -> PrivateRecord:
    path = folder / PRIVATE / f"{pool_id}.json"
    if not path.is_file():
        raise InputError(f"website {pool_id}: {PRIVATE}/{pool_id}.json is missing")
    return read_json(path, PrivateRecord)


def _private(built: BuiltWebsite) -> PrivateRecord:
    return PrivateRecord(
        decision=built.decision,
        violation_type=built.violation_type,
        secondary_types=built.secondary_types,
        components=built.components,
        stratum=built.stratum,
    )


def _plain(record: Record) -> object:
    return record.model_dump(mode="json")


def website_sha256(loaded: LoadedWebsite) -> Sha256:
    """Return the identity of a website: its record and all of its files."""
    files = {name: sha256_bytes(data) for name, data in sorted(loaded.files.items())}
    return sha256_json({"record": _plain(loaded.website), "files": files})
