"""URLs as browsers read them: resolved against a base, normalized, split from their fragment.

After the WHATWG URL Standard where that differs from RFC 3986. Nothing here maps to a path.
"""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote_from_bytes, urljoin, urlsplit, urlunsplit

MAX_URL = 8192
WEB = ("http", "https")
_EDGES = "".join(map(chr, range(0x21)))
_BREAKS = re.compile(r"[\t\n\r]")
_SCHEME = re.compile(r"^([A-Za-z][A-Za-z0-9+.-]*):")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_HOST = re.compile(r"^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$|^\[[0-9a-f:.]+\]$")
_PORTS = {"http": ":80", "https": ":443"}
_UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_PATH_SAFE = "!$&'()*+,-./:;=@_~%|[]^"
_QUERY_SAFE = "!$&'()*+,-./:;=@_~%?|[]^{}`\\"


def scheme_of(reference: str) -> str:
    """Return the scheme that `reference` begins with, in lower case, or nothing."""
    found = _SCHEME.match(reference)
    return found[1].lower() if found else ""


def cleaned(reference: str) -> str:
    """Return `reference` without white space at its ends and line breaks inside."""
    return _BREAKS.sub("", reference.strip(_EDGES))


@lru_cache(maxsize=65536)
def absolute(base: str, reference: str, encoding: str = "utf-8") -> tuple[str, str] | None:
    """Return the absolute URL and the fragment (with its ``#``) that `reference` names on `base`.

    Args:
        base: an absolute URL.
        reference: as it stands in a page.
        encoding: of the page, which a query is written in.

    None stands for whatever is not fetched by HTTP: other schemes and what is no URL at all.
    `cid:` URLs, which name the parts of a mail, are kept as they are.
    """
    text = cleaned(reference)
    if len(text) > MAX_URL:
        return None
    text, mark, fragment = text.partition("#")
    scheme = scheme_of(text)
    if scheme == "cid":
        return text, mark + fragment
    if scheme and scheme not in WEB:
        return None
    bare = "?" if text.endswith("?") else ""  # urljoin forgets an empty query
    if scheme:  # "http:/x" and "http:x" are read as "http://x" unless the base is of that scheme
        path, question, query = text[len(scheme) + 1 :].partition("?")
        text = f"{scheme}://" + path.replace("\\", "/").lstrip("/") + question + query
        if text == f"{scheme}://":
            return None
    else:
        path, question, query = text.partition("?")
        text = path.replace("\\", "/") + question + query
        if text.startswith("///"):
            text = "//" + text.lstrip("/")
    try:
        joined = base if not text else urljoin(base, text)
        url = _normal(joined if joined.endswith(bare) else joined + bare, encoding)
    except ValueError:
        return None
    return None if url is None else (url, mark + fragment)


def canonical(url: str) -> str | None:
    """Return an absolute URL in the one form it is looked up by, without its fragment."""
    found = absolute(url, url)
    return found[0] if found else None


def origin_of(url: str) -> str:
    """Return scheme and host of an absolute URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def host_of(url: str) -> str:
    """Return the host name of an absolute URL, or nothing."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def other_scheme(url: str) -> str | None:
    """Return the URL under the other of http and https."""
    if url.startswith("https://"):
        return "http://" + url[8:]
    if url.startswith("http://"):
        return "https://" + url[7:]
    return None


def _normal(url: str, encoding: str) -> str | None:
    parts = urlsplit(url)
    if parts.scheme not in WEB:
        return None
    host = _host(parts.netloc.rpartition("@")[2], parts.scheme)
    if host is None:
        return None
    path = _unescaped(_quoted(parts.path, "utf-8", _PATH_SAFE)) or "/"
    query = _quoted(parts.query, encoding, _QUERY_SAFE)
    has_query = "?" in url
    return urlunsplit((parts.scheme, host, _walked(path), "", "")) + (
        f"?{query}" if has_query else ""
    )


def _host(netloc: str, scheme: str) -> str | None:
    name, colon, port = netloc.rpartition(":")
    if not colon or not (port.isdigit() or not port) or name.endswith("[") or "]" in port:
        name, port = netloc, ""
    try:
        name = name.lower() if name.isascii() else name.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return None
    if not _HOST.match(name):
        return None
    if not port or f":{port}" == _PORTS[scheme]:
        return name
    return f"{name}:{port}" if int(port) < 65536 else None


def _quoted(text: str, encoding: str, safe: str) -> str:
    if text.isascii() and not re.search(r"[\x00-\x20\x7f\"<>`{}\\]", text):
        return text
    try:
        data = text.encode(encoding)
    except (UnicodeError, LookupError):
        data = text.encode("utf-8", "replace")
    return quote_from_bytes(data, safe=safe)


def _unescaped(path: str) -> str:
    """Return `path` with escapes of unreserved characters undone and the others in upper case."""
    if "%" not in path:
        return path
    return _ESCAPE.sub(
        lambda m: chr(int(m[1], 16)) if int(m[1], 16) in _UNRESERVED else m[0].upper(), path
    )


def _walked(path: str) -> str:
    """Return `path` without dot segments; none can climb above the root."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for place, segment in enumerate(segments):
        last = place == len(segments) - 1
        if segment == "..":
            if kept:
                kept.pop()
            if last:
                kept.append("")
        elif segment == ".":
            if last:
                kept.append("")
        else:
            kept.append(segment)
    return "/" + "/".join(kept)
