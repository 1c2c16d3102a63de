"""Serves an ASGI application on loopback from a thread; nothing but loopback is ever bound."""

from __future__ import annotations

import ipaddress
import socket
import threading
from types import TracebackType
from typing import Any, Self

import uvicorn

from riskchainbench.core.errors import InputError, RiskChainError

START_LIMIT = 15.0
"""Seconds to wait for the server to come up or to go down."""

END_LIMIT = 3
"""Seconds that answers under way are given when an application with a lifespan ends."""


class SandboxServer:
    """A running server; a context manager that stops it on leaving.

    `port` 0 takes a free port. `lifespan` is for an application with work to end of its own;
    others are cut off at once, answers under way included.
    """

    def __init__(
        self, app: Any, host: str = "127.0.0.1", port: int = 0, *, lifespan: bool = False
    ) -> None:
        """Prepare a server; nothing is bound yet.

        Raises:
            InputError: `host` is no loopback address.
        """
        try:
            loopback = ipaddress.ip_address(host).is_loopback
        except ValueError:
            loopback = False
        if not loopback:
            raise InputError(f"host {host}: websites are served on loopback only; use 127.0.0.1")
        self._app = app
        self._address = (host, port)
        self._lifespan = lifespan
        self._socket: socket.socket | None = None
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def port(self) -> int:
        """The port that is served.

        Raises:
            InputError: the server was not started.
        """
        if self._socket is None:
            raise InputError("the sandbox server is not running; start it first")
        return int(self._socket.getsockname()[1])

    def start(self) -> None:
        """Bind and serve until `stop`.

        Raises:
            RiskChainError: the port is taken, or the server did not come up in time.
        """
        family = socket.AF_INET6 if ":" in self._address[0] else socket.AF_INET
        # Named outright: asyncio turns Nagle's algorithm off only where the protocol is known,
        # and with it on every answer waits 40 ms for the client's delayed acknowledgement.
        self._socket = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(self._address)
        except OSError as error:
            self._socket.close()
            self._socket = None
            raise RiskChainError(f"port {self._address[1]}: {error.strerror or error}") from error
        config = uvicorn.Config(
            self._app,
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            lifespan="on" if self._lifespan else "off",
            timeout_graceful_shutdown=END_LIMIT,
        )
        server = _QuietServer(config)
        self._server = server
        self._thread = threading.Thread(
            target=server.run, kwargs={"sockets": [self._socket]}, daemon=True
        )
        self._thread.start()
        if not server.came_up.wait(START_LIMIT):
            self.stop()
            raise RiskChainError("the sandbox server did not come up; try another port")

    def stop(self) -> None:
        """Stop serving and free the port. Stopping twice is harmless."""
        if self._server is not None:
            self._server.should_exit = True
            self._server.force_exit = not self._lifespan
        if self._thread is not None:
            self._thread.join(START_LIMIT)
        if self._socket is not None:
            self._socket.close()
        self._server = self._thread = self._socket = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class _QuietServer(uvicorn.Server):
    """Leaves signals alone, since it runs in a thread, and says when it is up."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.came_up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.came_up.set()

    def install_signal_handlers(self) -> None:
        """Signals belong to the main thread."""
