"""Everything that can be reached on a website by its declared controls, and the shortest walk.

Made on what `step` answers, not on what was intended: pages are read as they are served.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, product

from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import WalkStep
from riskchainbench.core.investigation import ActionKind
from riskchainbench.websites.controls import Field, Link, PageForm, controls
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.step import Event, State, View, ViewEffect, initial_state, step

MAX_STATES = 2000
MAX_REDIRECTS = 10
MAX_FILLINGS = 64
"""Ways to fill one form that are tried; more than that is refused, not cut."""


@dataclass(frozen=True)
class Node:
    """A visitor's situation: the state of the website and the page that is shown."""

    state: State
    page_id: str


@dataclass(frozen=True)
class Edge:
    """The walk steps that lead from one node to another, and the transitions that they take.

    Transitions go by their places in the record. A download leads back to where it was asked for.
    """

    steps: tuple[WalkStep, ...]
    target: Node
    taken: frozenset[int] = frozenset()
    downloads: bool = False


@dataclass(frozen=True)
class Graph:
    """All reachable nodes in the order of discovery, their pages and their edges.

    A page that sends its visitor on by itself is in `views`, and has no edges: nobody acts on it.
    `dead` holds the undeclared requests that controls make, `loops` the redirects that never
    come to a page.
    """

    start: Node
    views: Mapping[Node, View]
    edges: Mapping[Node, tuple[Edge, ...]]
    dead: tuple[str, ...] = ()
    loops: tuple[str, ...] = ()
    downloads: tuple[str, ...] = ()

    @property
    def leads_on(self) -> bool:
        """Whether a visible control leads from one view to another."""
        return any(
            edge.steps and edge.target.page_id != node.page_id
            for node, edges in self.edges.items()
            for edge in edges
        )


@dataclass(frozen=True)
class _Arrival:
    """What one request comes to in the end: a node, a download, or neither."""

    node: Node | None
    state: State
    taken: frozenset[int]
    downloads: bool = False


@dataclass
class _Found:
    views: dict[Node, View] = field(default_factory=dict)
    edges: dict[Node, tuple[Edge, ...]] = field(default_factory=dict)
    dead: dict[str, None] = field(default_factory=dict)
    loops: dict[str, None] = field(default_factory=dict)
    downloads: dict[str, None] = field(default_factory=dict)
    arrivals: dict[tuple[State, str, tuple[tuple[str, str], ...]], _Arrival] = field(
        default_factory=dict
    )
    ways: dict[Field, tuple[tuple[str, tuple[WalkStep, ...]], ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class _Explored:
    """A website as a key: equal only to itself, so that none is taken for another."""

    loaded: LoadedWebsite
    max_states: int

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Explored)
            and self.loaded is other.loaded
            and self.max_states == other.max_states
        )

    def __hash__(self) -> int:
        return id(self.loaded)


def reachable(loaded: LoadedWebsite, max_states: int = MAX_STATES) -> Graph:
    """Return the graph of everything reachable by links, forms and redirects.

    Raises:
        InputError: the start path shows no page, or there are more than `max_states` nodes
            or `MAX_FILLINGS` ways to fill a form.
    """
    return _explored(_Explored(loaded, max_states))


@lru_cache(maxsize=4)
def _explored(asked: _Explored) -> Graph:
    """Explore a website; whoever builds one and proves it right after explores it once."""
    loaded, max_states = asked.loaded, asked.max_states
    found = _Found()
    entering = Event("GET", loaded.website.start_path)
    start = _arrive(loaded, initial_state(loaded), entering, found).node
    if start is None:
        raise InputError(f"start_path: {loaded.website.start_path} shows no page")
    queue, known = [start], {start}
    for node in queue:
        edges = tuple(_edges(loaded, node, found))
        found.edges[node] = edges
        fresh = dict.fromkeys(edge.target for edge in edges if edge.target not in known)
        known |= fresh.keys()
        queue += fresh
        if len(queue) > max_states:
            raise InputError(f"transitions: more than {max_states} situations can be reached")
    return Graph(
        start,
        found.views,
        found.edges,
        tuple(found.dead),
        tuple(found.loops),
        tuple(found.downloads),
    )


def entered(loaded: LoadedWebsite, path: str) -> tuple[Edge, View | None] | None:
    """Return what comes of opening `path` at the beginning of an episode, and the page shown.

    None if nothing comes of it; there is no page where a file is offered.
    """
    found = _Found()
    begun = Node(initial_state(loaded), "")
    edge = _edge((), begun, _arrive(loaded, begun.state, Event("GET", path), found))
    return None if edge is None else (edge, found.views.get(edge.target))


def shortest_walk(
    loaded: LoadedWebsite, pages: tuple[str, ...], graph: Graph | None = None
) -> tuple[WalkStep, ...]:
    """Return the fewest actions, scrolling aside, that show every page of `pages`.

    Where there is anything to see, what lies over the first page is closed first. A page counts
    as shown once its tabs were opened, too.

    Raises:
        InputError: one of the pages cannot be reached by visible controls.
    """
    graph = graph or reachable(loaded)
    if not pages:
        return ()
    first = controls(graph.views[graph.start].body)
    closing = tuple(WalkStep(action=ActionKind.CLICK, control=name) for name in first.closers)
    bits = {page: 1 << number for number, page in enumerate(dict.fromkeys(pages))}
    goal = (1 << len(bits)) - 1
    ticket = count()
    start = (graph.start, bits.get(graph.start.page_id, 0))
    opening = _tab_steps(graph.views[graph.start].body) if start[1] else ()
    best = {start: len(opening)}
    heap: list[tuple[int, int, tuple[Node, int], tuple[WalkStep, ...]]] = [
        (len(opening), next(ticket), start, opening)
    ]
    while heap:
        cost, _, (node, seen), walk = heapq.heappop(heap)
        if seen == goal:
            return closing + walk
        if cost > best[node, seen]:
            continue
        for edge in graph.edges[node]:
            bit = bits.get(edge.target.page_id, 0)
            steps = edge.steps
            if bit & ~seen:
                steps += _tab_steps(graph.views[edge.target].body)
            after = (edge.target, seen | bit)
            dearer = cost + len(steps)
            if edge.steps and dearer < best.get(after, dearer + 1):
                best[after] = dearer
                heapq.heappush(heap, (dearer, next(ticket), after, walk + steps))
    raise InputError(f"pages: no walk over visible controls shows all of {', '.join(bits)}")


def _tab_steps(body: bytes) -> tuple[WalkStep, ...]:
    return tuple(WalkStep(action=ActionKind.CLICK, control=name) for name in controls(body).tabs)


def _arrive(loaded: LoadedWebsite, state: State, event: Event, found: _Found) -> _Arrival:
    where = f"{event.method} {event.path}"
    taken: set[int] = set()

    def arrived(node: Node | None = None, *, downloads: bool = False) -> _Arrival:
        return _Arrival(node, state, frozenset(taken), downloads)

    for _ in range(MAX_REDIRECTS):
        state, view = step(loaded, state, event)
        if view.transition is not None:
            taken.add(view.transition)
        if view.effect is ViewEffect.NO_EFFECT:
            found.dead[where] = None
            return arrived()
        if view.effect is ViewEffect.DOWNLOAD:
            found.downloads[where] = None
            return arrived(downloads=True)
        if view.location is not None:
            event = Event("GET", view.location)
            continue
        if view.page_id is None:
            return arrived()
        node = Node(state, view.page_id)
        found.views.setdefault(node, view)
        onward = loaded.pages[view.page_id].redirect
        if onward is None:
            return arrived(node)
        found.edges.setdefault(node, ())
        event = Event("GET", onward.path)
    found.loops[where] = None
    return arrived()


def _edge(steps: tuple[WalkStep, ...], asked_from: Node, arrival: _Arrival) -> Edge | None:
    if arrival.node is not None:
        return Edge(steps, arrival.node, arrival.taken)
    # A page that shows an earlier state than the website's is no situation of its own.
    if arrival.downloads and arrival.state == asked_from.state:
        return Edge(steps, asked_from, arrival.taken, downloads=True)
    return None


def _edges(loaded: LoadedWebsite, node: Node, found: _Found) -> Iterator[Edge]:
    body = found.views[node].body
    for link, steps in _clicks(body):
        asked = (node.state, link.path, link.query)
        if asked not in found.arrivals:
            event = Event("GET", link.path, query=dict(link.query))
            found.arrivals[asked] = _arrive(loaded, node.state, event, found)
        edge = _edge(steps, node, found.arrivals[asked])
        if edge is not None:
            yield edge
    for form in controls(body).forms:
        yield from _submissions(loaded, node, form, found)


@lru_cache(maxsize=512)
def _clicks(body: bytes) -> tuple[tuple[Link, tuple[WalkStep, ...]], ...]:
    """Return each link of a page with the step that follows it.

    There is none for a link that cannot be seen, or that another of its name leads away from.
    """
    links = controls(body).links
    paths: dict[str, set[str]] = {}
    for link in links:
        paths.setdefault(link.name, set()).add(link.path)
    return tuple(
        (
            link,
            (WalkStep(action=ActionKind.CLICK, control=link.name),)
            if link.visible and link.name and len(paths[link.name]) == 1
            else (),
        )
        for link in links
    )


def _submissions(
    loaded: LoadedWebsite, node: Node, form: PageForm, found: _Found
) -> Iterator[Edge]:
    for entry in form.fields:
        if entry not in found.ways:
            found.ways[entry] = tuple(_fillings(loaded, entry))
    ways = [found.ways[entry] for entry in form.fields]
    size = 1
    for way in ways:
        size *= len(way)
    if size > MAX_FILLINGS:
        raise InputError(f"fields: a form of {form.path} can be filled in {size} ways")
    for combination in product(*ways):
        given = {
            entry.name: value
            for entry, (value, _) in zip(form.fields, combination, strict=True)
            if entry.name
        }
        event = Event(
            form.method,
            form.path,
            query=given if form.method == "GET" else {},
            form=given if form.method == "POST" else {},
        )
        arrival = _arrive(loaded, node.state, event, found)
        if not form.submits:
            continue
        steps = tuple(step for _, steps in combination for step in steps)
        submit = WalkStep(action=ActionKind.SUBMIT, control=form.submits[0])
        edge = _edge((*steps, submit), node, arrival)
        if edge is not None:
            yield edge


def _fillings(loaded: LoadedWebsite, entry: Field) -> Iterator[tuple[str, tuple[WalkStep, ...]]]:
    yield entry.value, ()
    if entry.kind == "choice":
        for option in entry.options:
            if option.value != entry.value:
                choose = WalkStep(
                    action=ActionKind.CHOOSE, control=entry.label, option=option.label
                )
                yield option.value, (choose,)
        return
    steps: tuple[WalkStep, ...] = ()
    for fixture in loaded.fixtures(entry.name):
        fill = WalkStep(action=ActionKind.FILL, control=entry.label, fixture=fixture.name)
        steps = (*steps, fill)
        yield fixture.value, steps
