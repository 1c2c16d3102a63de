"""Finds a capture's format from its content and reads it into the neutral model."""

from __future__ import annotations

import contextlib
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from riskchainbench.capture.exchange import Capture, CaptureKind, Exchange, Intake, gather
from riskchainbench.capture.readers.folders import (
    SINGLE_FILE,
    read_mirror,
    read_saved,
    read_single,
    saved_folders,
)
from riskchainbench.capture.readers.har import read_har
from riskchainbench.capture.readers.mhtml import read_mhtml
from riskchainbench.capture.readers.wacz import read_wacz
from riskchainbench.capture.readers.warc import WARC_ENDINGS, read_warcs
from riskchainbench.capture.troubles import CaptureError, Limits, Trouble
from riskchainbench.capture.zstd import is_zstd
from riskchainbench.core.hashing import Sha256, sha256_file, sha256_listing, sha256_text

_HEAD = 8192
_LOOKED_AT = 20
_MAIL = re.compile(
    rb"^(?:from|mime-version|subject|date|snapshot-content-location|content-type):", re.I
)
_MAIL_OF_PAGES = re.compile(rb"multipart/related|^snapshot-content-location:", re.I | re.M)


def read_capture(path: Path, limits: Limits | None = None) -> Capture:
    """Read the capture at `path`, a file or a folder.

    Raises:
        CaptureError: it cannot be read, or breaks a limit; the trouble says which.
    """
    intake = Intake(limits or Limits())
    try:
        kind = format_of(path)
        if path.is_file() and path.stat().st_size > intake.limits.archive:
            raise CaptureError(Trouble.TOO_LARGE, "the file is larger than is read")
        return gather(kind, _exchanges(path, kind, intake), intake, identity_of(path))
    except OSError as error:
        raise CaptureError(Trouble.UNREADABLE, error.strerror or type(error).__name__) from error


def format_of(path: Path) -> CaptureKind:
    """Return the format of the capture at `path`, told by content and never by ending.

    Raises:
        CaptureError: it is none of the formats that are read.
    """
    if path.is_dir():
        return CaptureKind.WARC if warc_files(path) else _folder_kind(path)
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if head.startswith(b"PK\x03\x04"):
        return CaptureKind.WACZ
    if head.startswith(b"\x1f\x8b"):
        with contextlib.suppress(zlib.error):
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD)
    if head.startswith((b"WARC/", b"filedesc://")) or is_zstd(head):
        return CaptureKind.WARC
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"{"):
        return CaptureKind.HAR
    if _MAIL.match(text) and _MAIL_OF_PAGES.search(head):
        return CaptureKind.MHTML
    if text.startswith(b"<") or b"<html" in text.lower():
        saved = saved_folders(path) and not SINGLE_FILE.search(head)
        return CaptureKind.SAVED if saved else CaptureKind.SINGLE
    raise CaptureError(
        Trouble.UNKNOWN_FORMAT, "no WARC, ARC, WACZ, HAR, MHTML, HTML page or mirrored folder"
    )


def _folder_kind(folder: Path) -> CaptureKind:
    if any(_saved_pages(folder)):
        return CaptureKind.SAVED
    inside = sorted(folder.iterdir())[:_LOOKED_AT]
    if inside and all(path.is_file() and _is_capture(path) for path in inside):
        raise CaptureError(
            Trouble.UNKNOWN_FORMAT, "a folder of captures; name the files in it one by one"
        )
    for _, _, names in os.walk(folder):
        if names:
            return CaptureKind.MIRROR
    raise CaptureError(Trouble.EMPTY, "the folder holds no file")


def _is_capture(path: Path) -> bool:
    """Tell whether a file is a capture of its own and no page or file of a mirrored site."""
    try:
        return format_of(path) in (CaptureKind.WACZ, CaptureKind.HAR, CaptureKind.MHTML)
    except CaptureError:
        return False


def _saved_pages(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() in (".html", ".htm") and saved_folders(path):
            yield path


def warc_files(folder: Path) -> list[Path]:
    """Return the WARC and ARC files that lie in `folder`, in the order of their names."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.is_file() and path.name.lower().endswith(WARC_ENDINGS)
    ]


def identity_of(path: Path) -> Sha256:
    """Return the hash of the capture's bytes; that of a folder covers names and files."""
    if path.is_file():
        beside = {p.name: identity_of(p) for p in saved_folders(path)} if path.suffix else {}
        own = sha256_file(path)
        return sha256_listing({"page": own, **beside}) if beside else own
    listing: dict[str, Sha256] = {}
    for place, folders, names in os.walk(path):
        folders.sort()
        for name in names:
            file = Path(place, name)
            key = os.fsencode(file.relative_to(path).as_posix()).decode("utf-8", "backslashreplace")
            listing[key] = sha256_file(file) if file.is_file() else sha256_text("no file")
    return sha256_listing(listing)


def _exchanges(path: Path, kind: CaptureKind, intake: Intake) -> Iterator[Exchange]:
    match kind:
        case CaptureKind.WARC:
            yield from _from_warcs([path] if path.is_file() else warc_files(path), intake)
        case CaptureKind.WACZ:
            yield from read_wacz(path, intake)
        case CaptureKind.HAR:
            yield from read_har(path, intake)
        case CaptureKind.MHTML:
            yield from read_mhtml(path, intake)
        case CaptureKind.SINGLE:
            yield from read_single(path, intake)
        case CaptureKind.SAVED:
            yield from read_saved(path if path.is_file() else next(_saved_pages(path)), intake)
        case CaptureKind.MIRROR:
            yield from read_mirror(path, intake)


def _from_warcs(paths: list[Path], intake: Intake) -> Iterator[Exchange]:
    with ExitStack() as stack:
        files: list[tuple[str, BinaryIO]] = [
            (path.name, stack.enter_context(path.open("rb"))) for path in paths
        ]
        yield from read_warcs(files, intake)
