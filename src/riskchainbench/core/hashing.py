"""Canonical JSON and the SHA-256 identities built on it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Sha256 = str
"""Sixty-four lower-case hexadecimal digits."""


def canonical_json(value: Any) -> str:
    """Return JSON with sorted keys, no padding and characters as they are.

    Raises:
        ValueError: `value` holds a NaN or an infinity, which JSON cannot carry.
    """
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def sha256_bytes(data: bytes) -> Sha256:
    """Return the SHA-256 of `data`."""
    return hashlib.sha256(data).hexdigest()


def sha256_text(text: str) -> Sha256:
    """Return the SHA-256 of `text` in UTF-8."""
    return sha256_bytes(text.encode("utf-8"))


def sha256_json(value: Any) -> Sha256:
    """Return the SHA-256 of the canonical JSON of `value`."""
    return sha256_text(canonical_json(value))


def sha256_file(path: Path) -> Sha256:
    """Return the SHA-256 of a file, read in blocks."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_listing(hashes: Mapping[str, Sha256] | Iterable[tuple[str, Sha256]]) -> Sha256:
    """Return one identity for a set of files from their relative paths and hashes.

    The order in which the files are given makes no difference.
    """
    return sha256_json(sorted(dict(hashes).items()))
