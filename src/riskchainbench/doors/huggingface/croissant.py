"""Croissant 1.0 metadata with the fields for responsible AI, and a check of what it must hold.

Sources: the Croissant format specification 1.0 and the Croissant RAI vocabulary 1.0 of
MLCommons. The check covers the fields that both require and that references resolve; it is no
replacement for the reference validator, which is too large to depend on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from riskchainbench.core.text import is_day
from riskchainbench.doors.huggingface.about import About, File
from riskchainbench.doors.huggingface.table import CROISSANT_TYPES, Column, DataTable, Kind

CONFORMS_TO = ("http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0")
PARQUET = "application/x-parquet"

_OF_CROISSANT = (
    *(
        "citeAs",
        "column",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
    ),
    *("format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path"),
    *("recordSet", "references", "regex", "repeated", "replace", "separator", "source"),
    *("samplingRate", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{name: f"cr:{name}" for name in _OF_CROISSANT},
}

_REQUIRED = (
    *("@context", "@type", "conformsTo", "name", "description", "license", "url", "creator"),
    *("datePublished", "version", "citeAs", "distribution", "recordSet"),
)
_REQUIRED_RAI = (
    *("dataCollection", "dataBiases", "dataLimitations", "dataUseCases", "dataSocialImpact"),
    *("personalSensitiveInformation", "dataAnnotationProtocol", "dataReleaseMaintenancePlan"),
)


def croissant(about: About, tables: Sequence[DataTable], files: Mapping[str, File]) -> Any:
    """Return the metadata as JSON values; `files` are the written files by table."""
    words = about.words
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(CONFORMS_TO),
        "name": words["name"],
        "alternateName": [f"{words['title']} {about.manifest.tasks_sha256[:12]}"],
        "description": f"{words['description']} {about.manifest.canary}",
        "license": words["license_url"],
        "url": f"urn:riskchainbench:{about.manifest.tasks_sha256}",
        "creator": {"@type": "sc:Organization", "name": words["creator"]},
        "keywords": words["keywords"],
        "inLanguage": words["languages"],
        "datePublished": about.date,
        "version": about.manifest.generator,
        "citeAs": words["cite_as"],
        "isLiveDataset": False,
        **{f"rai:{name}": value for name, value in about.rai.items()},
        "distribution": [_file(table, files[table.name]) for table in tables],
        "recordSet": [_record_set(table) for table in tables],
    }


def _file(table: DataTable, file: File) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "description": table.about,
        "contentUrl": file.path,
        "contentSize": f"{file.size} B",
        "encodingFormat": PARQUET,
        "sha256": file.sha256,
    }


def _record_set(table: DataTable) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": table.about,
        "field": [_field(table, column) for column in table.columns],
    }


def _field(table: DataTable, column: Column) -> dict[str, Any]:
    field: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{table.name}/{column.name}",
        "name": column.name,
        "description": column.about,
        "dataType": CROISSANT_TYPES[column.kind],
        "source": {"fileObject": {"@id": table.path}, "extract": {"column": column.name}},
    }
    return {**field, "repeated": True} if column.kind is Kind.TEXTS else field


def problems(metadata: Mapping[str, Any]) -> list[str]:
    """Return what the metadata lacks or contradicts; nothing means that it holds together."""
    found = [f"{name}: missing" for name in _REQUIRED if not metadata.get(name)]
    found += [f"rai:{name}: missing" for name in _REQUIRED_RAI if not metadata.get(f"rai:{name}")]
    found += [
        f"conformsTo: lacks {each}"
        for each in CONFORMS_TO
        if each not in metadata.get("conformsTo", ())
    ]
    if not is_day(str(metadata.get("datePublished", ""))):
        found.append("datePublished: no date such as 2026-01-31")
    files = metadata.get("distribution", ())
    for file in files:
        found += _file_problems(file)
    ids = [file.get("@id") for file in files]
    for record_set in metadata.get("recordSet", ()):
        ids.append(record_set.get("@id"))
        for field in record_set.get("field", ()):
            ids.append(field.get("@id"))
            found += _field_problems(field, {file.get("@id") for file in files})
    found += [f"@id {each}: stands twice" for each in sorted({i for i in ids if ids.count(i) > 1})]
    return found


def _file_problems(file: Mapping[str, Any]) -> list[str]:
    needed = ("@type", "@id", "name", "contentUrl", "encodingFormat", "sha256")
    found = [f"{file.get('@id')}: {name}: missing" for name in needed if not file.get(name)]
    if not re.fullmatch(r"[0-9a-f]{64}", str(file.get("sha256", ""))):
        found.append(f"{file.get('@id')}: sha256: no SHA-256")
    return found


def _field_problems(field: Mapping[str, Any], files: set[Any]) -> list[str]:
    name = field.get("@id")
    needed = ("@type", "@id", "name", "dataType", "source")
    found = [f"{name}: {part}: missing" for part in needed if not field.get(part)]
    source = field.get("source", {})
    if source.get("fileObject", {}).get("@id") not in files:
        found.append(f"{name}: source: names no file of the distribution")
    if not source.get("extract", {}).get("column"):
        found.append(f"{name}: source: names no column")
    return found
