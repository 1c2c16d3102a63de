"""Websites as the audits see them: what a model may see beside what only gold tells."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from riskchainbench.checks.page_text import visible_text
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import PlacedComponent, Stratum
from riskchainbench.core.investigation import ScaffoldClass
from riskchainbench.websites.controls import controls
from riskchainbench.websites.exploration import MAX_REDIRECTS
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import Event, initial_state, step
from riskchainbench.websites.synthesis import BuiltWebsite
from riskchainbench.websites.texts import decisive_patterns

Floats = NDArray[np.float64]
MASK = "#"
_TAGS = ("section", "p", "h1", "h2", "h3", "a", "button", "input", "select", "img", "table", "li")


@dataclass(frozen=True)
class AuditedWebsite:
    """One website of an audit; `case_id` is what a model would be given."""

    case_id: str
    loaded: LoadedWebsite
    decision: Decision
    components: tuple[PlacedComponent, ...]
    stratum: Stratum

    @cached_property
    def first_page(self) -> str:
        """The page that an episode opens with."""
        state, event = initial_state(self.loaded), Event("GET", self.loaded.website.start_path)
        page = ""
        for _ in range(MAX_REDIRECTS):
            state, view = step(self.loaded, state, event)
            page = view.page_id or page
            onward = self.loaded.pages[page].redirect if view.page_id else None
            if view.location is None and onward is None:
                break
            event = Event("GET", view.location or (onward.path if onward else "/"))
        return page

    @cached_property
    def shows_evidence_later(self) -> bool:
        """Whether no asserted component stands on the first page."""
        return all(c.page != self.first_page for c in self.components if c.asserted)

    def body(self, page_id: str) -> bytes:
        """Return the bytes of a page."""
        return self.loaded.files[self.loaded.pages[page_id].file]

    def lines(self, page_id: str) -> tuple[str, ...]:
        """Return the visible lines of a page."""
        return tuple(visible_text(self.body(page_id), opened=True).splitlines())

    @cached_property
    def masked_text(self) -> str:
        """The visible words of all pages without the paragraphs that decide the label."""
        return "\n".join(self._masked(page) for page in self.loaded.pages)

    @cached_property
    def masked_first_page(self) -> str:
        """The visible words of the first page without the paragraphs that decide the label."""
        return self._masked(self.first_page)

    def _masked(self, page_id: str) -> str:
        decisive = _decisive(self.stratum.scenario, self.stratum.language)
        lines = self.lines(page_id)
        return "\n".join(MASK if decisive.fullmatch(line) else line for line in lines)

    @cached_property
    def bare_text(self) -> str:
        """The visible words of all pages without those that realize a component."""
        text = "\n".join(line for page in self.loaded.pages for line in self.lines(page))
        for component in self.components:
            text = text.replace(component.realization, MASK)
        return text

    @cached_property
    def shape(self) -> Floats:
        """How many elements of each kind the pages hold, words aside."""
        trees = [LexborHTMLParser(self.body(page)) for page in self.loaded.pages]
        counts = [sum(len(tree.css(tag)) for tree in trees) for tag in _TAGS]
        return np.array(counts, dtype=np.float64)

    @cached_property
    def metadata(self) -> Floats:
        """What can be known before the first observation, and nothing of the pages' words."""
        website = self.loaded.website
        pages = [controls(self.body(page)) for page in self.loaded.pages]
        numbers = [
            int(re.sub(r"[^0-9a-f]", "", self.case_id)[-8:] or "0", 16),
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


def audited(pool: Iterable[BuiltWebsite]) -> tuple[AuditedWebsite, ...]:
    """Return the websites of a freshly built pool for an audit."""
    return tuple(
        AuditedWebsite(b.pool_id, b.loaded, b.decision, b.components, b.stratum) for b in pool
    )


def set_numbers(websites: Sequence[AuditedWebsite]) -> NDArray[np.int64]:
    """Return the number of each website's contrast set."""
    return numbered([website.stratum.contrast_set for website in websites])


def numbered(names: Sequence[str]) -> NDArray[np.int64]:
    """Return for each name its place among the different names, sorted."""
    place = {name: number for number, name in enumerate(sorted(set(names)))}
    return np.array([place[name] for name in names], dtype=np.int64)


@lru_cache(maxsize=1024)
def _decisive(scenario: str, language: str) -> re.Pattern[str]:
    patterns = decisive_patterns(scenario, language)
    return re.compile("|".join(patterns) or r"(?!)")
