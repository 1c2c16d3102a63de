"""Rewrites one captured page so that it refers to its own website only and fits its policy.

The tree is a browser's (lexbor). Inline styles move into style sheets and inline scripts into
files, since the sandbox sends a policy that forbids both inside a page.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from riskchainbench.capture.attributes import DROPPED, SETS, SOURCES
from riskchainbench.capture.content import CSS, HTML, SCRIPT
from riskchainbench.capture.css import CssUse, rewrite_css
from riskchainbench.capture.data_urls import data_url
from riskchainbench.capture.forms_seen import FormReader
from riskchainbench.capture.handlers import HANDLER_MARK, handler_script
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.references import References, RewrittenPage, Use
from riskchainbench.capture.refresh import MAX_DELAY, read_refresh
from riskchainbench.capture.srcset import rewrite_srcset
from riskchainbench.capture.trackers import is_tracker, is_unseen
from riskchainbench.capture.urls import absolute, cleaned, scheme_of
from riskchainbench.core.text import folded
from riskchainbench.websites.records import PageRedirect, RedirectKind

STYLE_MARK = "data-k0"

_GONE = frozenset({"noscript", "template", "noembed", "noframes", "portal"})
_WHOLE = _GONE | {"script", "style", "iframe"}
_LAZY = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-url")
_LAZY_SETS = ("data-srcset", "data-lazy-srcset")
_KEPT_META = frozenset({"viewport", "color-scheme", "theme-color"})
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
        return _Page(self._site, self._masker, self._scripts, text, url, encoding).run()


class _Page:
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

    def run(self) -> RewrittenPage:
        self._find_base()
        forms = FormReader(self.site, self.masker, self.url, self.base, self.encoding)
        forms.rewrite(self.tree)
        nodes = self._nodes()
        shown: list[str] = []
        for node in nodes:
            if node.is_element_node:
                self._element(node)
            elif node.is_text_node:
                self._text(node, shown)
            elif node.is_comment_node:
                node.remove()
        self._add_files()
        root = self.tree.css_first("html")
        language = (root.attributes.get("lang") or "") if root is not None else ""
        return RewrittenPage(
            self.tree.html or "",
            self.redirect,
            language,
            folded(" ".join(shown)),
            tuple(self.dropped),
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
            if node.tag in _WHOLE:
                below.add(node.mem_id)
            nodes.append(node)
        return nodes

    # --- the page as a whole -----------------------------------------------------------------
    def _find_base(self) -> None:
        for node in self.tree.css("base"):
            href = node.attributes.get("href")
            found = absolute(self.url, href, self.encoding) if href else None
            if found is not None and self.base == self.url:
                self.base = found[0]
            if "href" in node.attributes:
                del node.attrs["href"]
            if not node.attributes.get("target"):
                node.remove()

    def _add_files(self) -> None:
        if self.styles:
            rules = (
                # An id is never this: the selector outranks any other, as an attribute does.
                f'[{STYLE_MARK}="{number}"]:not(#_#_#_#_){{{declarations}}}'
                for declarations, number in self.styles.items()
            )
            self._append("head", self._link("\n".join(rules) + "\n"))
        if self.handlers:
            path = self.site.inline(handler_script(self.handlers), SCRIPT, self.url, "utf-8")
            node = self.tree.create_node("script")
            node.attrs["src"] = path
            self._append("body", node)

    def _append(self, place: str, node: LexborNode) -> None:
        parent = self.tree.css_first(place) or self.tree.css_first("html")
        if parent is not None:
            parent.insert_child(node)

    def _link(self, text: str) -> LexborNode:
        node = self.tree.create_node("link")
        node.attrs["rel"] = "stylesheet"
        node.attrs["href"] = self.site.inline(text.encode("utf-8"), CSS, "", "utf-8")
        return node

    # --- nodes -------------------------------------------------------------------------------
    def _text(self, node: LexborNode, shown: list[str]) -> None:
        parent = node.parent
        tag = parent.tag if parent is not None else ""
        text = node.text_content or ""
        if not text.strip():
            return
        new = self._title(text) if tag == "title" else self.masker.text(text)
        if tag not in ("title", "option"):
            shown.append(new)
        if new != text:
            node.replace_with(new)

    def _title(self, text: str) -> str:
        """Return a title without the parts that name a host."""
        if not self.masker.names_host(text):
            return self.masker.text(text)
        parts = [p for p in _TITLE_PARTS.split(text) if p and not self.masker.names_host(p)]
        self.dropped.append("host in title")
        return self.masker.text(" - ".join(parts)) if parts else "Untitled"

    def _element(self, node: LexborNode) -> None:
        tag = (node.tag or "").lower()
        if tag in _GONE:
            self._drop(node, tag)
            return
        handler = getattr(self, f"_on_{tag}", None)
        if handler is not None and handler(node):
            return
        if tag in ("img", "iframe", "embed") and self._is_tracker(node, tag):
            self._drop(node, "tracker")
            return
        attributes = node.attributes
        if not attributes:
            return
        if tag == "img" and not self.scripts:
            attributes = self._awake(node, attributes)
        for name, value in attributes.items():
            self._attribute(node, tag, name.lower(), name, value or "")

    def _drop(self, node: LexborNode, what: str) -> bool:
        self.dropped.append(what)
        node.decompose()
        return True

    def _is_tracker(self, node: LexborNode, tag: str) -> bool:
        attributes = node.attributes
        if not is_unseen(attributes):
            return False
        source = attributes.get("src") or attributes.get("data-src") or ""
        found = absolute(self.base, source) if source else None
        return found is not None and is_tracker(found[0], self.url, attributes, tag)

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

    # --- attributes --------------------------------------------------------------------------
    def _attribute(self, node: LexborNode, tag: str, name: str, written: str, value: str) -> None:
        new = self._new_value(node, tag, name, value)
        if new is None:
            del node.attrs[written]
        elif new != value:
            node.attrs[written] = new

    def _new_value(self, node: LexborNode, tag: str, name: str, value: str) -> str | None:
        if name in DROPPED:
            return None
        if name == "style":
            return self._style(node, value)
        if name.startswith("on"):
            return self._event(node, name, value)
        if (tag, name) in SOURCES:
            return self._source(value, SOURCES[tag, name])
        if (tag, name) in SETS:
            return rewrite_srcset(value, lambda url: self._source(url, Use.IMAGE)) or None
        if name in ("href", "xlink:href") and tag in ("a", "area"):
            return self._href(node, value)
        if name in ("action", "formaction"):
            return value  # a path already: `FormReader` was here
        return self._other(tag, name, value)

    def _other(self, tag: str, name: str, value: str) -> str | None:
        if name in ("href", "xlink:href", "src", "data", "codebase"):
            return value if value.startswith("#") else None
        if "url(" in value.lower() and name not in ("alt", "title", "value", "placeholder"):
            return rewrite_css(value, self._css_reference)
        if name in ("class", "id", "name", "for", "type", "rel") or not value:
            return value
        if scheme_of(value) in ("http", "https") or value.startswith("//"):
            own = name.startswith("data-")
            return self._source(value, Use.RESOURCE) if own else self.masker.text(value)
        if name.startswith("data-") and name not in (STYLE_MARK, HANDLER_MARK):
            return self.masker.code(value)
        return self.masker.text(value) if tag != "path" else value

    def _style(self, node: LexborNode, value: str) -> str | None:
        text = rewrite_css(value, self._css_reference).strip()
        balanced = text.count("{") == text.count("}") == 0
        if text and balanced:
            number = self.styles.setdefault(self.masker.code(text), len(self.styles) + 1)
            node.attrs[STYLE_MARK] = str(number)
        return None

    def _event(self, node: LexborNode, name: str, value: str) -> str | None:
        if self.scripts and value.strip():
            number = len(self.handlers) + 1
            shared = node.attributes.get(HANDLER_MARK)
            number = int(shared) if shared and shared.isdigit() else number
            self.handlers.append((number, name, self.masker.code(value)))
            node.attrs[HANDLER_MARK] = str(number)
        return None

    def _href(self, node: LexborNode, value: str) -> str | None:
        text = cleaned(value)
        scheme = scheme_of(text)
        if scheme == "javascript":
            if self.scripts:
                self._event(node, "onclick", text[len("javascript:") :] + ";return false")
            return "#"
        if text.startswith("#") and self.base == self.url:
            return text
        found = absolute(self.base, text, self.encoding)
        if found is None:
            return "#"
        url, fragment = found
        if url == self.url and fragment:
            return fragment
        if "download" in node.attributes:
            del node.attrs["download"]
            return self.site.download()
        return self.site.page(url, fragment)

    def _source(self, value: str, use: Use) -> str | None:
        text = cleaned(value)
        if scheme_of(text) == "data":
            return self._exploded(text)
        if not text or text.startswith("#"):
            return text or None
        found = absolute(self.base, text, self.encoding)
        if found is None:
            return None
        path = self.site.resource(found[0], use)
        return None if path is None else path + found[1]

    def _exploded(self, text: str) -> str | None:
        data = data_url(text)
        if data is None:
            return None
        return self.site.inline(data[1], data[0], self.base, self.encoding)

    def _css_reference(self, reference: str, use: CssUse) -> str:
        kind = Use.STYLE if use is CssUse.STYLE else Use.RESOURCE
        return self._source(reference, kind) or "data:,"

    # --- elements with a meaning of their own; True where the node is done -----------------------
    def _on_style(self, node: LexborNode) -> bool:
        text = node.text()
        if not text.strip():
            return self._remove(node)
        css = self.masker.code(rewrite_css(text, self._css_reference))
        link = self._link(css)
        for name in ("media", "title"):
            if node.attributes.get(name):
                link.attrs[name] = node.attributes[name] or ""
        if (node.attributes.get("type") or CSS).lower() == CSS:
            node.insert_before(link)
        return self._remove(node)

    def _remove(self, node: LexborNode) -> bool:
        node.decompose()
        return True

    def _on_script(self, node: LexborNode) -> bool:
        kind = (node.attributes.get("type") or "").strip().lower()
        source = node.attributes.get("src")
        runs = kind in ("", "module") or "javascript" in kind or "ecmascript" in kind
        if not self.scripts or (not runs and kind != "application/json"):
            return self._drop(node, "script")
        if not runs:
            return False
        if source:
            found = absolute(self.base, source, self.encoding)
            if found is not None and is_tracker(found[0], self.url, node.attributes, "script"):
                return self._drop(node, "tracker")
            path = self.site.resource(found[0], Use.SCRIPT) if found else None
        else:
            text = node.text()
            path = self.site.inline(text.encode("utf-8"), SCRIPT, self.base, "utf-8")
        if path is None:
            return self._drop(node, "script")
        new = self.tree.create_node("script")
        new.attrs["src"] = path
        for name in ("type", "async", "defer", "id"):
            if name in node.attributes:
                new.attrs[name] = node.attributes[name] or ""
        node.insert_before(new)
        return self._remove(node)

    def _on_link(self, node: LexborNode) -> bool:
        rel = (node.attributes.get("rel") or "").lower().split()
        if "stylesheet" not in rel:
            return self._remove(node)
        href = node.attributes.get("href") or ""
        path = self._source(href, Use.STYLE) if href else None
        if path is None:
            return self._remove(node)
        for name in list(node.attributes):
            if name not in ("media", "title", "disabled"):
                del node.attrs[name]
        node.attrs["rel"] = " ".join(r for r in rel if r in ("stylesheet", "alternate"))
        node.attrs["href"] = path
        return True

    def _on_meta(self, node: LexborNode) -> bool:
        attributes = node.attributes
        if (attributes.get("http-equiv") or "").lower() == "refresh":
            return self._refresh(node, attributes.get("content") or "")
        if (attributes.get("name") or "").lower() in _KEPT_META:
            return False
        return self._remove(node)

    def _refresh(self, node: LexborNode, content: str) -> bool:
        delay, target = read_refresh(content)
        found = absolute(self.base, target, self.encoding) if target else None
        if found is None or delay >= MAX_DELAY:
            return self._remove(node)
        path = self.site.page(found[0], found[1])
        if path.startswith("/") and self.redirect is None:
            self.redirect = PageRedirect(kind=RedirectKind.META, path=path.partition("#")[0])
        node.attrs["content"] = f"{delay:g}; url={path}"
        return True

    def _on_iframe(self, node: LexborNode) -> bool:
        if self._is_tracker(node, "iframe"):
            return self._drop(node, "tracker")
        inner = node.attributes.get("srcdoc")
        source = cleaned(node.attributes.get("src") or "")
        for child in list(node.iter(include_text=True)):
            child.remove()
        if inner is not None:
            node.attrs["src"] = self.site.inline_page(inner, self.base)
            del node.attrs["srcdoc"]
        elif scheme_of(source) == "data":
            data = data_url(source)
            html = data[1].decode("utf-8", "replace") if data and data[0] == HTML else ""
            node.attrs["src"] = self.site.inline_page(html, self.base)
        else:
            found = absolute(self.base, source, self.encoding) if source else None
            if found is not None:
                node.attrs["src"] = self.site.frame(found[0])
            elif source:
                del node.attrs["src"]
        for name, value in node.attributes.items():
            if name != "src":
                self._attribute(node, "iframe", name.lower(), name, value or "")
        return True

    _on_frame = _on_iframe
