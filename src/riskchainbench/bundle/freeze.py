"""Freezing a benchmark: messages and websites paired, renamed, sorted and written once.

Pairs, sample ids and case ids are permuted by independent streams, so that nothing a model
sees tells which message belongs to which website.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from riskchainbench import __version__
from riskchainbench.bundle.layout import (
    CODEBOOK,
    COMPONENTS,
    INVESTIGATION_TASKS,
    LABELS,
    MANIFEST,
    RESOLVER,
    RESTORATION_TASKS,
    SEED,
    SOURCES,
    STRATA,
    TRACES,
    WEBSITES,
    BundleManifest,
    FileEntry,
    Resolver,
    SeedRecord,
    data_bytes,
    identity,
    visibility_of,
)
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource, SampleGold, WebsiteLabel
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.investigation import InvestigationTask
from riskchainbench.core.restoration import RestorationTask
from riskchainbench.core.seeds import commitment, stream
from riskchainbench.core.store import json_bytes, write_atomic, write_json
from riskchainbench.core.text import compared_text
from riskchainbench.messages.records import BuiltSession, BuiltVariant, SourceSession, Trace
from riskchainbench.messages.sources import source_statistics
from riskchainbench.websites.files import RECORD_FILE, file_names
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.synthesis import BuiltWebsite

_LENGTH_NAMES = ("short", "medium", "long")

S = TypeVar("S", RestorationTask, SampleGold, Trace)

GoldFiles = Callable[[Mapping[str, str], Sequence[SampleGold]], Mapping[str, bytes]]
"""Makes files for evaluators, by name, from the case ids by pool id and the samples' gold."""


def _no_more(case_ids: Mapping[str, str], samples: Sequence[SampleGold]) -> Mapping[str, bytes]:
    del case_ids, samples
    return {}


Pairing = Callable[[Sequence[int], Sequence[BuiltSession], Sequence[BuiltWebsite]], Sequence[int]]
"""Gives the number of each session's website, from one drawn by chance."""


def _as_drawn(
    partners: Sequence[int], sessions: Sequence[BuiltSession], websites: Sequence[BuiltWebsite]
) -> Sequence[int]:
    del sessions, websites
    return partners


def freeze_bundle(
    out: Path,
    sessions: Sequence[BuiltSession],
    websites: Sequence[BuiltWebsite],
    codebook: Codebook,
    *,
    seed: int,
    preset: str,
    recipes: str,
    selection: str = "",
    release: str = "",
    more: GoldFiles = _no_more,
    pairing: Pairing = _as_drawn,
) -> BundleManifest:
    """Write a bundle to the folder `out`, which must not exist yet, and return its manifest.

    Every file is written into a neighboring folder that is renamed at the end: `out` is
    either absent or whole. `more` makes further files for evaluators; `pairing` may change
    which message leads to which website.

    Raises:
        InputError: `out` exists, or messages and websites do not pair one to one.
        StorageError: the disk is full; nothing is left behind.
    """
    if out.exists():
        raise InputError(f"{out}: exists already; name a new folder")
    if len(sessions) != len(websites):
        raise InputError(f"{len(sessions)} sessions cannot pair with {len(websites)} websites")
    record = SeedRecord(seed=str(seed), salt=_salt(seed), preset=preset, recipes=recipes)
    files = _files(sessions, websites, codebook, seed, record, more, pairing)
    entries = {
        name: FileEntry(sha256=sha256_bytes(data), size=len(data), visibility=visibility_of(name))
        for name, data in sorted(files.items())
    }
    manifest = BundleManifest(
        generator=__version__,
        preset=preset,
        recipes=recipes,
        selection=selection,
        release=release,
        tasks_sha256=identity(entries, gold=False),
        gold_sha256=identity(entries, gold=True),
        seed_commitment=commitment(seed, _salt(seed)),
        label_source=_label_source(websites),
        codebook_id=codebook.codebook_id,
        codebook_version=codebook.version,
        websites=len(websites),
        captured=sum(built.stratum.captured for built in websites),
        messages=sum(len(session.variants) for session in sessions),
        sources=source_statistics([session.source for session in sessions]),
        files=entries,
    )
    write_folder(out, files, manifest)
    return manifest


def write_folder(out: Path, files: Mapping[str, bytes], manifest: BundleManifest) -> None:
    """Write a bundle's files and its manifest; `out` is either absent or whole.

    Raises:
        InputError: `out` exists.
        StorageError: the disk is full; nothing is left behind.
    """
    if out.exists():
        raise InputError(f"{out}: exists already; name a new folder")
    partial = out.with_name(f".{out.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    try:
        for name, data in sorted(files.items()):
            write_atomic(partial / name, data)
        write_json(partial / MANIFEST, manifest)
        partial.rename(out)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _files(
    sessions: Sequence[BuiltSession],
    websites: Sequence[BuiltWebsite],
    codebook: Codebook,
    seed: int,
    record: SeedRecord,
    more: GoldFiles,
    pairing: Pairing,
) -> dict[str, bytes]:
    """Return every file of the bundle but its manifest, by name."""
    case_ids = _opaque_ids("w", len(websites), seed, "case-ids")
    partners = list(range(len(websites)))
    stream(seed, "pairs").shuffle(partners)
    paired = pairing(partners, sessions, websites)
    case_of_session = [case_ids[partner] for partner in paired]
    files = _website_data(websites, case_ids, codebook)
    message_files, samples = _message_data(sessions, case_of_session, seed)
    files |= message_files
    pool_ids = (built.pool_id for built in websites)
    files |= more(dict(zip(pool_ids, case_ids, strict=True)), samples)
    files[CODEBOOK] = json_bytes(codebook)
    files[SEED] = json_bytes(record)
    resolver = {
        session.source.entry: case_id
        for session, case_id in zip(sessions, case_of_session, strict=True)
    }
    if len(resolver) != len(sessions):
        raise InputError("two sessions share an entry; every website needs one of its own")
    files[RESOLVER] = json_bytes(Resolver(entries=dict(sorted(resolver.items()))))
    return files


def _website_data(
    websites: Sequence[BuiltWebsite], case_ids: Sequence[str], codebook: Codebook
) -> dict[str, bytes]:
    pairs = sorted(zip(case_ids, websites, strict=True), key=lambda pair: pair[0])
    files: dict[str, bytes] = {}
    for case_id, built in pairs:
        for name, data in _website_files(built.loaded).items():
            files[f"{WEBSITES}/{case_id}/{name}"] = data
    tasks = [_investigation_task(case_id, built) for case_id, built in pairs]
    labels = [
        WebsiteLabel(
            case_id=case_id,
            decision=built.decision,
            violation_type=built.violation_type,
            secondary_types=built.secondary_types,
            source=built.label_source,
            codebook_version=codebook.version,
        )
        for case_id, built in pairs
        if built.decision is not None
    ]
    components = [c.but(case_id=case_id) for case_id, built in pairs for c in built.components]
    strata = [built.stratum.but(case_id=case_id) for case_id, built in pairs]
    files[INVESTIGATION_TASKS] = data_bytes("investigation tasks", tasks)
    files[LABELS] = data_bytes("labels", labels)
    files[COMPONENTS] = data_bytes("components", components)
    files[STRATA] = data_bytes("strata", strata)
    return files


def _label_source(websites: Sequence[BuiltWebsite]) -> LabelSource:
    """Return what can be said of all labels at once: none before designed, that before human."""
    found = {built.label_source for built in websites}
    for source in (LabelSource.NONE, LabelSource.DESIGNED):
        if source in found:
            return source
    return LabelSource.HUMAN


def _website_files(loaded: LoadedWebsite) -> dict[str, bytes]:
    """Return the files of one website as `read_website` reads them."""
    files = {name: loaded.files[name] for name in file_names(loaded.website)}
    return {**files, RECORD_FILE: json_bytes(loaded.website)}


def _investigation_task(case_id: str, built: BuiltWebsite) -> InvestigationTask:
    website = built.loaded.website
    return InvestigationTask(
        case_id=case_id,
        scaffold=website.scaffold,
        viewport=website.viewport,
        start_path=website.start_path,
    )


def _message_data(
    sessions: Sequence[BuiltSession], case_of_session: Sequence[str], seed: int
) -> tuple[dict[str, bytes], Sequence[SampleGold]]:
    count = sum(len(session.variants) for session in sessions)
    sample_ids = iter(_opaque_ids("m", count, seed, "sample-ids"))
    lengths = _length_classes([session.source for session in sessions])
    tasks: list[RestorationTask] = []
    golds: list[SampleGold] = []
    traces: list[Trace] = []
    for session, case_id in zip(sessions, case_of_session, strict=True):
        for variant in session.variants:
            sample_id = next(sample_ids)
            tasks.append(_restoration_task(sample_id, session.source, variant))
            length = lengths[session.source.session_id]
            golds.append(_sample_gold(sample_id, case_id, session, variant, length))
            traces.append(variant.trace.but(sample_id=sample_id))
    files = {
        RESTORATION_TASKS: data_bytes("restoration tasks", _by_sample(tasks)),
        SOURCES: data_bytes("sources", _by_sample(golds)),
        TRACES: data_bytes("traces", _by_sample(traces)),
    }
    return files, golds


def _restoration_task(
    sample_id: str, source: SourceSession, variant: BuiltVariant
) -> RestorationTask:
    return RestorationTask(
        sample_id=sample_id,
        platform=source.platform,
        surface=source.surface,
        messages=variant.messages,
    )


def _sample_gold(
    sample_id: str, case_id: str, session: BuiltSession, variant: BuiltVariant, length: str
) -> SampleGold:
    source, expected = session.source, session.expected(variant)
    return SampleGold(
        sample_id=sample_id,
        case_id=case_id,
        variant=variant.variant,
        session=source.session_id,
        messages={message.message_id: message.content for message in expected},
        accepted=session.accepted(variant),
        intent=source.intent,
        entry=source.entry,
        platform=source.platform,
        recipe=variant.recipe,
        operators=variant.operators,
        severity=variant.severity,
        entry_position=source.entry_position,
        length=length,
        theme=source.theme,
        template=source.template,
        rearranged=bool(variant.expected),
    )


def _length_classes(sources: Sequence[SourceSession]) -> dict[str, str]:
    """Cut the sessions into thirds by the code points of their compared text."""
    sizes = {
        source.session_id: sum(len(compared_text(m.content)) for m in source.messages)
        for source in sources
    }
    ordered = sorted(sizes, key=lambda session_id: (sizes[session_id], session_id))
    return {
        session_id: _LENGTH_NAMES[place * len(_LENGTH_NAMES) // len(ordered)]
        for place, session_id in enumerate(ordered)
    }


def _by_sample(records: list[S]) -> list[S]:
    return sorted(records, key=lambda record: record.sample_id)


def _opaque_ids(prefix: str, count: int, seed: int, name: str) -> list[str]:
    """Return unique ids in an order that says nothing about what they are given to."""
    draw = stream(seed, name)
    ids: dict[str, None] = {}
    while len(ids) < count:
        ids[f"{prefix}{draw.getrandbits(40):010x}"] = None
    return list(ids)


def _salt(seed: int) -> str:
    return f"{stream(seed, 'salt').getrandbits(128):032x}"
