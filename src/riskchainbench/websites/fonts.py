"""The typefaces that every website is set in, shipped with the package and served by the sandbox.

A website names them in its style; their files lie under `FONT_PATH` of every website's own
origin, so that a screenshot depends on no installed font. Made by ``tools/subset_fonts.py``.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

from riskchainbench.core.hashing import Sha256, sha256_bytes, sha256_json

FONT_PATH = "/-/fonts/"
"""What the sandbox answers itself, before any website is asked."""

FONT_TYPE = "font/woff2"
_SUFFIX = ".woff2"


@cache
def font_names() -> tuple[str, ...]:
    """Return the names of all files, sorted."""
    folder = resources.files("riskchainbench.websites") / "data" / "fonts"
    return tuple(sorted(f.name for f in folder.iterdir() if f.name.endswith(_SUFFIX)))


def font_file(name: str) -> bytes | None:
    """Return the bytes of one file, or None where there is none of that name."""
    return _bytes(name) if name in font_names() else None


@cache
def _bytes(name: str) -> bytes:
    return (resources.files("riskchainbench.websites") / "data" / "fonts" / name).read_bytes()


@cache
def fonts_sha256() -> Sha256:
    """Return the identity of all typefaces, which a screenshot depends on."""
    return sha256_json({name: sha256_bytes(_bytes(name)) for name in font_names()})
