"""Reads WARC and ARC files: in parts, packed, with chunked, compressed and revisit records."""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import BinaryIO

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeadersParserException
from zstandard import ZstdError

from riskchainbench.capture.content import decoded, unchunked
from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import canonical
from riskchainbench.capture.zstd import is_zstd, unpacked

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")
"""How the files of an archive in parts are told from what lies beside them."""

_BLOCK = 64 * 1024
_BROKEN = (
    ArchiveLoadFailed, StatusAndHeadersParserException, EOFError, ValueError, LookupError,
    AttributeError, TypeError,
)  # fmt: skip
"""What the archive library raises where a record is not what it says."""


class Inflated(io.RawIOBase):
    """The bytes of a file with gzip members or Zstandard frames undone, counted by the intake.

    A damaged or cut-off stream ends where the damage begins; `damaged` tells of it.
    """

    def __init__(self, file: BinaryIO, intake: Intake) -> None:
        self._file, self._intake = file, intake
        self._machine: zlib._Decompress | None = None
        self._input = file.read(_BLOCK)
        self.damaged = False
        self._read = self._plain
        if self._input.startswith(b"\x1f\x8b"):
            self._read = self._member
        elif is_zstd(self._input):
            self._read = self._frame
            first, self._input = iter([self._input]), b""
            self._frames = unpacked(lambda size: next(first, b"") or file.read(size))

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill `buffer` with the next bytes and return their count; 0 at the end."""
        view = memoryview(buffer).cast("B")  # type: ignore[arg-type]
        data = self._read(len(view))
        self._intake.inflate(len(data))
        view[: len(data)] = data
        return len(data)

    def _more(self) -> bytes:
        data = self._input or self._file.read(_BLOCK)
        self._input = b""
        return data

    def _plain(self, size: int) -> bytes:
        data = self._more()
        self._input = data[size:]
        return data[:size]

    def _frame(self, size: int) -> bytes:
        try:
            data = self._input or next(self._frames, b"")
        except (ZstdError, EOFError):
            self.damaged = True
            return b""
        self._input = data[size:]
        return data[:size]

    def _member(self, size: int) -> bytes:
        while not self.damaged:
            data = self._more()
            if self._machine is None:
                data = data.lstrip(b"\x00") if not data.strip(b"\x00") else data
                if not data:
                    return b""
                self._machine = zlib.decompressobj(zlib.MAX_WBITS | 16)
            if not data:
                self.damaged = True
                return b""
            try:
                out = self._machine.decompress(data, size)
            except zlib.error:
                self.damaged = True
                return b""
            self._input = self._machine.unconsumed_tail
            if self._machine.eof:
                self._input = self._machine.unused_data
                self._machine = None
            if out:
                return out
        return b""


class _Records(ArchiveIterator):  # type: ignore[misc]
    """The library's iterator without its remark on standard error about records that do not end."""

    INC_RECORD = ""


@dataclass
class _Seen:
    """What later records of a capture refer to: requests by record id, answers by digest and id."""

    requests: dict[str, tuple[str, bytes, str]] = field(default_factory=dict)
    answers: dict[str, Exchange] = field(default_factory=dict)


def read_warcs(files: Iterable[tuple[str, BinaryIO]], intake: Intake) -> Iterator[Exchange]:
    """Yield the exchanges of one capture that is spread over `files` (name and stream)."""
    seen = _Seen()
    for name, file in files:
        stream = Inflated(file, intake)
        try:
            yield from _read(stream, seen, intake)
        except _BROKEN as error:
            intake.note(f"{name}: stopped at a damaged record ({type(error).__name__})")
        if stream.damaged:
            intake.note(f"{name}: the compressed data is cut off or damaged; read up to there")


def _read(stream: Inflated, seen: _Seen, intake: Intake) -> Iterator[Exchange]:
    """Yield one file's exchanges, each held until the request that may follow it was read."""
    held: tuple[Exchange, tuple[str, ...]] | None = None
    try:
        for record in _Records(io.BufferedReader(stream, _BLOCK), arc2warc=True):
            if record.rec_type == "request" and record.http_headers is not None:
                _remember_request(record, seen.requests, intake)
                continue
            if held is not None:
                yield _asked(*held, seen.requests)
            exchange = _exchange(record, seen.answers, intake)
            held = None if exchange is None else (exchange, _ids(record))
    finally:
        if held is not None:
            yield _asked(*held, seen.requests)


def _ids(record: ArcWarcRecord) -> tuple[str, ...]:
    names = ("WARC-Record-ID", "WARC-Concurrent-To")
    return tuple(found for found in map(record.rec_headers.get_header, names) if found)


def _asked(
    exchange: Exchange, ids: tuple[str, ...], requests: dict[str, tuple[str, bytes, str]]
) -> Exchange:
    """Return the exchange with what its request record says of it."""
    found = next((requests[key] for key in ids if key in requests), None)
    if found is None:
        return exchange
    method, sent, sent_type = found
    return replace(exchange, method=method, sent=sent, sent_type=sent_type)


def _exchange(
    record: ArcWarcRecord, answers: dict[str, Exchange], intake: Intake
) -> Exchange | None:
    kind = record.rec_type
    if kind not in ("response", "revisit", "resource"):
        return None
    url = canonical((record.rec_headers.get_header("WARC-Target-URI") or "").strip("<> "))
    if url is None:
        return None
    body, whole = _body(record, intake)
    exchange = _answer(record, url, body, whole)
    digest = record.rec_headers.get_header("WARC-Payload-Digest") or ""
    if kind == "revisit":
        return _revisited(record, exchange, digest, answers)
    for key in (digest, record.rec_headers.get_header("WARC-Record-ID") or "", f"url {url}"):
        if key:
            answers.setdefault(key, exchange)
    return exchange


def _remember_request(
    record: ArcWarcRecord, requests: dict[str, tuple[str, bytes, str]], intake: Intake
) -> None:
    sent, _ = _body(record, intake)
    head = record.http_headers
    method = (head.protocol or "GET").upper()
    value = (method, sent[:65536], (head.get_header("Content-Type") or "")[:200])
    if len(requests) >= intake.limits.exchanges:
        raise CaptureError(Trouble.TOO_LARGE, "holds too many requests")
    for key in _ids(record):
        requests[key] = value


def _answer(record: ArcWarcRecord, url: str, body: bytes, whole: bool) -> Exchange:
    head = record.http_headers
    if head is None:
        said = record.rec_headers.get_header("Content-Type") or ""
        headers: tuple[tuple[str, str], ...] = (("content-type", said),)
        status = 200
    else:
        headers = tuple((str(name).lower(), str(value)) for name, value in head.headers)
        code = head.get_statuscode() or ""
        status = int(code) if re.fullmatch("[1-5][0-9][0-9]", code) else 200
    return Exchange(url, "GET", status, headers, body, _time(record), whole=whole)


def _revisited(
    record: ArcWarcRecord, exchange: Exchange, digest: str, answers: dict[str, Exchange]
) -> Exchange | None:
    """Return the exchange with the body of the record that a revisit points to."""
    target = canonical(record.rec_headers.get_header("WARC-Refers-To-Target-URI") or "")
    keys = (digest, record.rec_headers.get_header("WARC-Refers-To"), f"url {target}")
    original = next((answers[key] for key in keys if key and key in answers), None)
    if original is None:
        return None
    if not exchange.headers:
        exchange = replace(exchange, status=original.status, headers=original.headers)
    return replace(exchange, body=original.body, whole=original.whole)


def _body(record: ArcWarcRecord, intake: Intake) -> tuple[bytes, bool]:
    cap = intake.limits.resource
    data = bytearray()
    whole = True
    while piece := record.raw_stream.read(_BLOCK):
        if len(data) + len(piece) > cap:
            whole = False  # read on, so that the next record is found; the intake bounds it
            continue
        data += piece
    if not whole:
        intake.note(f"a response of more than {cap // 1024**2} MiB was left out")
        return b"", False
    head = record.http_headers
    if head is None:
        return bytes(data), True
    body = bytes(data)
    if "chunked" in (head.get_header("Transfer-Encoding") or "").lower():
        body = unchunked(body)
    body, whole = decoded(body, head.get_header("Content-Encoding") or "", cap, intake.inflate)
    said = head.get_header("Content-Length") or ""
    return body, whole and not (said.isdigit() and len(data) < int(said))


def _time(record: ArcWarcRecord) -> float | None:
    text = record.rec_headers.get_header("WARC-Date") or ""
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
