"""Records a site on loopback with the sealed browser, as a WACZ file.

The browser itself reaches nothing: its requests are answered from here, and only those to the
one origin that is recorded are made.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import multiprocessing
import os
import secrets
import signal
import time
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from riskchainbench.browser.processes import ProcessTree
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.worker import MARK
from riskchainbench.capture.urls import absolute, canonical, origin_of
from riskchainbench.capture.wacz_writer import Recorded, RecordedPage, write_wacz
from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.core.record import Record

if TYPE_CHECKING:
    from playwright.sync_api import Page, Request, Route

MAX_PAGES = 200
_LOAD_MS = 8_000
_SETTLE_MS = 250
_READ_TRIES = 4
_ANSWER_LIMIT = 10.0
_MAX_BODY = 64 * 1024 * 1024
_PER_PAGE = 25.0
_START = 60.0
_MAX_HOPS = 20

T = TypeVar("T")

_LINKS = "() => [...document.querySelectorAll('a[href],area[href]')].map(a => String(a.href))"
_FORMS = """() => [...document.forms].map(f => (f.method + ' ' + f.action))"""
_SUBMIT = """number => {
  const form = document.forms[number];
  const samples = {email: 'person@mail.test', tel: '100-0000-0001', password: 'sample-pass-1',
    number: '1', date: '2026-01-02', url: 'http://site.test/', month: '2026-01', time: '10:00'};
  for (const field of form.elements) {
    if (field.tagName === 'TEXTAREA') field.value = field.value || 'sample';
    if (field.tagName === 'SELECT' && field.selectedIndex < 1 && field.options.length > 1)
      field.selectedIndex = 1;
    if (field.tagName !== 'INPUT') continue;
    if (field.type === 'checkbox') field.checked = true;
    else if (!/^(hidden|radio|file|submit|button|image|reset)$/.test(field.type))
      field.value = field.value || samples[field.type] || 'sample';
  }
  form.requestSubmit ? form.requestSubmit() : form.submit();
}"""


class RecordJob(Record):
    """What the child is to record."""

    settings: BrowserSettings
    url: str
    out: Path
    pages: int
    forms: bool


class Recording(Record):
    """What was recorded; `refused` are the hosts that the site asked for beside its own."""

    pages: int
    exchanges: int
    refused: tuple[str, ...]


def loopback_url(url: str) -> str:
    """Return `url` in canonical form.

    Raises:
        InputError: it names no site on this machine's loopback.
    """
    found = canonical(url)
    host = urlsplit(found).hostname if found else None
    local = host == "localhost"
    with contextlib.suppress(ValueError):
        local = local or ipaddress.ip_address(host or "").is_loopback
    if found is None or not local or urlsplit(found).scheme != "http":
        raise InputError(f"{url}: only sites on loopback are recorded, as http://127.0.0.1:8000/")
    return found


def record_site(
    url: str, out: Path, settings: BrowserSettings, *, pages: int, forms: bool
) -> Recording:
    """Visit the site at `url` and write what it answered to `out`.

    Args:
        url: of a site on loopback.
        out: the WACZ file; it must not exist yet.
        settings: of the browser.
        pages: how many pages are visited at most.
        forms: whether each form is sent once with sample values.

    Raises:
        InputError: `url` is not on loopback, or `out` exists or has no folder.
        RiskChainError: the site did not answer, or the browser failed.
    """
    job = RecordJob(
        settings=settings, url=loopback_url(url), out=out.resolve(), pages=pages, forms=forms
    )
    if out.exists():
        raise InputError(f"{out}: exists already; name a new file")
    if not job.out.parent.is_dir():
        raise InputError(f"{out}: its folder does not exist; make it first")
    mark = secrets.token_hex(16)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=child_main, args=(theirs, job.model_dump_json(), mark))
    process.start()
    theirs.close()
    tree = ProcessTree(process.pid or 0, mark)
    try:
        if not ours.poll(_START + _PER_PAGE * pages):
            raise RiskChainError(f"{url}: the recording did not end in time")
        answer: dict[str, Any] = ours.recv()
    except (EOFError, OSError) as error:
        raise RiskChainError(f"{url}: the recording browser died") from error
    finally:
        tree.kill()
        process.join(5.0)
        ours.close()
    if "error" in answer:
        raise RiskChainError(f"{url}: {answer['error']}")
    return Recording.model_validate(answer)


def child_main(conn: Connection, job_json: str, mark: str) -> None:
    """Record what the job asks for; meant to be killed."""
    os.environ[MARK] = mark
    with contextlib.suppress(OSError):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = RecordJob.model_validate_json(job_json)
    with contextlib.suppress(BrokenPipeError):
        try:
            conn.send(_record(job).model_dump(mode="json"))
        except RiskChainError as error:
            conn.send({"error": str(error)})
        except Exception as error:  # the parent tells it in one line
            conn.send({"error": f"{type(error).__name__}: {error}"[:300]})
    conn.close()


def _record(job: RecordJob) -> Recording:
    from playwright.sync_api import sync_playwright

    from riskchainbench.browser.launch import launch

    wire = Wire(origin_of(job.url), time.time)
    with sync_playwright() as playwright:
        launched = launch(playwright, job.settings, lambda _: None)
        context = launched.browser.new_context(
            viewport={"width": 1280, "height": 720},
            user_agent=job.settings.user_agent,
            service_workers="block",
            accept_downloads=False,
        )
        context.route("**/*", wire.answer)
        visited = _Crawl(context.new_page(), job).run()
        launched.close()
    if not wire.exchanges:
        raise RiskChainError("the site did not answer")
    write_wacz(job.out, wire.exchanges, visited)
    return Recording(
        pages=len(visited), exchanges=len(wire.exchanges), refused=tuple(sorted(wire.refused))
    )


class _Crawl:
    """Visits pages breadth first, then sends each form once."""

    def __init__(self, page: Page, job: RecordJob) -> None:
        self._page, self._job = page, job
        self._origin = origin_of(job.url)
        self._queue = [job.url]
        self._sent: set[str] = set()
        self._visited: list[RecordedPage] = []

    def run(self) -> list[RecordedPage]:
        for url in self._queue:
            if len(self._visited) >= self._job.pages:
                break
            if not self._open(url):
                continue
            self._visited.append(RecordedPage(url, self._read(self._page.title)))
            self._follow()
            if self._job.forms:
                self._send_forms(url)
        return self._visited

    def _open(self, url: str) -> bool:
        from playwright.sync_api import Error as PlaywrightError

        try:
            self._page.goto(url, wait_until="load", timeout=_LOAD_MS)
        except PlaywrightError:
            return False
        self._page.wait_for_timeout(_SETTLE_MS)
        return self._page.url.startswith("http")

    def _read(self, read: Callable[[], T]) -> T:
        """Return what `read` finds on the page, asked again where the page was led on meanwhile."""
        from playwright.sync_api import Error as PlaywrightError

        for _ in range(_READ_TRIES - 1):
            try:
                return read()
            except PlaywrightError:
                with contextlib.suppress(PlaywrightError):
                    self._page.wait_for_load_state("load", timeout=_LOAD_MS)
                self._page.wait_for_timeout(_SETTLE_MS)
        return read()

    def _follow(self) -> None:
        for link in self._read(lambda: self._page.evaluate(_LINKS)):
            found = canonical(link)
            if found and origin_of(found) == self._origin and found not in self._queue:
                self._queue.append(found)

    def _send_forms(self, url: str) -> None:
        from playwright.sync_api import Error as PlaywrightError

        for number, form in enumerate(self._read(lambda: self._page.evaluate(_FORMS))):
            if form in self._sent:
                continue
            self._sent.add(form)
            with contextlib.suppress(PlaywrightError):
                if not self._open(url):
                    return
                self._page.evaluate(_SUBMIT, number)
                self._page.wait_for_load_state("load", timeout=_LOAD_MS)
                self._page.wait_for_timeout(_SETTLE_MS)
                self._follow()


class Wire:
    """Answers the browser by asking the one origin, and keeps what went over the wire."""

    def __init__(self, origin: str, now: Callable[[], float]) -> None:
        self._origin, self._now = origin, now
        self._cookies: SimpleCookie = SimpleCookie()
        self.exchanges: list[Recorded] = []
        self.refused: set[str] = set()

    def answer(self, route: Route) -> None:
        """Answer one request of the browser."""
        request = route.request
        found = canonical(request.url)
        if found is None or origin_of(found) != self._origin:
            self.refused.add(urlsplit(request.url).hostname or request.url[:40])
            route.abort()
            return
        try:
            recorded = self._asked(found, request)
        except (OSError, http.client.HTTPException):
            route.abort()
            return
        target = _target(recorded)
        if target is not None and request.is_navigation_request():
            # The browser would follow a redirect past this door; a page leads it on through it.
            safe = target.replace('"', "%22").replace("<", "%3C")
            script = f'<script>location.replace("{safe}")</script>'
            route.fulfill(status=200, body=script, headers={"content-type": "text/html"})
            return
        for _ in range(_MAX_HOPS):
            if target is None or origin_of(target) != self._origin:
                break
            recorded = self._ask(target, "GET", b"", "")
            target = _target(recorded)
        kept = {n: v for n, v in recorded.headers if n.lower() not in _NOT_PASSED}
        route.fulfill(status=recorded.status, body=_plain(recorded), headers=kept)

    def _asked(self, url: str, request: Request) -> Recorded:
        sent = request.post_data_buffer or b""
        return self._ask(url, request.method, sent, request.headers.get("content-type", ""))

    def _ask(self, url: str, method: str, sent: bytes, sent_type: str) -> Recorded:
        parts = urlsplit(url)
        connection = http.client.HTTPConnection(
            parts.hostname or "", parts.port or 80, timeout=_ANSWER_LIMIT
        )
        headers = {"Accept-Encoding": "identity", "Connection": "close"}
        if sent_type:
            headers["Content-Type"] = sent_type
        if self._cookies:
            headers["Cookie"] = "; ".join(f"{k}={m.value}" for k, m in self._cookies.items())
        try:
            connection.request(
                method, parts.path + (f"?{parts.query}" if parts.query else ""), sent, headers
            )
            response = connection.getresponse()
            body = response.read(_MAX_BODY)
            found = Recorded(
                url,
                method,
                sent,
                sent_type,
                response.status,
                response.reason,
                tuple((n, v) for n, v in response.getheaders() if n.lower() not in _HOP_BY_HOP),
                body,
                self._now(),
            )
        finally:
            connection.close()
        for name, value in found.headers:
            if name.lower() == "set-cookie":
                with contextlib.suppress(CookieError):
                    self._cookies.load(value)
        self.exchanges.append(found)
        return found


_HOP_BY_HOP = frozenset({"transfer-encoding", "connection", "keep-alive"})
_NOT_PASSED = _HOP_BY_HOP | {"content-encoding", "content-length", "location"}


def _plain(recorded: Recorded) -> bytes:
    """Return a body with its content encoding undone, for a site that sent one unasked."""
    from riskchainbench.capture.content import decoded

    said = next((v for n, v in recorded.headers if n.lower() == "content-encoding"), "")
    return decoded(recorded.body, said, _MAX_BODY, lambda _: None)[0]


def _target(recorded: Recorded) -> str | None:
    if not 300 <= recorded.status < 400:
        return None
    location = next((v for n, v in recorded.headers if n.lower() == "location"), "")
    found = absolute(recorded.url, location) if location else None
    return found[0] + found[1] if found else None
