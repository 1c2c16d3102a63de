"""From resolved websites to gold labels, and what each label rests on."""

from __future__ import annotations

from pathlib import Path

from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import Frozen
from riskchainbench.bundle import Bundle
from riskchainbench.bundle.layout import BundleManifest
from riskchainbench.bundle.relabel import LabelSupport, relabel_bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource, WebsiteLabel


def label_source(project: Project) -> LabelSource:
    """Return what the project's labels are called: simulated ones are never called human."""
    return LabelSource.SIMULATED if project.settings.simulated else LabelSource.HUMAN


def human_labels(project: Project) -> tuple[list[WebsiteLabel], list[LabelSupport]]:
    """Return the label of every website of the project and its support.

    Raises:
        InputError: a website is not resolved yet; the message counts and names them.
    """
    standing = project.standing()
    source = label_source(project)
    waiting = [r.case_id for r in standing.resolutions.values() if not r.resolved]
    if waiting:
        some = ", ".join(waiting[:5]) + ("…" if len(waiting) > 5 else "")
        raise InputError(
            f"{project.folder}: {len(waiting)} of {len(standing.resolutions)} websites have no "
            f"label yet ({some}); let people finish first"
        )
    labels: list[WebsiteLabel] = []
    support: list[LabelSupport] = []
    for case_id, found in sorted(standing.resolutions.items()):
        assert found.decision is not None
        assert found.violation_type is not None
        labels.append(
            WebsiteLabel(
                case_id=case_id,
                decision=found.decision,
                violation_type=found.violation_type,
                secondary_types=found.secondary_types,
                source=source,
                codebook_version=project.settings.codebook_version,
            )
        )
        support.append(
            LabelSupport(
                case_id=case_id,
                path=found.path.value,
                judgments=found.supporting,
                simulated=project.settings.simulated,
            )
        )
    return labels, support


def freeze_labels(project: Project, bundle: Bundle, out: Path) -> BundleManifest:
    """Write a copy of `bundle` with the project's labels to `out` and note it in the ledger.

    Tasks stay byte for byte the same, so that no run is orphaned.

    Raises:
        InputError: a website is not resolved, the project covers only part of the bundle, or
            `out` exists.
        IntegrityError: an entry of the ledger was changed.
    """
    project.store.verify()
    missing = sorted(set(bundle.investigation_tasks) - set(project.settings.cases))
    if missing:
        raise InputError(
            f"{project.folder}: {len(missing)} websites of the bundle are not in this project; "
            "labels are frozen for whole bundles"
        )
    labels, support = human_labels(project)
    manifest = relabel_bundle(bundle, out, labels, support, label_source(project))
    project.record(Frozen(gold_sha256=manifest.gold_sha256, labels=len(labels)))
    return manifest
