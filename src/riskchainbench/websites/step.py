"""The one meaning of a website: a pure function from a state and an event to state and view.

The sandbox, the proofs and every door use this function and no other; nothing here reads a
clock, a file or a random number.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from riskchainbench.core.hashing import Sha256, sha256_json
from riskchainbench.websites.records import (
    Download,
    LoadedWebsite,
    Page,
    Redirect,
    Show,
    Transition,
)

MAX_FIELD_LENGTH = 200
"""Submitted values are cut to this many code points before anything looks at them."""

_SLOT = re.compile(rb"\{\{([A-Za-z][A-Za-z0-9_]*)\}\}")


@dataclass(frozen=True)
class State:
    """The values of all state variables, sorted by name."""

    values: tuple[tuple[str, str], ...]

    @cached_property
    def mapping(self) -> Mapping[str, str]:
        """The values by variable."""
        return dict(self.values)

    @cached_property
    def sha256(self) -> Sha256:
        """The identity of the state."""
        return sha256_json(dict(self.values))

    def but(self, changes: Mapping[str, str]) -> State:
        """Return the state with `changes`; itself when nothing differs."""
        changed = {**self.mapping, **changes}
        return self if changed == self.mapping else State(tuple(sorted(changed.items())))


@dataclass(frozen=True)
class Event:
    """One request: `form` holds the fields of a POST body, `query` those of the URL."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    form: Mapping[str, str] = field(default_factory=dict)


class ViewEffect(StrEnum):
    """What a request came to, as the sandbox records it."""

    PAGE = "page"
    REDIRECT = "redirect"
    DOWNLOAD = "download"
    ASSET = "asset"
    NO_EFFECT = "no_effect"


@dataclass(frozen=True)
class View:
    """What a request is answered with; `transition` is the place in the record of the one taken.

    An undeclared request is answered with status 204, on which a browser stays where it is.
    """

    status: int
    effect: ViewEffect
    media_type: str = ""
    body: bytes = b""
    page_id: str | None = None
    location: str | None = None
    download_name: str | None = None
    transition: int | None = None


NOTHING = View(status=204, effect=ViewEffect.NO_EFFECT)


def initial_state(site: LoadedWebsite) -> State:
    """Return the state in which every episode begins."""
    return State(tuple(sorted(site.website.state.items())))


def step(site: LoadedWebsite, state: State, event: Event) -> tuple[State, View]:
    """Return the state after `event` and what the visitor is shown.

    Assets come first, then the first transition whose guards hold. A request that no
    transition declares changes nothing and has the effect ``no_effect``.
    """
    if event.method == "GET" and event.path in site.assets:
        asset = site.assets[event.path]
        body = site.files[asset.file]
        return state, View(200, ViewEffect.ASSET, media_type=asset.media_type, body=body)
    given = {
        name: value[:MAX_FIELD_LENGTH] for name, value in {**event.query, **event.form}.items()
    }
    for place, transition in site.transitions.get((event.method, event.path), ()):
        if _holds(transition, state, given):
            after = _apply(transition, state, given)
            return after, _answer(site, after, transition, place)
    return state, NOTHING


def _holds(transition: Transition, state: State, given: Mapping[str, str]) -> bool:
    values = state.mapping
    return all(values[name] in allowed for name, allowed in transition.when.items()) and all(
        test.holds(given.get(name, "")) for name, test in transition.form.items()
    )


def _apply(transition: Transition, state: State, given: Mapping[str, str]) -> State:
    if not transition.effects:
        return state
    return state.but(
        {
            effect.variable: (
                effect.value if effect.from_field is None else given.get(effect.from_field, "")
            )
            for effect in transition.effects
        }
    )


def _answer(site: LoadedWebsite, state: State, transition: Transition, place: int) -> View:
    match transition.next:
        case Show(page=page_id):
            page = site.pages[page_id]
            return View(
                page.status,
                ViewEffect.PAGE,
                media_type=page.media_type,
                body=_render(site.files[page.file], page, state),
                page_id=page_id,
                transition=place,
            )
        case Redirect(path=path):
            return View(303, ViewEffect.REDIRECT, location=path, transition=place)
        case Download(file=file, name=name):
            return View(
                200,
                ViewEffect.DOWNLOAD,
                media_type="application/octet-stream",
                body=site.files[file],
                download_name=name,
                transition=place,
            )


def _render(body: bytes, page: Page, state: State) -> bytes:
    if not page.slots:
        return body
    shown = {
        name.encode("ascii"): html.escape(state.mapping[name]).encode("utf-8")
        for name in page.slots
    }
    return _SLOT.sub(lambda match: shown.get(match[1], match[0]), body)
