"""The elements of a captured page that have a meaning of their own, and what becomes of each."""

from __future__ import annotations

from selectolax.lexbor import LexborNode

from riskchainbench.capture.attribute_rules import AttributeRules
from riskchainbench.capture.content import CSS, HTML, SCRIPT
from riskchainbench.capture.css import rewrite_css
from riskchainbench.capture.data_urls import data_url
from riskchainbench.capture.page_scope import PageScope
from riskchainbench.capture.references import Use
from riskchainbench.capture.refresh import MAX_DELAY, read_refresh
from riskchainbench.capture.trackers import is_tracker
from riskchainbench.capture.urls import cleaned, scheme_of
from riskchainbench.websites.records import PageRedirect, RedirectKind

GONE = frozenset({"noscript", "template", "noembed", "noframes", "portal"})
"""Elements that are taken out with all that is in them."""

WHOLE = GONE | {"script", "style", "iframe"}
"""Elements that are taken out or replaced as a whole; nothing below them is looked at."""

_KEPT_META = frozenset({"viewport", "color-scheme", "theme-color"})


class ElementRules:
    """Rewrites the elements of one page."""

    def __init__(self, page: PageScope) -> None:
        self._page = page
        self._attributes = AttributeRules(page)
        self._rules = {
            "style": self._style,
            "script": self._script,
            "link": self._link,
            "meta": self._meta,
            "iframe": self._frame,
            "frame": self._frame,
        }

    def rewrite(self, node: LexborNode) -> None:
        """Rewrite an element, or take it out."""
        page, tag = self._page, (node.tag or "").lower()
        if tag in GONE:
            page.drop(node, tag)
            return
        rule = self._rules.get(tag)
        if rule is not None and rule(node):
            return
        if tag in ("img", "embed") and page.is_tracker(node, tag):
            page.drop(node, "tracker")
            return
        self._attributes.rewrite(node, tag)

    # --- rules; True where the node is done ----------------------------------------------------
    def _style(self, node: LexborNode) -> bool:
        page = self._page
        text = node.text()
        if text.strip() and (node.attributes.get("type") or CSS).lower() == CSS:
            link = page.style_link(page.masker.code(rewrite_css(text, page.css_reference)))
            for name in ("media", "title"):
                if node.attributes.get(name):
                    link.attrs[name] = node.attributes[name] or ""
            _outermost_drawing(node).insert_before(link)
        node.decompose()
        return True

    def _script(self, node: LexborNode) -> bool:
        page = self._page
        kind = (node.attributes.get("type") or "").strip().lower()
        source = node.attributes.get("src")
        runs = kind in ("", "module") or "javascript" in kind or "ecmascript" in kind
        if not page.scripts or (not runs and kind != "application/json"):
            return page.drop(node, "script")
        if not runs:
            return self._data(node)
        if source:
            found = page.found(source)
            if found is not None and is_tracker(found[0], page.url, node.attributes, "script"):
                return page.drop(node, "tracker")
            path = page.site.resource(found[0], Use.SCRIPT) if found else None
        else:
            path = page.site.inline(node.text().encode("utf-8"), SCRIPT, page.base, "utf-8")
        if path is None:
            return page.drop(node, "script")
        new = page.tree.create_node("script")
        new.attrs["src"] = path
        for name in ("type", "async", "defer", "id"):
            if name in node.attributes:
                new.attrs[name] = node.attributes[name] or ""
        node.insert_before(new)
        node.decompose()
        return True

    def _data(self, node: LexborNode) -> bool:
        """Mask the data that a page hands to its scripts."""
        for child in list(node.iter(include_text=True)):
            child.replace_with(self._page.masker.code(child.text_content or ""))
        return False

    def _link(self, node: LexborNode) -> bool:
        rel = (node.attributes.get("rel") or "").lower().split()
        href = node.attributes.get("href") or ""
        wanted = "stylesheet" in rel and href
        path = self._page.source(href, Use.STYLE) if wanted else None
        if path is None:
            node.decompose()
            return True
        for name in list(node.attributes):
            if name not in ("media", "title", "disabled"):
                del node.attrs[name]
        node.attrs["rel"] = " ".join(r for r in rel if r in ("stylesheet", "alternate"))
        node.attrs["href"] = path
        return True

    def _meta(self, node: LexborNode) -> bool:
        attributes = node.attributes
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            return self._refresh(node, attributes.get("content") or "")
        if (attributes.get("name") or "").lower() in _KEPT_META:
            return False
        node.decompose()
        return True

    def _refresh(self, node: LexborNode, content: str) -> bool:
        page = self._page
        delay, target = read_refresh(content)
        found = page.found(target) if target else None
        if found is None or delay >= MAX_DELAY:
            node.decompose()
            return True
        path = page.site.page(found[0], found[1])
        if path.startswith("/") and page.redirect is None:
            page.redirect = PageRedirect(kind=RedirectKind.META, path=path.partition("#")[0])
        node.attrs["content"] = f"{delay:g}; url={path}"
        return True

    def _frame(self, node: LexborNode) -> bool:
        page = self._page
        if page.is_tracker(node, "iframe"):
            return page.drop(node, "tracker")
        inner = node.attributes.get("srcdoc")
        source = cleaned(node.attributes.get("src") or "")
        for child in list(node.iter(include_text=True)):
            child.remove()
        if inner is not None:
            node.attrs["src"] = page.site.inline_page(inner, page.base)
            del node.attrs["srcdoc"]
        elif scheme_of(source) == "data":
            data = data_url(source)
            html = data[1].decode("utf-8", "replace") if data and data[0] == HTML else ""
            node.attrs["src"] = page.site.inline_page(html, page.base)
        else:
            found = page.found(source) if source else None
            if found is not None:
                node.attrs["src"] = page.site.frame(found[0])
            elif source:
                del node.attrs["src"]
        self._attributes.rewrite(node, "iframe", but="src")
        return True


def _outermost_drawing(node: LexborNode) -> LexborNode:
    """Return the drawing around a node, in which no link is a style sheet; else the node."""
    found, above = node, node.parent
    while above is not None:
        found = above if above.tag == "svg" else found
        above = above.parent
    return found
