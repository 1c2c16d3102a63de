"""Judgments in and out of the project: plain CSV and the task format of Label Studio.

Exports carry the annotator of every judgment and the hash of its ledger line. What is
imported passes the same rules as what is typed.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from riskchainbench.annotation.intake import Incoming, take_judgments
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.records import HumanJudgment, Judged, LedgerLine, Pin, Purpose
from riskchainbench.core.errors import InputError

COLUMNS = (
    "case_id",
    "person",
    "purpose",
    "environment",
    "decision",
    "violation_type",
    "secondary_types",
    "confidence",
    "note",
    "counter_evidence",
    "pins",
    "seconds",
    "at",
    "simulated",
    "corrects",
    "sha256",
)
_LIST = "|"
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def judgments(project: Project) -> list[tuple[LedgerLine, HumanJudgment]]:
    """Return every judgment of the ledger, corrections included, in order."""
    return [(line, line.entry) for line in project.lines() if isinstance(line.entry, HumanJudgment)]


def to_csv(project: Project) -> str:
    """Return the judgments as CSV with the columns `COLUMNS`.

    Cells that a spreadsheet would run as a formula are led by an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line, judgment in judgments(project):
        writer.writerow([_inert(value) for value in _row(line, judgment).values()])
    return out.getvalue()


def _row(line: LedgerLine, judgment: HumanJudgment) -> dict[str, str]:
    judged = judgment.judged
    return {
        "case_id": judgment.case_id,
        "person": judgment.person,
        "purpose": judgment.purpose.value,
        "environment": judged.environment.value,
        "decision": judged.decision.value,
        "violation_type": judged.violation_type,
        "secondary_types": _LIST.join(judged.secondary_types),
        "confidence": str(judged.confidence),
        "note": judged.note,
        "counter_evidence": judged.counter_evidence,
        "pins": json.dumps([p.model_dump(mode="json") for p in judged.pins], ensure_ascii=False),
        "seconds": f"{judgment.seconds:g}",
        "at": _time(line.at),
        "simulated": str(judgment.simulated).lower(),
        "corrects": judgment.corrects or "",
        "sha256": line.sha256,
    }


def _inert(value: str) -> str:
    return f"'{value}" if value[:1] in _FORMULA else value


def _plain(value: str) -> str:
    return value[1:] if value[:1] == "'" and value[1:2] in _FORMULA else value


def _time(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def to_label_studio(project: Project) -> list[dict[str, Any]]:
    """Return the judgments as Label Studio tasks, one a website, one annotation a judgment."""
    tasks: dict[str, dict[str, Any]] = {
        case_id: {"id": number, "data": {"case_id": case_id}, "annotations": []}
        for number, case_id in enumerate(project.settings.cases, start=1)
    }
    for line, judgment in judgments(project):
        tasks[judgment.case_id]["annotations"].append(_annotation(line, judgment))
    return list(tasks.values())


def _annotation(line: LedgerLine, judgment: HumanJudgment) -> dict[str, Any]:
    judged = judgment.judged
    result = [
        _choices("environment", [judged.environment.value]),
        _choices("decision", [judged.decision.value]),
        _choices("violation_type", [judged.violation_type]),
        {
            "from_name": "confidence",
            "to_name": "website",
            "type": "rating",
            "value": {"rating": judged.confidence},
        },
    ]
    if judged.secondary_types:
        result.append(_choices("secondary_types", list(judged.secondary_types)))
    for name, text in (("note", judged.note), ("counter_evidence", judged.counter_evidence)):
        if text:
            result.append(_text(name, [text]))
    pins = [json.dumps(p.model_dump(mode="json"), ensure_ascii=False) for p in judged.pins]
    result.append(_text("pins", pins))
    return {
        "id": line.number,
        "completed_by": {"email": judgment.person},
        "created_at": _time(line.at),
        "lead_time": judgment.seconds,
        "ground_truth": False,
        "was_cancelled": False,
        "meta": {
            "purpose": judgment.purpose.value,
            "simulated": judgment.simulated,
            "corrects": judgment.corrects,
            "sha256": line.sha256,
        },
        "result": result,
    }


def _choices(name: str, values: list[str]) -> dict[str, Any]:
    return {
        "from_name": name,
        "to_name": "website",
        "type": "choices",
        "value": {"choices": values},
    }


def _text(name: str, values: list[str]) -> dict[str, Any]:
    return {"from_name": name, "to_name": "website", "type": "textarea", "value": {"text": values}}


def import_csv(project: Project, text: str, where: str) -> int:
    """Take judgments from CSV and return how many.

    Raises:
        InputError: naming the line and the column that is wrong; nothing of it is taken.
    """
    reader = csv.DictReader(io.StringIO(text, newline=""))
    rows: list[tuple[str, dict[str, str]]] = []
    begun = 1
    try:
        missing = {"case_id", "person", "decision", "violation_type"} - set(reader.fieldnames or ())
        if missing:
            raise InputError(f"{where}: line 1: no column {', '.join(sorted(missing))}")
        begun = reader.line_num + 1
        for row in reader:
            plain = {k: _plain(v or "") for k, v in row.items() if k}
            rows.append((f"{where}: line {begun}", plain))
            begun = reader.line_num + 1
    except csv.Error as error:
        raise InputError(f"{where}: line {begun}: {error}") from error
    return _import(project, rows)


def import_label_studio(project: Project, text: str, where: str) -> int:
    """Take judgments from a Label Studio export and return how many.

    Raises:
        InputError: naming the task and annotation that is wrong; nothing of it is taken.
    """
    try:
        tasks = json.loads(text)
        rows = [
            (
                f"{where}: task {index} annotation {number}",
                {**_flat(annotation), "case_id": str(task["data"]["case_id"])},
            )
            for index, task in enumerate(tasks, start=1)
            for number, annotation in enumerate(task.get("annotations", []), start=1)
            if not annotation.get("was_cancelled")
        ]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"{where}: no Label Studio export with data.case_id ({error!r})"
        ) from error
    return _import(project, rows)


def _flat(annotation: Mapping[str, Any]) -> dict[str, str]:
    by = annotation.get("completed_by")
    person = by.get("email") if isinstance(by, dict) else by
    meta = annotation.get("meta") or {}
    row = {
        "person": str(person),
        "seconds": str(annotation.get("lead_time") or 0),
        "purpose": str(meta.get("purpose", "")),
        "corrects": str(meta.get("corrects") or ""),
    }
    for result in annotation["result"]:
        name, value = result["from_name"], result["value"]
        if "choices" in value:
            row[name] = _LIST.join(map(str, value["choices"]))
        elif "rating" in value:
            row[name] = str(value["rating"])
        elif "text" in value:
            texts = value["text"] if isinstance(value["text"], list) else [value["text"]]
            row[name] = f"[{','.join(texts)}]" if name == "pins" else "\n".join(map(str, texts))
    return row


def _from_row(row: Mapping[str, str]) -> Judged:
    pins = json.loads(row.get("pins") or "[]")
    return Judged(
        environment=row.get("environment") or "COMPLETE",
        decision=row["decision"],
        violation_type=row["violation_type"],
        secondary_types=tuple(t for t in row.get("secondary_types", "").split(_LIST) if t),
        pins=tuple(Pin.model_validate(pin) for pin in pins),
        counter_evidence=row.get("counter_evidence", ""),
        confidence=int(row.get("confidence") or 3),
        note=row.get("note", ""),
    )


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"seconds: {text} is no time")
    return seconds


def _import(
    project: Project,
    rows: Iterable[tuple[str, Mapping[str, str]]],
) -> int:
    """Read and check every row before the first one is taken."""
    ready: list[Incoming] = []
    for where, row in rows:
        try:
            judged, seconds = _from_row(row), _seconds(row.get("seconds") or "0")
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise InputError(f"{where}: {place}: {first['msg']}") from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise InputError(f"{where}: {error!r}") from error
        if row.get("corrects"):
            raise InputError(f"{where}: corrects: corrections are not imported; leave them out")
        if row.get("purpose") != Purpose.REPEAT:
            ready.append(Incoming(where, row["case_id"], row["person"], judged, seconds))
    return take_judgments(project, ready)
