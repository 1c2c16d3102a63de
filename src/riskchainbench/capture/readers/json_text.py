"""Walks a JSON document of any size and hands out its values one at a time.

Only the value that is asked for is held in memory; what is passed over never is. What a value
says is for `json.loads`: here it is only told where one ends.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import BinaryIO

_STEP = 1024 * 1024
_SPACE = " \t\r\n"
_INSIDE = re.compile(r'(?:[^"\\]++|\\.)*+', re.DOTALL)
_FLAT = re.compile(r'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+', re.DOTALL)
"""Everything up to a bracket, or to a string that is not all in the buffer."""

_SCALAR = re.compile(r"[^\s,\[\]{}:\"]*")


class JsonText:
    """A place in a JSON document.

    Args:
        file: in UTF-8, with or without a byte order mark; other bytes are replaced.

    Methods raise `ValueError` where the document is damaged or ends too early.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._buffer, self._place = "", 0

    def members(self) -> Iterator[str]:
        """Yield the keys of the object that begins here; each value has to be taken or passed."""
        self._expect("{")
        if self._comes("}"):
            return
        while True:
            key = json.loads(self.value(_STEP) or '""')
            if not isinstance(key, str):
                raise ValueError("a key that is no string")
            self._expect(":")
            yield key
            if self._comes("}"):
                return
            self._expect(",")

    def elements(self) -> Iterator[None]:
        """Stop at each element of the list that begins here; each has to be taken or passed."""
        self._expect("[")
        if self._comes("]"):
            return
        while True:
            yield
            if self._comes("]"):
                return
            self._expect(",")

    def next(self) -> str:
        """Return the character that comes next, but for white space; nothing at the end."""
        while True:
            while self._place < len(self._buffer):
                if self._buffer[self._place] not in _SPACE:
                    return self._buffer[self._place]
                self._place += 1
            if not self._read():
                return ""

    def value(self, cap: int) -> str | None:
        """Return the text of the value that begins here; None if it has more than `cap` letters."""
        kept: list[str] = []
        size = 0
        for piece in self._pieces():
            size += len(piece)
            if size <= cap:
                kept.append(piece)
            else:
                kept.clear()
        return "".join(kept) if size <= cap else None

    def skip(self) -> None:
        """Pass over the value that begins here."""
        self.value(0)

    def _pieces(self) -> Iterator[str]:
        first = self.next()
        if first and first not in '"[{':
            yield from self._scalar()
            return
        depth = 0
        while True:
            if depth:
                yield self._matched(_FLAT)
            if self._place == len(self._buffer):
                self._more()
                continue
            mark = self._take()
            yield mark
            if mark == '"':
                yield from self._string()
            else:
                depth += 1 if mark in "[{" else -1
            if depth <= 0:
                return

    def _string(self) -> Iterator[str]:
        """Yield the rest of a string whose first quote was taken."""
        while True:
            yield self._matched(_INSIDE)
            if self._place == len(self._buffer):
                self._more()
            elif self._buffer[self._place] == '"':
                yield self._take()
                return
            else:  # a backslash, and what it escapes is still to be read
                self._more()

    def _scalar(self) -> Iterator[str]:
        found = self._matched(_SCALAR)
        if not found:
            raise ValueError("no value")
        yield found
        while self._place == len(self._buffer) and self._read():
            yield self._matched(_SCALAR)

    def _matched(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._buffer, self._place)
        text = found[0] if found else ""
        self._place += len(text)
        return text

    def _take(self) -> str:
        self._place += 1
        return self._buffer[self._place - 1]

    def _comes(self, mark: str) -> bool:
        if self.next() != mark:
            return False
        self._place += 1
        return True

    def _expect(self, mark: str) -> None:
        if not self._comes(mark):
            raise ValueError(f"{mark} expected")

    def _more(self) -> None:
        if not self._read():
            raise ValueError("cut off")

    def _read(self) -> bool:
        """Read on; what was passed is forgotten."""
        while True:
            data = self._file.read(_STEP)
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                self._buffer, self._place = self._buffer[self._place :] + text, 0
                return bool(text)
