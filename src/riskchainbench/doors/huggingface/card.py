"""The data card: a README whose YAML head tells Hugging Face which file is which table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from riskchainbench.doors.huggingface.about import About, File
from riskchainbench.doors.huggingface.table import DataTable

_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_SECTIONS = (
    ("Uses", "dataUseCases"),
    ("How it was made", "dataCollection"),
    ("Labels", "dataAnnotationProtocol"),
    ("Limits", "dataLimitations"),
    ("Biases", "dataBiases"),
    ("Personal and sensitive information", "personalSensitiveInformation"),
    ("Social impact", "dataSocialImpact"),
    ("Maintenance", "dataReleaseMaintenancePlan"),
)


def card(about: About, tables: Sequence[DataTable], files: Mapping[str, File]) -> str:
    """Return the text of README.md."""
    words, manifest = about.words, about.manifest
    gold = any(table.gold for table in tables)
    parts = [
        f"---\n{_head(about, tables)}---\n",
        f"# {words['title']} `{manifest.tasks_sha256[:12]}`\n",
        f"{words['description']}\n",
        "This export **holds the gold**: keep it where no evaluated system can read it.\n"
        if gold
        else "This export holds **no gold**: labels, pairs and reference texts are withheld.\n",
        "| table | rows | what it holds |\n|---|---|---|",
        *(f"| `{t.name}` | {files[t.name].rows:,} | {t.about} |" for t in tables),
        "",
        f"- tasks: `{manifest.tasks_sha256}`",
        f"- gold: `{manifest.gold_sha256}`" if gold else "- gold: withheld",
        f"- codebook: {manifest.codebook_id} {manifest.codebook_version}",
        f"- labels: {manifest.label_source.value}",
        f"- generator: {manifest.generator}",
        "",
        *(f"## {title}\n\n{_sentences(about.rai[key])}\n" for title, key in _SECTIONS),
        f"## Citation\n\n{words['cite_as']}\n",
        f"## Contamination\n\n{manifest.canary}",
    ]
    return "\n".join(parts) + "\n"


def _head(about: About, tables: Sequence[DataTable]) -> str:
    # JSON scalars and lists are YAML as well, so nothing needs to be escaped twice.
    words = about.words
    items = about.manifest.messages + about.manifest.websites
    size = next((name for limit, name in _SIZES if items < limit), "100K<n<1M")
    lines = [
        f"pretty_name: {_yaml(words['title'])}",
        f"license: {_yaml(words['license_id'])}",
        f"language: {_yaml(words['languages'])}",
        f"tags: {_yaml(words['keywords'])}",
        f"size_categories: {_yaml([size])}",
        "configs:",
    ]
    for table in tables:
        lines += [
            f"- config_name: {_yaml(table.name)}",
            "  data_files:",
            "  - split: test",
            f"    path: {_yaml(table.path)}",
        ]
    return "\n".join(lines) + "\n"


def _yaml(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _sentences(value: str | list[str]) -> str:
    return value if isinstance(value, str) else " ".join(value)
