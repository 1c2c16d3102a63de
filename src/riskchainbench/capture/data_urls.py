"""Reads ``data:`` URLs."""

from __future__ import annotations

import base64
import binascii
import re
from urllib.parse import unquote_to_bytes


def data_url(text: str) -> tuple[str, bytes] | None:
    """Return media type and bytes of a ``data:`` URL, or None where it is none."""
    head, comma, body = text[5:].partition(",")
    if not comma:
        return None
    kind = head.split(";")[0].strip().lower() or "text/plain"
    raw = unquote_to_bytes(body)
    if not head.lower().replace(" ", "").endswith(";base64"):
        return kind, raw
    raw = re.sub(rb"[^A-Za-z0-9+/_-]", b"", raw).replace(b"-", b"+").replace(b"_", b"/")
    try:
        return kind, base64.b64decode(raw + b"=" * (-len(raw) % 4))
    except (binascii.Error, ValueError):
        return None
