"""Reads WACZ files: a zip whose WARC files are read in place, never unpacked to the disk."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from riskchainbench.capture.exchange import Exchange, Intake
from riskchainbench.capture.readers.warc import WARC_ENDINGS, read_warcs
from riskchainbench.capture.troubles import CaptureError, Trouble
from riskchainbench.capture.urls import canonical

_PAGES = 1024 * 1024
_ENCRYPTED = 0x1
_BAD_ZIP = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError)


def read_wacz(path: Path, intake: Intake) -> Iterator[Exchange]:
    """Yield the exchanges of a WACZ file.

    Raises:
        CaptureError: it is password-protected, no zip, or holds no WARC.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = [info for info in archive.infolist() if _is_warc(info.filename)]
            if any(info.flag_bits & _ENCRYPTED for info in archive.infolist()):
                raise CaptureError(Trouble.ENCRYPTED, "unlock the archive first")
            if not members:
                raise CaptureError(Trouble.UNKNOWN_FORMAT, "a zip without WARC files")
            intake.start = _start(archive)
            yield from read_warcs(_streams(archive, members), intake)
    except _BAD_ZIP as error:
        raise CaptureError(Trouble.MALFORMED, f"broken zip ({error})") from error


def _is_warc(name: str) -> bool:
    return name.lower().endswith(WARC_ENDINGS)


def _streams(
    archive: zipfile.ZipFile, members: list[zipfile.ZipInfo]
) -> Iterator[tuple[str, BinaryIO]]:
    for info in sorted(members, key=lambda each: each.filename):
        with archive.open(info) as file:
            yield Path(info.filename).name, file  # type: ignore[misc]


def _start(archive: zipfile.ZipFile) -> str | None:
    """Return the first page that the archive lists."""
    if "pages/pages.jsonl" not in archive.namelist():
        return None
    with archive.open("pages/pages.jsonl") as file:
        text = file.read(_PAGES).decode("utf-8", "replace")
    for line in text.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and isinstance(value.get("url"), str):
            return canonical(value["url"])
    return None
