"""Bodies as browsers read them: chunks joined, compression undone, type and charset found.

Every decompressor is bounded; what is damaged gives what came before the damage.
"""

from __future__ import annotations

import codecs
import re
import zlib
from collections.abc import Callable, Iterator

import brotli
import zstandard

from riskchainbench.capture import zstd
from riskchainbench.capture.exchange import Exchange

_STEP = 64 * 1024
_META = re.compile(rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.I)
_CSS_CHARSET = re.compile(rb'^@charset "([A-Za-z0-9_:.-]{2,40})";')
_CHARSET = re.compile(r"charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.I)
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
)
_SUPERSETS = {
    # Labels that browsers read as a larger encoding (WHATWG Encoding Standard).
    "iso-8859-1": "windows-1252", "latin1": "windows-1252", "ascii": "windows-1252",
    "us-ascii": "windows-1252", "iso8859-1": "windows-1252", "iso-8859-9": "windows-1254",
    "gb2312": "gb18030", "gbk": "gb18030", "gb_2312-80": "gb18030", "x-gbk": "gb18030",
    "big5": "big5hkscs", "shift_jis": "cp932", "x-sjis": "cp932", "sjis": "cp932",
    "euc-kr": "cp949", "ks_c_5601-1987": "cp949", "tis-620": "cp874", "iso-8859-11": "cp874",
    "unicode": "utf-16-le", "utf-16": "utf-16-le", "utf8": "utf-8", "x-user-defined": "latin-1",
}  # fmt: skip

HTML = "text/html"
CSS = "text/css"
SCRIPT = "text/javascript"
JSON = "application/json"
SVG = "image/svg+xml"
BINARY = "application/octet-stream"

_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"BM", "image/bmp"),
    (b"\x00\x00\x01\x00", "image/x-icon"),
    (b"wOFF", "font/woff"),
    (b"wOF2", "font/woff2"),
    (b"OTTO", "font/otf"),
    (b"\x00\x01\x00\x00", "font/ttf"),
    (b"%PDF-", "application/pdf"),
    (b"OggS", "audio/ogg"),
    (b"ID3", "audio/mpeg"),
    (b"\x1aE\xdf\xa3", "video/webm"),
    (b"PK\x03\x04", "application/zip"),
    (b"\x1f\x8b", "application/gzip"),
)
_MARKUP = re.compile(
    rb"^(?:<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a[ >]|<style|<title"
    rb"|<b[ >]|<body|<br|<p[ >]|<!--|<meta|<frameset)",
    re.I,
)
_SVG_HEAD = re.compile(
    rb"(?:<\?xml[^>]*>\s*)?(?:<!--.{0,500}?-->\s*)?(?:<!doctype svg[^>]*>\s*)?<svg[\s>]",
    re.I | re.S,
)
_SCRIPTS = frozenset(
    {"text/javascript", "application/javascript", "application/x-javascript",
     "text/ecmascript", "application/ecmascript", "text/x-javascript", "text/jscript", "module"}
)  # fmt: skip


def unchunked(data: bytes) -> bytes:
    """Return a chunked body joined; a body that is not chunked after all comes back as it is."""
    parts: list[bytes] = []
    place = 0
    while True:
        end = data.find(b"\n", place, place + 4096)
        line = data[place : end if end >= 0 else place].split(b";")[0].strip()
        if end < 0 or not re.fullmatch(rb"[0-9A-Fa-f]{1,16}", line):
            return b"".join(parts) if parts else data
        size = int(line, 16)
        if size == 0:
            return b"".join(parts)
        parts.append(data[end + 1 : end + 1 + size])
        place = end + 1 + size
        if place >= len(data):
            return b"".join(parts)
        if data[place : place + 2] == b"\r\n":
            place += 2
        elif data[place : place + 1] == b"\n":
            place += 1


def decoded(
    data: bytes, encoding: str, cap: int, count: Callable[[int], None]
) -> tuple[bytes, bool]:
    """Return `data` with its content encoding undone, and whether it came out whole.

    Args:
        data: the body as it was sent.
        encoding: the value of ``Content-Encoding``; several are undone from the last.
        cap: bytes kept at most.
        count: told the size of each piece that a decompressor gives.
    """
    whole = True
    names = [name.strip().lower() for name in encoding.split(",") if name.strip()]
    for name in reversed(names[:5]):
        if name in ("identity", "none", "utf-8", "binary"):
            continue
        undo = _DECODERS.get(name)
        if undo is None:
            return data, False
        if name in ("gzip", "x-gzip") and not data.startswith(b"\x1f\x8b"):
            continue  # many archives keep the header of a body that they unpacked
        out = bytearray()
        try:
            for piece in undo(data):
                count(len(piece))
                out += piece
                if len(out) > cap:
                    return bytes(out[:cap]), False
        except (zlib.error, brotli.error, zstandard.ZstdError, EOFError):
            if not out:
                return data, name in ("br", "zstd") and _is_text(data)
            whole = False
        data = bytes(out)
    return data, whole


def inflated(data: bytes, window: int) -> Iterator[bytes]:
    """Yield what a deflate stream holds, in bounded pieces, members of gzip one after another.

    Raises:
        zlib.error: the stream is damaged.
        EOFError: it ends too early.
    """
    rest = data
    while rest:
        machine = zlib.decompressobj(window)
        while not machine.eof:
            piece = machine.decompress(rest, _STEP)
            rest = machine.unconsumed_tail
            if piece:
                yield piece
            elif not rest and not machine.eof:
                raise EOFError
        rest = machine.unused_data
        if not rest.startswith(b"\x1f\x8b"):
            return


def _deflated(data: bytes) -> Iterator[bytes]:
    try:  # "deflate" means zlib; some servers send the bare stream
        zlib.decompressobj(zlib.MAX_WBITS).decompress(data[:64], 1)
    except zlib.error:
        yield from inflated(data, -zlib.MAX_WBITS)
        return
    yield from inflated(data, zlib.MAX_WBITS)


def _brotli(data: bytes) -> Iterator[bytes]:
    machine = brotli.Decompressor()
    piece = machine.process(data, output_buffer_limit=_STEP)
    while piece or not machine.can_accept_more_data():
        yield piece
        piece = machine.process(b"", output_buffer_limit=_STEP)
    if not machine.is_finished():
        raise EOFError


_DECODERS: dict[str, Callable[[bytes], Iterator[bytes]]] = {
    "gzip": lambda data: inflated(data, zlib.MAX_WBITS | 16),
    "x-gzip": lambda data: inflated(data, zlib.MAX_WBITS | 16),
    "deflate": _deflated,
    "br": _brotli,
    "zstd": zstd.unpacked_bytes,
}


def media_type(exchange: Exchange) -> str:
    """Return the type that a browser takes a response for, without parameters.

    The header counts, except where it is missing or says nothing (MIME Sniffing Standard).
    """
    said = exchange.header("content-type").split(";")[0].strip().lower()
    if said in _SCRIPTS:
        return SCRIPT
    if said in ("application/xhtml+xml",):
        return HTML
    if said and said not in ("text/plain", BINARY, "application/unknown", "unknown/unknown", "*/*"):
        return said if re.fullmatch(r"[a-z0-9.+-]+/[a-z0-9.+*-]+", said) else sniffed(exchange.body)
    found = sniffed(exchange.body)
    if said == "text/plain":
        return said if found in (HTML, SVG, BINARY) else found
    return found


def sniffed(body: bytes) -> str:
    """Return the type that the first bytes of a body tell."""
    for magic, kind in _MAGIC:
        if body.startswith(magic):
            return kind
    if body[:4] == b"RIFF" and body[8:12] == b"WEBP":
        return "image/webp"
    if body[4:8] == b"ftyp":
        return "image/avif" if body[8:12] in (b"avif", b"avis") else "video/mp4"
    head = body[:1024].lstrip(codecs.BOM_UTF8).lstrip(b" \t\r\n\f")
    if _MARKUP.match(head):
        return HTML
    if _SVG_HEAD.match(head):
        return SVG
    return "text/plain" if _is_text(body[:1024]) else BINARY


def _is_text(data: bytes) -> bool:
    return not re.search(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]", data)


def text_of(exchange: Exchange, kind: str, fallback: str = "") -> tuple[str, str]:
    """Return the text of a body and the encoding it was in, chosen as a browser chooses.

    Order: byte order mark, header, what the first kilobyte declares, `fallback` (the encoding
    of the page that asked for it), then UTF-8 if the bytes are that, else windows-1252.
    """
    body = exchange.body
    for mark, name in _BOMS:
        if body.startswith(mark):
            return body[len(mark) :].decode(name, "replace"), name
    found = _CHARSET.search(exchange.header("content-type"))
    declared = python_encoding(found[1]) if found else None
    if declared is None and kind in (HTML, CSS):
        inside = _META.search(body[:4096]) if kind == HTML else _CSS_CHARSET.match(body)
        declared = python_encoding(inside[1].decode("ascii")) if inside else None
        if inside and declared in ("utf-16-le", "utf-16-be"):
            declared = "utf-8"  # a declaration that was read as ASCII is in no UTF-16
    if declared is None:
        declared = python_encoding(fallback) if fallback else None
    if declared is None or kind == JSON:
        try:
            return body.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            declared = declared or "windows-1252"
    if declared == "windows-1252":
        return body.decode("cp1252", "replace"), declared
    return body.decode(declared, "replace"), declared


def python_encoding(label: str) -> str | None:
    """Return the encoding that a browser uses for a label, or None where it knows none."""
    name = _SUPERSETS.get(label.strip().lower(), label.strip().lower())
    try:
        found = codecs.lookup(name)
    except LookupError:
        return None
    return name if found._is_text_encoding else None
