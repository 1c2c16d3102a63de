"""The declarative website format, ``website.json``; what it means is said in `step`.

A website is pages, assets, state variables and transitions: all data, no code, no label and
no id. Reading and writing folders is in `files`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from riskchainbench.core.investigation import ScaffoldClass, Viewport
from riskchainbench.core.record import Record

HTML = "text/html; charset=utf-8"
PLAIN_TEXT = "text/plain; charset=utf-8"

FileName = Annotated[
    str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*$")
]
"""A relative path below the website's folder; no segment can climb out of it."""


def _url_path(path: str) -> str:
    segments = path.split("/")
    if segments[0] or not segments[1:] or (len(segments) > 2 and "" in segments[1:-1]):
        raise ValueError(f"{path} is no absolute path such as /v/3f9a2c")
    if any(segment in (".", "..") for segment in segments) or re.search(r"[?#%\s\\]", path):
        raise ValueError(f"{path} climbs, or holds a character that a path may not hold")
    return path


UrlPath = Annotated[str, AfterValidator(_url_path)]
"""An absolute path of a URL, without query, fragment or dot segments."""

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$")]


class Fixture(Record):
    """One synthetic value that a field can be filled with; agents are told `name` only."""

    name: str = Field(min_length=1, max_length=40)
    value: str = Field(max_length=200)


class FieldFixtures(Record):
    """The values for every input whose HTML ``name`` is `field`, in the order they are cycled."""

    field: Name
    fixtures: tuple[Fixture, ...] = Field(min_length=1)


class RedirectKind(StrEnum):
    """How a page sends its visitor on by itself; HTTP redirects are a transition's `Redirect`."""

    META = "meta"
    SCRIPT = "script"


class PageRedirect(Record):
    """A redirect that the page's own bytes carry out, declared so that checks can follow it."""

    kind: RedirectKind
    path: UrlPath


class Page(Record):
    """One view: a file, the state variables whose values it shows, and what it does by itself.

    `dialogs` are the texts of native dialogs that the page opens when loaded.
    """

    page_id: Name
    file: FileName
    media_type: str = HTML
    status: int = Field(default=200, ge=200, le=599)
    slots: tuple[Name, ...] = ()
    redirect: PageRedirect | None = None
    dialogs: tuple[str, ...] = ()


class Asset(Record):
    """A static file at a fixed path."""

    path: UrlPath
    file: FileName
    media_type: str


class FieldTest(Record):
    """A condition on a submitted field: one of `one_of`, or any value that is not blank."""

    one_of: tuple[str, ...] | None = None

    def holds(self, value: str) -> bool:
        """Tell whether the submitted `value` meets the condition."""
        return bool(value.strip()) if self.one_of is None else value in self.one_of


class Effect(Record):
    """Sets a state variable to `value`, or to what was submitted in `from_field`."""

    variable: Name
    value: str = ""
    from_field: Name | None = None


class Show(Record):
    """Answer with a page."""

    kind: Literal["show"] = "show"
    page: Name


class Redirect(Record):
    """Answer with HTTP 303 to another path of the website."""

    kind: Literal["redirect"] = "redirect"
    path: UrlPath


class Download(Record):
    """Answer with a harmless text file that the browser saves under `name`."""

    kind: Literal["download"] = "download"
    file: FileName
    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\.txt$")


Next = Annotated[Show | Redirect | Download, Field(discriminator="kind")]


class Method(StrEnum):
    """The HTTP methods a page can send."""

    GET = "GET"
    POST = "POST"


class Transition(Record):
    """What a request does: the first whose guards all hold is taken.

    `when` maps state variables to the values allowed; `form` maps submitted fields (a GET
    form's fields stand in the query) to their conditions.
    """

    method: Method = Method.GET
    path: UrlPath
    when: dict[Name, tuple[str, ...]] = Field(default_factory=dict)
    form: dict[Name, FieldTest] = Field(default_factory=dict)
    effects: tuple[Effect, ...] = ()
    next: Next


class Website(Record):
    """A whole website; ``website.json`` of two cases with equal content is equal byte by byte."""

    schema_version: Literal["website/1"] = "website/1"
    language: str
    viewport: Viewport
    scaffold: tuple[ScaffoldClass, ...]
    start_path: UrlPath = "/"
    state: dict[Name, str] = Field(default_factory=dict)
    pages: tuple[Page, ...] = Field(min_length=1)
    assets: tuple[Asset, ...] = ()
    transitions: tuple[Transition, ...] = Field(min_length=1)
    fields: tuple[FieldFixtures, ...] = ()


@dataclass(frozen=True)
class LoadedWebsite:
    """A website with the bytes of its files, by their names in the record."""

    website: Website
    files: Mapping[str, bytes]

    @cached_property
    def pages(self) -> Mapping[str, Page]:
        """The pages by id."""
        return {page.page_id: page for page in self.website.pages}

    @cached_property
    def scripted(self) -> bool:
        """Whether any of its files is a script; pages themselves hold none."""
        return any("javascript" in asset.media_type for asset in self.website.assets)

    @cached_property
    def assets(self) -> Mapping[str, Asset]:
        """The assets by path."""
        return {asset.path: asset for asset in self.website.assets}

    @cached_property
    def transitions(self) -> Mapping[tuple[str, str], tuple[tuple[int, Transition], ...]]:
        """The transitions and their places in the record by method and path, in that order."""
        table: dict[tuple[str, str], tuple[tuple[int, Transition], ...]] = {}
        for place, transition in enumerate(self.website.transitions):
            key = (transition.method.value, transition.path)
            table[key] = (*table.get(key, ()), (place, transition))
        return table

    def fixtures(self, field: str) -> tuple[Fixture, ...]:
        """Return the values that an input named `field` can be filled with; none if undeclared."""
        for entry in self.website.fields:
            if entry.field == field:
                return entry.fixtures
        return ()
