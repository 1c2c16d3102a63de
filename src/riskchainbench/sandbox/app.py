"""A thin ASGI shell over `websites.step`: one process serves every website by host name.

An episode is a random host name with a state of its own; opening, resetting and closing one
touch nothing but a dictionary. What a request means is decided in `websites.step` alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import Sha256
from riskchainbench.websites.fonts import FONT_PATH, FONT_TYPE, font_file
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import Event, State, View, ViewEffect, initial_state, step
from riskchainbench.websites.submitted import body_fields, named

MAX_BODY = 64 * 1024
"""Bytes of a request body that are read; a longer one is refused."""

MAX_LOG = 10_000
"""Requests of one episode that are recorded; a page that floods the server fills no memory."""

CONTENT_SECURITY_POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-src 'self'; object-src 'none'; base-uri 'none'"
)

HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-DNS-Prefetch-Control": "off",
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "*",
}
"""Sent with every answer of every website, so that none can be told by its headers.

A person sees a website in a frame without an origin, where its own typefaces and data come from
elsewhere: it is allowed to load them.
"""


@dataclass(frozen=True)
class Episode:
    """One visit of one website; `host` is the name it is served under."""

    host: str
    case_id: str


@dataclass(frozen=True)
class Served:
    """One recorded request and what it came to."""

    method: str
    path: str
    effect: ViewEffect
    status: int
    state_sha256: Sha256


@dataclass
class _Live:
    site: LoadedWebsite
    state: State
    log: list[Served] = field(default_factory=list)


class Sandbox:
    """All websites of a bundle, and the episodes that are open on them. An ASGI application."""

    def __init__(self, websites: Mapping[str, LoadedWebsite], suffix: str = "test") -> None:
        self._websites = dict(websites)
        self._suffix = suffix
        self._live: dict[str, _Live] = {}

    def open(self, case_id: str, rng: Random) -> Episode:
        """Open a new episode under a random host name drawn from `rng`.

        Raises:
            InputError: the sandbox holds no website of that id.
        """
        site = self._websites.get(case_id)
        if site is None:
            raise InputError(f"case {case_id}: the sandbox holds no such website")
        host = f"{rng.getrandbits(80):020x}.{self._suffix}"
        while host in self._live:
            host = f"{rng.getrandbits(80):020x}.{self._suffix}"
        self._live[host] = _Live(site, initial_state(site))
        return Episode(host, case_id)

    def reset(self, host: str) -> None:
        """Put an episode back to its initial state and forget its log."""
        live = self._episode(host)
        self._live[host] = _Live(live.site, initial_state(live.site))

    def close(self, host: str) -> None:
        """End an episode; its host name is unknown from then on. Closing twice is harmless."""
        self._live.pop(host, None)

    def state_sha256(self, host: str) -> Sha256:
        """Return the identity of an episode's present state."""
        return self._episode(host).state.sha256

    def log(self, host: str) -> tuple[Served, ...]:
        """Return the first `MAX_LOG` requests that an episode served, undeclared ones included."""
        return tuple(self._episode(host).log)

    def _episode(self, host: str) -> _Live:
        live = self._live.get(host)
        if live is None:
            raise InputError(f"host {host}: no episode is open under this name")
        return live

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one ASGI connection; anything but HTTP is turned away."""
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        host = request.headers.get("host", "").rsplit(":", 1)[0].lower()
        live = self._live.get(host)
        if live is None:
            return Response(status_code=421, headers=HEADERS)
        if request.url.path.startswith(FONT_PATH):
            return _font(request.url.path.removeprefix(FONT_PATH))
        form = await _form(request)
        if form is None:
            return Response(status_code=413, headers=HEADERS)
        method = "GET" if request.method == "HEAD" else request.method
        event = Event(method, request.url.path, named(dict(request.query_params)), form)
        live.state, view = step(live.site, live.state, event)
        if len(live.log) < MAX_LOG:
            live.log.append(Served(method, event.path, view.effect, view.status, live.state.sha256))
        return _response(view)


async def _form(request: Request) -> dict[str, str] | None:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    if not body:
        return {}
    return named(body_fields(bytes(body), request.headers.get("content-type", "")))


def _font(name: str) -> Response:
    """Answer with a typeface, which a browser may keep for the whole episode.

    Every origin may use it: in a person's sandboxed frame a website has an origin of no name.
    """
    data = font_file(name)
    if data is None:
        return Response(status_code=404, headers=HEADERS)
    headers = {
        "Cache-Control": "max-age=86400",
        "Content-Type": FONT_TYPE,
        "Access-Control-Allow-Origin": "*",
    }
    return Response(data, headers=HEADERS | headers)


def _response(view: View) -> Response:
    headers = dict(HEADERS)
    if view.location is not None:
        headers["Location"] = view.location
    if view.download_name is not None:
        headers["Content-Disposition"] = f'attachment; filename="{view.download_name}"'
    if view.media_type:
        headers["Content-Type"] = view.media_type
    return Response(view.body, view.status, headers)


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
