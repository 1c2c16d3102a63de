"""Names on a website that would tell its label: of files, paths, fields, classes and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from selectolax.lexbor import LexborHTMLParser

from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.websites.records import LoadedWebsite

_COMMENT = re.compile(rb"<!--(.*?)-->", re.DOTALL)
_CSS_COMMENT = re.compile(rb"/\*(.*?)\*/", re.DOTALL)
_NAMING = ("id", "class", "name", "for", "href", "src", "action")
_PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_HARMLESS = frozenset(
    {"other", "false", "path", "use", "shown", "service", "offer", "claim", "action"}
)
_ABBREVIATIONS = frozenset(
    {"gold", "label", "decoy", "benign", "counter", "oracle", "insufficient"}
)


@cache
def _telling(ids: tuple[str, ...]) -> tuple[str, ...]:
    words = {word.lower() for name in ids for word in name.split("_") if len(word) > 3}
    return tuple(sorted((words - _HARMLESS) | _ABBREVIATIONS))


def telling_words(codebook: Codebook) -> tuple[str, ...]:
    """Return the words of the codebook's ids and decisions, which no name may contain."""
    components = (component.component_id for component in codebook.components)
    return _telling((*codebook.type_ids, *components, *(d.value for d in Decision)))


def telling_names(loaded: LoadedWebsite, codebook: Codebook) -> Iterator[str]:
    """Yield each name on a website that holds a telling word, and the word."""
    telling = telling_words(codebook)
    for name in sorted(set(_names(loaded))):
        told = (_told(part, telling) for part in _PART.findall(name))
        word = next((word for word in told if word is not None), None)
        if word is not None:
            yield f"{name!r} holds {word!r}"


@lru_cache(maxsize=1 << 14)
def _told(part: str, telling: tuple[str, ...]) -> str | None:
    return next((word for word in telling if _tells(part, word)), None)


def _tells(part: str, word: str) -> bool:
    """Tell whether a name's part is `word`; a long word counts inside a compound too."""
    lower = part.lower()
    return word in lower if len(word) > 5 else lower == word


def _names(loaded: LoadedWebsite) -> Iterator[str]:
    website = loaded.website
    yield from loaded.files
    yield from website.state
    yield from website.state.values()
    yield from (asset.path for asset in website.assets)
    yield from (transition.path for transition in website.transitions)
    yield from (entry.field for entry in website.fields)
    yield from (fixture.name for entry in website.fields for fixture in entry.fixtures)
    for page in website.pages:
        yield page.page_id
        body = loaded.files[page.file]
        yield from (match.decode("utf-8", "replace") for match in _COMMENT.findall(body))
        for node in LexborHTMLParser(body).css("*"):
            for key, value in node.attributes.items():
                if key in _NAMING:
                    yield value or ""
                elif key.startswith("data-"):
                    yield f"{key} {value or ''}"
    for asset in website.assets:
        comments = _CSS_COMMENT.findall(loaded.files[asset.file])
        yield from (match.decode("utf-8", "replace") for match in comments)
