"""Reads HAR files of any size: bodies as text or base64, or absent."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.readers.json_text import JsonText
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import canonical
from riskchainbench.core.text import gate

_ESCAPED = 6
"""Letters that JSON may write one letter with."""

_ROOM = 1024 * 1024
"""Letters of an entry beside its body."""


def read_har(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield the exchanges of a HAR file, one entry in memory at a time.

    A file that is damaged is read up to the damage. Of several logs or lists of entries the
    first counts.

    Raises:
        CaptureError: it is no HAR.
    """
    with path.open("rb") as file:
        text = JsonText(file)
        try:
            _find(text, "log")
            _find(text, "entries")
            if text.next() != "[":
                raise ValueError("log.entries is no list")
        except (ValueError, RecursionError) as error:
            raise CaptureError(Trouble.MALFORMED, f"no HAR ({error})") from error
        yield from _entries(text, intake)


def _find(text: JsonText, wanted: str) -> None:
    """Go to the value of a key in the object that begins here."""
    for key in text.members():
        if key == wanted:
            return
        text.skip()
    raise ValueError(f"no {wanted} in it")


def _entries(text: JsonText, intake: Intake) -> Iterator[Exchange]:
    count = missing = 0
    cap = intake.limits.resource * _ESCAPED + _ROOM
    try:
        for _ in text.elements():
            exchange = _read_entry(text.value(cap), count, intake)
            count += 1
            if exchange is not None:
                missing += not exchange.whole
                yield exchange
    except ValueError as error:
        intake.note(f"damaged after {count} entries ({error}): what stands behind is left out")
    if missing:
        intake.note(f"{missing} of {count} entries hold no body")


def _read_entry(entry: str | None, number: int, intake: Intake) -> Exchange | None:
    if entry is None:
        intake.note(f"entry {number}: larger than is kept")
        return None
    try:
        return _exchange(json.loads(entry), intake)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        intake.note(f"entry {number}: malformed, left out")
        return None


def _exchange(entry: Any, intake: Intake) -> Exchange | None:
    request, response = entry["request"], entry["response"]
    url = canonical(str(request["url"]))
    if url is None or not response.get("status"):
        return None
    content = response.get("content") or {}
    body, whole = _body(content, intake)
    headers = tuple(
        (str(h["name"]).lower(), str(h["value"]))
        for h in response.get("headers") or ()
        if str(h["name"]).lower() not in ("content-type", "content-encoding")
    )
    said = str(content.get("mimeType") or "") or _header(response, "content-type")
    if isinstance(content.get("text"), str) and content.get("encoding") != "base64":
        said = f"{said.split(';')[0]}; charset=utf-8"
    elif "charset" not in said.lower():
        said = _header(response, "content-type") or said
    post = request.get("postData") or {}
    status = int(response["status"])
    redirect = 300 <= status < 400
    return Exchange(
        url,
        str(request.get("method") or "GET").upper(),
        status,
        (("content-type", said), *headers),
        body,
        _time(entry.get("startedDateTime")),
        _sent(post),
        str(post.get("mimeType") or ""),
        whole=whole or redirect or status == 204,
    )


def _body(content: Any, intake: Intake) -> tuple[bytes, bool]:
    text = content.get("text")
    if not isinstance(text, str):
        return b"", False
    if content.get("encoding") == "base64":
        try:
            body = base64.b64decode(text)
        except (binascii.Error, ValueError):
            return b"", False
    else:
        body = gate(text)[0].encode("utf-8")
    if len(body) > intake.limits.resource:
        intake.note(f"a response of more than {intake.limits.resource // 1024**2} MiB was left out")
        return b"", False
    return body, True


def _sent(post: Any) -> bytes:
    text = post.get("text")
    if isinstance(text, str) and text:
        return gate(text)[0].encode("utf-8")[:65536]
    pairs = [(str(p["name"]), str(p.get("value") or "")) for p in post.get("params") or ()]
    return urlencode(pairs, errors="replace").encode("ascii")[:65536]


def _header(response: Any, name: str) -> str:
    for header in response.get("headers") or ():
        if str(header["name"]).lower() == name:
            return str(header["value"])
    return ""


def _time(text: object) -> float | None:
    try:
        moment = datetime.fromisoformat(str(text).replace("Z", "+00:00"))
    except ValueError:
        return None
    return moment.replace(tzinfo=moment.tzinfo or UTC).timestamp()
