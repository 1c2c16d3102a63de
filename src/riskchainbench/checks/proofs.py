"""Proofs, without a browser, that a website shows what its label needs and nothing against it.

Every reachable page is read as it is served, and the words of every scenario are looked for
in it, so a proof does not rest on what the website was meant to show (design decision 18).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property, lru_cache

from riskchainbench.checks import captured
from riskchainbench.checks.fresh import FreshOnly
from riskchainbench.checks.html import website_problems
from riskchainbench.checks.identifiers import served_identifiers
from riskchainbench.checks.page_text import drawn_text, squeezed, visible_text
from riskchainbench.checks.telling import telling_names, telling_words
from riskchainbench.checks.walk import Graph, oracle_walk, reachable
from riskchainbench.core.codebook import Codebook, Role
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import Medium, PlacedComponent
from riskchainbench.core.investigation import HORIZON
from riskchainbench.websites.controls import controls
from riskchainbench.websites.records import LoadedWebsite
from riskchainbench.websites.synthesis import BuiltWebsite
from riskchainbench.websites.synthesis import realizations as realizations_of

Realizations = Mapping[str, Sequence[str]]
"""The words that assert each component, over all scenarios."""


class Proof(StrEnum):
    """What was to be proved of a website or of a contrast set."""

    EXPLORED = "everything can be explored"
    PLACED = "each component stands on its declared page and nowhere else"
    COMPLETE = "a violation holds a complete set of its type and no counter-evidence"
    ABSENT = "no complete set stands on a website without violation"
    GROUNDED = "a website without violation shows what its decision rests on"
    WALK = "an allowlisted walk shows every component within the horizon"
    SILENT = "no name tells a label"
    SAFE = "no file holds an identifier that could be somebody's"
    CLOSED = "no file refers to the outside"
    MASKED = "no page of a captured website names anybody"
    HTML = "every page is sound HTML"
    EQUAL = "members of a set are equal before the first observation"


DESIGN_PROOFS = frozenset({Proof.EXPLORED, Proof.COMPLETE, Proof.ABSENT, Proof.GROUNDED})
"""Those that hold a website's label to its design; people may judge otherwise.

Unreachable pages are allowed where the evidence is designed to be insufficient, so
exploration depends on the label, too.
"""


@dataclass(frozen=True)
class Finding:
    """One proof that failed: which website or set, and why."""

    proof: Proof
    where: str
    detail: str


@dataclass(frozen=True)
class Designed:
    """A website and all that is claimed of it; of one that was `captured`, hardly anything."""

    case_id: str
    loaded: LoadedWebsite
    decision: Decision | None
    violation_type: str
    components: tuple[PlacedComponent, ...] = field(default=())
    captured: bool = False

    @cached_property
    def graph(self) -> Graph:
        """Everything reachable."""
        return reachable(self.loaded)

    @cached_property
    def texts(self) -> Mapping[str, tuple[str, str]]:
        """The squeezed visible and drawn words of each page, over all that states make of it."""
        bodies: dict[str, dict[bytes, None]] = {}
        for node, view in self.graph.views.items():
            bodies.setdefault(node.page_id, {})[view.body] = None
        return {page: self._words(page, tuple(shown)) for page, shown in bodies.items()}

    def _words(self, page: str, bodies: Sequence[bytes]) -> tuple[str, str]:
        dialogs = self.loaded.pages[page].dialogs
        seen = ["\n".join([visible_text(body, opened=True), *dialogs]) for body in bodies]
        drawn = [drawn_text(self.loaded, body) for body in bodies]
        return "\n".join(map(squeezed, seen)), "\n".join(map(squeezed, drawn))


def pool_findings(
    pool: Iterable[BuiltWebsite], codebook: Codebook, known: Realizations | None = None
) -> list[Finding]:
    """Return every proof that fails over the websites and contrast sets of a pool.

    `known` are the codebook's realizations; they are listed anew if None.
    """
    sets: dict[str, list[BuiltWebsite]] = {}
    for built in pool:
        sets.setdefault(built.stratum.contrast_set, []).append(built)
    known = realizations_of(codebook) if known is None else known
    findings: list[Finding] = []
    for members in sets.values():
        # What is read of a website is let go with its set: a pool's would fill the memory.
        designed = [
            Designed(
                b.pool_id, b.loaded, b.decision, b.violation_type, b.components, b.stratum.captured
            )
            for b in members
        ]
        for member in designed:
            findings += prove_website(member, codebook, known)
            if not member.captured:
                findings += _unsound_pages(member)
        findings += prove_set(designed)
    return findings


def _unsound_pages(website: Designed) -> list[Finding]:
    """Return what an HTML check finds; captured pages are what their makers made of them."""
    return [
        Finding(Proof.HTML, website.case_id, problem)
        for problem in website_problems(website.loaded)
    ]


def prove_pool(pool: Iterable[BuiltWebsite], codebook: Codebook) -> None:
    """Prove every website and every contrast set of a freshly built pool.

    Raises:
        InputError: a proof failed; the message names the first website, the proof and how
            many more there are.
    """
    require_proved(pool_findings(pool, codebook))


def require_proved(findings: Sequence[Finding]) -> None:
    """Check that no proof failed.

    Raises:
        InputError: one did; the message names the first and how many more there are.
    """
    if findings:
        first = findings[0]
        more = f" (and {len(findings) - 1} more)" if len(findings) > 1 else ""
        raise InputError(
            f"website {first.where}: not proved that {first.proof}: {first.detail}{more}"
        )


def prove_website(
    designed: Designed,
    codebook: Codebook,
    realizations: Realizations,
    *,
    entries: Sequence[str] = (),
    horizon: int = HORIZON,
) -> list[Finding]:
    """Return every proof that fails for one website; an empty list proves them all.

    `entries` are strings that may stand in no file of any website. A captured website is
    exempt from the proofs of a design (see `checks.captured`).
    """
    if designed.captured:
        return list(_prove_captured(designed, entries))
    loaded = designed.loaded
    try:
        _ = designed.graph
    except InputError as error:
        return [Finding(Proof.EXPLORED, designed.case_id, str(error))]
    checks = (
        _prove_explored(designed),
        _prove_placed(designed),
        _prove_sets(designed, codebook, realizations),
        _prove_walk(designed, horizon),
        (_finding(Proof.SILENT, designed, each) for each in telling_names(loaded, codebook)),
        (_finding(Proof.SAFE, designed, each) for each in served_identifiers(loaded)),
        _prove_closed(designed, entries),
    )
    return [finding for check in checks for finding in check]


def _finding(proof: Proof, designed: Designed, detail: str) -> Finding:
    return Finding(proof, designed.case_id, detail)


def _prove_captured(designed: Designed, entries: Sequence[str]) -> Iterator[Finding]:
    for problem in captured.sealed(designed.loaded, entries):
        yield Finding(Proof.CLOSED, designed.case_id, problem)
    for problem in captured.named(designed.loaded):
        yield Finding(Proof.MASKED, designed.case_id, problem)


def prove_set(members: Sequence[Designed]) -> list[Finding]:
    """Return how members of one contrast set differ before the first observation."""
    first, *others = members
    expected = shape(first.loaded)
    return [
        Finding(Proof.EQUAL, other.case_id, f"{name} differs from {first.case_id}")
        for other in others
        for name, value in shape(other.loaded).items()
        if value != expected[name]
    ]


def shape(loaded: LoadedWebsite) -> dict[str, object]:
    """Return all of a website that exists before the first observation: no words of its pages."""
    website = loaded.website
    bodies = {page.page_id: controls(loaded.files[page.file]) for page in website.pages}
    return {
        "language": website.language,
        "viewport": website.viewport,
        "scaffold": website.scaffold,
        "start path": website.start_path,
        "state": website.state,
        "fields": website.fields,
        "pages": tuple((page.page_id, page.file, page.status) for page in website.pages),
        "assets": tuple((asset.path, asset.file) for asset in website.assets),
        "paths": tuple((t.method, t.path) for t in website.transitions),
        "files": tuple(sorted(loaded.files)),
        "controls": {
            page: (
                tuple(link.path for link in body.links),
                tuple(
                    (form.method, form.path, tuple((f.name, len(f.options)) for f in form.fields))
                    for form in body.forms
                ),
                body.buttons,
            )
            for page, body in bodies.items()
        },
    }


def _prove_explored(designed: Designed) -> Iterator[Finding]:
    shown = {node.page_id for node in designed.graph.views}
    dead_ends = designed.decision is Decision.INSUFFICIENT_EVIDENCE
    for page in designed.loaded.pages:
        if page not in shown and not dead_ends:
            yield Finding(Proof.EXPLORED, designed.case_id, f"page {page} cannot be reached")
    for path in designed.graph.loops:
        yield Finding(Proof.EXPLORED, designed.case_id, f"{path} redirects without end")


def _prove_placed(designed: Designed) -> Iterator[Finding]:
    for component in designed.components:
        words = squeezed(component.realization)
        drawn = component.medium is Medium.PIXELS
        where = {page for page, texts in designed.texts.items() if words in texts[drawn]}
        elsewhere = {page for page, texts in designed.texts.items() if words in texts[not drawn]}
        name = component.component_id
        if component.page not in where:
            detail = f"{name} is not shown as {component.medium} on page {component.page}"
            yield Finding(Proof.PLACED, designed.case_id, detail)
        for page in sorted((where - {component.page}) | elsewhere):
            detail = f"{name} is also shown on page {page}"
            yield Finding(Proof.PLACED, designed.case_id, detail)


def asserted_components(designed: Designed, realizations: Realizations) -> frozenset[str]:
    """Return the components that anything reachable asserts, whatever was declared.

    Words inside a declared decoy do not assert; its longer quotation is taken out first.
    """
    decoys = [squeezed(c.realization) for c in designed.components if not c.asserted]
    own = {squeezed(c.realization): c.component_id for c in designed.components if c.asserted}
    known = _by_beginning(tuple((name, tuple(words)) for name, words in realizations.items()))
    found: set[str] = set()
    for text in dict.fromkeys(text for texts in designed.texts.values() for text in texts):
        clean = text
        for decoy in decoys:
            clean = clean.replace(decoy, "\n")
        found |= {name for words, name in own.items() if words in clean}
        found |= _asserted(known, clean)
    return frozenset(found)


_BEGINNING = 5
"""Code points by which a phrase is looked up; shorter phrases are looked up whole."""


@dataclass(frozen=True, eq=False)
class _Known:
    """Squeezed phrases and their components by the phrases' beginnings."""

    by_beginning: Mapping[str, Sequence[tuple[str, str]]]


@lru_cache(maxsize=4)
def _by_beginning(realizations: tuple[tuple[str, tuple[str, ...]], ...]) -> _Known:
    index: dict[str, dict[tuple[str, str], None]] = {}
    for name, phrases in realizations:
        for words in map(squeezed, phrases):
            index.setdefault(words[:_BEGINNING], {})[words, name] = None
    return _Known({beginning: tuple(entries) for beginning, entries in index.items()})


@lru_cache(maxsize=64)
def _asserted(known: _Known, text: str) -> frozenset[str]:
    """Return the components that a text asserts; the members of a set share most of theirs."""
    beginnings = {text[place : place + _BEGINNING] for place in range(len(text))}
    return frozenset(
        name
        for beginning in beginnings & known.by_beginning.keys()
        for words, name in known.by_beginning[beginning]
        if words in text
    )


def _prove_sets(
    designed: Designed, codebook: Codebook, realizations: Realizations
) -> Iterator[Finding]:
    held = asserted_components(designed, realizations)
    complete = codebook.complete_types(held)
    where, decision = designed.case_id, designed.decision
    if decision is Decision.VIOLATION:
        if designed.violation_type not in complete:
            detail = f"no complete set of {designed.violation_type}: only {_listed(held)}"
            yield Finding(Proof.COMPLETE, where, detail)
        if held & codebook.with_role(Role.COUNTER):
            yield Finding(Proof.COMPLETE, where, f"counter-evidence: {_listed(held)}")
        return
    for kind in complete:
        yield Finding(Proof.ABSENT, where, f"a complete set of {kind}: {_listed(held)}")
    benign = held & (codebook.with_role(Role.BENIGN) | codebook.with_role(Role.COUNTER))
    if decision is Decision.NON_VIOLATION and not benign:
        yield Finding(Proof.GROUNDED, where, "neither a benign service nor counter-evidence")
    if decision is Decision.INSUFFICIENT_EVIDENCE:
        if held & codebook.with_role(Role.BENIGN):
            yield Finding(Proof.GROUNDED, where, f"a benign component: {_listed(held)}")
        if len(held & codebook.with_role(Role.VIOLATION)) > 1:
            yield Finding(Proof.GROUNDED, where, f"several violation components: {_listed(held)}")


def _listed(names: frozenset[str]) -> str:
    return ", ".join(sorted(names)) or "nothing"


def _prove_walk(designed: Designed, horizon: int) -> Iterator[Finding]:
    try:
        walk = oracle_walk(designed.loaded, designed.components, designed.graph)
    except InputError as error:
        yield Finding(Proof.WALK, designed.case_id, str(error))
        return
    if len(walk) > horizon:
        detail = f"{len(walk)} actions are needed, the horizon is {horizon}"
        yield Finding(Proof.WALK, designed.case_id, detail)


_OUTSIDE = re.compile(
    r"(?:https?|wss?|ftp)://(?!www\.w3\.org/(?:2000/svg|1999/xlink)\")|[\"'(=]//\w"
    r"|(?:mailto|tel|javascript|data|file):|(?<=[a-z0-9-])\.test\b",
    re.IGNORECASE,
)
_SCAN = FreshOnly(lambda text: _OUTSIDE.search(text) is not None)


@lru_cache(maxsize=1024)
def _outside(data: bytes) -> str | None:
    text = data.decode("utf-8", "replace")
    found = _OUTSIDE.search(text) if _SCAN.suspects(text) else None
    return found[0] if found else None


def _prove_closed(designed: Designed, entries: Sequence[str]) -> Iterator[Finding]:
    for name, data in sorted(designed.loaded.files.items()):
        outside = _outside(data)
        if outside is not None:
            yield Finding(Proof.CLOSED, designed.case_id, f"{name} refers to {outside!r}")
        text = data.decode("utf-8", "replace") if entries else ""
        for entry in entries:
            if entry in text:
                yield Finding(Proof.CLOSED, designed.case_id, f"{name} holds the entry {entry}")


__all__ = [
    "Designed",
    "Finding",
    "Proof",
    "Realizations",
    "asserted_components",
    "pool_findings",
    "prove_pool",
    "prove_set",
    "prove_website",
    "require_proved",
    "shape",
    "telling_words",
]
