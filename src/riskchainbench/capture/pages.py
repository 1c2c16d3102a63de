"""Rewrites one captured page so that it refers to its own website only and fits its policy.

The tree is a browser's (lexbor). Inline styles move into style sheets and inline scripts into
files, since the sandbox sends a policy that forbids both inside a page.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from riskchainbench.capture.content import SCRIPT
from riskchainbench.capture.element_rules import WHOLE, ElementRules
from riskchainbench.capture.forms_seen import FormReader
from riskchainbench.capture.handlers import handler_script
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.page_scope import STYLE_MARK, PageScope
from riskchainbench.capture.references import References, RewrittenPage
from riskchainbench.capture.urls import absolute
from riskchainbench.core.text import folded

_TITLE_PARTS = re.compile(r"\s+[-|–—·:»_]\s*|\s*[|–—·»_]\s+|\s*[|»_]\s*")


class PageRewriter:
    """Rewrites the pages of one website.

    Args:
        site: answers with paths.
        masker: of the whole website.
        scripts: whether scripts are kept.
    """

    def __init__(self, site: References, masker: Masker, *, scripts: bool) -> None:
        self._site, self._masker, self._scripts = site, masker, scripts

    def rewrite(self, text: str, url: str, encoding: str = "utf-8") -> RewrittenPage:
        """Return the page `text` that was captured at `url`."""
        scope = PageScope(self._site, self._masker, self._scripts, text, url, encoding)
        return _Page(scope).run()


class _Page:
    def __init__(self, scope: PageScope) -> None:
        self.scope, self.tree = scope, scope.tree
        self.elements = ElementRules(scope)

    def run(self) -> RewrittenPage:
        scope = self.scope
        self._remove_remarks()
        self._find_base()
        forms = FormReader(scope.site, scope.masker, scope.url, scope.base, scope.encoding)
        forms.rewrite(self.tree)
        shown: list[str] = []
        for node in self._nodes():
            if node.is_element_node:
                self.elements.rewrite(node)
            elif node.is_text_node:
                self._text(node, shown)
            elif node.is_comment_node:
                node.remove()
        self._add_files()
        root = self.tree.css_first("html")
        language = (root.attributes.get("lang") or "") if root is not None else ""
        return RewrittenPage(
            self.tree.html or "",
            scope.redirect,
            language,
            folded(" ".join(shown)),
            tuple(scope.dropped),
        )

    def _nodes(self) -> list[LexborNode]:
        """Return all nodes but those below an element that is taken out or replaced whole.

        A node that went with its parent must never be touched again.
        """
        if self.tree.root is None:
            return []
        nodes: list[LexborNode] = []
        below: set[int] = set()
        for node in self.tree.root.traverse(include_text=True):
            parent = node.parent
            if parent is not None and parent.mem_id in below:
                below.add(node.mem_id)
                continue
            if node.tag in WHOLE:
                below.add(node.mem_id)
            nodes.append(node)
        return nodes

    # --- the page as a whole -----------------------------------------------------------------
    def _remove_remarks(self) -> None:
        """Take out comments before and behind the page, as savers of pages leave them."""
        top = self.tree.root
        while top is not None and top.prev is not None:
            top = top.prev
        while top is not None:
            node, top = top, top.next
            if node.is_comment_node:
                node.remove()

    def _find_base(self) -> None:
        scope = self.scope
        for node in self.tree.css("base"):
            href = node.attributes.get("href")
            found = absolute(scope.url, href, scope.encoding) if href else None
            if found is not None and scope.base == scope.url:
                scope.base = found[0]
            if "href" in node.attributes:
                del node.attrs["href"]
            if not node.attributes.get("target"):
                node.remove()

    def _add_files(self) -> None:
        scope = self.scope
        if scope.styles:
            rules = (
                # An id is never this: the selector outranks any other, as an attribute does.
                f'[{STYLE_MARK}="{number}"]:not(#_#_#_#_){{{declarations}}}'
                for declarations, number in scope.styles.items()
            )
            self._append("head", scope.style_link("\n".join(rules) + "\n"))
        if scope.handlers:
            code = handler_script(scope.handlers)
            node = self.tree.create_node("script")
            node.attrs["src"] = scope.site.inline(code, SCRIPT, scope.url, "utf-8")
            self._append("body", node)

    def _append(self, place: str, node: LexborNode) -> None:
        parent = self.tree.css_first(place) or self.tree.css_first("html")
        if parent is not None:
            parent.insert_child(node)

    # --- text --------------------------------------------------------------------------------
    def _text(self, node: LexborNode, shown: list[str]) -> None:
        parent = node.parent
        tag = parent.tag if parent is not None else ""
        text = node.text_content or ""
        if not text.strip():
            return
        new = self._title(text) if tag == "title" else self.scope.masker.text(text)
        if tag not in ("title", "option"):
            shown.append(new)
        if new != text:
            node.replace_with(new)

    def _title(self, text: str) -> str:
        """Return a title without the parts that name a host."""
        masker = self.scope.masker
        if not masker.names_host(text):
            return masker.text(text)
        parts = [p for p in _TITLE_PARTS.split(text) if p and not masker.names_host(p)]
        self.scope.dropped.append("host in title")
        return masker.text(" - ".join(parts)) if parts else "Untitled"
