"""Lists of image candidates (``srcset``), read by the algorithm of the HTML Standard."""

from __future__ import annotations

import re
from collections.abc import Callable

_URL = re.compile(r"[\s,]*([^\s]+)")


def rewrite_srcset(text: str, replace: Callable[[str], str | None]) -> str:
    """Return the list with each URL put through `replace`; candidates without one are left out."""
    kept: list[str] = []
    place = 0
    while match := _URL.match(text, place):
        url, place = match[1], match.end()
        descriptor = ""
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            descriptor, place = _descriptor(text, place)
        new = replace(url) if url else None
        if new is not None:
            kept.append(f"{new} {descriptor}".strip())
    return ", ".join(kept)


def _descriptor(text: str, place: int) -> tuple[str, int]:
    depth = 0
    for end in range(place, len(text)):
        if text[end] == "(":
            depth += 1
        elif text[end] == ")":
            depth = max(0, depth - 1)
        elif text[end] == "," and depth == 0:
            return text[place:end].strip(), end + 1
    return text[place:].strip(), len(text)
