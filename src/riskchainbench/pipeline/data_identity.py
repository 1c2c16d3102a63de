"""The identity of the data that a generated benchmark follows from, beside seed and version."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_listing

_ROOMS = ("core", "messages", "websites")


@cache
def data_sha256() -> Sha256:
    """Return the hash of the codebook, lexicons, message sources, scenarios, texts and looks."""
    return sha256_listing(
        (name, sha256_bytes(file.read_bytes()))
        for room in _ROOMS
        for name, file in _files(resources.files(f"riskchainbench.{room}") / "data", room)
    )


def _files(folder: Traversable, place: str) -> Iterator[tuple[str, Traversable]]:
    for entry in folder.iterdir():
        name = f"{place}/{entry.name}"
        if entry.is_dir():
            yield from _files(entry, name)
        else:
            yield name, entry
