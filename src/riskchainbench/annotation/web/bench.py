"""What all pages share: the project, the frames, who is asking, and how a page is drawn."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import cached_property
from importlib import resources
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from riskchainbench.annotation.evidence_audit import EvidenceAudit
from riskchainbench.annotation.project import Project
from riskchainbench.annotation.settings import COORDINATOR, RefusedError
from riskchainbench.annotation.store import Session
from riskchainbench.annotation.training import TrainingSite
from riskchainbench.annotation.web.frames import Frames
from riskchainbench.annotation.web.photographer import Photographer
from riskchainbench.annotation.web.security import (
    LANGUAGE,
    MAX_FORM,
    SESSION,
    Attempts,
    from_own_page,
    headers,
    token_fits,
)
from riskchainbench.annotation.web.texts import LANGUAGES, codebook_language, translator
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.errors import RiskChainError

AT_ONCE = 4
_NUMBER = re.compile(r"[0-9]{1,9}")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """Where the workbench and the websites are reached.

    By default on ``localhost`` and names below it. A team behind its own proxy names two
    domains of its own; `suffix` then is one that no cookie of `host` reaches.
    """

    host: str = "localhost"
    suffix: str = "localhost"
    scheme: str = "http"

    def frames(self) -> str:
        """Return the sources of frames, as a Content-Security-Policy names them."""
        port = ":*" if self.host == "localhost" else ""
        return f"{self.scheme}://*.{self.suffix}{port}"


@dataclass
class Workbench:
    """Everything that the pages work on."""

    project: Project
    frames: Frames
    photographer: Photographer
    place: Place = Place()
    training: tuple[TrainingSite, ...] = ()
    attempts: Attempts = field(default_factory=Attempts)
    audit: EvidenceAudit | None = None

    @cached_property
    def pages(self) -> asyncio.Semaphore:
        """The turns of pages: more of them at once would only take each other's time."""
        return asyncio.Semaphore(AT_ONCE)

    @cached_property
    def headers(self) -> Mapping[str, str]:
        """The headers of every answer."""
        return headers(self.place.frames())

    @cached_property
    def templates(self) -> Environment:
        """The templates; everything they print is escaped."""
        return page_templates()


@dataclass
class Call:
    """One request of somebody, with its form read."""

    bench: Workbench
    request: Request
    session: Session | None
    form: FormData

    @property
    def language(self) -> str:
        """The language that the person chose, or that their browser asks for."""
        chosen = self.request.cookies.get(LANGUAGE, "")
        if chosen in LANGUAGES:
            return chosen
        return "zh" if self.request.headers.get("accept-language", "").startswith("zh") else "en"

    @property
    def person(self) -> str:
        """The name of the person who is signed in."""
        assert self.session is not None
        return self.session.person.name

    @property
    def project(self) -> Project:
        """The project."""
        return self.bench.project

    @property
    def codebook(self) -> Codebook:
        """The project's codebook."""
        return self.bench.project.codebook

    def text(self, name: str) -> str:
        """Return one field of the form as text."""
        value = self.form.get(name, "")
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return all values of a field."""
        return tuple(value for value in self.form.getlist(name) if isinstance(value, str))

    def number(self, name: str) -> int | None:
        """Return a field as a whole number of at most nine digits, or None if it is none."""
        text = self.text(name)
        return int(text) if _NUMBER.fullmatch(text) else None

    @property
    def place(self) -> str:
        """The path that the person is on: that of the page whose form was sent, for a form."""
        if self.request.method == "GET":
            return self.request.url.path
        try:
            came = urlsplit(self.request.headers.get("referer", ""))
        except ValueError:
            return "/"
        here = came.netloc == self.request.headers.get("host", "")
        return came.path if here and came.path else "/"

    def page(self, template: str, status: int = 200, **values: Any) -> Response:
        """Draw a page."""
        words = translator(self.language)
        common = {
            "t": words,
            "language": self.language,
            "words": codebook_language(self.language, self.codebook.languages),
            "session": self.session,
            "coordinator": self.session is not None and self.session.person.role == COORDINATOR,
            "simulated": self.project.settings.simulated,
            "codebook": self.codebook,
            "path": self.place,
            "auditing": self.bench.audit is not None,
        }
        html = self.bench.templates.get_template(template).render({**common, **values})
        return HTMLResponse(html, status, dict(self.bench.headers))

    def message(self, key: str, status: int) -> Response:
        """Draw a page that says one thing plainly."""
        words = translator(self.language)(key)
        return self.page("message.html.j2", status, message=words, kept=())

    def go(self, path: str) -> Response:
        """Send the browser on, also where htmx asked."""
        if self.request.headers.get("hx-request"):
            return Response(None, 204, {**self.bench.headers, "HX-Redirect": path})
        return RedirectResponse(path, 303, dict(self.bench.headers))


Handler = Callable[[Call], Response]


def endpoint(
    bench: Workbench,
    handler: Handler,
    *,
    role: str | None = None,
    public: bool = False,
    slow: bool = False,
) -> Callable[[Request], Any]:
    """Return an endpoint that lets `handler` run for those who may ask.

    What is `slow` does not take a turn among the pages.

    A page without a session leads to the sign-in; a form must come from the workbench's own
    page and carry the session's token. Where the project cannot be read or written, the person
    is told so and the reason is logged.
    """

    async def answer(request: Request) -> Response:
        form = FormData()
        if request.method == "POST":
            if int(request.headers.get("content-length") or MAX_FORM + 1) > MAX_FORM:
                return Response("too large", 413, dict(bench.headers))
            try:
                form = await request.form(max_files=0, max_fields=400, max_part_size=MAX_FORM)
            except MultiPartException:
                return Response("no form", 400, dict(bench.headers))
        async with nullcontext() if slow else bench.pages:
            return await run_in_threadpool(_answer, bench, handler, request, form, role, public)

    return answer


def _answer(
    bench: Workbench,
    handler: Handler,
    request: Request,
    form: FormData,
    role: str | None,
    public: bool,
) -> Response:
    session = None
    try:
        token = request.cookies.get(SESSION)
        session = bench.project.store.session(token, bench.project.clock()) if token else None
        return _handled(Call(bench, request, session, form), handler, role, public)
    except RiskChainError as error:
        _log.error("%s %s: %s", request.method, request.url.path, error)
        return Call(bench, request, session, form).message("unavailable", 503)


def _handled(call: Call, handler: Handler, role: str | None, public: bool) -> Response:
    session = call.session
    if call.request.method == "POST" and not _own(call, public):
        return call.message("refused.form", 403)
    if session is None and not public:
        return call.go("/signin")
    if role is not None and (session is None or session.person.role != role):
        return call.message("refused.role", 403)
    try:
        return handler(call)
    except RefusedError as error:
        return call.message(error.key, 409)


def _own(call: Call, public: bool) -> bool:
    if not from_own_page(call.request):
        return False
    if public or call.session is None:
        return public
    return token_fits(call.text("csrf"), call.session.csrf)


def page_templates() -> Environment:
    """Return the templates of all pages, compiled, so that nobody waits for the first one."""
    found = Environment(
        loader=PackageLoader("riskchainbench.annotation.web"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    found.filters["sentence"] = lambda text: text[:1].upper() + text[1:]
    for name in found.list_templates():
        found.get_template(name)
    return found


def static_files() -> dict[str, tuple[bytes, str]]:
    """Return the files that every page may load, with their media types."""
    folder = resources.files("riskchainbench.annotation.web") / "static"
    return {
        "workbench.css": ((folder / "workbench.css").read_bytes(), "text/css"),
        "page.js": ((folder / "page.js").read_bytes(), "text/javascript"),
        "workbench.js": ((folder / "workbench.js").read_bytes(), "text/javascript"),
        "person.js": ((folder / "person.js").read_bytes(), "text/javascript"),
        "htmx.min.js": ((folder / "htmx.min.js").read_bytes(), "text/javascript"),
    }
