"""A tour of a website for a browser to take: everything that its visible controls can do."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from riskchainbench.checks.page_text import page_title
from riskchainbench.core.gold import WalkStep
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.investigation import ActionKind
from riskchainbench.websites.controls import controls
from riskchainbench.websites.exploration import Edge, Graph, Node, entered
from riskchainbench.websites.records import LoadedWebsite, Method


@dataclass(frozen=True)
class Stop:
    """Steps to take from the stop before, and what is to be found after the last of them.

    `title` is that of the page that is then shown, `state_sha256` the state that the website is
    then in, `requests` are methods and paths that it was asked for. `downloads` and `unfolds` say
    that a file is offered, or that the page has changed.
    """

    steps: tuple[WalkStep, ...]
    title: str
    state_sha256: Sha256
    requests: frozenset[tuple[str, str]] = frozenset()
    downloads: bool = False
    unfolds: bool = False


@dataclass(frozen=True)
class Entrance:
    """A path to open at the beginning of an episode, and what is to be found there.

    `title` is None where no page is shown: for a file that is offered, or an asset.
    """

    path: str
    title: str | None
    state_sha256: Sha256


@dataclass(frozen=True)
class Tour:
    """The stops in order, and the entrances to what no visible control leads to.

    Among those are pages that forms designed to lead nowhere would lead to, and what turns
    away visitors who come too early.
    """

    stops: tuple[Stop, ...] = ()
    apart: tuple[Entrance, ...] = ()


def tour_of(loaded: LoadedWebsite, graph: Graph) -> Tour:
    """Return a tour that takes every transition that visible controls take, the nearest first.

    On the way every control that shows or hides a part of a page is used once.
    """
    stops: list[Stop] = []
    transitions = loaded.website.transitions
    node, used = graph.start, set[str]()
    left = set(takeable(graph))
    stops += _unfolded(graph, node, used)
    while left:
        for edge in _way(graph, node, left):
            node = edge.target
            left -= edge.taken
            title, state = page_title(graph.views[node].body), node.state.sha256
            requests = frozenset(
                (transitions[place].method.value, transitions[place].path) for place in edge.taken
            )
            steps = _last_fills(edge.steps)
            stops.append(Stop(steps, title, state, requests, downloads=edge.downloads))
            stops += _unfolded(graph, node, used)
    start = entered(loaded, loaded.website.start_path)
    taken = takeable(graph) | (start[0].taken if start else frozenset())
    others = frozenset(range(len(transitions))) - taken
    return Tour(tuple(stops), tuple(_apart(loaded, others)))


def takeable(graph: Graph) -> frozenset[int]:
    """Return all transitions that visible controls take."""
    known, queue, found = {graph.start}, [graph.start], set[int]()
    for node in queue:
        for edge in graph.edges[node]:
            if edge.steps:
                found |= edge.taken
                queue += [] if edge.target in known else [edge.target]
                known.add(edge.target)
    return frozenset(found)


def _way(graph: Graph, start: Node, wanted: set[int]) -> tuple[Edge, ...]:
    """Return the fewest steps from `start` that take one of the wanted transitions, if any do."""
    ticket, cheapest = count(), {start: 0}
    heap: list[tuple[int, int, Node, tuple[Edge, ...]]] = [(0, next(ticket), start, ())]
    while heap:
        cost, _, node, way = heapq.heappop(heap)
        if way and way[-1].taken & wanted:
            return way
        for edge in graph.edges[node] if cost <= cheapest[node] else ():
            dearer = cost + len(edge.steps)
            news = bool(edge.taken & wanted)
            if edge.steps and (news or dearer < cheapest.get(edge.target, dearer + 1)):
                if not news:
                    cheapest[edge.target] = dearer
                heapq.heappush(heap, (dearer, next(ticket), edge.target, (*way, edge)))
    return ()


def _unfolded(graph: Graph, node: Node, used: set[str]) -> Iterator[Stop]:
    """Yield the use of each control of a page that shows or hides a part of it."""
    body = graph.views[node].body
    found = controls(body)
    # Some start pages spread their menu out. On all others it is the same, and what was closed
    # on one page stays closed for the whole visit.
    menus = () if node.page_id == graph.start.page_id else found.menus
    for name in (*found.closers, *menus, *found.tabs):
        key = f"{node.page_id} {name}" if name in found.tabs else name
        if key not in used:
            used.add(key)
            click = WalkStep(action=ActionKind.CLICK, control=name)
            yield Stop((click,), page_title(body), node.state.sha256, unfolds=True)


def _last_fills(steps: tuple[WalkStep, ...]) -> tuple[WalkStep, ...]:
    """Return the steps, of several fillings of one field in a row the last alone.

    A field goes on with its values where an earlier visit of its page left it.
    """
    kept: list[WalkStep] = []
    for step in steps:
        again = kept and (kept[-1].action, kept[-1].control) == (step.action, step.control)
        if again and step.action is ActionKind.FILL:
            kept.pop()
        kept.append(step)
    return tuple(kept)


def _apart(loaded: LoadedWebsite, left: frozenset[int]) -> Iterator[Entrance]:
    """Yield the entrances that take the transitions which are left."""
    for place in sorted(left):
        transition = loaded.website.transitions[place]
        found = entered(loaded, transition.path) if transition.method is Method.GET else None
        if found is not None and place in found[0].taken:
            edge, view = found
            title = None if view is None else page_title(view.body)
            yield Entrance(transition.path, title, edge.target.state.sha256)
