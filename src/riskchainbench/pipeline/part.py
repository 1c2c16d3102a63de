"""Cutting a part out of a bundle: the train or test split, or the lite part."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.bundle.layout import MANIFEST, SPLITS, BundleManifest
from riskchainbench.bundle.part import part_bundle
from riskchainbench.core.errors import DriftError, InputError, UsageError
from riskchainbench.core.store import read_json
from riskchainbench.websites.splits import PartName, Splits


def build_part(out: Path, whole: Path, name: str) -> BundleManifest:
    """Write the part `name` of the bundle `whole` to `out`, or do nothing where it stands already.

    Raises:
        UsageError: there is no part of that name.
        InputError: the bundle has no gold or no parts.
        DriftError: `out` holds another bundle.
    """
    if name not in set(PartName):
        raise UsageError(f"no part {name!r}; choose one of {', '.join(PartName)}")
    bundle = open_bundle(whole)
    if (out / MANIFEST).exists():
        found = open_bundle(out).manifest
        if (found.part, found.part_of) != (name, bundle.tasks_sha256):
            raise DriftError(f"{out}: holds another bundle; name a new folder")
        return found
    gold = open_gold(bundle)
    if SPLITS not in bundle.manifest.files:
        raise InputError(
            f"{whole}: has no parts; a bundle of --preset full that was not cut has them"
        )
    part = read_json(bundle.checked(SPLITS), Splits).part(PartName(name))
    return part_bundle(bundle, gold, out, name, part.cases, part.samples)
