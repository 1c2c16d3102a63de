"""The tabs of one episode and what happens in them beside their pages.

Listens to one browser context: keeps the newest tab active, answers dialogs, refuses
downloads and outside requests, and turns all of it into events without any host name.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from playwright.sync_api import Dialog, Download, Page, Request, Route
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.calls import called, untraced
from riskchainbench.browser.contexts import Fresh
from riskchainbench.browser.guards import Layer, NetworkLog, allowed, outside_pattern
from riskchainbench.browser.reader import PageGoneError, TabReader
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import EventKind, PageEvent
from riskchainbench.core.text import gate

Fatal = Callable[[FailureClass, str], None]
"""Told of a failure that ends the episode at once."""

_MAX_EVENTS = 40
_MAX_TEXT = 300


class PageCrashedError(Exception):
    """The process of the active tab died."""


class Tabs:
    """All tabs of one episode.

    Args:
        fresh: a context that served nothing yet.
        visit: the website.
        settings: caps on tabs and dialogs.
        network: where refused attempts are recorded.
        fatal: called when the active tab died or dialogs never end, since what waits for that
            tab would wait for ever; in a worker it does not return.
    """

    def __init__(
        self,
        fresh: Fresh,
        visit: Visit,
        settings: BrowserSettings,
        network: NetworkLog,
        fatal: Fatal,
    ) -> None:
        context = fresh.context
        self._context = context
        self._loop: asyncio.AbstractEventLoop = context._loop
        self._visit = visit
        self._settings = settings
        self._network = network
        self._fatal = fatal
        self._events: list[PageEvent] = []
        self._readers: dict[Page, TabReader] = {}
        self._pending: set[Request] = set()
        self._progress = time.monotonic()
        self._order: list[Page] = []
        self._dialogs = 0
        self._crashed = False
        self._front: Page | None = None
        self._had_tabs = False
        self._awaited = 0
        self._refused: set[Page] = set()
        self.closed_by_us: set[Page] = set()
        if settings.routing:
            refuse = context._wrap_handler(self._refuse)
            called(context, context._impl_obj.route(outside_pattern(visit.host), refuse))
        with untraced(context):
            context.on("page", self._opened)
            context.on("request", self._requested)
            context.on("requestfinished", self._ended)
            context.on("requestfailed", self._ended)
            self._opened(fresh.page)
            fresh.session.on("Page.windowOpen", self._opening)
        self._awaited = 0
        reader = TabReader(fresh.page, fresh.session, settings, fresh.frame_id)
        self._readers[fresh.page] = reader

    @property
    def active(self) -> Page:
        """The tab that is observed.

        Raises:
            PageCrashedError: its process died.
        """
        if self._crashed:
            raise PageCrashedError
        if not self._order:
            page = self._context.new_page()
            if page not in self._order:
                self._order.append(page)
        return self._order[-1]

    @property
    def pages(self) -> tuple[Page, ...]:
        """All open tabs, the active one last."""
        return tuple(self._order)

    def reader(self) -> TabReader:
        """Return the reader of the active tab, which is brought to the front if it was not."""
        page = self.active
        reader = self._reader_of(page)
        if page is not self._front:
            self._front = page
            if len(self._order) > 1 or self._had_tabs:
                self._had_tabs = True
                with contextlib.suppress(PageGoneError):
                    reader.bring_to_front()
        return reader

    def _reader_of(self, page: Page) -> TabReader:
        if page not in self._readers:
            session = self._context.new_cdp_session(page)
            session.on("Page.windowOpen", self._opening)
            session.send("Page.enable")
            self._readers[page] = TabReader(page, session, self._settings)
        return self._readers[page]

    def pending(self) -> tuple[bool, bool]:
        """Tell whether the active tab is loading anything, and whether a navigation is among it.

        A tab that is about to open counts as loading.
        """
        page = self.active
        mine = [request for request in self._pending if _page_of(request) is page]
        navigating = any(request.is_navigation_request() for request in mine)
        return bool(mine) or self._awaited > 0, navigating

    @property
    def progress(self) -> float:
        """When a request last ended or a tab opened, on the monotonic clock."""
        return self._progress

    def forget_pending(self) -> None:
        """Stop counting what is loading now; it never ends."""
        self._pending.clear()
        self._awaited = 0

    def event(self, kind: EventKind, text: str = "") -> None:
        """Note one event for the next observation."""
        if len(self._events) < _MAX_EVENTS:
            text = gate(text)[0].replace(self._visit.host, "")[:_MAX_TEXT]
            self._events.append(PageEvent(kind=kind, text=text))

    def take_events(self) -> tuple[PageEvent, ...]:
        """Return the events since the last call."""
        taken, self._events = tuple(self._events), []
        self._dialogs = 0
        return taken

    @property
    def eventful(self) -> bool:
        """Whether anything happened since the events were last taken."""
        return bool(self._events)

    def stillborn(self, page: Page) -> bool:
        """Tell whether a tab holds no page because the only one it asked for was refused."""
        return page.url == "" or (page in self._refused and page.url == "about:blank")

    def close_active(self) -> None:
        """Close the active tab; the one before it becomes active."""
        page = self.active
        self.closed_by_us.add(page)
        page.close()
        self._gone(page)

    def _opening(self, _: object) -> None:
        """Expect a tab: on a slow machine it opens long after the page that asked is quiet."""
        self._awaited += 1

    def _opened(self, page: Page) -> None:
        self._awaited = max(0, self._awaited - 1)
        self._progress = time.monotonic()
        page.on("dialog", self._dialog)
        page.on("download", self._download)
        page.on("crash", self._crash)
        page.on("close", self._closed)
        page.on("websocket", lambda socket: self._check(socket.url, "websocket"))
        if len(self._order) >= self._settings.max_tabs:
            self._network.refuse(Layer.POPUP, "tab", "about:blank")
            self.closed_by_us.add(page)
            with contextlib.suppress(PlaywrightError):
                page.close()
            return
        if self._order:
            self.event(EventKind.NEW_TAB, "")
        self._order.append(page)

    def _closed(self, page: Page) -> None:
        if page not in self.closed_by_us and page in self._order:
            self.event(EventKind.TAB_CLOSED, "")
        self._gone(page)

    def _gone(self, page: Page) -> None:
        if page in self._order:
            self._order.remove(page)
        self._readers.pop(page, None)
        self._pending = {request for request in self._pending if _page_of(request) is not page}

    def _dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        if self._dialogs > self._settings.max_dialogs:
            said = f"more than {self._settings.max_dialogs} dialogs in one step"
            self._fatal(FailureClass.PAGE_HUNG, said)
        self.event(EventKind.DIALOG, f"{dialog.type}: {dialog.message} (accepted)")
        with contextlib.suppress(PlaywrightError):
            if dialog.type == "prompt":
                dialog.accept(dialog.default_value)
            else:
                dialog.accept()

    def _download(self, download: Download) -> None:
        name = download.suggested_filename
        self.event(EventKind.DOWNLOAD, f"{name} (not saved)")
        url = download.url.replace(self._visit.host, "site")
        self._network.refuse(Layer.DOWNLOAD, "download", url)

    def _crash(self, page: Page) -> None:
        if self._order and page is self._order[-1]:
            self._crashed = True
            self._fatal(FailureClass.PAGE_CRASHED, "the page's process died")
        else:
            self.event(EventKind.PAGE_CRASH, "")
        self._gone(page)

    def _refuse(self, route: Route, request: Request) -> None:
        self._check(request.url, request.resource_type)
        page = _page_of(request)
        if page is not None and request.is_navigation_request():
            self._refused.add(page)
        with contextlib.suppress(PlaywrightError):
            route.abort("aborted" if request.is_navigation_request() else "blockedbyclient")

    def _requested(self, request: Request) -> None:
        if request.resource_type not in ("eventsource", "websocket", "ping"):
            self._pending.add(request)
        if request.is_navigation_request():
            self._limit(request)
        self._check(request.url, request.resource_type)

    def _limit(self, request: Request) -> None:
        """Give up a navigation that is still not answered after the cap.

        Chromium answers no call about a tab while its navigation is pending, so whoever
        waits for such an answer cannot do this; only Playwright's own loop can.
        """
        page = _page_of(request)
        if page is None or page not in self._order:
            return
        session = self._reader_of(page).session._impl_obj

        def give_up() -> None:
            if request in self._pending:
                self._pending.discard(request)
                self.event(EventKind.LOAD_ERROR, "the page did not answer; loading was stopped")
                task = self._loop.create_task(session.send("Page.stopLoading"))
                task.add_done_callback(lambda done: done.cancelled() or done.exception())

        self._loop.call_later(self._settings.load_cap, give_up)

    def _check(self, url: str, kind: str) -> None:
        if allowed(url, self._visit.host):
            return
        layer = Layer.ROUTE if self._settings.routing else Layer.RESOLVER
        self._network.refuse(layer, kind, url)
        what = "page" if kind == "document" else kind
        event = PageEvent(kind=EventKind.BLOCKED_REQUEST, text=f"an outside {what} was refused")
        if event not in self._events:
            self.event(event.kind, event.text)

    def _ended(self, request: Request) -> None:
        self._pending.discard(request)
        self._progress = time.monotonic()


def _page_of(request: Request) -> Page | None:
    try:
        return request.frame.page
    except PlaywrightError:
        return None
