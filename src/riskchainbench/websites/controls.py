"""What a visitor can do on a page, read from its HTML: links, forms and their inputs.

A static reader: it follows no script but the project's own, whose effects the HTML declares.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import parse_qsl, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from riskchainbench.core.text import folded

HIDDEN = "[hidden], script, style, template, noscript, head"
_TEXT_KINDS = frozenset({"text", "password", "email", "tel", "number", "search", "url"})


@dataclass(frozen=True)
class Link:
    """A link and whether it can be seen without opening anything."""

    name: str
    path: str
    query: tuple[tuple[str, str], ...]
    visible: bool


@dataclass(frozen=True)
class Choice:
    """One option of a choice: the label that is shown, the value that is sent."""

    label: str
    value: str


@dataclass(frozen=True)
class Field:
    """One input: `options` are given for choices, `value` is what it holds at first."""

    name: str
    label: str
    kind: str
    value: str
    options: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class PageForm:
    """A form, its inputs in order, and the names of its submit buttons."""

    method: str
    path: str
    fields: tuple[Field, ...]
    submits: tuple[str, ...]


@dataclass(frozen=True)
class Controls:
    """All links and forms of a page.

    `buttons` counts the buttons that submit nothing; `closers` names those that take away
    something that lies over the page, `tabs` those that show a part which is hidden at first,
    `menus` those that unfold a navigation.
    """

    links: tuple[Link, ...]
    forms: tuple[PageForm, ...]
    buttons: int
    closers: tuple[str, ...] = ()
    tabs: tuple[str, ...] = ()
    menus: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def controls(body: bytes) -> Controls:
    """Return the controls of an HTML page, in document order."""
    tree = LexborHTMLParser(body)
    hidden = {node.mem_id for node in tree.css("[hidden], [hidden] *")}
    links = tuple(
        _link(node, visible=node.mem_id not in hidden)
        for node in tree.css("a[href]")
        if _is_local(node.attributes.get("href") or "")
    )
    labels = {
        node.attributes.get("for") or "": folded(node.text()) for node in tree.css("label[for]")
    }
    forms = tuple(_form(node, labels) for node in tree.css("form"))
    plain = sum(1 for node in tree.css("button") if node.attributes.get("type") == "button")
    closers = tuple(folded(node.text()) for node in tree.css("button[data-hide]"))
    folded_away = {node.attributes.get("id") for node in tree.css("[id][hidden]")}
    tabs = tuple(
        folded(node.text())
        for node in tree.css("button[data-tab]")
        if node.attributes["data-tab"] in folded_away
    )
    menus = tuple(
        folded(node.attributes.get("aria-label") or node.text())
        for node in tree.css("button[data-menu]")
    )
    return Controls(links, forms, plain, closers, tabs, menus)


def _is_local(href: str) -> bool:
    return href.startswith("/") and not href.startswith("//")


def _link(node: LexborNode, *, visible: bool) -> Link:
    parts = urlsplit(node.attributes.get("href") or "")
    query = tuple(parse_qsl(parts.query, keep_blank_values=True))
    return Link(folded(node.text()), parts.path, query, visible)


def _form(node: LexborNode, labels: dict[str, str]) -> PageForm:
    fields: list[Field] = []
    submits: list[str] = []
    for control in node.css("input, select, textarea, button"):
        kind = control.attributes.get("type") or ("submit" if control.tag == "button" else "text")
        if control.tag == "button" or kind == "submit":
            if kind == "submit":
                submits.append(folded(control.text() or control.attributes.get("value") or ""))
            continue
        fields.append(_field(control, kind, labels))
    return PageForm(
        method=(node.attributes.get("method") or "get").upper(),
        path=urlsplit(node.attributes.get("action") or "").path,
        fields=tuple(fields),
        submits=tuple(submits),
    )


def _field(node: LexborNode, kind: str, labels: dict[str, str]) -> Field:
    name = node.attributes.get("name") or ""
    label = labels.get(node.attributes.get("id") or "", "")
    if node.tag != "select":
        shown = "text" if node.tag == "textarea" or kind in _TEXT_KINDS else kind
        return Field(name, label, shown, node.attributes.get("value") or "")
    options = tuple(
        Choice(folded(option.text()), option.attributes.get("value") or folded(option.text()))
        if option.attributes.get("value") != ""
        else Choice(folded(option.text()), "")
        for option in node.css("option")
    )
    return Field(name, label, "choice", options[0].value if options else "", options)
