"""A small website of test pages on loopback, and one episode driven by names of controls."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any, TypeVar

from riskchainbench.browser.pool import Worker
from riskchainbench.browser.settings import BrowserSettings, FixtureValue, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core.investigation import Action, ActionKind, Element

T = TypeVar("T")

HOST = "kaw08x.test"

Answer = Callable[[BaseHTTPRequestHandler], None]


@dataclass
class PageServer:
    """Serves `pages` by path; a callable answers by itself. `hosts` keeps what was asked for."""

    pages: dict[str, str | Answer] = field(default_factory=dict)
    hosts: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    port: int = 0


def send(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    handler.send_response(status)
    merged = {"Content_Type": "text/html; charset=utf-8", **headers}
    for name, value in merged.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


class Driver:
    """One worker and a loop of its own, so that tests need not be coroutines.

    The environment stays in its child: Playwright's driver would leave a loop running here.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self._loop = asyncio.new_event_loop()
        self.worker = Worker(settings)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._loop.run_until_complete(work)

    def close(self) -> None:
        self.run(self.worker.stop())
        self._loop.close()


@dataclass
class Session:
    """One episode, driven by names of controls instead of ids."""

    driver: Driver
    view: PageView
    png: bytes | None

    def element(self, name: str) -> Element:
        found = [element for element in self.view.elements if element.name == name]
        assert found, f"no control {name!r} in {[e.name for e in self.view.elements]}"
        return found[0]

    def act(
        self, kind: ActionKind | str, name: str | None = None, option: str | None = None
    ) -> PageView:
        element = self.element(name).element_id if name is not None else None
        return self.raw(Action(action=ActionKind(kind), element=element, option=option))

    def raw(self, action: Action) -> PageView:
        self.view, self.png = self.driver.run(self.driver.worker.act(action))
        return self.view


def visit_of(server: PageServer, **changes: Any) -> Visit:
    return Visit(host=HOST, port=server.port).but(**changes)


def values(*pairs: tuple[str, str]) -> tuple[FixtureValue, ...]:
    return tuple(FixtureValue(name=name, value=value) for name, value in pairs)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
