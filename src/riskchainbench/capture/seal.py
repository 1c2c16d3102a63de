"""Proves on the bytes of a compiled website that it reaches nothing outside and names no host."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborHTMLParser

from riskchainbench.capture.srcset import rewrite_srcset
from riskchainbench.websites.records import LoadedWebsite

_LOADING = (
    "src", "href", "xlink:href", "action", "formaction", "poster", "background", "data", "srcset",
    "imagesrcset",
)  # fmt: skip
_CSS_REFERENCE = re.compile(rb"url\(\s*[\"']?\s*((?:[a-z][a-z0-9+.-]*:|//)[^)\"']{0,200})", re.I)
_MIN_HOST = 4


def seal_problems(loaded: LoadedWebsite, hosts: Iterable[str]) -> tuple[str, ...]:
    """Return what leads outside or names one of the capture's hosts, each with its file."""
    return tuple(sorted(set(_problems(loaded, tuple(hosts)))))


def _problems(loaded: LoadedWebsite, hosts: tuple[str, ...]) -> Iterator[str]:
    names = [h.lower().encode() for h in hosts if len(h) >= _MIN_HOST and not _is_nobody(h)]
    for file, body in sorted(loaded.files.items()):
        if file.endswith(".html"):
            for value in _references(body):
                if leads_outside(value):
                    yield f"{file}: refers to {value[:80]}"
        if file.endswith((".css", ".svg", ".html")):
            for match in _CSS_REFERENCE.finditer(body):
                if not match[1].lower().startswith(b"data:,"):
                    yield f"{file}: refers to {match[1][:80].decode('utf-8', 'replace')}"
        lower = body.lower()
        for name in names:
            place = lower.find(name)
            if place >= 0 and not re.match(rb"[\w-]", lower[place + len(name) :]):
                yield f"{file}: names a host of the capture"


def _references(page: bytes) -> Iterator[str]:
    for node in LexborHTMLParser(page).css(",".join(f"[{_escaped(n)}]" for n in _LOADING)):
        for name, value in node.attributes.items():
            if name in ("srcset", "imagesrcset"):
                found: list[str] = []
                rewrite_srcset(value or "", found.append)
                yield from found
            elif name in _LOADING:
                yield (value or "").strip()


def _escaped(name: str) -> str:
    return name.replace(":", "\\:")


def leads_outside(reference: str) -> bool:
    """Tell whether a reference leads anywhere but to its own website."""
    if reference.startswith("/") and not reference.startswith(("//", "/\\")):
        return False
    return bool(reference) and not reference.startswith(("#", "data:"))


def _is_nobody(host: str) -> bool:
    return host in ("localhost", "saved.invalid")
