"""Labels of a project: measured, exchanged and frozen into a copy of its bundle."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from riskchainbench.annotation.agreement import AgreementReport, agreement_report
from riskchainbench.annotation.agreement_csv import confusion_csv, report_csv
from riskchainbench.annotation.evidence_audit import (
    EvidenceReport,
    build_audit,
    evidence_report,
)
from riskchainbench.annotation.evidence_freeze import freeze_ratings
from riskchainbench.annotation.exchange import (
    import_csv,
    import_label_studio,
    to_csv,
    to_label_studio,
)
from riskchainbench.annotation.label_audit import audit_labels, freeze_audit
from riskchainbench.annotation.labels import freeze_labels
from riskchainbench.annotation.opening import open_project
from riskchainbench.annotation.project import Project
from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.bundle.layout import BundleManifest
from riskchainbench.core.errors import InputError
from riskchainbench.core.label_audit import LabelAudit
from riskchainbench.core.store import json_bytes, write_atomic

FORMATS = ("csv", "label-studio")


def opened(project: Path, bundle: Path) -> tuple[Project, Bundle]:
    """Open a project with the bundle that it labels."""
    found = open_bundle(bundle)
    return open_project(project, found.codebook, found.tasks_sha256, time.time), found


def freeze(project: Path, bundle: Path, out: Path) -> BundleManifest:
    """Write a copy of the bundle with the project's labels."""
    work, found = opened(project, bundle)
    try:
        return freeze_labels(work, found, out)
    finally:
        work.close()


def agreement(
    project: Path, bundle: Path, out: Path | None, confusion: Path | None = None
) -> AgreementReport:
    """Measure the project; write `out` as JSON, or as CSV where its name ends so.

    `confusion` is written as CSV with a row and a column a type.
    """
    work, _ = opened(project, bundle)
    try:
        report = agreement_report(work)
    finally:
        work.close()
    if out is not None:
        csv = out.suffix == ".csv"
        write_atomic(out, report_csv(report).encode("utf-8") if csv else json_bytes(report))
    if confusion is not None:
        write_atomic(confusion, confusion_csv(report).encode("utf-8"))
    return report


def evidence(
    project: Path,
    bundle: Path,
    runs: Sequence[Path],
    judge: str,
    out: Path | None,
    *,
    freeze: bool = False,
) -> EvidenceReport:
    """Measure people's scores of evidence against each other and against a judge's.

    With `freeze` they are also written into the runs, where `score` and `report` find them.
    """
    work, found = opened(project, bundle)
    try:
        audit = build_audit(found, runs, int(work.settings.seed), judge=judge)
        report = evidence_report(work, audit)
        if freeze:
            freeze_ratings(work, audit)
    finally:
        work.close()
    if out is not None:
        write_atomic(out, json_bytes(report))
    return report


def audit(project: Path, bundle: Path, out: Path | None) -> LabelAudit:
    """Estimate the error of the bundle's labels; with `out`, copy the bundle with the figure."""
    work, found = opened(project, bundle)
    try:
        if out is not None:
            return freeze_audit(work, found, open_gold(found), out)
        return audit_labels(work, open_gold(found))
    finally:
        work.close()


def export(project: Path, bundle: Path, out: Path, form: str) -> None:
    """Write every judgment of the project to the file `out`.

    Raises:
        InputError: there is no such format.
    """
    _known(form)
    work, _ = opened(project, bundle)
    try:
        if form == "csv":
            text = to_csv(work)
        else:
            text = json.dumps(to_label_studio(work), ensure_ascii=False, indent=1) + "\n"
    finally:
        work.close()
    write_atomic(out, text.encode("utf-8"))


def take(project: Path, bundle: Path, file: Path, form: str) -> int:
    """Take the judgments in `file` into the project and return how many.

    Raises:
        InputError: the file cannot be read, or a line of it breaks a rule.
    """
    _known(form)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{file}: cannot be read: {error}") from error
    work, _ = opened(project, bundle)
    try:
        read = import_csv if form == "csv" else import_label_studio
        return read(work, text, str(file))
    finally:
        work.close()


def _known(form: str) -> None:
    if form not in FORMATS:
        raise InputError(f"no format {form!r}; choose one of {', '.join(FORMATS)}")
