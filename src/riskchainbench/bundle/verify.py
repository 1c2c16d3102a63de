"""Verifying a bundle: every file against the manifest, and the manifest against itself."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from riskchainbench.bundle.layout import MANIFEST, FileEntry, Visibility, identity, visibility_of
from riskchainbench.bundle.opened import Bundle
from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.gold import LabelSource
from riskchainbench.core.record import Record


class Verification(Record):
    """What was verified; `foreign` files stand in the folder but are no part of the bundle.

    `figures` are those of the audits that were run again, `notes` what could not be.
    """

    files: int
    websites: int
    messages: int
    gold: bool
    foreign: tuple[str, ...]
    figures: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def verify_bundle(bundle: Bundle) -> Verification:
    """Check the bundle's files and identities; a bundle published without gold passes, too.

    Raises:
        InputError: a file is missing, cut off or no record.
        IntegrityError: a file was changed, or the manifest contradicts itself.
    """
    entries = bundle.manifest.files
    gold_present = any(
        (bundle.folder / name).exists()
        for name, entry in entries.items()
        if entry.visibility is Visibility.EVALUATOR
    )
    _check_manifest(bundle, entries)
    checked = [
        name
        for name, entry in entries.items()
        if gold_present or entry.visibility is not Visibility.EVALUATOR
    ]
    for name in checked:
        bundle.checked(name)
    for case_id in bundle.investigation_tasks:
        bundle.website(case_id)
    return Verification(
        files=len(checked),
        websites=len(bundle.investigation_tasks),
        messages=len(bundle.restoration_tasks),
        gold=gold_present,
        foreign=_foreign(bundle.folder, entries),
        notes=tuple(_notes(bundle)),
    )


def _notes(bundle: Bundle) -> Iterator[str]:
    if bundle.manifest.captured:
        yield f"{bundle.manifest.captured} captured websites: exempt from the proofs of a design"
    if bundle.manifest.label_source is LabelSource.NONE:
        yield "no labels: nothing can be scored before people gave some"


def _check_manifest(bundle: Bundle, entries: dict[str, FileEntry]) -> None:
    path = bundle.folder / MANIFEST
    for name, entry in entries.items():
        if entry.visibility is not visibility_of(name):
            raise IntegrityError(f"{path}: files.{name}: cannot be {entry.visibility}")
    if identity(entries, gold=False) != bundle.manifest.tasks_sha256:
        raise IntegrityError(f"{path}: tasks_sha256 is not that of the files it names")
    if identity(entries, gold=True) != bundle.manifest.gold_sha256:
        raise IntegrityError(f"{path}: gold_sha256 is not that of the files it names")
    counts = (len(bundle.investigation_tasks), len(bundle.restoration_tasks))
    if counts != (bundle.manifest.websites, bundle.manifest.messages):
        raise IntegrityError(f"{path}: counts {counts[0]} websites and {counts[1]} messages differ")


def _foreign(folder: Path, entries: dict[str, FileEntry]) -> tuple[str, ...]:
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return tuple(sorted(name for name in names if name not in entries and name != MANIFEST))
