"""Reads MHTML files: one page and its parts as a mail, named by location or content id."""

from __future__ import annotations

import email
import email.policy
from collections.abc import Iterator
from email.errors import MessageError
from email.message import Message
from pathlib import Path

from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import absolute, canonical

PLACEHOLDER = "http://saved.invalid/"
"""The base of pages whose capture tells no address of theirs."""


def read_mhtml(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield the parts of an MHTML file; its first page is the start page.

    Raises:
        CaptureError: it is larger than a document may be, or holds no parts.
    """
    if path.stat().st_size > intake.limits.document:
        raise CaptureError(Trouble.TOO_LARGE, "the MHTML is larger than is read")
    try:
        with path.open("rb") as file:
            message = email.message_from_binary_file(file, policy=email.policy.compat32)
        parts = [part for part in message.walk() if not part.is_multipart()]
    except (MessageError, RecursionError, ValueError, LookupError) as error:
        raise CaptureError(Trouble.MALFORMED, f"no MHTML ({type(error).__name__})") from error
    base = canonical(str(message.get("Snapshot-Content-Location") or "")) or PLACEHOLDER
    for number, part in enumerate(parts[: intake.limits.exchanges]):
        try:
            body = part.get_payload(decode=True)
        except (ValueError, LookupError, TypeError, AssertionError):
            intake.note(f"part {number}: cannot be decoded")
            continue
        if not isinstance(body, bytes):
            continue
        if len(body) > intake.limits.resource:
            intake.note(f"part {number}: larger than is kept")
            continue
        urls = _names(part, base) or ([base] if number == 0 else [])
        for url in urls:
            if intake.start is None and part.get_content_type() == "text/html":
                intake.start = url
            yield Exchange(url, headers=(("content-type", _type(part)),), body=body)


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
