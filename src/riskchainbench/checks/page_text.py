"""The words that a page shows a visitor, read from its HTML and from its drawn images.

A static reading without a browser: it knows the project's own scripts and follows no others.
"""

from __future__ import annotations

import json
import unicodedata
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser

from riskchainbench.checks.reading import read_page
from riskchainbench.core.text import folded
from riskchainbench.websites.records import LoadedWebsite

_NEVER_SHOWN = "script, style, template, noscript, head"


@lru_cache(maxsize=512)
def visible_text(body: bytes, *, opened: bool = False) -> str:
    """Return the page's title and visible words, one element's text a line.

    With `opened`, what hides behind a menu or a notice counts as visible too.
    """
    tree = LexborHTMLParser(body)
    title = tree.css_first("title")
    lines = [title.text(strip=True)] if title is not None else []
    for place in tree.css("[data-list] > script"):
        lines += [cell for row in json.loads(place.text()) for cell in row]
    for node in tree.css(_NEVER_SHOWN if opened else f"{_NEVER_SHOWN}, [hidden]"):
        node.decompose()
    root = tree.body
    if root is not None:
        lines.append(root.text(separator="\n", strip=True))
    return "\n".join(lines)


def page_title(body: bytes) -> str:
    """Return the page's title, white space folded."""
    title = LexborHTMLParser(body).css_first("title")
    return folded(title.text()) if title is not None else ""


def drawn_text(loaded: LoadedWebsite, body: bytes) -> str:
    """Return the words drawn into the images that the page shows."""
    paths = read_page(body).pictures
    drawings = [loaded.assets[path] for path in paths if path in loaded.assets]
    return "\n".join(
        _words_of(loaded.files[drawing.file])
        for drawing in drawings
        if drawing.media_type == "image/svg+xml"
    )


@lru_cache(maxsize=512)
def _words_of(svg: bytes) -> str:
    lines = LexborHTMLParser(svg).css("[aria-label]")
    return " ".join(node.attributes["aria-label"] or "" for node in lines)


def squeezed(text: str) -> str:
    """Return `text` without white space and case, so that line breaks make no difference."""
    return "".join(unicodedata.normalize("NFC", text).casefold().split())
