"""A fresh browser context for every episode, made before it is needed.

While the first page of one episode is waited for, the context of the next one is made, so that
beginning an episode is little more than a navigation. A context serves one episode and has
nothing of it before its page is opened.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright._impl._sync_base import mapping
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.calls import awaited, begun
from riskchainbench.browser.reader import WORLD, script
from riskchainbench.browser.settings import BrowserSettings

Size = tuple[int, int]


@dataclass(frozen=True)
class Fresh:
    """A context that served nothing yet, its one empty tab, and a debugging session of that."""

    context: BrowserContext
    page: Page
    session: CDPSession
    frame_id: str
    size: Size


class Contexts:
    """The contexts of one browser: one that is used, one that is made, one that is closed.

    Args:
        browser: a running browser.
        settings: of the environment.
    """

    def __init__(self, browser: Browser, settings: BrowserSettings) -> None:
        self._browser = browser
        self._settings = settings
        self._making: asyncio.Task[Fresh] | None = None
        self._closing: list[asyncio.Task[None]] = []

    def prepare(self, size: Size) -> None:
        """Begin to make the context of the next episode, expected to be shown at `size`."""
        if self._making is None:
            call = _made(self._browser._impl_obj, self._settings, size)
            self._making = begun(self._browser, call)

    def take(self, size: Size) -> Fresh:
        """Return a context that served nothing yet, the prepared one if it will do.

        Raises:
            playwright.sync_api.Error: none can be made.
        """
        ready = self._ready()
        if ready is not None:
            if ready.size == size:
                return ready
            self.close(ready.context)
        self.prepare(size)
        return self._waited()

    def close(self, context: BrowserContext) -> None:
        """Begin to close a context; see `closed`."""
        self._closing.append(begun(self._browser, context._impl_obj.close()))

    def when_closed(self, then: Callable[[], None]) -> None:
        """Call `then` as soon as every context is closed that was to be closed before."""
        left = len(self._closing)
        if not left:
            then()

        def one_less(_: asyncio.Task[None]) -> None:
            nonlocal left
            left -= 1
            if not left:
                then()

        for task in self._closing:
            task.add_done_callback(one_less)

    def closed(self) -> None:
        """Wait until every context that was to be closed is closed."""
        while self._closing:
            with contextlib.suppress(PlaywrightError):
                awaited(self._browser, self._closing.pop())

    def finish(self) -> None:
        """Wait for whatever is under way; the browser may then be closed."""
        self._ready()
        self.closed()

    def _ready(self) -> Fresh | None:
        if self._making is None:
            return None
        try:
            return self._waited()
        except PlaywrightError:
            return None

    def _waited(self) -> Fresh:
        assert self._making is not None
        task, self._making = self._making, None
        return awaited(self._browser, task)


async def _made(browser: Any, settings: BrowserSettings, size: Size) -> Fresh:
    context = await browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        deviceScaleFactor=1,
        locale=settings.locale,
        timezoneId=settings.timezone,
        colorScheme="light",
        reducedMotion="reduce",
        userAgent=settings.user_agent,
        serviceWorkers="block",
        acceptDownloads=False,
    )
    try:
        context.set_default_timeout(settings.load_cap * 1000)
        await context.add_init_script(_clock(settings))
        page = await context.new_page()
        session = await context.new_cdp_session(page)
        await session.send("Page.enable")
        await session.send(
            "Page.addScriptToEvaluateOnNewDocument",
            {"source": script("birth.js"), "worldName": WORLD},
        )
        tree = await session.send("Page.getFrameTree")
    except PlaywrightError:
        with contextlib.suppress(PlaywrightError):
            await context.close()
        raise
    return Fresh(
        context=mapping.from_impl(context),
        page=mapping.from_impl(page),
        session=mapping.from_impl(session),
        frame_id=tree["frameTree"]["frame"]["id"],
        size=size,
    )


def _clock(settings: BrowserSettings) -> str:
    return (
        script("clock.js")
        .replace("__BASE__", repr(settings.clock_base))
        .replace("__SEED__", repr(settings.random_seed))
    )
