"""The self-test of isolation: canaries listen outside, a page tries every way to reach them.

``riskchain doctor --isolation`` tries every way towards every target. A run starts with the
quick test: every way that does not leave the page, towards one address by its digits. With a
layer turned off in the settings either shows what that layer guards against.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import selectors
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.pool import EnvironmentFailureError, Worker
from riskchainbench.browser.reader import script
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.core.record import Record

HOST = "isolation.test"
_TARGETS = (("name", "localhost", "127.0.0.1"), ("IPv4", "127.0.0.2", "127.0.0.2"))
_TARGET_6 = ("IPv6", "[::1]", "::1")
_ROUNDS = 4
_QUICK_ROUNDS = 3
_LEAVING = ("leave", "redirect")


class Reached(Record):
    """One way out that led to a canary."""

    vector: str
    target: str


class IsolationReport(Record):
    """What the self-test found; `attempts` were recorded as refused by the browser's guards."""

    confinement: Confinement
    targets: tuple[str, ...]
    vectors: tuple[str, ...]
    complete: bool
    attempts: int
    reached: tuple[Reached, ...]

    @property
    def sealed(self) -> bool:
        """Whether everything was tried and nothing got out."""
        return self.complete and not self.reached


class Canaries:
    """TCP and UDP listeners on loopback addresses other than the website's.

    Args:
        quick: whether one target is enough.
    """

    def __init__(self, *, quick: bool = False) -> None:
        self.reached: set[tuple[str, str]] = set()
        self.targets: list[dict[str, Any]] = []
        self.names: list[str] = []
        self._selector = selectors.DefaultSelector()
        self._stop = threading.Event()
        wanted = [*_TARGETS, _TARGET_6] if _has_ipv6() else list(_TARGETS)
        if quick:
            wanted = [_TARGETS[1]]
        for name, shown, bound in wanted:
            self.names.append(name)
            self.targets.append({"address": shown, **self._listen(name, bound)})
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        self._thread.join(timeout=3)
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()  # type: ignore[union-attr]

    def _listen(self, name: str, address: str) -> dict[str, int]:
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        ports: dict[str, int] = {}
        for kind in ("http", "turn", "stun", "direct", "quic"):
            tcp = kind in ("http", "turn")
            made = socket.socket(family, socket.SOCK_STREAM if tcp else socket.SOCK_DGRAM)
            made.bind((address, 0))
            if tcp:
                made.listen(64)
            made.setblocking(False)
            ports[kind] = made.getsockname()[1]
            self._selector.register(made, selectors.EVENT_READ, (name, kind))
        return ports

    def _serve(self) -> None:
        while not self._stop.is_set():
            for key, _ in self._selector.select(timeout=0.1):
                name, kind = key.data
                with contextlib.suppress(OSError):
                    self._heard(key.fileobj, name, kind)

    def _heard(self, listening: Any, name: str, kind: str) -> None:
        if kind in ("stun", "direct", "quic"):
            listening.recvfrom(2048)
            said = {"stun": "WebRTC STUN", "direct": "WebRTC direct", "quic": "WebTransport"}
            self.reached.add((said[kind], name))
            return
        conn, _ = listening.accept()
        with conn:
            conn.settimeout(1.0)
            if kind == "turn":
                self.reached.add(("TURN over TCP", name))
                return
            head = conn.recv(2048).decode("latin-1").split(" ")
            path = head[1] if len(head) > 1 else ""
            vector = unquote(path.removeprefix("/v/").split("?")[0]) or "connection"
            self.reached.add((vector, name))
            conn.sendall(b"HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n")


def _has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _website(targets: list[dict[str, Any]], tried: list[list[str]]) -> Iterator[int]:
    """Serve a page for each target that tries to get out; yield the port.

    `tried` is told by every page that made all its attempts which ones they were.
    """

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            to = parse_qs(parts.query).get("to", [""])[0]
            if parts.path == "/tried":
                tried.append(json.loads(parse_qs(parts.query)["vectors"][0]))
            headers, body = _answer(parts.path, to, targets)
            self.send_response(302 if "Location" in headers else 200)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    class Quiet(ThreadingHTTPServer):
        daemon_threads = True
        block_on_close = False

        def handle_error(self, *_: Any) -> None:
            pass

    server = Quiet(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


def _answer(path: str, to: str, targets: list[dict[str, Any]]) -> tuple[dict[str, str], bytes]:
    html = {"Content-Type": "text/html"}
    if path == "/canary.js":
        code = f"const target = {json.dumps(targets[int(to)])};\n{script('canary.js')}"
        return {"Content-Type": "text/javascript"}, code.encode()
    if path == "/shared.js":
        body = f"fetch({json.dumps(to)}, {{mode: 'no-cors'}})".encode()
        return {"Content-Type": "text/javascript"}, body
    if path == "/redirect":
        return {"Location": quote(to, safe=":/?=%[]")}, b""
    if path == "/refresh":
        return {**html, "Refresh": f"0; url={to}"}, b"x"
    if path == "/meta":
        return html, f'<meta http-equiv="refresh" content="0; url={to}">'.encode()
    if path == "/leave":
        return html, f"<script>location = {json.dumps(to)}</script>".encode()
    return html, f'<!doctype html><body><script src="/canary.js?to={to}"></script>'.encode()


async def isolation_test(settings: BrowserSettings, *, quick: bool = False) -> IsolationReport:
    """Try the ways out with a browser launched under `settings`.

    Args:
        settings: of the environment that is tested.
        quick: whether the start of a run is to be guarded: one target, the page never left.

    Raises:
        SystemFailureError: the browser does not start.
    """
    canaries = Canaries(quick=quick)
    worker = Worker(settings)
    attempts: set[str] = set()
    tried: list[list[str]] = []
    leaving = () if quick else _LEAVING
    try:
        with _website(canaries.targets, tried) as port:
            await worker.start()
            assert worker.confinement is not None
            confinement = worker.confinement
            for number, target in enumerate(canaries.targets):
                rounds = _QUICK_ROUNDS if quick else _ROUNDS
                await _look(worker, port, f"/?to={number}", attempts, rounds)
                url = f"http://{target['address']}:{target['http']}/v/"
                for way in leaving:
                    to = quote(url + quote(f"top {way}"), safe="")
                    await _look(worker, port, f"/{way}?to={to}", attempts, 1)
    finally:
        await worker.kill()
        canaries.close()
    vectors = dict.fromkeys(vector for page in tried for vector in page)
    return IsolationReport(
        confinement=confinement,
        targets=tuple(canaries.names),
        vectors=(*vectors, *(f"top {way}" for way in leaving)),
        complete=len(tried) == len(canaries.targets),
        attempts=len(attempts),
        reached=tuple(
            Reached(vector=vector, target=target) for vector, target in sorted(canaries.reached)
        ),
    )


async def _look(worker: Worker, port: int, path: str, attempts: set[str], rounds: int) -> None:
    """Visit one page of the website and stay for some time."""
    visit = Visit(host=HOST, port=port, start_path=path)
    with contextlib.suppress(EnvironmentFailureError):
        view, _ = await worker.open(visit)
        attempts.update(entry.url for entry in view.network)
        for _ in range(rounds):
            await asyncio.sleep(0.4)
            view, _ = await worker.act(Action(action=ActionKind.SCROLL_DOWN))
            attempts.update(entry.url for entry in view.network)
