"""Websites as the audits see them: what a model may see beside what only gold tells.

Read once from a website, so that audits need neither its files nor another reading.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from riskchainbench.checks.page_text import visible_text
from riskchainbench.checks.reading import read_page
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import PlacedComponent, Stratum
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.controls import controls
from riskchainbench.websites.decisive import decisive_paragraphs
from riskchainbench.websites.exploration import MAX_REDIRECTS
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import Event, initial_state, step
from riskchainbench.websites.synthesis import BuiltWebsite

Floats = NDArray[np.float64]
MASK = "#"
ENOUGH = 300
"""With fewer websites only equality within sets is tested, which the proofs do."""

_TAGS = ("section", "p", "h1", "h2", "h3", "a", "button", "input", "select", "img", "table", "li")
_TITLE_BREAK = " - "


@dataclass(frozen=True)
class AuditedWebsite:
    """One website of an audit; `case_id` is what a model would be given.

    `metadata` is what can be known before the first observation, and nothing of the pages'
    words; `shape` counts elements of each kind; `tags` are the elements of all pages in order.
    `words` are the visible lines of all pages, each once, without the brand. In the masked
    texts the paragraphs that decide the label are taken out, in `bare_text` the words that
    realize a component.
    """

    case_id: str
    decision: Decision
    stratum: Stratum
    metadata: Floats
    shape: Floats
    tags: str
    words: str
    masked_text: str
    masked_first_page: str
    bare_text: str
    shows_evidence_later: bool


def audited(
    case_id: str,
    loaded: LoadedWebsite,
    decision: Decision,
    components: Sequence[PlacedComponent],
    stratum: Stratum,
) -> AuditedWebsite:
    """Return a website for an audit."""
    lines = {page: _lines(loaded, page) for page in loaded.pages}
    decisive = decisive_paragraphs(stratum.scenario, stratum.language)
    masked = {
        page: "\n".join(MASK if decisive.hold(line) else line for line in found)
        for page, found in lines.items()
    }
    first = first_page(loaded)
    tags = [tag for page in loaded.pages for tag in read_page(_body(loaded, page)).tags]
    counts = Counter(tags)
    return AuditedWebsite(
        case_id=case_id,
        decision=decision,
        stratum=stratum,
        metadata=_metadata(case_id, loaded),
        shape=np.array([counts[tag] for tag in _TAGS], dtype=np.float64),
        tags=" ".join(tags),
        words=_words(lines),
        masked_text="\n".join(masked.values()),
        masked_first_page=masked[first],
        bare_text=_bare(lines, components),
        shows_evidence_later=all(c.page != first for c in components if c.asserted),
    )


def audited_pool(pool: Iterable[BuiltWebsite]) -> tuple[AuditedWebsite, ...]:
    """Return the designed websites of a pool for an audit."""
    return tuple(
        audited(b.pool_id, b.loaded, b.decision, b.components, b.stratum)
        for b in pool
        if b.decision is not None and not b.stratum.captured
    )


def first_page(loaded: LoadedWebsite) -> str:
    """Return the id of the page that an episode opens with."""
    state, event = initial_state(loaded), Event("GET", loaded.website.start_path)
    page = ""
    for _ in range(MAX_REDIRECTS):
        state, view = step(loaded, state, event)
        page = view.page_id or page
        onward = loaded.pages[page].redirect if view.page_id else None
        if view.location is None and onward is None:
            break
        event = Event("GET", view.location or (onward.path if onward else "/"))
    return page


def set_numbers(websites: Sequence[AuditedWebsite]) -> NDArray[np.int64]:
    """Return the number of each website's contrast set."""
    return numbered([website.stratum.contrast_set for website in websites])


def numbered(names: Sequence[str]) -> NDArray[np.int64]:
    """Return for each name its place among the different names, sorted."""
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([place[name] for name in names], dtype=np.int64)


def _body(loaded: LoadedWebsite, page_id: str) -> bytes:
    return loaded.files[loaded.pages[page_id].file]


def _lines(loaded: LoadedWebsite, page_id: str) -> tuple[str, ...]:
    return tuple(visible_text(_body(loaded, page_id), opened=True).splitlines())


def _words(lines: Mapping[str, tuple[str, ...]]) -> str:
    once = dict.fromkeys(line for found in lines.values() for line in found)
    brand = next(iter(once), "").rpartition(_TITLE_BREAK)[2]
    return "\n".join(once).replace(brand, "") if brand else "\n".join(once)


def _bare(lines: Mapping[str, tuple[str, ...]], components: Sequence[PlacedComponent]) -> str:
    text = "\n".join(line for found in lines.values() for line in found)
    for component in components:
        text = text.replace(component.realization, MASK)
    return text


def _metadata(case_id: str, loaded: LoadedWebsite) -> Floats:
    website = loaded.website
    pages = [controls(_body(loaded, page)) for page in loaded.pages]
    numbers = [
        int(re.sub(r"[^0-9a-f]", "", case_id)[-8:] or "0", 16),
        website.viewport.width,
        len(website.scaffold),
        *(kind in website.scaffold for kind in ScaffoldClass),
        len(website.pages),
        len(website.assets),
        len(website.transitions),
        len(website.fields),
        len(website.state),
        sum(len(page.links) for page in pages),
        sum(len(page.forms) for page in pages),
        sum(page.buttons for page in pages),
    ]
    return np.array(numbers, dtype=np.float64)
