"""Writes small captures in every format that is read."""

from __future__ import annotations

import base64
import gzip
import io
import json
import struct
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

ORIGIN = "http://shop.test"


@dataclass(frozen=True)
class Sent:
    """One response to write down, and the request it answers."""

    path: str
    body: bytes = b""
    kind: str = "text/html; charset=utf-8"
    status: int = 200
    method: str = "GET"
    sent: bytes = b""
    headers: tuple[tuple[str, str], ...] = ()
    second: int = 0
    sent_kind: str = "application/x-www-form-urlencoded"

    @property
    def url(self) -> str:
        return self.path if "://" in self.path else ORIGIN + self.path


def warc_bytes(answers: Iterable[Sent], *, packed: bool = True) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed)
    for number, answer in enumerate(answers):
        date = {"WARC-Date": f"2026-01-01T00:00:{answer.second or number:02d}Z"}
        head = StatusAndHeaders(
            f"{answer.status} X",
            [("Content-Type", answer.kind), *answer.headers],
            protocol="HTTP/1.1",
        )
        response = writer.create_warc_record(
            answer.url, "response", payload=io.BytesIO(answer.body), http_headers=head,
            warc_headers_dict=dict(date),
        )  # fmt: skip
        asked = StatusAndHeaders(
            f"{answer.method} / HTTP/1.1",
            [("Content-Type", answer.sent_kind)] if answer.sent else [],
            is_http_request=True,
        )
        request = writer.create_warc_record(
            answer.url, "request", payload=io.BytesIO(answer.sent), http_headers=asked,
            warc_headers_dict=dict(date),
        )  # fmt: skip
        writer.write_request_response_pair(request, response)
    return out.getvalue()


def warc(path: Path, answers: Iterable[Sent], *, packed: bool = True) -> Path:
    path.write_bytes(warc_bytes(answers, packed=packed))
    return path


def warc_zst(path: Path, answers: Iterable[Sent], *, learned: bool = False) -> Path:
    """Write a WARC in Zstandard, a frame a record, with a dictionary in front if `learned`."""
    answers = list(answers)
    parts = [warc_bytes([each], packed=False) for each in answers]
    head, words = b"", None
    if learned:
        raw = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Type: text/html" * 20
        words = zstandard.ZstdCompressionDict(raw)
        data = zstandard.compress(raw)
        head = b"\x5d\x2a\x4d\x18" + struct.pack("<I", len(data)) + data
    machine = zstandard.ZstdCompressor(dict_data=words)
    path.write_bytes(head + b"".join(map(machine.compress, parts)))
    return path


def arc(path: Path, answers: Iterable[Sent], *, packed: bool = True) -> Path:
    names = b"1 0 X\nURL IP-address Archive-date Content-type Archive-length\n"
    head = b"filedesc://x.arc 0.0.0.0 20260101000000 text/plain %d\n%s\n" % (len(names), names)
    records = [head]
    for answer in answers:
        lines = [f"HTTP/1.1 {answer.status} X", f"Content-Type: {answer.kind}"]
        lines += [f"{name}: {value}" for name, value in answer.headers]
        body = "\r\n".join([*lines, "", ""]).encode() + answer.body
        line = f"{answer.url} 127.0.0.1 20260101000001 text/html {len(body)}\n"
        records.append(line.encode() + body + b"\n")
    path.write_bytes(b"".join(map(gzip.compress, records) if packed else records))
    return path


def wacz(path: Path, answers: Iterable[Sent], start: str = "/") -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("archive/data.warc.gz", warc_bytes(answers))
        lines = [{"format": "json-pages-1.0"}, {"url": ORIGIN + start, "title": "x"}]
        archive.writestr("pages/pages.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        archive.writestr("datapackage.json", json.dumps({"profile": "data-package"}))
    return path


def har(path: Path, answers: Iterable[Sent], *, bodies: bool = True) -> Path:
    entries = []
    for number, answer in enumerate(answers):
        content: dict[str, object] = {"mimeType": answer.kind, "size": len(answer.body)}
        textual = answer.kind.startswith("text/")
        if bodies and textual:
            content["text"] = answer.body.decode("utf-8")
        elif bodies:
            content |= {"text": base64.b64encode(answer.body).decode(), "encoding": "base64"}
        request: dict[str, object] = {"method": answer.method, "url": answer.url, "headers": []}
        if answer.sent:
            request["postData"] = {"mimeType": answer.sent_kind, "text": answer.sent.decode()}
        headers = [{"name": n, "value": v} for n, v in answer.headers]
        entries.append(
            {
                "startedDateTime": f"2026-01-01T00:00:{answer.second or number:02d}.000Z",
                "request": request,
                "response": {"status": answer.status, "headers": headers, "content": content},
            }
        )
    path.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}), "utf-8")
    return path


def mhtml(path: Path, answers: Iterable[Sent]) -> Path:
    edge = "----edge"
    parts = []
    for answer in answers:
        body = base64.encodebytes(answer.body).decode()
        parts.append(
            f"--{edge}\r\nContent-Type: {answer.kind}\r\nContent-Transfer-Encoding: base64\r\n"
            f"Content-Location: {answer.url}\r\n\r\n{body}\r\n"
        )
    head = (
        f"From: <Saved by a browser>\r\nSnapshot-Content-Location: {ORIGIN}/\r\n"
        "MIME-Version: 1.0\r\n"
        f'Content-Type: multipart/related;\r\n\ttype="text/html";\r\n\tboundary="{edge}"\r\n\r\n'
    )
    path.write_bytes((head + "".join(parts) + f"--{edge}--\r\n").encode())
    return path


def saved(folder: Path, answers: Iterable[Sent]) -> Path:
    """Write a page saved complete; references have to name the folder ``page_files``."""
    first, *others = answers
    page = folder / "page.html"
    mark = f"<!-- saved from url=({len(first.url):04d}){first.url} -->\n".encode()
    page.write_bytes(mark + first.body)
    for answer in others:
        target = folder / "page_files" / answer.path.strip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(answer.body)
    return page
