"""The websites as people visit them: the sandbox, with every visit recorded.

Each visit has a random host of its own. Pages are served as they are but for one script and
one sheet added to their head: they blur images until asked, and hand over the page state for a
picture when the workbench asks. The workbench treats whatever they send as untrusted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from random import Random
from threading import Lock
from urllib.parse import parse_qsl

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from riskchainbench.annotation.records import VisitEvent
from riskchainbench.sandbox.app import CONTENT_SECURITY_POLICY, HEADERS, Sandbox
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import ViewEffect

SCRIPT, SHEET = "/.workbench/frame.js", "/.workbench/frame.css"
_ADDED = f'<link rel="stylesheet" href="{SHEET}"><script src="{SCRIPT}"></script>'.encode()
MAX_EVENTS = 2_000
"""Events of one visit that are recorded; a page that floods the server fills no database."""

Recorder = Callable[[str, str, Sequence[VisitEvent]], None]


@dataclass
class _Visit:
    person: str
    slot: str
    case_id: str
    started: float
    seen: int = 0
    recorded: int = 0


class Frames:
    """An ASGI application: the open visits, by host."""

    def __init__(
        self,
        websites: dict[str, LoadedWebsite],
        suffix: str,
        rng: Random,
        clock: Callable[[], float],
        record: Recorder,
    ) -> None:
        self._websites = websites
        self._sandbox = Sandbox(websites, suffix=suffix)
        self._rng = rng
        self._clock = clock
        self._record = record
        self._visits: dict[str, _Visit] = {}
        self._hosts: dict[tuple[str, str], str] = {}
        self._lock = Lock()
        folder = resources.files("riskchainbench.annotation.web") / "static"
        self._own = {
            SCRIPT: ((folder / "frame.js").read_bytes(), "text/javascript"),
            SHEET: ((folder / "frame.css").read_bytes(), "text/css"),
        }

    def website(self, case_id: str) -> LoadedWebsite:
        """Return the website of a case."""
        return self._websites[case_id]

    def host(self, person: str, slot: str, case_id: str, started: float) -> str:
        """Return the host of a person's visit, opened when first asked for."""
        with self._lock:
            key = (person, slot)
            if key not in self._hosts:
                self._hosts[key] = self._sandbox.open(case_id, self._rng).host
                self._visits[self._hosts[key]] = _Visit(person, slot, case_id, started)
            return self._hosts[key]

    def reset(self, person: str, slot: str) -> None:
        """End a visit; the next page load begins a fresh one under another host."""
        with self._lock:
            host = self._hosts.pop((person, slot), None)
            if host is not None:
                self._visits.pop(host, None)
                self._sandbox.close(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection to a website and record what it did."""
        if scope["type"] != "http":
            await self._sandbox(scope, receive, send)
            return
        own = self._own.get(scope["path"])
        if own is not None:
            await Response(own[0], media_type=own[1], headers=HEADERS)(scope, receive, send)
            return
        body = bytearray()

        async def heard() -> Message:
            message = await receive()
            body.extend(message.get("body", b"")[:4096])
            return message

        host = _host(scope)
        visit = self._visits.get(host)
        scripted = visit is None or self._websites[visit.case_id].scripted
        policy = None if scripted else _own_script_only(scope)
        await self._sandbox(scope, heard, _with_addition(send, policy))
        if visit is not None:
            names = [name for name, _ in parse_qsl(body.decode("utf-8", "replace"))]
            events = self._new_events(host, visit, tuple(dict.fromkeys(names))[:40])
            if events:
                # The database may make a writer wait; the other connections must not.
                await run_in_threadpool(self._record, visit.person, visit.slot, events)

    def _new_events(self, host: str, visit: _Visit, names: tuple[str, ...]) -> list[VisitEvent]:
        log = self._sandbox.log(host)
        new = [each for each in log[visit.seen :] if each.effect is not ViewEffect.ASSET]
        visit.seen = len(log)
        new = new[: MAX_EVENTS - visit.recorded]
        visit.recorded += len(new)
        return [
            VisitEvent(
                at=round(max(0.0, self._clock() - visit.started), 1),
                method=served.method,
                path=served.path,
                effect=served.effect.value,
                status=served.status,
                fields=names,
                state_sha256=served.state_sha256,
            )
            for served in new
        ]


def _host(scope: Scope) -> str:
    return _asked(scope).rsplit(":", 1)[0].lower()


def _asked(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"host":
            return str(value.decode("latin-1"))
    return ""


def _own_script_only(scope: Scope) -> bytes:
    """Return a policy under which a website without scripts of its own runs the workbench's."""
    port = _asked(scope).rpartition(":")[2]
    own = f"script-src {_host(scope)}{f':{port}' if port.isdigit() else ''}{SCRIPT}"
    return CONTENT_SECURITY_POLICY.replace("script-src 'self'", own).encode("latin-1")


def _with_addition(send: Send, policy: bytes | None) -> Send:
    """Return `send` that adds the script and the sheet to the head of HTML pages.

    `policy` stands in for the website's own, if given.
    """
    started: Message | None = None

    async def sent(message: Message) -> None:
        nonlocal started
        if message["type"] == "http.response.start":
            started = message
            return
        assert started is not None
        body = message.get("body", b"")
        headers = dict(started["headers"])
        if headers.get(b"content-type", b"").startswith(b"text/html"):
            if policy is not None:
                headers[b"content-security-policy"] = policy
            body = add_to_head(body)
            headers[b"content-length"] = str(len(body)).encode()
            started = {**started, "headers": list(headers.items())}
        await send(started)
        await send({**message, "body": body})

    return sent


def add_to_head(page: bytes) -> bytes:
    """Return an HTML page with the workbench's script and sheet after its head's start."""
    lower = page.lower()
    place = lower.find(b"<head")
    if place < 0:
        return _ADDED + page if not lower.startswith(b"<!doctype") else _after_doctype(page)
    end = page.find(b">", place) + 1
    return page[:end] + _ADDED + page[end:]


def _after_doctype(page: bytes) -> bytes:
    end = page.find(b">") + 1
    return page[:end] + _ADDED + page[end:]
