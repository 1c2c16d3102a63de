"""Takes everything out of picture files that is no picture: place, time, camera, remarks.

Works on the containers and never on the pixels, so that nothing looks different. What an
image library writes anew (AVIF, TIFF) is the exception.
"""

from __future__ import annotations

import contextlib
import io
import struct
import warnings
from collections.abc import Callable, Iterator

from PIL import Image, UnidentifiedImageError

_PNG = b"\x89PNG\r\n\x1a\n"
_PNG_KEPT = frozenset(
    {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"sBIT", b"sRGB", b"cICP",
     b"iCCP", b"bKGD", b"pHYs", b"acTL", b"fcTL", b"fdAT"}
)  # fmt: skip
_WEBP_KEPT = frozenset({b"VP8 ", b"VP8L", b"VP8X", b"ALPH", b"ANIM", b"ANMF", b"ICCP"})
_WEBP_TELLING = 0b0000_1100
"""Flags of a WebP header: Exif and XMP follow."""

_ORIENTATION = 0x0112
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})
_APP0, _APP2, _APP14, _APP15, _COMMENT = 0xE0, 0xE2, 0xEE, 0xEF, 0xFE
_SCAN, _END = 0xDA, 0xD9
UNREADABLE = (
    UnidentifiedImageError, OSError, ValueError, SyntaxError, struct.error,
    Image.DecompressionBombError,
)  # fmt: skip
"""What the image library raises where a picture is not what it says."""

_REWRITTEN = {"image/avif": "AVIF", "image/tiff": "TIFF"}


def without_metadata(body: bytes, kind: str) -> bytes:
    """Return a picture of media type `kind` without metadata; other files as they are.

    Color profiles and the orientation of a photograph are kept, since it is shown by them. A
    picture that is cut off keeps what browsers show of it; what stands behind its end goes.
    """
    strip = _STRIPPERS.get(kind)
    if strip is None:
        return _rewritten(body, _REWRITTEN[kind]) if kind in _REWRITTEN else body
    parts: list[bytes] = []
    with contextlib.suppress(struct.error, IndexError):
        for part in strip(body):
            parts.append(part)  # noqa: PERF402 - the parts before the damage are wanted
    return b"".join(parts)


def _png(body: bytes) -> Iterator[bytes]:
    yield body[:8]
    place = len(_PNG)
    while place + 8 <= len(body):
        size, name = struct.unpack_from(">I4s", body, place)
        end = place + 12 + size
        if name in _PNG_KEPT:
            yield body[place:end]
        place = end
        if name == b"IEND":
            return


def _jpeg(body: bytes) -> Iterator[bytes]:
    yield body[:2]
    turned = _turned(body)
    if turned:
        yield turned
    place = 2
    while place + 4 <= len(body):
        if body[place] != 0xFF:
            place += 1
            continue
        marker = body[place + 1]
        if marker == 0xFF:
            place += 1
        elif marker == _END:
            yield body[place : place + 2]
            return
        elif marker == _SCAN:
            end = _scan_end(body, place + 2)
            yield body[place:end]
            place = end
        elif marker in _JPEG_ALONE:
            yield body[place : place + 2]
            place += 2
        else:
            end = place + 2 + struct.unpack_from(">H", body, place + 2)[0]
            if not _tells(marker, body[place + 4 : end]):
                yield body[place:end]
            place = max(end, place + 2)


def _tells(marker: int, data: bytes) -> bool:
    """Tell whether a segment holds anything but what the picture is shown by."""
    if marker == _APP2:
        return not data.startswith(b"ICC_PROFILE\0")
    return marker == _COMMENT or (_APP0 < marker <= _APP15 and marker != _APP14)


def _scan_end(body: bytes, place: int) -> int:
    """Return where the next segment begins after the entropy-coded data of a scan."""
    while True:
        place = body.find(b"\xff", place)
        if place < 0 or place + 1 >= len(body):
            return len(body)
        if body[place + 1] == 0 or 0xD0 <= body[place + 1] <= 0xD7:
            place += 2
            continue
        return place


def _turned(body: bytes) -> bytes:
    """Return a segment that holds a photograph's orientation alone; nothing where it is upright."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(io.BytesIO(body)) as picture:
                turn = picture.getexif().get(_ORIENTATION, 1)
    except UNREADABLE:
        return b""
    if turn not in range(2, 9):
        return b""
    entry = struct.pack(">HHIHH", _ORIENTATION, 3, 1, turn, 0)
    exif = b"Exif\0\0MM\0\x2a\0\0\0\x08\0\x01" + entry + b"\0\0\0\0"
    return b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif


def _gif(body: bytes) -> Iterator[bytes]:
    flags = body[10]
    place = 13 + (3 << ((flags & 7) + 1) if flags & 0x80 else 0)
    yield body[:place]
    while place < len(body):
        start, mark = place, body[place]
        if mark == 0x2C:
            local = body[place + 9]
            place = _blocks_end(body, place + 11 + (3 << ((local & 7) + 1) if local & 0x80 else 0))
            yield body[start:place]
        elif mark == 0x21:
            place = _blocks_end(body, place + 2)
            loops = body[start + 3 : start + 14] == b"NETSCAPE2.0"
            if body[start + 1] == 0xF9 or loops:
                yield body[start:place]
        else:
            break
    yield b";"


def _blocks_end(body: bytes, place: int) -> int:
    while place < len(body) and body[place]:
        place += body[place] + 1
    return place + 1


def _webp(body: bytes) -> Iterator[bytes]:
    kept = bytearray(b"WEBP")
    place = 12
    while place + 8 <= len(body):
        name, size = struct.unpack_from("<4sI", body, place)
        end = place + 8 + size + (size & 1)
        if name in _WEBP_KEPT:
            chunk = bytearray(body[place:end])
            if name == b"VP8X" and len(chunk) > 8:
                chunk[8] &= ~_WEBP_TELLING
            kept += chunk
        place = end
    yield b"RIFF" + struct.pack("<I", len(kept)) + bytes(kept)


def _rewritten(body: bytes, form: str) -> bytes:
    """Return a picture written anew; nothing where it cannot be read."""
    try:
        with Image.open(io.BytesIO(body)) as picture:
            bare = picture.convert("RGBA" if "A" in picture.getbands() else "RGB")
            out = io.BytesIO()
            bare.info.clear()
            bare.save(out, form)
            return out.getvalue()
    except (*UNREADABLE, KeyError):
        return b""


_STRIPPERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "image/png": _png,
    "image/apng": _png,
    "image/jpeg": _jpeg,
    "image/jpg": _jpeg,
    "image/gif": _gif,
    "image/webp": _webp,
}
