"""One reading of a page's elements, which several proofs and audits share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

_NAMING = frozenset({"id", "class", "name", "for", "href", "src", "action"})


@dataclass(frozen=True)
class PageReading:
    """The elements of a page in order.

    `names` are what its attributes call things, `pictures` the paths of its images.
    """

    tags: tuple[str, ...]
    names: tuple[str, ...]
    pictures: tuple[str, ...]


@lru_cache(maxsize=512)
def read_page(body: bytes) -> PageReading:
    """Read a page once, as it is served."""
    tags: list[str] = []
    names: dict[str, None] = {}
    pictures: list[str] = []
    for node in LexborHTMLParser(body).css("*"):
        tag = node.tag or ""
        tags.append(tag)
        attributes = node.attributes
        for key, value in attributes.items():
            if key in _NAMING:
                names[value or ""] = None
            elif key.startswith("data-"):
                names[f"{key} {value or ''}"] = None
        if tag == "img" and "src" in attributes:
            pictures.append(urlsplit(attributes["src"] or "").path)
    return PageReading(tuple(tags), tuple(names), tuple(pictures))
