"""Takes the pictures that evidence is pinned on, in the sealed browser and off the network.

A page state is drawn from the markup that the visitor's own frame handed over, with scripts
off; every request is answered from the website's files or refused.
"""

from __future__ import annotations

import contextlib
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from importlib import resources
from queue import Queue
from typing import Protocol

from playwright.sync_api import Browser, Route, ViewportSize, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.annotation.web.frames import SHEET
from riskchainbench.browser.launch import launch
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.websites.records import LoadedWebsite

LIMIT = 12.0
"""Seconds to wait for a picture."""

_PLACE = "http://page.test"


@dataclass(frozen=True)
class PageState:
    """What to draw: the markup, where the page was scrolled to, and the website's files."""

    website: LoadedWebsite
    html: str
    path: str
    top: int


class Photographer(Protocol):
    """Whoever can draw a page state."""

    def picture(self, state: PageState) -> bytes | None:
        """Return a PNG of the viewport, or None where it cannot be drawn."""

    def close(self) -> None:
        """Give the browser back."""


class NoPhotographer:
    """Stands in where there is no browser: pins then hold words only."""

    def picture(self, state: PageState) -> bytes | None:  # noqa: ARG002
        """Return nothing."""
        return None

    def close(self) -> None:
        """Do nothing."""


class BrowserPhotographer:
    """One browser in one thread, started with the first picture and anew where it died."""

    def __init__(self, settings: BrowserSettings) -> None:
        self._settings = settings
        self._queue: Queue[tuple[PageState, Future[bytes | None]] | None] = Queue()
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def picture(self, state: PageState) -> bytes | None:
        """Return a PNG of the viewport, or None where it cannot be drawn in time."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, daemon=True)
                self._thread.start()
        wanted: Future[bytes | None] = Future()
        self._queue.put((state, wanted))
        try:
            return wanted.result(LIMIT)
        except TimeoutError:
            return None

    def close(self) -> None:
        """End the browser. Closing twice is harmless."""
        with self._lock:
            if self._thread is not None:
                self._queue.put(None)
                self._thread.join(LIMIT)
                self._thread = None

    def _work(self) -> None:
        with sync_playwright() as playwright, ExitStack() as running:
            browser: Browser | None = None
            while (item := self._queue.get()) is not None:
                state, wanted = item
                try:
                    if browser is None or not browser.is_connected():
                        running.close()
                        launched = launch(playwright, self._settings, lambda _: None)
                        running.callback(launched.close)
                        browser = launched.browser
                    wanted.set_result(_drawn(browser, state))
                except (PlaywrightError, OSError):
                    wanted.set_result(None)


@cache
def _sheet() -> bytes:
    folder = resources.files("riskchainbench.annotation.web") / "static"
    return (folder / "frame.css").read_bytes()


def _drawn(browser: Browser, state: PageState) -> bytes:
    website = state.website.website
    size = ViewportSize(width=website.viewport.width, height=website.viewport.height)
    context = browser.new_context(
        viewport=size, java_script_enabled=False, accept_downloads=False, service_workers="block"
    )
    try:
        page = context.new_page()
        page.set_default_timeout(LIMIT * 500)

        def answer(route: Route) -> None:
            request = route.request
            path = request.url.removeprefix(_PLACE).split("?")[0]
            if request.resource_type == "document" and request.url.startswith(f"{_PLACE}/"):
                route.fulfill(body=state.html, content_type="text/html; charset=utf-8")
                return
            if path == SHEET:
                route.fulfill(body=_sheet(), content_type="text/css")
                return
            asset = state.website.assets.get(path)
            if asset is None or not request.url.startswith(f"{_PLACE}/"):
                route.abort()
                return
            route.fulfill(body=state.website.files[asset.file], content_type=asset.media_type)

        page.route("**/*", answer)
        page.goto(_PLACE + state.path, wait_until="load")
        with contextlib.suppress(PlaywrightError):
            page.mouse.wheel(0, state.top)
            page.wait_for_timeout(80 if state.top else 0)
        png: bytes = page.screenshot(animations="disabled")
        return png
    finally:
        context.close()
