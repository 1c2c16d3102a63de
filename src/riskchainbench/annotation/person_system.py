"""A person as a system: the same requests as any model, answered on a page of forms.

The page shows what the request holds and nothing else: message, codebook, observation,
inventory, remaining budget, and in a repair turn what was wrong. What the person enters
becomes the same JSON a model would write, so that the run folder, the validator and the
scores are the same.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Any

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route, Router
from starlette.types import Receive, Scope, Send

from riskchainbench.annotation.accounts import fresh_token
from riskchainbench.annotation.web.bench import page_templates, static_files
from riskchainbench.annotation.web.security import from_own_page, headers
from riskchainbench.annotation.web.texts import codebook_language, translator
from riskchainbench.core.investigation import (
    CONCLUSION_TIME_LIMIT,
    ELEMENT_ACTIONS,
    ActionKind,
)
from riskchainbench.core.restoration import Intent
from riskchainbench.core.system import (
    ActionRequest,
    AnyRequest,
    ConclusionRequest,
    ImagePart,
    Reply,
    RestorationRequest,
    TextPart,
)
from riskchainbench.core.text import gate

PREFIX = "human"
FIRST_TURN = 2
"""Messages of a prompt before any repair: instruction and question."""
BOX = ("x", "y", "width", "height")
REFERENCES = 8
"""Rows for evidence on the conclusion's form."""


@dataclass
class _Open:
    number: int
    request: AnyRequest
    until: float | None
    answer: asyncio.Future[str]
    loop: asyncio.AbstractEventLoop

    @property
    def left(self) -> float | None:
        """Seconds that are left for the answer, or None where there is no limit."""
        return None if self.until is None else max(0.0, self.until - monotonic())


@dataclass
class PersonDesk:
    """An ASGI application with the questions that wait for the person.

    The address holds a secret, since whoever opens it answers for the person.
    """

    secret: str = field(default_factory=lambda: fresh_token()[:24])
    _open: dict[int, _Open] = field(default_factory=dict)
    _count: int = 0
    _typed: dict[str, str] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        self._static = static_files()
        self._headers = headers("'none'")
        self._templates = page_templates()
        base = f"/{self.secret}"
        self._router = Router(
            [
                Route("/static/{name}", self._file, methods=["GET"]),
                Route(base, self._page, methods=["GET"]),
                Route(f"{base}/{{number:int}}", self._take, methods=["POST"]),
                Route(f"{base}/{{number:int}}/images/{{sha256}}", self._image, methods=["GET"]),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        await self._router(scope, receive, send)

    async def ask(self, request: AnyRequest, until: float | None = None) -> str:
        """Put a request before the person and return what they answered, as JSON.

        `until` is when their time for it ends, on the monotonic clock.
        """
        loop = asyncio.get_running_loop()
        with self._lock:
            self._count += 1
            waiting = _Open(self._count, request, until, loop.create_future(), loop)
            self._open[waiting.number] = waiting
        try:
            return await waiting.answer
        finally:
            with self._lock:
                self._open.pop(waiting.number, None)

    def _first(self) -> _Open | None:
        with self._lock:
            return self._open[min(self._open)] if self._open else None

    async def _page(self, request: Request) -> Response:
        waiting = self._first()
        language = "zh" if request.headers.get("accept-language", "").startswith("zh") else "en"
        values: dict[str, Any] = {
            "t": translator(language),
            "language": language,
            "base": f"/{self.secret}",
            "number": waiting.number if waiting else 0,
            "asked": waiting.request if waiting else None,
            "left": waiting.left if waiting else None,
            "kind": _kind(waiting.request) if waiting else "nothing",
            "actions": [each.value for each in ActionKind],
            "intents": [each.value for each in Intent],
            "rows": range(REFERENCES),
            "wrong": repair_note(waiting.request) if waiting else "",
            "pictures": sorted(shown_images(waiting.request)) if waiting else [],
        }
        values["typed"] = self._typed if values["wrong"] else {}
        if isinstance(waiting and waiting.request, ActionRequest | ConclusionRequest):
            assert waiting is not None
            book = waiting.request.codebook  # type: ignore[union-attr]
            values |= {"codebook": book, "words": codebook_language(language, book.languages)}
        html = self._templates.get_template("person.html.j2").render(values)
        return HTMLResponse(html, 200, self._headers)

    async def _take(self, request: Request) -> Response:
        if not from_own_page(request):
            return Response("forms come from this page only", 403, self._headers)
        form = await request.form(max_files=0, max_fields=400)
        waiting = self._open.get(request.path_params["number"])
        if waiting is not None:
            self._typed = {name: text for name, text in form.items() if isinstance(text, str)}
            text = json.dumps(answer_from(waiting.request, form), ensure_ascii=False)
            waiting.loop.call_soon_threadsafe(_settle, waiting.answer, gate(text)[0])
            await asyncio.sleep(0.3)
        return RedirectResponse(f"/{self.secret}", 303, self._headers)

    async def _image(self, request: Request) -> Response:
        waiting = self._open.get(request.path_params["number"])
        sha256 = request.path_params["sha256"]
        if waiting is None or sha256 not in shown_images(waiting.request):
            return Response("no such picture", 404, self._headers)
        images = waiting.request.images
        assert images is not None
        return Response(images(sha256), 200, self._headers, media_type="image/png")

    async def _file(self, request: Request) -> Response:
        found = self._static.get(request.path_params["name"])
        if found is None:
            return Response("no such file", 404, self._headers)
        return Response(found[0], 200, self._headers, media_type=found[1])


def _settle(answer: asyncio.Future[str], text: str) -> None:
    if not answer.done():
        answer.set_result(text)


def _kind(request: AnyRequest) -> str:
    if isinstance(request, RestorationRequest):
        return "restoration"
    return "action" if isinstance(request, ActionRequest) else "conclusion"


def shown_images(request: AnyRequest) -> set[str]:
    """Return the pictures that a model would be sent with this request, and no others."""
    parts = [part for message in request.prompt for part in message.parts]
    return {part.sha256 for part in parts if isinstance(part, ImagePart)}


def repair_note(request: AnyRequest) -> str:
    """Return what a repair turn says was wrong with the answer before, or nothing."""
    if len(request.prompt) <= FIRST_TURN:
        return ""
    return "\n".join(p.text for p in request.prompt[-1].parts if isinstance(p, TextPart))


def answer_from(request: AnyRequest, form: FormData | Mapping[str, str]) -> dict[str, Any]:
    """Return the person's form as the object that the request's contract asks for."""

    def text(name: str) -> str:
        value = form.get(name, "")
        return value if isinstance(value, str) else ""

    if isinstance(request, RestorationRequest):
        entries = [line.strip() for line in text("candidates").splitlines() if line.strip()]
        return {
            "messages": [
                {
                    "message_id": m.message_id,
                    "text": text(f"m.{m.message_id}").replace("\r\n", "\n"),
                }
                for m in request.task.messages
            ],
            "intent": text("intent"),
            "candidates": [
                {"rank": rank, "value": value} for rank, value in enumerate(entries[:10], start=1)
            ],
            "abstain": not entries,
            "uncertainties": [],
        }
    if isinstance(request, ActionRequest):
        action = text("action")
        on_element = action in {each.value for each in ELEMENT_ACTIONS}
        return {
            "action": action,
            "element": text("element") or None if on_element else None,
            "option": text("option") or None if action == ActionKind.CHOOSE else None,
            "reason": text("reason"),
        }
    return _conclusion(text)


def _conclusion(text: Callable[[str], str]) -> dict[str, Any]:
    evidence = []
    for row in range(REFERENCES):
        step, locator = text(f"step{row}"), _locator(text(f"kind{row}"), text(f"what{row}").strip())
        if step.isdecimal() and locator is not None:
            evidence.append({"step": int(step), "locator": locator})
    confidence = text("confidence")
    return {
        "decision": text("decision"),
        "violation_type": {"NON_VIOLATION": "NONE", "INSUFFICIENT_EVIDENCE": "UNKNOWN"}.get(
            text("decision"), text("violation_type")
        ),
        "rationale": text("rationale"),
        "evidence": evidence,
        "confidence": (int(confidence) - 1) / 4 if confidence in "12345" and confidence else 0.5,
    }


def _locator(kind: str, what: str) -> dict[str, Any] | None:
    """Return the locator that a row of the form names: words, a control, or an area.

    What cannot be read as one becomes a quotation, and the validator says what is wrong.
    """
    if not what:
        return None
    if kind == "element":
        return {"kind": "element", "element_id": what.split()[0]}
    numbers = re.findall(r"-?[0-9]+(?:\.[0-9]+)?", what)
    if kind == "box" and len(numbers) == len(BOX):
        return {"kind": "box", **dict(zip(BOX, map(float, numbers), strict=True))}
    return {"kind": "quote", "text": what}


class PersonSystem:
    """The system that hands every request to a person; its name carries theirs."""

    def __init__(self, person: str, desk: PersonDesk) -> None:
        self._person = person
        self.desk = desk
        self._concluding: dict[str, float] = {}

    @property
    def name(self) -> str:
        """The name in every table."""
        return f"{PREFIX}:{self._person}"

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        """How many people stand behind the row."""
        return {"people": 1}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        """Wait for the person's answer."""
        begun = monotonic()
        text = await self.desk.ask(request, self._until(unit_id, request, begun))
        return Reply(text=text, provider_seconds=round(monotonic() - begun, 3))

    def _until(self, unit_id: str, request: AnyRequest, now: float) -> float | None:
        if isinstance(request, ActionRequest):
            return now + request.remaining_seconds
        if isinstance(request, ConclusionRequest):
            return self._concluding.setdefault(unit_id, now) + CONCLUSION_TIME_LIMIT
        return None
