"""What all parts of a page's rewriting share: the page, its base, and where references lead."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from riskchainbench.capture.content import CSS
from riskchainbench.capture.css import CssUse
from riskchainbench.capture.data_urls import data_url
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.references import References, Use
from riskchainbench.capture.trackers import is_tracker, is_unseen
from riskchainbench.capture.urls import absolute, cleaned, scheme_of
from riskchainbench.websites.records import PageRedirect

STYLE_MARK = "data-k0"
"""Holds the number of the rule that an element's style became."""


class PageScope:
    """One page while it is rewritten.

    `styles` numbers the declarations that stood in style attributes, `handlers` holds event
    attributes as number, event and code, `dropped` what was taken out, by kind.
    """

    def __init__(
        self, site: References, masker: Masker, scripts: bool, text: str, url: str, encoding: str
    ) -> None:
        self.site, self.masker, self.scripts = site, masker, scripts
        self.url, self.base, self.encoding = url, url, encoding
        self.tree = LexborHTMLParser(text)
        self.dropped: list[str] = []
        self.styles: dict[str, int] = {}
        self.handlers: list[tuple[int, str, str]] = []
        self.redirect: PageRedirect | None = None

    def found(self, reference: str) -> tuple[str, str] | None:
        """Return the absolute URL and fragment of a reference of this page."""
        return absolute(self.base, reference, self.encoding)

    def source(self, value: str, use: Use) -> str | None:
        """Return where what a reference loads stands here; None where nothing does."""
        text = cleaned(value)
        if scheme_of(text) == "data":
            return self._exploded(text)
        if not text or text.startswith("#"):
            return text or None
        found = self.found(text)
        if found is None:
            return None
        path = self.site.resource(found[0], use)
        return None if path is None else path + found[1]

    def css_reference(self, reference: str, use: CssUse) -> str:
        """Return where what a style refers to stands here."""
        kind = Use.STYLE if use is CssUse.STYLE else Use.RESOURCE
        return self.source(reference, kind) or "data:,"

    def style_link(self, text: str) -> LexborNode:
        """Return a link to a new style sheet."""
        node = self.tree.create_node("link")
        node.attrs["rel"] = "stylesheet"
        node.attrs["href"] = self.site.inline(text.encode("utf-8"), CSS, "", "utf-8")
        return node

    def drop(self, node: LexborNode, what: str) -> bool:
        """Take an element out and note it as `what`."""
        self.dropped.append(what)
        node.decompose()
        return True

    def is_tracker(self, node: LexborNode, tag: str) -> bool:
        """Tell whether an image or a frame is there to report its visitor."""
        attributes = node.attributes
        if not is_unseen(attributes):
            return False
        source = attributes.get("src") or attributes.get("data-src") or ""
        found = absolute(self.base, source) if source else None
        return found is not None and is_tracker(found[0], self.url, attributes, tag)

    def _exploded(self, text: str) -> str | None:
        data = data_url(text)
        if data is None:
            return None
        return self.site.inline(data[1], data[0], self.base, self.encoding)
