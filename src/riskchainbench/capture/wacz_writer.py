"""Writes a recorded visit as a WACZ file: WARC, list of pages, hashes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.store import write_atomic

_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Recorded:
    """One request and its answer as they went over the wire."""

    url: str
    method: str
    sent: bytes
    sent_type: str
    status: int
    reason: str
    headers: tuple[tuple[str, str], ...]
    body: bytes
    time: float


@dataclass(frozen=True)
class RecordedPage:
    """One page that was visited."""

    url: str
    title: str


def write_wacz(path: Path, exchanges: Sequence[Recorded], pages: Sequence[RecordedPage]) -> None:
    """Write a WACZ file.

    Raises:
        StorageError: the file cannot be written.
    """
    files = {
        "archive/data.warc.gz": _warc(exchanges),
        "pages/pages.jsonl": _pages(pages),
    }
    package = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "resources": [
            {
                "name": name.rsplit("/", 1)[-1],
                "path": name,
                "hash": f"sha256:{sha256_bytes(data)}",
                "bytes": len(data),
            }
            for name, data in files.items()
        ],
    }
    files["datapackage.json"] = json.dumps(package, indent=1).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            # Compressed members stay as they are, so that a player can seek in them.
            archive.writestr(zipfile.ZipInfo(name, _ZIP_DATE), data)
    write_atomic(path, out.getvalue())


def _warc(exchanges: Sequence[Recorded]) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=True)
    for each in exchanges:
        moment = datetime.fromtimestamp(each.time, UTC)
        date = {"WARC-Date": moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")}
        head = StatusAndHeaders(
            f"{each.status} {each.reason or 'X'}", list(each.headers), protocol="HTTP/1.1"
        )
        response = writer.create_warc_record(
            each.url,
            "response",
            payload=io.BytesIO(each.body),
            http_headers=head,
            warc_headers_dict=dict(date),
        )
        target = "/" + each.url.split("/", 3)[-1]
        asked = StatusAndHeaders(
            f"{each.method} {target} HTTP/1.1",
            [("Content-Type", each.sent_type)] if each.sent_type else [],
            is_http_request=True,
        )
        request = writer.create_warc_record(
            each.url,
            "request",
            payload=io.BytesIO(each.sent),
            http_headers=asked,
            warc_headers_dict=dict(date),
        )
        writer.write_request_response_pair(request, response)
    return out.getvalue()


def _pages(pages: Sequence[RecordedPage]) -> bytes:
    lines = [{"format": "json-pages-1.0", "id": "pages", "title": "Pages"}]
    lines += [{"url": page.url, "title": page.title} for page in pages]
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode("utf-8")
