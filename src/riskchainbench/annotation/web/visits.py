"""What a person's visit does within a page: scrolling and typing, told by the framed page.

The page is untrusted, so is what it tells; the record says what was claimed, cut to bounds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from starlette.responses import JSONResponse, Response

from riskchainbench.annotation.records import VisitEvent, VisitKind
from riskchainbench.annotation.web import work as desk
from riskchainbench.annotation.web.bench import Call
from riskchainbench.annotation.web.frames import MAX_EVENTS
from riskchainbench.core.text import gate

BUNDLE = 100
"""Events taken at once."""
_FARTHEST = 10_000_000


def take(call: Call) -> Response:
    """Record a bundle of events of the person's own visit."""
    work = desk.open_work(call, call.request.path_params["key"])
    store = call.project.store
    left = max(0, MAX_EVENTS - store.count_visits(call.person, work.key))
    at = round(max(0.0, call.project.clock() - work.started), 1)
    found = list(told_events(call.text("events"), at))[: min(BUNDLE, left)]
    store.add_visit(call.person, work.key, found)
    return JSONResponse({"taken": len(found)}, headers=dict(call.bench.headers))


def told_events(text: str, at: float) -> Iterable[VisitEvent]:
    """Return the events that `text` tells of; what is no event is left out."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return
    for each in told if isinstance(told, list) else ():
        if isinstance(each, dict):
            event = _event(each, at)
            if event is not None:
                yield event


def _event(told: dict[str, Any], at: float) -> VisitEvent | None:
    path = gate(str(told.get("path", "/")))[0][:300]
    top, field = told.get("top"), told.get("field")
    if told.get("kind") == VisitKind.SCROLL and isinstance(top, int) and 0 <= top <= _FARTHEST:
        return VisitEvent(kind=VisitKind.SCROLL, at=at, path=path, top=top)
    if told.get("kind") == VisitKind.INPUT and isinstance(field, str) and field:
        return VisitEvent(kind=VisitKind.INPUT, at=at, path=path, fields=(gate(field)[0][:100],))
    return None
