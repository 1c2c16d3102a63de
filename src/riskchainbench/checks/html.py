"""The HTML check: every page parses without an error, and is what browsers and readers expect.

Parsing is the HTML standard's, and each of its parse errors counts (html5lib). Beside it: a
language, a title, ids that occur once, a label for every control, a name for every link and
button, an alternative for every image, and headings that skip no level.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import html5lib
from selectolax.lexbor import LexborHTMLParser, LexborNode

from riskchainbench.websites.records import HTML, LoadedWebsite

_SOUND_REFERENCES = re.compile(rb"&(?:amp|lt|gt|quot|#34|#39);")
_WORDS = re.compile(rb">\s*[^<\s&][^<&]*(?=<)")
_VALUES = re.compile(rb'="[^"&<>]+"')
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_LABELED = "input:not([type=hidden]):not([type=submit]), select, textarea"


def website_problems(loaded: LoadedWebsite) -> tuple[str, ...]:
    """Return what is wrong with the HTML of a website's pages, each with the page's id."""
    return tuple(
        f"page {page.page_id}: {problem}"
        for page in loaded.website.pages
        if page.media_type == HTML
        for problem in page_problems(loaded.files[page.file])
    )


def page_problems(body: bytes) -> tuple[str, ...]:
    """Return what is wrong with one page; nothing if it is sound."""
    # Plain words and values cannot break a page: pages that differ in them are parsed once.
    plain = _SOUND_REFERENCES.sub(b"x", body)
    bare = _VALUES.sub(b'="x"', _WORDS.sub(b">x", plain))
    return (*_parse_errors(bare), *_oddities(LexborHTMLParser(body)))


@lru_cache(maxsize=1 << 12)
def _parse_errors(body: bytes) -> tuple[str, ...]:
    parser = html5lib.HTMLParser()
    parser.parse(body, transport_encoding="utf-8")
    return tuple(f"{code} in line {place[0]}" for place, code, _ in parser.errors)


def _oddities(tree: LexborHTMLParser) -> Iterator[str]:
    root = tree.css_first("html")
    if root is None or not (root.attributes.get("lang") or "").strip():
        yield "html has no lang"
    title = tree.css_first("title")
    if title is None or not title.text(strip=True):
        yield "no title"
    ids = Counter(node.attributes.get("id") or "" for node in tree.css("[id]"))
    yield from (f"id {name!r} occurs {count} times" for name, count in ids.items() if count > 1)
    labels = {node.attributes.get("for") for node in tree.css("label") if _name(node)}
    for node in tree.css(_LABELED):
        if node.attributes.get("id") not in labels and not node.attributes.get("aria-label"):
            yield f"{node.tag} {node.attributes.get('name')!r} has no label"
    for node in tree.css("label[for]"):
        if (node.attributes.get("for") or "") not in ids:
            yield f"label for {node.attributes.get('for')!r}: no such control"
    for node in tree.css("img"):
        if "alt" not in node.attributes:
            yield f"img {node.attributes.get('src')!r} has no alt"
    for node in tree.css("a[href], button"):
        if not _name(node):
            yield f"{node.tag} without a name"
    yield from _heading_problems(tree)


def _heading_problems(tree: LexborHTMLParser) -> Iterator[str]:
    levels = [int((node.tag or "h1")[1]) for node in tree.css(", ".join(_HEADINGS))]
    if levels.count(1) != 1:
        yield f"{levels.count(1)} headings of the first level"
    for before, level in zip([0, *levels], levels, strict=False):
        if level > before + 1:
            yield f"h{level} follows h{before}" if before else f"the first heading is h{level}"


def _name(node: LexborNode) -> str:
    shown = node.text(strip=True).strip() or (node.attributes.get("aria-label") or "").strip()
    images = (image.attributes.get("alt") or "" for image in node.css("img")) if not shown else ()
    return shown or "".join(images).strip()
