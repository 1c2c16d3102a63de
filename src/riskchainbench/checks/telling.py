"""Names on a website that would tell its label: of files, paths, fields, classes and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from riskchainbench.checks.reading import read_page
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.websites.records import LoadedWebsite

_COMMENT = re.compile(rb"<!--(.*?)-->", re.DOTALL)
_CSS_COMMENT = re.compile(rb"/\*(.*?)\*/", re.DOTALL)
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
    names = set(_names(loaded))
    for name in sorted(name for name in names if _told(name, telling) is not None):
        yield f"{name!r} holds {_told(name, telling)!r}"


@lru_cache(maxsize=1 << 14)
def _told(name: str, telling: tuple[str, ...]) -> str | None:
    """Return the first telling word that a name holds."""
    pattern = _pattern(telling)
    for part in _PART.findall(name):
        found = pattern.search(part.lower())
        if found is not None:
            return found[0]
    return None


@cache
def _pattern(telling: tuple[str, ...]) -> re.Pattern[str]:
    """Return what finds `telling` in a name's part; a long word counts in a compound, too."""
    return re.compile("|".join(w if len(w) > 5 else rf"\A{w}\Z" for w in telling))


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
        yield from read_page(body).names
    for asset in website.assets:
        comments = _CSS_COMMENT.findall(loaded.files[asset.file])
        yield from (match.decode("utf-8", "replace") for match in comments)
