"""Where things stand in a bundle, who may see them, and the manifest that says so."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import Field

from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource
from riskchainbench.core.hashing import Sha256, sha256_listing
from riskchainbench.core.record import Record
from riskchainbench.core.store import jsonl_bytes, read_lines, validate
from riskchainbench.messages.sources import SourceStatistics

R = TypeVar("R", bound=Record)

CANARY = (
    "RiskChainBench benchmark data must not appear in training corpora. "
    "canary 6b1f6d0e-93a7-4c0b-8f0f-5a1c0e7d42b9"
)
"""Stands in every data file and in no served page, so that contamination can be searched for."""

MANIFEST = "manifest.json"
CODEBOOK = "model_visible/codebook.json"
RESTORATION_TASKS = "model_visible/restoration_tasks.jsonl"
INVESTIGATION_TASKS = "model_visible/investigation_tasks.jsonl"
WEBSITES = "websites"
GOLD_FOLDER = "evaluator_only"
SEED = f"{GOLD_FOLDER}/seed.json"
RESOLVER = f"{GOLD_FOLDER}/resolver.json"
SOURCES = f"{GOLD_FOLDER}/sources.jsonl"
TRACES = f"{GOLD_FOLDER}/traces.jsonl"
LABELS = f"{GOLD_FOLDER}/labels.jsonl"
LABEL_AUDIT = f"{GOLD_FOLDER}/label_audit.json"
LABEL_SUPPORT = f"{GOLD_FOLDER}/label_support.jsonl"
STRATA = f"{GOLD_FOLDER}/strata.jsonl"
COMPONENTS = f"{GOLD_FOLDER}/components.jsonl"
WEBSITE_CHECKS = f"{GOLD_FOLDER}/website_checks.json"
SELECTION = f"{GOLD_FOLDER}/selection.json"
SPLITS = f"{GOLD_FOLDER}/splits.json"


class Visibility(StrEnum):
    """Who may see a file: a model as it stands, a model through the browser, or nobody's model."""

    MODEL = "model_visible"
    WEBSITE = "website"
    EVALUATOR = "evaluator_only"


class FileEntry(Record):
    """One file of a bundle."""

    sha256: Sha256
    size: int = Field(ge=0)
    visibility: Visibility


class BundleManifest(Record):
    """What a bundle is.

    `tasks_sha256` is what runs bind to; relabeling changes `gold_sha256` alone. `sources` says
    how many templates and slot values stand behind the messages. `selection` names the quotas
    that chose the websites from a larger pool, `release` the published release this is;
    `captured` counts the websites that were made of captured pages. `part` names the part of
    the bundle with the tasks `part_of` that this was cut out of.
    """

    schema_version: Literal["bundle/1"] = "bundle/1"
    canary: str = CANARY
    generator: str
    preset: str
    recipes: str
    selection: str = ""
    release: str = ""
    part: str = ""
    part_of: Sha256 | None = None
    tasks_sha256: Sha256
    gold_sha256: Sha256
    seed_commitment: Sha256
    label_source: LabelSource
    label_audit: str | None = None
    codebook_id: str
    codebook_version: str
    websites: int
    captured: int = 0
    messages: int
    sources: SourceStatistics
    files: dict[str, FileEntry]


class SeedRecord(Record):
    """How the bundle was made; whoever holds it can make the bundle again."""

    schema_version: Literal["seed/1"] = "seed/1"
    canary: str = CANARY
    seed: str
    salt: str
    preset: str
    recipes: str


class Resolver(Record):
    """The private resolver ρ from entries to cases (paper, equation 2)."""

    schema_version: Literal["resolver/1"] = "resolver/1"
    canary: str = CANARY
    entries: dict[str, str]


class DataHeader(Record):
    """The first line of every JSONL data file."""

    schema_version: Literal["header/1"] = "header/1"
    canary: str = CANARY
    content: str


def visibility_of(name: str) -> Visibility:
    """Return who may see the file `name`."""
    if name.startswith(f"{GOLD_FOLDER}/"):
        return Visibility.EVALUATOR
    return Visibility.WEBSITE if name.startswith(f"{WEBSITES}/") else Visibility.MODEL


_NO_DATA = frozenset({WEBSITE_CHECKS})
"""Findings about the data, of which the last digits depend on the machine."""


def identity(files: dict[str, FileEntry], *, gold: bool) -> Sha256:
    """Return `gold_sha256` or `tasks_sha256` of a set of files."""
    return sha256_listing(
        (name, entry.sha256)
        for name, entry in files.items()
        if (entry.visibility is Visibility.EVALUATOR) is gold and name not in _NO_DATA
    )


def data_bytes(content: str, records: Iterable[Record]) -> bytes:
    """Return a JSONL data file: its header, then one record a line."""
    return jsonl_bytes([DataHeader(content=content), *records])


def read_data(path: Path, kind: type[R]) -> list[R]:
    """Read a JSONL data file written by `data_bytes`.

    Raises:
        InputError: naming the file and the line.
    """
    lines = read_lines(path)
    if not lines:
        raise InputError(f"{path}: empty; restore the file from its source")
    validate(DataHeader, lines[0][1], lines[0][0])
    return [validate(kind, value, where) for where, value in lines[1:]]
