"""Proves on the bytes of a compiled website that it reaches nothing outside and names no host.

Reads pages, styles and drawings with parsers of its own, and none of the compiler's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from xml.etree import ElementTree

import tinycss2
from selectolax.lexbor import LexborHTMLParser

from riskchainbench.capture.srcset import rewrite_srcset
from riskchainbench.websites.records import LoadedWebsite

_LOADING = (
    "src", "href", "xlink:href", "action", "formaction", "poster", "background", "data", "srcset",
    "imagesrcset",
)  # fmt: skip
_LOADING_NODES = ",".join(f"[{name}]" for name in _LOADING).replace(":", "\\:")
_SHOWN = frozenset({"alt", "title", "value", "placeholder", "content", "aria-label", "label"})
"""Attributes that are read as words alone."""

_OUTSIDE = r"\s*(?!data:,)(?:[a-z][a-z0-9+.-]*:|//)"
_WORTH_READING = re.compile(rf"\([\"'\s]*{_OUTSIDE}|[\"']{_OUTSIDE}", re.I)
_ESCAPE = re.compile(r"\\([0-9a-f]{1,6})[ \t\r\n\f]?", re.I)
_LOADERS = frozenset({"url", "src", "image", "image-set", "-webkit-image-set", "cross-fade"})
_MIN_HOST = 4


def seal_problems(loaded: LoadedWebsite, hosts: Iterable[str]) -> tuple[str, ...]:
    """Return what leads outside or names one of the capture's hosts, each with its file."""
    return tuple(sorted(set(_problems(loaded, tuple(hosts)))))


def _problems(loaded: LoadedWebsite, hosts: tuple[str, ...]) -> Iterator[str]:
    names = [h.lower().encode() for h in hosts if len(h) >= _MIN_HOST and not _is_nobody(h)]
    for file, body in sorted(loaded.files.items()):
        for value in _referred(file, body):
            if leads_outside(value):
                yield f"{file}: refers to {value[:80]}"
        lower = body.lower()
        for name in names:
            place = lower.find(name)
            if place >= 0 and not re.match(rb"[\w-]", lower[place + len(name) :]):
                yield f"{file}: names a host of the capture"


def _referred(file: str, body: bytes) -> Iterator[str]:
    if file.endswith(".html"):
        yield from _of_page(body)
    elif file.endswith(".css"):
        yield from css_references(body.decode("utf-8", "replace"))
    elif file.endswith(".svg"):
        yield from _of_drawing(body)


def _of_page(page: bytes) -> Iterator[str]:
    tree = LexborHTMLParser(page)
    for node in tree.css(_LOADING_NODES):
        for name, value in node.attributes.items():
            if name in ("srcset", "imagesrcset"):
                found: list[str] = []
                rewrite_srcset(value or "", found.append)
                yield from found
            elif name in _LOADING:
                yield (value or "").strip()
    if b"(" in page and _is_worth_reading(page.decode("utf-8", "replace")):
        for node in tree.css("*"):
            if node.tag == "style":
                yield from css_references(node.text())
            for name, value in node.attributes.items():
                if value and "(" in value and name not in _SHOWN:
                    yield from css_references(value)


def _of_drawing(body: bytes) -> Iterator[str]:
    try:
        nodes = list(ElementTree.fromstring(body).iter())
    except (ElementTree.ParseError, ValueError):
        return  # no browser shows it
    for node in nodes:
        if node.tag.endswith("style"):
            yield from css_references(node.text or "")
        for name, value in node.attrib.items():
            if name.rpartition("}")[2] in ("href", "src"):
                yield value.strip()
            elif "(" in value:
                yield from css_references(value)


def css_references(text: str) -> Iterator[str]:
    """Yield what a style sheet, or an attribute read like one, loads from other than its site."""
    if _is_worth_reading(text):
        yield from _in_tokens(tinycss2.parse_component_value_list(text, skip_comments=True))


def _is_worth_reading(text: str) -> bool:
    """Tell quickly whether anything in `text`, with or without escapes, looks like an address."""
    if "\\" in text:
        text += _ESCAPE.sub(lambda m: chr(min(int(m[1], 16), 0xFFFF)), text).replace("\\", "")
    return _WORTH_READING.search(text) is not None


def _in_tokens(tokens: Sequence[Any], *, loads: bool = False) -> Iterator[str]:
    rule = ""
    for token in tokens:
        if token.type == "at-keyword":
            rule = token.lower_value
        elif token.type == "{} block" or token == ";":
            rule = ""
        if rule == "namespace":
            continue
        if token.type == "url" or (token.type == "string" and (loads or rule == "import")):
            yield token.value
        elif token.type == "function":
            yield from _in_tokens(token.arguments, loads=token.lower_name in _LOADERS)
        elif hasattr(token, "content"):
            yield from _in_tokens(token.content)
        if rule == "import" and token.type not in ("at-keyword", "whitespace"):
            rule = ""  # what it imports comes first


def leads_outside(reference: str) -> bool:
    """Tell whether a reference leads anywhere but to its own website."""
    if reference.startswith("/") and not reference.startswith(("//", "/\\")):
        return False
    return bool(reference) and not reference.startswith(("#", "data:"))


def _is_nobody(host: str) -> bool:
    return host in ("localhost", "saved.invalid")
