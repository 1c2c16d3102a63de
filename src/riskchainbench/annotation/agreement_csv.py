"""The agreement report for spreadsheets: all figures as flat lines, the confusion as a matrix."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

from riskchainbench.annotation.agreement import AgreementReport, Count
from riskchainbench.core.record import Record

_HEAD = ("simulated", "codebook_version", "websites", "judgments", "corrections", "reports")
Line = tuple[str, str, str, Any]


def report_csv(report: AgreementReport) -> str:
    """Return the report's figures as ``group,name,field,value`` lines; unknown is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("group", "name", "field", "value"))
    for line in _lines(report):
        writer.writerow(["" if value is None else value for value in line])
    return out.getvalue()


def confusion_csv(report: AgreementReport) -> str:
    """Return the confusion between two people as a matrix, a row and a column a label."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("label", *report.labels))
    for label, counts in zip(report.labels, report.matrix, strict=True):
        writer.writerow((label, *counts))
    return out.getvalue()


def _lines(report: AgreementReport) -> Iterator[Line]:
    for field in _HEAD:
        yield "project", "", field, getattr(report, field)
    for name, count in report.paths.items():
        yield "path", name, "websites", count
    for name, measured in (("decision", report.decision), ("joint", report.joint)):
        yield from _fields("first_pass", name, measured.agreeing, "agreeing")
        yield from _fields("first_pass", name, measured.alpha)
    for row, counts in zip(report.labels, report.matrix, strict=True):
        for column, count in zip(report.labels, counts, strict=True):
            yield "confusion", row, column, count
    for each in report.types:
        yield from _fields("label", each.label, each)
    yield from _fields("repeats", "", report.repeats)
    for person in report.people:
        yield from _fields("person", person.person, person)
    for pair in report.pairs:
        yield from _fields("pair", f"{pair.first}|{pair.second}", pair)


def _fields(group: str, name: str, record: Record, prefix: str = "") -> Iterator[Line]:
    for field, value in record:
        place = f"{prefix}.{field}" if prefix else field
        if isinstance(value, Count):
            yield from _fields(group, name, value, place)
        else:
            yield group, name, place, value
