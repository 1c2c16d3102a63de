"""The relay lets through the present episode's host alone; without its check it would not."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest
from browser_pages import PageServer

from riskchainbench.browser.relay import Relay


@contextmanager
def relay(server: PageServer, refused: list[str], *, check_host: bool) -> Iterator[Relay]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        made = Relay(listener, refused.append, check_host=check_host)
        made.admit("mine.test", server.port)
        try:
            yield made
        finally:
            made.close()


def asked(port: int, host: str) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        request = f"GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        received = b""
        while piece := connection.recv(4096):
            received += piece
    return received


@pytest.mark.parametrize("check_host", [True, False])
def test_another_host_is_let_through_only_without_the_check(
    server: PageServer, check_host: bool
) -> None:
    server.pages["/"] = "welcome"
    refused: list[str] = []
    with relay(server, refused, check_host=check_host) as made:
        assert b"welcome" in asked(made.port, "mine.test")
        other = asked(made.port, "other.test")
    assert (b"welcome" in other, refused) == ((False, ["other.test"]) if check_host else (True, []))


def test_nothing_is_let_through_between_episodes(server: PageServer) -> None:
    server.pages["/"] = "welcome"
    refused: list[str] = []
    with relay(server, refused, check_host=True) as made:
        made.shut()
        assert asked(made.port, "mine.test") == b""
    assert refused == ["mine.test"]


def test_what_is_held_goes_through_once_it_is_released(server: PageServer) -> None:
    server.pages["/"] = "welcome"
    refused: list[str] = []
    with relay(server, refused, check_host=True) as made:
        made.admit("next.test", server.port, held=True)
        with ThreadPoolExecutor() as threads:
            answer = threads.submit(asked, made.port, "next.test")
            assert asked(made.port, "mine.test") == b""
            assert (server.paths, refused) == ([], [])
            made.release()
            assert b"welcome" in answer.result(timeout=10)
        assert asked(made.port, "mine.test") == b""
    assert refused == ["mine.test"]
