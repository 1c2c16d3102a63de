"""Undoes Zstandard: frames one after another, with the dictionary that a WARC may begin with."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import zstandard

FRAME = b"\x28\xb5\x2f\xfd"
DICTIONARY = b"\x5d\x2a\x4d\x18"
"""What a frame begins with, and a skippable one that holds a dictionary."""

_SLICE = 256
"""Bytes undone at once; four of them may stand for 128 KiB."""

_BLOCK = 64 * 1024
_MAX_DICTIONARY = 16 * 1024**2
_MAX_WINDOW = 128 * 1024**2


def is_zstd(head: bytes) -> bool:
    """Tell whether bytes are the beginning of a Zstandard stream."""
    return head.startswith((FRAME, DICTIONARY))


def unpacked(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield what a Zstandard stream holds, in bounded pieces.

    Args:
        read: returns up to so many of the next bytes, none at the end.

    Raises:
        ZstdError: the stream is damaged.
        EOFError: it ends too early.
    """
    data = read(_BLOCK)
    words = None
    if data.startswith(DICTIONARY):
        size = 8 + struct.unpack("<I", data[4:8].ljust(4, b"\0"))[0]
        if size > _MAX_DICTIONARY:
            raise zstandard.ZstdError("the dictionary is larger than is read")
        while len(data) < size and (more := read(_BLOCK)):
            data += more
        words, data = _dictionary(data[8:size]), data[size:]
    undo = zstandard.ZstdDecompressor(dict_data=words, max_window_size=_MAX_WINDOW)
    machine = None
    while data or (data := read(_BLOCK)):
        machine = machine or undo.decompressobj()
        piece, data = machine.decompress(data[:_SLICE]), data[_SLICE:]
        if piece:
            yield piece
        if machine.eof:
            data, machine = machine.unused_data + data, None
    if machine is not None:
        raise EOFError


def unpacked_bytes(data: bytes) -> Iterator[bytes]:
    """Yield what `data` holds; as `unpacked`."""
    place = 0

    def read(size: int) -> bytes:
        nonlocal place
        place += size
        return data[place - size : place]

    return unpacked(read)


def _dictionary(data: bytes) -> zstandard.ZstdCompressionDict:
    if data.startswith(FRAME):
        data = zstandard.ZstdDecompressor().decompress(data, max_output_size=_MAX_DICTIONARY)
    return zstandard.ZstdCompressionDict(data)
