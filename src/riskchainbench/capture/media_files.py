"""Takes the tags out of sound and video: title, artist, place, remarks, cover pictures.

Works on the containers, in place where other parts count bytes, and never on what is heard or
seen. Containers that are not known here (Ogg, WebM) come back as they are.
"""

from __future__ import annotations

import struct

_CLOSED = frozenset({b"udta", b"meta", b"uuid"})
_OPEN = frozenset(
    {b"moov", b"trak", b"mdia", b"minf", b"stbl", b"edts", b"mvex", b"moof", b"traf"}
)  # fmt: skip
_TELLING_CHUNKS = frozenset({b"id3 ", b"ID3 ", b"bext", b"iXML", b"_PMX", b"axml", b"INFO"})
_PADDING, _TELLING_BLOCKS = 1, frozenset({2, 4, 5, 6})
_OLD_TAG, _APE = 128, 32


def without_tags(body: bytes) -> bytes:
    """Return a file of sound or video without tags; what is damaged is cut or left as it is."""
    try:
        if body[4:8] in (b"ftyp", b"moov", b"styp", b"moof"):
            return _without_boxes(body)
        if body[:4] == b"RIFF":
            return _without_chunks(body)
        if body[:4] == b"fLaC":
            return _without_blocks(body)
    except struct.error:
        return b""
    return _without_frames(body)


def _without_frames(body: bytes) -> bytes:
    """Return MPEG sound without ID3 and APE tags."""
    while body[:3] == b"ID3" and len(body) >= 10:
        size = sum((body[6 + n] & 0x7F) << 7 * (3 - n) for n in range(4))
        body = body[10 + size + (10 if body[5] & 0x10 else 0) :]
    if body[-_OLD_TAG:][:3] == b"TAG":
        body = body[:-_OLD_TAG]
    if body[-_APE:][:8] == b"APETAGEX":
        size, _, flags = struct.unpack_from("<III", body, len(body) - _APE + 12)
        body = body[: max(0, len(body) - size - (_APE if flags >> 31 else 0))]
    return body


def _without_boxes(body: bytes) -> bytes:
    """Return an MP4 whose descriptions are free space of the same size."""
    out = bytearray(body)
    spans = [(0, len(out))]
    while spans:
        place, end = spans.pop()
        while place + 8 <= end:
            size, name = struct.unpack_from(">I4s", out, place)
            head = 8
            if size == 1:
                size, head = struct.unpack_from(">Q", out, place + 8)[0], 16
            stop = min(end, place + size) if size else end
            if stop < place + head:
                break
            if name in _CLOSED:
                out[place + 4 : place + 8] = b"free"
                out[place + head : stop] = bytes(stop - place - head)
            elif name in _OPEN:
                spans.append((place + head, stop))
            place = stop
    return bytes(out)


def _without_chunks(body: bytes) -> bytes:
    """Return a RIFF file (WAVE, AVI) whose remarks are junk of the same size."""
    out = bytearray(body)
    place = 12
    while place + 8 <= len(out):
        name, size = struct.unpack_from("<4sI", out, place)
        kind = bytes(out[place + 8 : place + 12]) if name == b"LIST" else name
        end = min(len(out), place + 8 + size)
        if kind in _TELLING_CHUNKS:
            out[place : place + 4] = b"JUNK"
            out[place + 8 : end] = bytes(end - place - 8)
        place += 8 + size + (size & 1)
    return bytes(out)


def _without_blocks(body: bytes) -> bytes:
    """Return a FLAC file whose comments and pictures are padding of the same size."""
    out = bytearray(body)
    place = 4
    while place + 4 <= len(out):
        head, size = out[place], int.from_bytes(out[place + 1 : place + 4], "big")
        end = min(len(out), place + 4 + size)
        if head & 0x7F in _TELLING_BLOCKS:
            out[place] = head & 0x80 | _PADDING
            out[place + 4 : end] = bytes(end - place - 4)
        place = end
        if head & 0x80:
            break
    return bytes(out)
