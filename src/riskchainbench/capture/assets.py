"""The files of a website under construction: each content stored once, under an opaque path."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from riskchainbench.capture.content import CSS, JSON, SCRIPT, SVG
from riskchainbench.capture.opaque import opaque
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.websites.records import Asset

_ENDINGS = {
    CSS: "css", SCRIPT: "js", JSON: "json", SVG: "svg", "image/png": "png", "image/jpeg": "jpg",
    "image/gif": "gif", "image/webp": "webp", "image/avif": "avif", "image/x-icon": "ico",
    "font/woff": "woff", "font/woff2": "woff2", "font/ttf": "ttf", "font/otf": "otf",
    "text/plain": "txt", "video/mp4": "mp4", "video/webm": "webm", "audio/mpeg": "mp3",
    "audio/ogg": "ogg", "application/pdf": "pdf",
}  # fmt: skip
_TEXTUAL = re.compile(r"^text/|javascript|json|xml|svg")


class AssetStore:
    """Collects assets; equal bytes of equal type get one path.

    Args:
        salt: makes the paths of two websites differ.
    """

    def __init__(self, salt: str) -> None:
        self._salt = salt
        self.files: dict[str, bytes] = {}
        self.assets: dict[str, Asset] = {}

    def add(self, body: bytes, kind: str) -> str:
        """Store bytes and return their path."""
        digest = opaque(f"{self._salt} {kind} {sha256_bytes(body)}")
        name = f"a{digest}.{_ENDINGS.get(kind, 'bin')}"
        path = f"/{name}"
        if path not in self.assets:
            textual = _TEXTUAL.search(kind) and "charset" not in kind
            media = f"{kind}; charset=utf-8" if textual else kind
            self.files[f"assets/{name}"] = body
            self.assets[path] = Asset(path=path, file=f"assets/{name}", media_type=media)
        return path


def rewrite_json(text: str, reference: Callable[[str], str]) -> str | None:
    """Return JSON with every string put through `reference`; None where it is no JSON."""
    try:
        value = json.loads(text)
        return json.dumps(_walked(value, reference), ensure_ascii=False, separators=(",", ":"))
    except (ValueError, RecursionError):
        return None


def _walked(value: Any, reference: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return reference(value)
    if isinstance(value, list):
        return [_walked(each, reference) for each in value]
    if isinstance(value, dict):
        return {reference(str(k)): _walked(v, reference) for k, v in value.items()}
    return value
