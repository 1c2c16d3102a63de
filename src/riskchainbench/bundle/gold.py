"""The door to gold: the only place where `evaluator_only/` is read.

Importing this is reserved to checks, scoring, annotation and pipeline; a test holds the
others to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from riskchainbench.bundle.layout import (
    COMPONENTS,
    GOLD_FOLDER,
    LABEL_AUDIT,
    LABELS,
    RESOLVER,
    SEED,
    SOURCES,
    STRATA,
    TRACES,
    Resolver,
    SeedRecord,
    read_data,
)
from riskchainbench.bundle.opened import Bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import (
    PRIMARY_VARIANT,
    LabelSource,
    PlacedComponent,
    SampleGold,
    Stratum,
    WebsiteLabel,
)
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.label_audit import LabelAudit
from riskchainbench.core.store import read_json
from riskchainbench.messages.records import Trace


@dataclass(frozen=True)
class Gold:
    """Everything a system must not see, by sample id or case id."""

    gold_sha256: Sha256
    label_source: LabelSource
    labels: Mapping[str, WebsiteLabel] = field(repr=False)
    strata: Mapping[str, Stratum] = field(repr=False)
    components: Mapping[str, tuple[PlacedComponent, ...]] = field(repr=False)
    samples: Mapping[str, SampleGold] = field(repr=False)
    traces: Mapping[str, Trace] = field(repr=False)
    resolver: Mapping[str, str] = field(repr=False)
    seed: SeedRecord = field(repr=False)
    label_audit: LabelAudit | None = None

    def labeled(self) -> Self:
        """Return the gold itself where every website has a label.

        Raises:
            InputError: a captured website has none yet, so that nothing can be scored by it.
        """
        missing = sorted(self.strata.keys() - self.labels.keys())
        if missing:
            raise InputError(
                f"{len(missing)} of {len(self.strata)} websites are captured and have no label: "
                "without labels from people nothing can be scored (riskchain annotate, then "
                "labels freeze)"
            )
        return self

    @property
    def primary_samples(self) -> dict[str, str]:
        """The sample id of each case's primary variant, the sole entry gate."""
        return {
            sample.case_id: sample_id
            for sample_id, sample in self.samples.items()
            if sample.variant == PRIMARY_VARIANT
        }


def open_gold(bundle: Bundle) -> Gold:
    """Read the gold of `bundle`.

    Raises:
        InputError: the bundle was published without it.
        IntegrityError: a file of it was changed.
    """
    if not (bundle.folder / GOLD_FOLDER).is_dir():
        raise InputError(f"{bundle.folder}: this bundle has no {GOLD_FOLDER}/, so no gold")
    components: dict[str, list[PlacedComponent]] = {
        case_id: [] for case_id in bundle.investigation_tasks
    }
    for component in read_data(bundle.checked(COMPONENTS), PlacedComponent):
        components[component.case_id].append(component)
    return Gold(
        gold_sha256=bundle.manifest.gold_sha256,
        label_source=bundle.manifest.label_source,
        labels={x.case_id: x for x in read_data(bundle.checked(LABELS), WebsiteLabel)},
        strata={x.case_id: x for x in read_data(bundle.checked(STRATA), Stratum)},
        components={case_id: tuple(found) for case_id, found in components.items()},
        samples={x.sample_id: x for x in read_data(bundle.checked(SOURCES), SampleGold)},
        traces={x.sample_id: x for x in read_data(bundle.checked(TRACES), Trace)},
        resolver=read_json(bundle.checked(RESOLVER), Resolver).entries,
        seed=read_json(bundle.checked(SEED), SeedRecord),
        label_audit=_label_audit(bundle),
    )


def _label_audit(bundle: Bundle) -> LabelAudit | None:
    if bundle.manifest.label_audit is None:
        return None
    return read_json(bundle.checked(LABEL_AUDIT), LabelAudit)
