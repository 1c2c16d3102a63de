"""Tells what a page loads only to report its visitor: pixels, beacons and their scripts.

By shape and by the words of a path, never by a list of names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from riskchainbench.capture.urls import host_of

_WORDS = re.compile(
    r"(?:^|[/._-])(?:analytics?|beacons?|collect|counter|gtag|hotjar|impressions?|log(?:ger)?|"
    r"metrics?|pageview|pixels?|piwik|matomo|rum|sentry|stat(?:s|istics)?|tag-?manager|telemetry|"
    r"track(?:er|ing)?|utm)(?:[/._-]|$)",
    re.IGNORECASE,
)
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)


def is_tracker(url: str, page: str, attributes: Mapping[str, str | None], tag: str) -> bool:
    """Tell whether an element that loads `url` on `page` is there to report.

    An image or frame counts if it is at most one pixel large or hidden and comes from another
    host or carries a query; a script counts if its path says so.
    """
    parts = urlsplit(url)
    foreign = _site(host_of(url)) != _site(host_of(page))
    if tag == "script":
        return bool(_WORDS.search(parts.path))
    if not is_unseen(attributes):
        return False
    return foreign or bool(parts.query) or bool(_WORDS.search(parts.path))


def is_unseen(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element is at most one pixel large, or hidden."""
    tiny = any(_pixels(attributes.get(name)) <= 1 for name in ("width", "height"))
    return tiny or bool(_HIDDEN.search(attributes.get("style") or ""))


def is_beacon(url: str, body: bytes) -> bool:
    """Tell whether a script's request is a report: its answer is empty and its path says so."""
    return len(body) < 64 and bool(_WORDS.search(urlsplit(url).path))


def _pixels(value: str | None) -> float:
    found = re.match(r"\s*(\d+)(?:px)?\s*$", value or "")
    return float(found[1]) if found else 1e9


def _site(host: str) -> str:
    return ".".join(host.split(".")[-2:])
