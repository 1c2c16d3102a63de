"""Reads MHTML files part by part: one page and what it needs as a mail, named by location or id."""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from pathlib import Path
from typing import BinaryIO

from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import absolute, canonical

PLACEHOLDER = "http://saved.invalid/"
"""The base of pages whose capture tells no address of theirs."""

_LINE = 64 * 1024
_HEAD = 256 * 1024
_SPREAD = 3
"""Letters that a mail may write one byte with."""

_DEPTH = 8


def read_mhtml(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield the parts of an MHTML file, one in memory at a time; its first page is the start page.

    A file that is cut off gives the parts up to there.

    Raises:
        CaptureError: it is no mail.
    """
    with path.open("rb") as file:
        mail = _Mail(file, intake.limits.resource * _SPREAD)
        head = mail.head()
        base = canonical(str(head.get("Snapshot-Content-Location") or "")) or PLACEHOLDER
        for number, (part, text) in enumerate(mail.parts(head)):
            body = _decoded(part, text, number, intake)
            if body is None:
                continue
            for url in _names(part, base) or ([base] if number == 0 else []):
                if intake.start is None and part.get_content_type() == "text/html":
                    intake.start = url
                yield Exchange(url, headers=(("content-type", _type(part)),), body=body)


class _Mail:
    """A mail that is read line by line; `room` is how many bytes of a part are kept."""

    def __init__(self, file: BinaryIO, room: int) -> None:
        self._file, self._room = file, room

    def head(self) -> Message:
        """Read headers, up to the empty line behind them.

        Raises:
            CaptureError: they are longer than any honest mail's, or none.
        """
        lines: list[bytes] = []
        size = 0
        while (line := self._file.readline(_LINE)) and line.strip(b"\r\n"):
            lines.append(line)
            size += len(line)
            if size > _HEAD:
                raise CaptureError(Trouble.MALFORMED, "no MHTML (headers without end)")
        try:
            return BytesHeaderParser().parsebytes(b"".join(lines))
        except (ValueError, LookupError) as error:
            raise CaptureError(Trouble.MALFORMED, f"no MHTML ({type(error).__name__})") from error

    def parts(self, head: Message) -> Iterator[tuple[Message, bytes | None]]:
        """Yield headers and text of each part, None for one that is larger than is kept.

        Parts of parts stand in their place.
        """
        edges = [edge] if (edge := _edge(head)) else []
        if not edges:
            yield head, self._text(edges)[0]
            return
        _, mark = self._text(edges)
        while mark and edges:
            if mark == edges[-1] + b"--":
                edges.pop()
                _, mark = self._text(edges)
                continue
            while len(edges) > 1 and mark != edges[-1]:
                edges.pop()  # an inner part that was never closed
            part = self.head()
            inner = _edge(part)
            if inner and len(edges) < _DEPTH:
                edges.append(inner)
                _, mark = self._text(edges)
                continue
            text, mark = self._text(edges)
            yield part, text

    def _text(self, edges: list[bytes]) -> tuple[bytes | None, bytes]:
        """Read up to a line that parts the mail; return what stood before it, and that line."""
        kept = bytearray()
        size = 0
        fresh = True
        while line := self._file.readline(_LINE):
            if fresh and line.startswith(b"--"):
                mark = line.rstrip()
                if any(mark in (edge, edge + b"--") for edge in edges):
                    return self._closed(kept, size), mark
            fresh = line.endswith(b"\n")
            size += len(line)
            if size <= self._room:
                kept += line
        return (bytes(kept) if size <= self._room else None), b""

    def _closed(self, kept: bytearray, size: int) -> bytes | None:
        """Return the text of a part; the line break before its end belongs to the end."""
        if size > self._room:
            return None
        for ending in (b"\r\n", b"\n"):
            if kept.endswith(ending):
                return bytes(kept[: -len(ending)])
        return bytes(kept)


def _edge(head: Message) -> bytes:
    """Return the line between the parts of a part that has parts; nothing for others."""
    try:
        edge = head.get_boundary() if head.get_content_maintype() == "multipart" else None
    except (ValueError, LookupError):
        return b""
    return b"--" + edge.encode("utf-8", "surrogateescape") if edge else b""


def _decoded(part: Message, text: bytes | None, number: int, intake: Intake) -> bytes | None:
    """Return the body of a part with its transfer encoding undone; None where none is kept."""
    if text is None:
        intake.note(f"part {number}: larger than is kept")
        return None
    body: object = text
    if str(part.get("Content-Transfer-Encoding") or "").strip().lower() != "binary":
        try:
            part.set_payload(text.replace(b"\r\n", b"\n").decode("ascii", "surrogateescape"))
            body = part.get_payload(decode=True)
        except (ValueError, LookupError, TypeError, AssertionError):
            intake.note(f"part {number}: cannot be decoded")
            return None
        part.set_payload("")
    if not isinstance(body, bytes):
        return None
    if len(body) > intake.limits.resource:
        intake.note(f"part {number}: larger than is kept")
        return None
    return body


def _names(part: Message, base: str) -> list[str]:
    """Return the URLs that a part is known by."""
    names: list[str] = []
    location = str(part.get("Content-Location") or "")
    found = absolute(base, location) if location else None
    if found is not None:
        names.append(found[0])
    content_id = str(part.get("Content-ID") or "").strip().strip("<>")
    if content_id:
        names.append(f"cid:{content_id}")
    return names


def _type(part: Message) -> str:
    charset = part.get_content_charset()
    kind = part.get_content_type()
    return f"{kind}; charset={charset}" if charset else kind
