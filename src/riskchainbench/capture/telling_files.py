"""Finds sound, video and typefaces that hold what was masked elsewhere, once all of it is known.

A typeface gets its names masked; of other files a neutral one takes the place.
"""

from __future__ import annotations

import io
import re
import struct
import zlib
from collections.abc import Iterator

from riskchainbench.capture.assets import AssetStore
from riskchainbench.capture.content import decoded
from riskchainbench.capture.masking import Masker

_KINDS = re.compile(r"^(?:font|audio|video)/|^application/(?:x-)?(?:font|vnd\.ms-fontobject)")
_FONTS = (b"wOFF", b"wOF2", b"OTTO", b"\0\1\0\0", b"true", b"ttcf")
_CAP = 64 * 1024**2
_MIN_BYTES = 5
"""Fewer bytes stand somewhere in any large file by chance."""

_WORDS = tuple(
    re.compile(pattern)
    for pattern in (rb"[\x20-\x7e]{5,}+", rb"(?:[\x20-\x7e]\0){5,}+", rb"(?:\0[\x20-\x7e]){5,}+")
)
"""Text of plain letters, in one byte a letter or two."""

SILENCE = (
    b"RIFF\x25\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x40\x1f\0\0\x40\x1f\0\0\1\0\x08\0data\1\0\0\0\x80"
)
"""Stands in for sound and video: a wave of one sample."""


def neutralize(store: AssetStore, masker: Masker) -> tuple[str, ...]:
    """Mask or replace the files of `store` that name somebody; return the paths of those."""
    originals = _Originals(masker)
    found = []
    for path, asset in store.assets.items():
        body = store.files[asset.file]
        if not _KINDS.match(asset.media_type) or not originals.stand_in(body):
            continue
        found.append(path)
        new = _renamed(body, masker) if body.startswith(_FONTS) else SILENCE
        store.files[asset.file] = b"" if originals.stand_in(new) else new
    return tuple(found)


class _Originals:
    """What was masked, in the forms in which files write it."""

    def __init__(self, masker: Masker) -> None:
        self._plain: list[bytes] = []
        self._other: list[bytes] = []
        for original in dict.fromkeys(each.lower() for each in masker.originals()):
            if original.isascii():
                self._plain += [original.encode()] * (len(original) >= _MIN_BYTES)
            else:
                forms = (original.encode(e, "replace") for e in ("utf-8", "utf-16-be", "utf-16-le"))
                self._other += [form for form in forms if len(form) >= _MIN_BYTES]

    def stand_in(self, body: bytes) -> bool:
        """Tell whether a file, or what is packed in it, holds an original."""
        return any(self._hold(part) for part in (body, *_unpacked(body)))

    def _hold(self, body: bytes) -> bool:
        runs = (found[0].replace(b"\0", b"") for kind in _WORDS for found in kind.finditer(body))
        words = b"\n".join(runs).lower()
        return any(each in words for each in self._plain) or any(
            each in body for each in self._other
        )


def _unpacked(body: bytes) -> Iterator[bytes]:
    """Yield what stands packed in a typeface for the web, bounded."""
    try:
        if body[:4] == b"wOFF":
            (count,) = struct.unpack_from(">H", body, 12)
            for place in range(44, 44 + 20 * count, 20):
                offset, packed, size = struct.unpack_from(">III", body, place + 4)
                table = body[offset : offset + packed]
                if packed < size:
                    yield zlib.decompressobj().decompress(table, _CAP)
        elif body[:4] == b"wOF2":
            (size,) = struct.unpack_from(">I", body, 20)
            place = _behind_directory(body)
            yield decoded(body[place : place + size], "br", _CAP, lambda _: None)[0]
    except (struct.error, IndexError, zlib.error):
        return


def _behind_directory(body: bytes) -> int:
    """Return where the packed tables of a WOFF 2.0 file begin (section 4.1 of its standard)."""
    (count,) = struct.unpack_from(">H", body, 12)
    place = 48
    for _ in range(count):
        flags = body[place]
        tag, version = flags & 0x3F, flags >> 6
        named = body[place + 1 : place + 5] if tag == 63 else b""
        place += 1 + len(named)
        place = _behind_number(body, place)
        outlines = tag in (10, 11) or named in (b"glyf", b"loca")
        if (version != 3) if outlines else (version != 0):
            place = _behind_number(body, place)
    return place


def _behind_number(body: bytes, place: int) -> int:
    while body[place] & 0x80:
        place += 1
    return place + 1


def _renamed(body: bytes, masker: Masker) -> bytes:
    """Return a typeface whose names are masked; nothing where it cannot be written anew."""
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(io.BytesIO(body), recalcTimestamp=False)
        for record in font["name"].names:
            record.string = masker.text(record.toUnicode("replace"))
        out = io.BytesIO()
        font.save(out)
        return out.getvalue()
    except Exception:  # a captured file may be broken in any way; then no typeface is shown
        return b""
