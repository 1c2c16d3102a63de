"""What a page's rewriter asks of the website around it, and what it tells of the page."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from riskchainbench.websites.records import PageRedirect


class Use(StrEnum):
    """What a fetched resource is for; what stands in for a missing one depends on it."""

    IMAGE = "image"
    STYLE = "style"
    SCRIPT = "script"
    MEDIA = "media"
    RESOURCE = "resource"


@dataclass(frozen=True)
class FieldSeen:
    """One input of a form: its name in the capture and the name it is given here."""

    original: str
    name: str
    kind: str
    value: str
    required: bool
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class FormSeen:
    """One way to submit a form: `action` is an absolute URL of the capture."""

    method: str
    action: str
    fields: tuple[FieldSeen, ...]


@dataclass(frozen=True)
class RewrittenPage:
    """A page that refers to paths of its website only."""

    html: str
    redirect: PageRedirect | None
    language: str
    text: str
    dropped: tuple[str, ...]


class References(Protocol):
    """The website as a rewriter sees it: every answer is a path of it, or None for nothing."""

    def page(self, url: str, fragment: str) -> str:
        """Return where a link to `url` leads."""

    def frame(self, url: str) -> str:
        """Return what a frame shows for `url`."""

    def resource(self, url: str, use: Use) -> str | None:
        """Return where the resource stands; None where there is none and nothing stands in."""

    def inline(self, body: bytes, kind: str, base: str, encoding: str) -> str:
        """Return where bytes from inside a page stand as a file of their own."""

    def inline_page(self, html: str, base: str) -> str:
        """Return where a document from inside a page stands as a page of its own."""

    def download(self) -> str:
        """Return where a harmless file is downloaded from."""

    def form(self, seen: FormSeen) -> str:
        """Return where a form is sent to."""

    def field_name(self, original: str) -> str:
        """Return the name that an input has here."""
