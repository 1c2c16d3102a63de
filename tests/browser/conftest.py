"""Fixtures: a page server, settings of the browser found here, a warm worker."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from browser_pages import Driver, PageServer, Session, send, visit_of

from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.settings import BrowserSettings


@pytest.fixture
def server() -> Iterator[PageServer]:
    state = PageServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            state.hosts.append(self.headers.get("Host", ""))
            state.paths.append(self.path)
            page = state.pages.get(self.path.split("?")[0])
            if callable(page):
                page(self)
            elif page is None:
                send(self, b"<p>no such page</p>", 404)
            else:
                send(self, page.encode())

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: Any) -> None:
            pass

    running = Quiet(("127.0.0.1", 0), Handler)
    state.port = running.server_port
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield state
    running.shutdown()
    running.server_close()
    thread.join()


@pytest.fixture(scope="session")
def settings() -> BrowserSettings:
    found = find_browser()
    return BrowserSettings(binary=found.path, version=found.version)


@pytest.fixture(scope="session")
def driver(settings: BrowserSettings) -> Iterator[Driver]:
    made = Driver(settings)
    yield made
    made.close()


@pytest.fixture
def begin(driver: Driver, server: PageServer) -> Iterator[Callable[..., Session]]:
    def start(page: str | None = None, **changes: Any) -> Session:
        if page is not None:
            server.pages["/"] = page
        view, png = driver.run(driver.worker.open(visit_of(server, **changes)))
        return Session(driver, view, png)

    yield start
    driver.run(driver.worker.end())
