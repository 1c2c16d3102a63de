"""Scans that skip what they have read before: the pages of a pool share most of their lines."""

from __future__ import annotations

import re
from collections.abc import Callable

_BREAK = re.compile(r"\n(?=<)|(?<=[^.tT]\})\n")
"""Between a line and a tag, and between two rules of a style: no name or number goes on there.

A name may be written with ``{.}``, ``{dot}`` or ``{at}`` at a line's end, so these are no ends.
"""
_APART = "\n\n"
_KEPT = 1 << 16


class FreshOnly:
    """A scan for something that never reaches over a `_BREAK`.

    A file whose passages it has all read, and found nothing in, holds nothing; so only the
    passages that are new have to be read.
    """

    def __init__(self, finds: Callable[[str], bool]) -> None:
        self._finds = finds
        self._clean: set[str] = set()

    def suspects(self, text: str) -> bool:
        """Tell whether anything stands in `text`."""
        fresh = [passage for passage in _BREAK.split(text) if passage not in self._clean]
        if not fresh:
            return False
        if self._finds(_APART.join(fresh)):
            return True
        if len(self._clean) > _KEPT:
            self._clean.clear()
        self._clean.update(fresh)
        return False
