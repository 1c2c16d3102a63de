"""A copy of a bundle under other labels: the same tasks, another gold."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from riskchainbench.bundle.layout import (
    LABEL_AUDIT,
    LABEL_SUPPORT,
    LABELS,
    MANIFEST,
    BundleManifest,
    FileEntry,
    data_bytes,
    identity,
    read_data,
    visibility_of,
)
from riskchainbench.bundle.opened import Bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource, WebsiteLabel
from riskchainbench.core.hashing import Sha256, sha256_bytes
from riskchainbench.core.label_audit import LabelAudit
from riskchainbench.core.record import Record
from riskchainbench.core.store import json_bytes, write_atomic, write_json


class LabelSupport(Record):
    """What a human label rests on: its path, and its judgments by their hash in the ledger."""

    schema_version: Literal["label-support/1"] = "label-support/1"
    case_id: str
    path: str
    judgments: tuple[Sha256, ...]
    simulated: bool = False


def relabel_bundle(
    bundle: Bundle,
    out: Path,
    labels: Sequence[WebsiteLabel],
    support: Sequence[LabelSupport],
    source: LabelSource,
) -> BundleManifest:
    """Write a copy of `bundle` with `labels` to the folder `out`, which must not exist yet.

    Every copied file is checked against the manifest. `out` is either absent or whole.

    Raises:
        InputError: `out` exists, or the labels are not one for each website.
        IntegrityError: a file of the bundle was changed.
        StorageError: the disk is full; nothing is left behind.
    """
    if sorted(label.case_id for label in labels) != sorted(bundle.investigation_tasks):
        raise InputError(f"{bundle.folder}: needs exactly one label for each website")
    ordered = sorted(labels, key=lambda label: label.case_id)
    reasons = sorted(support, key=lambda each: each.case_id)
    changed = {
        LABELS: data_bytes("labels", ordered),
        LABEL_SUPPORT: data_bytes("label support", reasons),
    }
    return _copy(bundle, out, changed, label_source=source, label_audit=None)


def audited_bundle(bundle: Bundle, out: Path, audit: LabelAudit) -> BundleManifest:
    """Write a copy of `bundle` that says what an audit found of its designed labels.

    The claim stands in the public manifest, the figures in the private part. Labels that
    people audited are no longer called unaudited; an audit by simulation leaves them so.

    Raises:
        InputError: `out` exists, or the labels are not designed.
        IntegrityError: a file of the bundle was changed.
        StorageError: the disk is full; nothing is left behind.
    """
    source = bundle.manifest.label_source
    if not source.designed:
        raise InputError(
            f"{bundle.folder}: labels are {source.value}; only designed ones are audited"
        )
    changed = {LABEL_AUDIT: json_bytes(audit)}
    if not audit.simulated:
        source = LabelSource.AUDITED
        labels = read_data(bundle.checked(LABELS), WebsiteLabel)
        changed[LABELS] = data_bytes("labels", [each.but(source=source) for each in labels])
    return _copy(bundle, out, changed, label_source=source, label_audit=audit.claim())


def _copy(
    bundle: Bundle, out: Path, changed: Mapping[str, bytes], **manifest: Any
) -> BundleManifest:
    if out.exists():
        raise InputError(f"{out}: exists already; name a new folder")
    entries = dict(bundle.manifest.files)
    entries.pop(LABEL_AUDIT, None)  # it was of the labels before
    for name, data in changed.items():
        entries[name] = FileEntry(
            sha256=sha256_bytes(data), size=len(data), visibility=visibility_of(name)
        )
    entries = dict(sorted(entries.items()))
    written = bundle.manifest.but(
        files=entries, gold_sha256=identity(entries, gold=True), **manifest
    )
    partial = out.with_name(f".{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        for name in entries:
            data = changed[name] if name in changed else bundle.checked(name).read_bytes()
            write_atomic(partial / name, data)
        write_json(partial / MANIFEST, written)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return written
