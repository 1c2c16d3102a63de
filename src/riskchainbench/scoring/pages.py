"""Tells which page of a website an observation shows, from the words that it recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from selectolax.lexbor import LexborHTMLParser

from riskchainbench.bundle import Bundle
from riskchainbench.core.investigation import Observation
from riskchainbench.core.text import folded
from riskchainbench.scoring.evidence import PageOf
from riskchainbench.websites.records import LoadedWebsite


def pages_of(bundle: Bundle) -> Callable[[str], PageOf]:
    """Return what gives, by case id, the page finder of a website; each is made once."""

    @cache
    def page_of(case_id: str) -> PageOf:
        return page_finder(bundle.website(case_id))

    return page_of


def page_finder(site: LoadedWebsite) -> PageOf:
    """Return what tells an observation's page: the one whose words fit the viewport's best.

    A page fits by the share of the viewport's lines that it holds; among pages that fit alike
    the one with the fewest other words is taken, and no page if that does not settle it.
    """
    pages = {
        page_id: _words(site.files[page.file])
        for page_id, page in sorted(site.pages.items())
        if page.media_type.startswith("text/html")
    }

    def page_of(observation: Observation) -> str | None:
        title = folded(observation.title)
        lines = [line for raw in observation.text.split("\n") if (line := folded(raw))]
        fits: dict[tuple[float, int], list[str]] = {}
        for page_id, (page_title, text) in pages.items():
            if title and page_title != title:
                continue
            held = sum(len(line) for line in lines if line in text)
            shown = sum(map(len, lines))
            fit = (held / shown if shown else 1.0, -len(text))
            fits.setdefault(fit, []).append(page_id)
        best = fits[max(fits)] if fits else []
        return best[0] if len(best) == 1 else None

    return page_of


def _words(html: bytes) -> tuple[str, str]:
    tree = LexborHTMLParser(html.decode("utf-8", "replace"))
    named = tree.css_first("title")
    title = folded(named.text()) if named is not None else ""
    for hidden in tree.css("script, style, template, noscript"):
        hidden.decompose()
    body = tree.body
    return title, folded(body.text(separator=" ")) if body is not None else ""
