"""Renders captured pages and imported websites in the sealed browser, bounded page by page.

The browser runs in a child process that is killed with its tree when a page hangs or grows.
A captured page is answered from the capture alone: nothing is ever asked of the network.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import signal
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import Field

from riskchainbench.browser.processes import ProcessTree
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.worker import MARK
from riskchainbench.capture.archive import Archive
from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.exchange import Capture, Exchange
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.record import Origin
from riskchainbench.capture.submissions import sent_fields
from riskchainbench.capture.troubles import Limits
from riskchainbench.capture.urls import canonical
from riskchainbench.core.investigation import Viewport
from riskchainbench.core.record import Record
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.submitted import body_fields

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page, Route

PAGE_LIMIT = 20.0
"""Seconds a page may take in all; past them it is given up and its browser killed."""

START_LIMIT = 60.0
_LOAD_MS = 8_000
_SETTLE_MS = 300
_POLL = 0.25
_ROUNDS = 3
_MAX_HTML = 8 * 1024 * 1024

_FREEZE = """() => {
  for (const style of document.querySelectorAll('style')) {
    try {
      if (!style.textContent.trim() && style.sheet)
        style.textContent = [...style.sheet.cssRules].map(rule => rule.cssText).join('\\n');
    } catch (error) {}
  }
  for (const canvas of document.querySelectorAll('canvas')) {
    try {
      const image = document.createElement('img');
      image.src = canvas.toDataURL();
      image.width = canvas.width; image.height = canvas.height;
      image.className = canvas.className; image.id = canvas.id;
      canvas.replaceWith(image);
    } catch (error) {}
  }
  const type = document.doctype ? '<!DOCTYPE html>' : '';
  return type + document.documentElement.outerHTML;
}"""
_TEXT = "() => document.body ? document.body.innerText : ''"


class RenderJob(Record):
    """What a child renders: URLs of a capture, or paths of a website that is served."""

    settings: BrowserSettings
    viewport: Viewport
    pages: tuple[str, ...]
    capture: Path | None = None
    limits: Limits = Limits()
    host: str = ""
    port: int = 0
    page_limit: float = Field(default=PAGE_LIMIT, gt=0)


class Rendered(Record):
    """One page as the browser shows it; `url` is where it ended up."""

    url: str
    html: str
    text: str
    png: bytes


def frozen_pages(
    path: Path, capture: Capture, policy: ImportPolicy, settings: BrowserSettings
) -> dict[str, str]:
    """Return the pages of a capture as their scripts left them, by URL.

    A page that hangs is left as it was captured. Links that scripts wrote lead to further
    pages, which are rendered in turn.
    """
    frozen: dict[str, str] = {}
    tried: set[str] = set()
    plain = policy.but(scripts=Scripts.DROP)
    for _ in range(_ROUNDS):
        compiled = compile_capture(capture, plain, frozen)
        urls = dict.fromkeys(
            url for page, url in compiled.urls.items() if compiled.origins[page] is Origin.OBSERVED
        )
        fresh = [url for url in urls if url not in tried]
        if not fresh:
            break
        tried.update(fresh)
        for url, shown in render_capture(path, policy, settings, fresh).items():
            frozen[url] = shown.html if canonical(shown.url) == url else _onward(shown.url)
    return frozen


def render_capture(
    path: Path,
    policy: ImportPolicy,
    settings: BrowserSettings,
    urls: Iterable[str],
    *,
    limit: float = PAGE_LIMIT,
) -> dict[str, Rendered]:
    """Return captured pages as they look with their scripts on, by URL; hung ones are missing."""
    job = RenderJob(
        settings=settings,
        viewport=policy.viewport,
        pages=tuple(urls),
        capture=path,
        limits=policy.limits,
        page_limit=limit,
    )
    return _rendered(job)


def render_website(
    loaded: LoadedWebsite, settings: BrowserSettings, paths: Iterable[str]
) -> dict[str, Rendered]:
    """Return pages of a website as they look in the sandbox, by path; hung ones are missing."""
    from random import Random

    from riskchainbench.sandbox.app import Sandbox
    from riskchainbench.sandbox.server import SandboxServer

    sandbox = Sandbox({"site": loaded})
    with SandboxServer(sandbox) as server:
        host = sandbox.open("site", Random(1)).host
        job = RenderJob(
            settings=settings,
            viewport=loaded.website.viewport,
            pages=tuple(paths),
            host=host,
            port=server.port,
        )
        return _rendered(job)


def _onward(url: str) -> str:
    """Return a page that leads where a script sent its visitor."""
    safe = url.replace("&", "&amp;").replace('"', "%22")
    return f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={safe}">'


# --- the parent ----------------------------------------------------------------------------------
def _rendered(job: RenderJob) -> dict[str, Rendered]:
    found: dict[str, Rendered] = {}
    left = list(job.pages)
    while left:
        before = len(left)
        for page, shown in _one_child(job.but(pages=tuple(left))):
            left.remove(page)
            if shown is not None:
                found[page] = shown
        if len(left) == before:
            break  # the browser does not start, or gives up on the first page each time
    return found


def _one_child(job: RenderJob) -> Iterator[tuple[str, Rendered | None]]:
    """Yield what one child renders until it is done or a page takes it down."""
    mark = secrets.token_hex(16)
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=child_main, args=(theirs, job.model_dump_json(), mark))
    process.start()
    theirs.close()
    tree = ProcessTree(process.pid or 0, mark)
    try:
        if _received(ours, process, tree, job.settings, START_LIMIT) is None:
            return
        for page in job.pages:
            answer = _received(ours, process, tree, job.settings, job.page_limit)
            shown = Rendered(**answer) if answer and "html" in answer else None
            yield page, shown
            if answer is None:
                return
    finally:
        tree.kill()
        process.join(5.0)
        ours.close()


def _received(
    conn: Connection,
    process: BaseProcess,
    tree: ProcessTree,
    settings: BrowserSettings,
    limit: float,
) -> dict[str, Any] | None:
    waited = 0.0
    while waited < limit:
        if conn.poll(_POLL):
            try:
                value: dict[str, Any] = conn.recv()
            except (EOFError, OSError):
                return None
            return value
        waited += _POLL
        if not process.is_alive() or tree.memory() > settings.memory_cap:
            return None
    return None


# --- the child -----------------------------------------------------------------------------------
def child_main(conn: Connection, job_json: str, mark: str) -> None:
    """Render what the job asks for and send each page; meant to be killed."""
    os.environ[MARK] = mark
    with contextlib.suppress(OSError):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    job = RenderJob.model_validate_json(job_json)
    with contextlib.suppress(BrokenPipeError, ConnectionResetError):
        _render_all(conn, job)
    conn.close()


def _render_all(conn: Connection, job: RenderJob) -> None:
    from playwright.sync_api import sync_playwright

    from riskchainbench.browser.launch import launch

    archive = Archive(read_capture(job.capture, job.limits)) if job.capture else None
    with sync_playwright() as playwright:
        launched = launch(playwright, job.settings, lambda _: None)
        if job.host:
            launched.relay.admit(job.host, job.port)
        context = launched.browser.new_context(
            viewport={"width": job.viewport.width, "height": job.viewport.height},
            locale=job.settings.locale,
            timezone_id=job.settings.timezone,
            reduced_motion="reduce",
            user_agent=job.settings.user_agent,
            service_workers="block",
            accept_downloads=False,
        )
        if archive is not None:
            answers = CaptureAnswers(archive)
            context.route("**/*", answers.answer)
        conn.send({"ready": True})
        for page in job.pages:
            conn.send(_render(context, page if archive else f"http://{job.host}{page}"))
        launched.close()


def _render(context: BrowserContext, url: str) -> dict[str, Any]:
    from playwright.sync_api import Error as PlaywrightError

    page = context.new_page()
    try:
        with contextlib.suppress(PlaywrightError):
            page.goto(url, wait_until="load", timeout=_LOAD_MS)
        page.wait_for_timeout(_SETTLE_MS)
        png = page.screenshot(timeout=_LOAD_MS)
        text = _evaluated(page, _TEXT)
        html = _evaluated(page, _FREEZE)
        if not page.url.startswith("http") or len(html) > _MAX_HTML:
            return {"failed": True}
        return {"url": page.url, "html": html, "text": text, "png": png}
    except PlaywrightError:
        return {"failed": True}
    finally:
        with contextlib.suppress(PlaywrightError):
            page.close()


def _evaluated(page: Page, script: str) -> str:
    return str(page.evaluate(script))


class CaptureAnswers:
    """Answers a browser's requests from a capture; what it lacks is refused."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    def answer(self, route: Route) -> None:
        """Answer one request."""
        request = route.request
        url = canonical(request.url)
        exchange = None
        if url is not None:
            exchange = (
                self._posted(url, request.post_data_buffer or b"")
                if request.method == "POST"
                else self._got(url)
            )
        if exchange is None:
            route.abort()
            return
        route.fulfill(
            status=exchange.status if exchange.status >= 200 else 200,
            headers=_headers(exchange),
            body=exchange.body,
        )

    def _got(self, url: str) -> Exchange | None:
        found = self._archive.find(url)
        return found.exchange if found else None

    def _posted(self, url: str, body: bytes) -> Exchange | None:
        same = [e for e in self._archive.posts() if e.url == url]
        exact = [e for e in same if e.sent == body]
        alike = [e for e in same if body_fields(body, e.sent_type) == sent_fields(e)]
        chosen = (exact or alike or same)[:1]
        if not chosen:
            return None
        target = self._archive.target_of(chosen[0])
        return self._got(target) if target else chosen[0]


_PASSED = frozenset({"content-type", "content-language", "access-control-allow-origin"})


def _headers(exchange: Exchange) -> dict[str, str]:
    """Return the headers that a replayed answer keeps; any page may read any answer."""
    kept = {name: value for name, value in exchange.headers if name in _PASSED and value}
    return {**kept, "access-control-allow-origin": "*"}
