"""The words that the data card and the Croissant metadata share."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any

from riskchainbench.bundle.layout import BundleManifest
from riskchainbench.core.hashing import Sha256


@dataclass(frozen=True)
class File:
    """One written Parquet file."""

    path: str
    sha256: Sha256
    size: int
    rows: int


@dataclass(frozen=True)
class About:
    """What is said of one bundle; `date` is the day of publication, as YYYY-MM-DD."""

    manifest: BundleManifest
    date: str
    words: dict[str, Any]

    @property
    def rai(self) -> dict[str, Any]:
        """The fields of the responsible-AI vocabulary, without their prefix."""
        found: dict[str, Any] = self.words["rai"]
        return found


def about(manifest: BundleManifest, date: str) -> About:
    """Return ``data/about.toml`` with the facts of one bundle filled in."""
    file = resources.files("riskchainbench.doors.huggingface") / "data" / "about.toml"
    facts = {
        "version": manifest.generator,
        "websites": f"{manifest.websites:,}",
        "messages": f"{manifest.messages:,}",
        "label_source": manifest.label_source.value,
        "codebook": f"{manifest.codebook_id} {manifest.codebook_version}",
    }
    return About(manifest, date, _filled(tomllib.loads(file.read_text(encoding="utf-8")), facts))


def _filled(value: Any, facts: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(part, facts) for key, part in value.items()}
    if isinstance(value, list):
        return [_filled(part, facts) for part in value]
    return value.format(**facts) if isinstance(value, str) else value
