"""Telling which page of a website a recorded observation shows, by the words it holds."""

from __future__ import annotations

from collections.abc import Callable

from riskchainbench.bundle import Bundle, Gold
from riskchainbench.checks.page_text import squeezed
from riskchainbench.checks.proofs import Designed
from riskchainbench.core.gold import Medium
from riskchainbench.core.investigation import Observation

MIN_SHARE = 0.8
"""The share of an observation's words that must stand on a page for it to be that page."""

PageOf = Callable[[Observation], str | None]


def page_teller(designed: Designed) -> PageOf:
    """Return a function that tells the page id of an observation, or None where it cannot.

    The page that holds the largest share of the observation's lines is taken, the one with
    the fewest words of its own where several hold as much.
    """
    texts = {page_id: seen for page_id, (seen, _) in designed.texts.items()}

    def page_of(observation: Observation) -> str | None:
        lines = [line for line in map(squeezed, observation.text.splitlines()) if line]
        total = sum(map(len, lines))
        if not total:
            return None
        shares = {
            page_id: sum(len(line) for line in lines if line in text) / total
            for page_id, text in texts.items()
        }
        best = min(shares, key=lambda page_id: (-shares[page_id], len(texts[page_id]), page_id))
        return best if shares[best] >= MIN_SHARE else None

    return page_of


def page_tellers(bundle: Bundle, gold: Gold) -> Callable[[str], PageOf]:
    """Return what gives a case's page teller; websites without pixel evidence need none."""
    tellers: dict[str, PageOf] = {}

    def of_case(case_id: str) -> PageOf:
        if case_id not in tellers:
            components = gold.components[case_id]
            if any(component.medium is Medium.PIXELS for component in components):
                label = gold.labels[case_id]
                loaded = bundle.website(case_id)
                designed = Designed(case_id, loaded, label.decision, label.violation_type)
                tellers[case_id] = page_teller(designed)
            else:
                tellers[case_id] = _no_page
        return tellers[case_id]

    return of_case


def _no_page(_: Observation) -> str | None:
    return None
