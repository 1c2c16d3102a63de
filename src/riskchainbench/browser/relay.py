"""The one door between the browser and the website server: a TCP relay in the child process.

It lets through connections whose first request names the present episode's host, records the
others, and cuts off what grows past a cap. It reads no page and changes no byte.
"""

from __future__ import annotations

import asyncio
import re
import socket
import threading
from collections.abc import Callable

_HOST = re.compile(rb"\r\nhost:[ \t]*([^\r\n]*)", re.IGNORECASE)
_HEAD_LIMIT = 64 * 1024
_CHUNK = 64 * 1024


_TURNS = 20
"""Turns of the loop in which it takes up whatever waits to be accepted; four would do."""


class Relay:
    """Forwards connections from a listening socket to the website server on loopback.

    Args:
        listener: a bound, listening socket; it may belong to another network namespace.
        refused: called with the host of every connection that was not let through.
        response_cap: bytes that one connection may carry to the browser.
        check_host: whether other hosts are turned away; off only to show what it guards against.
    """

    def __init__(
        self,
        listener: socket.socket,
        refused: Callable[[str], None],
        *,
        response_cap: int = 64 * 1024 * 1024,
        check_host: bool = True,
    ) -> None:
        self._listener = listener
        self._refused = refused
        self._cap = response_cap
        self._check_host = check_host
        self._host = b""
        self._target = ("127.0.0.1", 0)
        self._gate = asyncio.Event()
        self._gate.set()
        self._telling = threading.Lock()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="relay", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port the relay listens on."""
        port: int = self._listener.getsockname()[1]
        return port

    def admit(self, host: str, port: int, *, held: bool = False) -> None:
        """Let connections for `host` through to `port` on loopback, and no others.

        With `held` they wait for `release`. Until then the new episode has no page, so what is
        turned away is the last one's, and nobody is told.
        """
        gate = asyncio.Event()
        if not held:
            gate.set()
        with self._telling:
            self._gate = gate
        self._host = host.lower().encode("ascii")
        self._target = ("127.0.0.1", port)

    def release(self) -> None:
        """Let the connections through that were held."""
        self._loop.call_soon_threadsafe(self._open_after, self._gate, _TURNS)

    def _open_after(self, gate: asyncio.Event, turns: int) -> None:
        """Open a gate once every connection is taken up that was made before."""
        if turns:
            self._loop.call_soon(self._open_after, gate, turns - 1)
        else:
            gate.set()

    def shut(self) -> None:
        """Let nothing through until the next episode is admitted."""
        self._host = b""

    def close(self) -> None:
        """Stop listening."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=5)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._listener.setblocking(False)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, sock=self._listener)
        )
        try:
            self._loop.run_forever()
        finally:
            server.close()
            for task in asyncio.all_tasks(self._loop):
                task.cancel()
            self._loop.run_until_complete(asyncio.sleep(0))
            self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._forward(reader, writer)
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass
        finally:
            writer.close()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gate = self._gate
        # What was asked for while the gate was shut is the last episode's, however late it is read.
        held = not gate.is_set()
        head = await _head(reader)
        host = _host_of(head)
        if not head:
            return
        if self._check_host and (host != self._host or not self._host):
            with self._telling:
                if not held and gate is self._gate:
                    self._refused(host.decode("latin-1"))
            return
        await self._gate.wait()
        if reader.at_eof():
            return
        up_reader, up_writer = await asyncio.open_connection(*self._target)
        try:
            up_writer.write(head)
            await up_writer.drain()
            both = {
                asyncio.create_task(_pump(reader, up_writer, None)),
                asyncio.create_task(_pump(up_reader, writer, self._cap)),
            }
            _, waiting = await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            await asyncio.gather(*both, return_exceptions=True)
        finally:
            up_writer.close()


async def _head(reader: asyncio.StreamReader) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and len(head) < _HEAD_LIMIT:
        chunk = await reader.read(_CHUNK)
        if not chunk:
            return head
        head += chunk
    return head


def _host_of(head: bytes) -> bytes:
    found = _HOST.search(head)
    if found is None:
        return b""
    return found.group(1).strip().lower().split(b":")[0]


async def _pump(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, cap: int | None
) -> None:
    carried = 0
    while chunk := await reader.read(_CHUNK):
        carried += len(chunk)
        if cap is not None and carried > cap:
            return
        writer.write(chunk)
        await writer.drain()
