"""One website on somebody's desk: what it is, what they have typed and pinned, and its form.

A desk's key is a slot's number, ``fix-`` and a number for a correction, or ``practice-`` and
a number for a website of the training set.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from riskchainbench.annotation.form import Problem, is_catch_all
from riskchainbench.annotation.records import MAX_NOTE, MAX_PINS, Judged, Pin
from riskchainbench.annotation.settings import RefusedError
from riskchainbench.annotation.web.bench import Call
from riskchainbench.annotation.web.texts import anchor_name
from riskchainbench.core.codebook import Role
from riskchainbench.core.decisions import Decision, required_type
from riskchainbench.core.investigation import Box
from riskchainbench.core.text import gate
from riskchainbench.websites.records import LoadedWebsite

FIELDS = ("environment", "decision", "violation_type", "counter_evidence", "confidence", "note")
SHA256 = re.compile(r"[0-9a-f]{64}")
SLOT = re.compile(r"[0-9]{1,9}")
_KEY = re.compile(rf"(?:(fix|practice)-)?({SLOT.pattern})")


@dataclass
class Work:
    """A website on a desk."""

    key: str
    kind: str
    number: int
    case_id: str
    started: float
    values: dict[str, Any] = field(default_factory=dict)
    pins: list[Pin] = field(default_factory=list)
    version: int = 0

    @property
    def pins_key(self) -> str:
        """Where the pins of the draft are kept."""
        return f"{self.key}/pins"


def open_work(call: Call, key: str) -> Work:
    """Return the desk of that key with its draft.

    Raises:
        RefusedError: it is not the person's own, or it is settled.
    """
    match = _KEY.fullmatch(key)
    if match is None:
        raise RefusedError("refused.not_yours", f"{key}: no such work")
    kind, number = match[1] or "slot", int(match[2])
    work = _placed(call, key, kind, number)
    store = call.project.store
    typed = store.draft(call.person, work.key)
    pinned = store.draft(call.person, work.pins_key)
    if typed is not None:
        work.values = json.loads(typed.body)
        work.version = typed.version
    if pinned is not None:
        work.pins = [Pin.model_validate(pin) for pin in json.loads(pinned.body)]
    return work


def _placed(call: Call, key: str, kind: str, number: int) -> Work:
    now = call.project.clock()
    if kind == "practice":
        if not 1 <= number <= len(call.bench.training):
            raise RefusedError("refused.not_yours", f"{key}: no such practice website")
        return Work(key, kind, number, call.bench.training[number - 1].case_id, now)
    if kind == "fix":
        said = call.project.own_judgment(call.person, number)
        work = Work(key, kind, number, said.case_id, now, pins=list(said.judged.pins))
        work.values = {
            "environment": said.judged.environment.value,
            "decision": said.judged.decision.value,
            "violation_type": said.judged.violation_type,
            "secondary": list(said.judged.secondary_types),
            "counter_evidence": said.judged.counter_evidence,
            "confidence": str(said.judged.confidence),
            "note": said.judged.note,
        }
        return work
    slot = call.project.slot_of(call.person, number)
    return Work(key, kind, number, slot.case_id, slot.started_at or now)


def website(call: Call, work: Work) -> LoadedWebsite:
    """Return the website itself."""
    return call.bench.frames.website(work.case_id)


def frame_address(call: Call, work: Work) -> str:
    """Return the address of the person's own visit of the website."""
    return visit_address(call, work.key, work.case_id, work.started)


def visit_address(call: Call, key: str, case_id: str, started: float) -> str:
    """Return the address of the person's own visit of a website, opened when first asked for."""
    place = call.bench.place
    host = call.bench.frames.host(call.person, key, case_id, started)
    port = call.request.headers.get("host", "").partition(":")[2]
    start = call.bench.frames.website(case_id).website.start_path
    shown = f":{port}" if port.isdigit() and place.host == "localhost" else ""
    return f"{place.scheme}://{host}{shown}{start}"


def typed_values(call: Call) -> dict[str, Any]:
    """Return what the form holds, cut to what is accepted and free of broken characters."""
    values: dict[str, Any] = {
        name: gate(call.text(name).replace("\r\n", "\n"))[0][:MAX_NOTE] for name in FIELDS
    }
    values["secondary"] = [gate(text)[0][:64] for text in call.texts("secondary")][:20]
    return values


def keep_pins(call: Call, work: Work) -> None:
    """Write the pins of the draft."""
    body = json.dumps([pin.model_dump(mode="json") for pin in work.pins[:MAX_PINS]])
    call.project.keep(call.person, work.pins_key, body)


def judged_from(values: Mapping[str, Any], pins: list[Pin]) -> tuple[Judged | None, list[Problem]]:
    """Return the judgment that the form makes, or which questions are still open."""
    missing = [
        Problem(name, f"problem.{name}")
        for name in ("environment", "decision", "confidence")
        if not values.get(name)
    ]
    if missing:
        return None, missing
    try:
        decision = Decision(values["decision"])
        fixed = required_type(decision)
        return (
            Judged(
                environment=values["environment"],
                decision=decision,
                violation_type=fixed or values.get("violation_type") or "",
                secondary_types=tuple(values.get("secondary", ())) if fixed is None else (),
                pins=tuple(pins),
                counter_evidence=values.get("counter_evidence", ""),
                confidence=int(values["confidence"]),
                note=values.get("note", ""),
            ),
            [],
        )
    except (ValidationError, ValueError):
        return None, [Problem("decision", "problem.decision")]


def pin_from(call: Call) -> Pin | None:
    """Return the pin that the dialog describes, or None if it names nothing of the codebook."""
    kind, _, what = call.text("what").partition(":")
    anchors = {c.component_id: c.anchor for c in call.codebook.components}
    if kind == "component" and what in anchors:
        anchor, component = anchors[what], what
    elif kind == "anchor" and what in call.codebook.anchors:
        anchor, component = what, None
    else:
        return None
    picture = call.text("screenshot")
    kept = SHA256.fullmatch(picture) and call.project.pictures.path(picture).exists()
    return Pin(
        anchor=anchor,
        component_id=component,
        path=gate(call.text("path"))[0][:300] or "/",
        words=gate(call.text("words"))[0][:500],
        screenshot=picture if kept else None,
        box=_box(call),
    )


def _box(call: Call) -> Box | None:
    try:
        x, y, width, height = (float(call.text(name)) for name in ("x", "y", "w", "h"))
        return Box(x=x, y=y, width=width, height=height) if width > 0 and height > 0 else None
    except (ValueError, ValidationError):
        return None


def pin_groups(call: Call, words: str) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return what a pin can show: groups of (value, text, type ids that it belongs to)."""
    book = call.codebook
    types = {
        part: " ".join(
            kind.type_id
            for kind in book.types
            if any(part in parts for parts in kind.complete_sets)
        )
        for part in book.with_role(Role.VIOLATION)
    }
    facts = [
        (f"component:{c.component_id}", c.text[words], types[c.component_id])
        for c in book.components
        if c.role is Role.VIOLATION
    ]
    against = [
        (f"component:{c.component_id}", c.text[words], "")
        for c in book.components
        if c.role is not Role.VIOLATION
    ]
    named = {c.anchor for c in book.components}
    other = [
        (f"anchor:{anchor}", anchor_name(anchor, call.language), "")
        for anchor in book.anchors
        if anchor not in named or anchor == book.anchors[-1]
    ]
    return [("group_fact", facts), ("group_against", against), ("group_other", other)]


def catch_all_types(call: Call) -> list[str]:
    """Return the types that need a note."""
    return [kind.type_id for kind in call.codebook.types if is_catch_all(call.codebook, kind)]
