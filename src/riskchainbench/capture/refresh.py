"""Reads the ``content`` of a meta refresh."""

from __future__ import annotations

import re

from riskchainbench.capture.urls import cleaned

MAX_DELAY = 30.0
"""Seconds; a page that sends its visitor on later than this is one to be read."""

_REFRESH = re.compile(r"^\s*([\d.]*)\s*[;,]?\s*(?:url\s*=)?\s*[\"']?(.*?)[\"']?\s*$", re.I | re.S)


def read_refresh(content: str) -> tuple[float, str]:
    """Return the delay in seconds and the reference that it leads to, empty for a plain reload."""
    match = _REFRESH.match(content[:4096])
    if match is None:
        return MAX_DELAY, ""
    try:
        delay = float(match[1] or 0)
    except ValueError:
        delay = MAX_DELAY
    return delay, cleaned(match[2])
