"""Serving a bundle's websites to a person."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from random import SystemRandom

from riskchainbench.bundle import open_bundle
from riskchainbench.sandbox.gallery_index import GalleryIndex
from riskchainbench.sandbox.server import SandboxServer


def serve(folder: Path, host: str, port: int, say: Callable[[str], None]) -> None:
    """Serve until interrupted.

    Raises:
        InputError: no bundle in `folder`, or `host` is no loopback address.
        RiskChainError: the port is taken.
    """
    index = GalleryIndex(open_bundle(folder).websites(), SystemRandom())
    with SandboxServer(index, host, port) as server:
        say(f"http://{host}:{server.port}/  (Ctrl+C ends)")
        threading.Event().wait()
