"""What a browser context may ask for, and the record of everything it was refused."""

from __future__ import annotations

import re
from enum import StrEnum
from urllib.parse import urlsplit

from riskchainbench.core.record import Record
from riskchainbench.core.text import gate

INNER_SCHEMES = frozenset({"data", "blob", "about"})
ACTION_SCHEMES = frozenset(
    {"http", "https", "data", "blob", "about", "javascript", "mailto", "tel"}
)

_MAX_ENTRIES = 2_000
_MAX_URL = 500


class Layer(StrEnum):
    """The layer that refused an attempt."""

    ROUTE = "route"
    RESOLVER = "resolver"
    RELAY = "relay"
    ACTION = "action"
    DOWNLOAD = "download"
    POPUP = "popup"


class NetworkEntry(Record):
    """One refused attempt to leave the website; a line of ``network.jsonl``."""

    step: int
    layer: Layer
    kind: str
    url: str


class NetworkLog:
    """Collects refused attempts until they are taken; a flood is cut off and counted."""

    def __init__(self) -> None:
        self._entries: list[NetworkEntry] = []
        self._seen: set[tuple[int, str, str]] = set()
        self.step = 0
        self.suppressed = 0

    def refuse(self, layer: Layer, kind: str, url: str) -> None:
        """Record one attempt; the same one is recorded once a step."""
        url = gate(url)[0][:_MAX_URL]
        key = (self.step, kind, url)
        if key in self._seen:
            return
        if len(self._seen) >= _MAX_ENTRIES:
            self.suppressed += 1
            return
        self._seen.add(key)
        self._entries.append(NetworkEntry(step=self.step, layer=layer, kind=kind, url=url))

    def take(self) -> tuple[NetworkEntry, ...]:
        """Return what was recorded since the last call, in an order that chance has no part in."""
        taken, self._entries = self._entries, []
        return tuple(sorted(taken, key=lambda entry: (entry.step, entry.kind, entry.url)))


def allowed(url: str, host: str) -> bool:
    """Tell whether a request for `url` stays on the website."""
    parts = urlsplit(url)
    if parts.scheme in INNER_SCHEMES:
        return True
    return parts.scheme in ("http", "ws") and parts.netloc.lower() in (host, f"{host}:80")


def action_allowed(url: str) -> bool:
    """Tell whether a link may be clicked at all: `file:`, `view-source:` and the like never."""
    return not url or urlsplit(url).scheme.lower() in ACTION_SCHEMES


def outside_pattern(host: str) -> re.Pattern[str]:
    """Return the pattern of all URLs that are not the website's; a pattern JavaScript reads too."""
    return re.compile(rf"^(?!http://{re.escape(host)}(:80)?(/|$)|data:|blob:|about:)")
