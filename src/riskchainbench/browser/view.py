"""What a browser shows after an action: an observation without its budget and place."""

from __future__ import annotations

from riskchainbench.browser.guards import NetworkEntry
from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.core.investigation import Element, Outcome, PageEvent, Scroll
from riskchainbench.core.record import Record


class PageView(Record):
    """One view of the active tab; the screenshot's bytes travel beside it."""

    title: str
    text: str
    elements: tuple[Element, ...]
    elements_left_out: int
    scroll: Scroll
    outcome: Outcome | None
    events: tuple[PageEvent, ...]
    network: tuple[NetworkEntry, ...]
    page_state: Sha256


def page_state(
    path: str, title: str, text: str, elements: tuple[Element, ...], scroll: tuple[float, float]
) -> Sha256:
    """Return the identity of what a tab shows: its path, text, controls and scroll positions.

    The ids of controls do not count, so a page loaded again is the same state.
    """
    controls = [
        [
            element.kind.value,
            element.role,
            element.name,
            element.value,
            list(element.options),
            element.checked,
            element.disabled,
            element.in_viewport,
        ]
        for element in elements
    ]
    return sha256_json([path, title, text, controls, list(scroll)])
