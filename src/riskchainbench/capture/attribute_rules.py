"""What becomes of each attribute of a captured page."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from riskchainbench.capture.attributes import DROPPED, SETS, SOURCES
from riskchainbench.capture.css import rewrite_css
from riskchainbench.capture.handlers import HANDLER_MARK
from riskchainbench.capture.page_scope import STYLE_MARK, PageScope
from riskchainbench.capture.references import Use
from riskchainbench.capture.srcset import rewrite_srcset
from riskchainbench.capture.urls import cleaned, scheme_of

_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-url")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")

_LOADING = frozenset(
    {"href", "xlink:href", "src", "srcset", "imagesrcset", "data", "poster", "background"}
)

_NAMING = frozenset({"class", "id", "name", "for", "type", "rel"})
_TELLING = re.compile(r"\d{5}|[@.]")

_PAINTED = re.compile(r"^(?:fill|stroke|filter|clip-path|mask|cursor|marker(?:-\w+)?)$")
_WORDS = frozenset({"alt", "title", "value", "placeholder"})


class AttributeRules:
    """Rewrites the attributes of one page's elements."""

    def __init__(self, page: PageScope) -> None:
        self._page = page

    def rewrite(self, node: LexborNode, tag: str, *, but: str = "") -> None:
        """Rewrite all attributes of an element, except for the one called `but`."""
        attributes = node.attributes
        if not attributes:
            return
        if tag == "img" and not self._page.scripts:
            attributes = self._awake(node, attributes)
        for name, value in attributes.items():
            if name != but:
                self._attribute(node, tag, name, value or "")

    def _awake(self, node: LexborNode, attributes: dict[str, str | None]) -> dict[str, str | None]:
        """Return the attributes of an image that a script would have loaded later."""
        source = attributes.get("src") or ""
        lazy = next((attributes[n] for n in _LAZY if attributes.get(n)), None)
        if lazy and (not source or source.startswith("data:")):
            node.attrs["src"] = lazy
        lazy_set = next((attributes[n] for n in _LAZY_SETS if attributes.get(n)), None)
        if lazy_set and not attributes.get("srcset"):
            node.attrs["srcset"] = lazy_set
        return node.attributes

    def _attribute(self, node: LexborNode, tag: str, written: str, value: str) -> None:
        new = self._new_value(node, tag, written.lower(), value)
        if new is None:
            del node.attrs[written]
        elif new != value:
            node.attrs[written] = new

    def _new_value(self, node: LexborNode, tag: str, name: str, value: str) -> str | None:
        page = self._page
        if name in DROPPED:
            return None
        if name == "style":
            return self._style(node, value)
        if name.startswith("on"):
            return self._event(node, name, value)
        if (tag, name) in SOURCES:
            return page.source(value, SOURCES[tag, name])
        if (tag, name) in SETS:
            return rewrite_srcset(value, lambda url: page.source(url, Use.IMAGE)) or None
        if name in ("href", "xlink:href") and tag in ("a", "area"):
            return self._href(node, value)
        if name in ("action", "formaction"):  # a path already: `FormReader` was here
            return value if name == "formaction" or tag == "form" else None
        return self._other(tag, name, value)

    def _other(self, tag: str, name: str, value: str) -> str | None:
        page = self._page
        if name in _LOADING:  # on an element that loads nothing by it
            return value if value.startswith("#") else None
        if _reads_like_css(name, value):
            return rewrite_css(value, page.css_reference)
        if not value:
            return value
        if name in _NAMING:  # styles and scripts name elements by them, and are masked alike
            return page.masker.code(value) if _TELLING.search(value) else value
        if scheme_of(value) in ("http", "https") or value.startswith("//"):
            own = name.startswith("data-")
            return page.source(value, Use.RESOURCE) if own else page.masker.text(value)
        if name.startswith("data-") and name not in (STYLE_MARK, HANDLER_MARK):
            return page.masker.code(value)
        return page.masker.text(value) if tag != "path" else value

    def _style(self, node: LexborNode, value: str) -> str | None:
        page = self._page
        text = rewrite_css(value, page.css_reference).strip()
        balanced = text.count("{") == text.count("}") == 0
        if text and balanced:
            number = page.styles.setdefault(page.masker.code(text), len(page.styles) + 1)
            node.attrs[STYLE_MARK] = str(number)
        return None

    def _event(self, node: LexborNode, name: str, value: str) -> str | None:
        page = self._page
        if page.scripts and value.strip():
            number = len(page.handlers) + 1
            shared = node.attributes.get(HANDLER_MARK)
            number = int(shared) if shared and shared.isdigit() else number
            page.handlers.append((number, name, page.masker.code(value)))
            node.attrs[HANDLER_MARK] = str(number)
        return None

    def _href(self, node: LexborNode, value: str) -> str | None:
        page = self._page
        text = cleaned(value)
        if scheme_of(text) == "javascript":
            if page.scripts:
                self._event(node, "onclick", text[len("javascript:") :] + ";return false")
            return "#"
        if text.startswith("#") and page.base == page.url:
            return text
        found = page.found(text)
        if found is None:
            return "#"
        url, fragment = found
        if url == page.url and fragment:
            return fragment
        if "download" in node.attributes:
            del node.attrs["download"]
            return page.site.download()
        return page.site.page(url, fragment)


def _reads_like_css(name: str, value: str) -> bool:
    """Tell whether an attribute may load something by a function of CSS."""
    if "(" not in value:
        return False
    return bool(_PAINTED.match(name)) or ("url(" in value.lower() and name not in _WORDS)
