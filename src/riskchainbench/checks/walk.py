"""Walks over a website's declared controls: everything reachable, and the oracle's shortest way.

The walk is made on what the pages hold when served, not on what the synthesis intended.
"""

from __future__ import annotations

from collections.abc import Iterable

from riskchainbench.core.gold import PlacedComponent, WalkStep
from riskchainbench.websites.exploration import (
    MAX_STATES,
    Graph,
    Node,
    reachable,
    shortest_walk,
)
from riskchainbench.websites.records import LoadedWebsite

__all__ = ["MAX_STATES", "Graph", "Node", "oracle_walk", "reachable"]


def oracle_walk(
    loaded: LoadedWebsite, components: Iterable[PlacedComponent], graph: Graph | None = None
) -> tuple[WalkStep, ...]:
    """Return the fewest allowlisted actions that show every asserted component.

    Scrolling is not part of the walk: whoever follows it scrolls where a page goes on.

    Raises:
        InputError: a component's page cannot be reached by visible controls.
    """
    pages = tuple(dict.fromkeys(c.page for c in components if c.asserted))
    return shortest_walk(loaded, pages, graph)
