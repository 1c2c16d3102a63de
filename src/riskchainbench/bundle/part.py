"""A part of a bundle as a bundle of its own: some of its websites with some of their messages.

Ids and files stay as they are; only the lists are shorter. Runs bind to the part.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from riskchainbench.bundle.freeze import write_folder
from riskchainbench.bundle.gold import Gold
from riskchainbench.bundle.layout import (
    COMPONENTS,
    INVESTIGATION_TASKS,
    LABELS,
    RESOLVER,
    RESTORATION_TASKS,
    SOURCES,
    SPLITS,
    STRATA,
    TRACES,
    WEBSITES,
    BundleManifest,
    FileEntry,
    Resolver,
    data_bytes,
    identity,
    visibility_of,
)
from riskchainbench.bundle.opened import Bundle
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.store import json_bytes
from riskchainbench.messages.frozen import reassemble
from riskchainbench.messages.sources import source_statistics


def part_bundle(
    bundle: Bundle,
    gold: Gold,
    out: Path,
    name: str,
    cases: Collection[str],
    samples: Collection[str],
) -> BundleManifest:
    """Write the part `name` of a bundle to the folder `out`, which must not exist yet.

    Raises:
        InputError: `out` exists.
        IntegrityError: a file of the bundle was changed.
        StorageError: the disk is full; nothing is left behind.
    """
    changed = _lists(bundle, gold, frozenset(cases), frozenset(samples))
    prefixes = tuple(f"{WEBSITES}/{case_id}/" for case_id in cases)
    kept = {
        file: bundle.checked(file).read_bytes()
        for file in bundle.manifest.files
        if file not in changed
        and file != SPLITS
        and (not file.startswith(f"{WEBSITES}/") or file.startswith(prefixes))
    }
    files = {**kept, **changed}
    entries = {
        file: FileEntry(sha256=sha256_bytes(data), size=len(data), visibility=visibility_of(file))
        for file, data in sorted(files.items())
    }
    tasks = {key: task for key, task in bundle.restoration_tasks.items() if key in samples}
    sessions = reassemble(tasks, gold.samples, gold.traces)
    manifest = bundle.manifest.but(
        part=name,
        part_of=bundle.tasks_sha256,
        tasks_sha256=identity(entries, gold=False),
        gold_sha256=identity(entries, gold=True),
        websites=len(cases),
        messages=len(samples),
        sources=source_statistics([session.source for session in sessions]),
        files=entries,
    )
    write_folder(out, files, manifest)
    return manifest


def _lists(
    bundle: Bundle, gold: Gold, cases: frozenset[str], samples: frozenset[str]
) -> Mapping[str, bytes]:
    """Return the files that list cases or samples, shortened."""
    return {
        INVESTIGATION_TASKS: data_bytes(
            "investigation tasks",
            [task for key, task in bundle.investigation_tasks.items() if key in cases],
        ),
        RESTORATION_TASKS: data_bytes(
            "restoration tasks",
            [task for key, task in bundle.restoration_tasks.items() if key in samples],
        ),
        LABELS: data_bytes("labels", [x for key, x in gold.labels.items() if key in cases]),
        STRATA: data_bytes("strata", [x for key, x in gold.strata.items() if key in cases]),
        COMPONENTS: data_bytes(
            "components", [x for key in sorted(cases) for x in gold.components[key]]
        ),
        SOURCES: data_bytes("sources", [x for key, x in gold.samples.items() if key in samples]),
        TRACES: data_bytes("traces", [x for key, x in gold.traces.items() if key in samples]),
        RESOLVER: json_bytes(
            Resolver(
                entries={entry: case for entry, case in gold.resolver.items() if case in cases}
            )
        ),
    }
