"""The style sheets, images, scripts and data of a website under construction.

Each is rewritten, masked and stored once; what the capture lacks is stood in for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from riskchainbench.capture.archive import Archive
from riskchainbench.capture.assets import AssetStore, rewrite_json
from riskchainbench.capture.content import CSS, HTML, JSON, SCRIPT, SVG, sniffed, text_of
from riskchainbench.capture.css import CssUse, rewrite_css
from riskchainbench.capture.data_urls import data_url
from riskchainbench.capture.exchange import Exchange
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.media_files import without_tags
from riskchainbench.capture.picture_files import without_metadata
from riskchainbench.capture.readers.mhtml import PLACEHOLDER
from riskchainbench.capture.references import Use
from riskchainbench.capture.states import STAND_IN_IMAGE
from riskchainbench.capture.svg import rewrite_svg
from riskchainbench.capture.urls import absolute, cleaned, scheme_of

_FONTS = re.compile(r"\.(?:woff2?|ttf|otf|eot)(?:[?#]|$)", re.I)
_SHOWN = re.compile(r"^(?:image|font|audio|video)/|^application/(?:x-)?(?:font|vnd\.ms-fontobject)")
"""Files that a page shows or plays; others, such as documents, may say anything to anybody."""

_LITERAL = re.compile(r"(?<=[\"'`])(?:https?:)?//[^\s\"'`<>\\)]{3,2000}(?=[\"'`])")

Page = Callable[[str, str], str]
"""Answers where a page stands, by URL and fragment."""

Echo = Callable[[str], str | None]
"""Answers where a script finds data of its own website."""

Paint = Callable[[bytes, str], bytes]
"""Paints over what names somebody in a picture, given its bytes and media type."""


class Resources:
    """Stores what pages load.

    Args:
        archive: the capture.
        store: takes the files.
        masker: of the website.
        page: answers where a page stands.
        echo: answers where a script finds its data.
        paint: paints over what names somebody in a picture.
    """

    def __init__(
        self,
        archive: Archive,
        store: AssetStore,
        masker: Masker,
        page: Page,
        echo: Echo,
        paint: Paint | None = None,
    ) -> None:
        self._archive, self._store, self._masker = archive, store, masker
        self._page, self._echo = page, echo
        self._paint = paint or (lambda body, _: body)
        self._known: dict[str, str | None] = {}
        self.lacking: Counter[str] = Counter()

    def resource(self, url: str, use: Use) -> str | None:
        """Return where a resource stands, or what stands in for it."""
        key = f"{use.value if use in (Use.STYLE, Use.SCRIPT) else ''} {url}"
        if key not in self._known:
            self._known[key] = None  # a style sheet that imports itself finds nothing
            self._known[key] = self._stored(url, use)
        return self._known[key]

    def inline(self, body: bytes, kind: str, base: str, encoding: str) -> str:
        """Store bytes that stood inside a page."""
        if kind == CSS:
            exchange = Exchange(base, headers=(("content-type", CSS),), body=body)
            return self._store.add(self._css(exchange, encoding) if base else body, CSS)
        if kind == SCRIPT:
            return self._store.add(self._script(body.decode("utf-8", "replace")), SCRIPT)
        if kind == SVG:
            return self._store.add(self._svg(body.decode("utf-8", "replace"), base), SVG)
        if kind.startswith("text/") or kind == JSON:
            text = self._masker.code(body.decode("utf-8", "replace"))
            return self._store.add(text.encode("utf-8", "replace"), "text/plain")
        return self._shown(body, kind) or self._store.add(STAND_IN_IMAGE, SVG)

    def data(self, exchange: Exchange, kind: str) -> bytes:
        """Return an answer that a script reads, rewritten and masked."""
        text, _ = text_of(exchange, kind)
        new = rewrite_json(text, lambda value: self._literal(value, exchange.url))
        return (self._masker.code(text) if new is None else new).encode("utf-8")

    def _stored(self, url: str, use: Use) -> str | None:
        found = self._archive.find(url)
        if found is None or found.exchange.status >= 400 or not found.exchange.whole:
            self.lacking[use.value] += 1
            return self._substitute(url, use)
        exchange, kind = found.exchange, found.kind
        if use is Use.STYLE:
            # A page in standards mode ignores a style sheet of another type; so does ours.
            return (
                self._store.add(self._css(exchange), CSS) if kind in (CSS, "text/plain") else None
            )
        if use is Use.SCRIPT:
            return self._store.add(self._script(text_of(exchange, SCRIPT)[0]), SCRIPT)
        if kind == CSS:
            return self._store.add(self._css(exchange), CSS)
        if kind == SVG:
            return self._store.add(self._svg(text_of(exchange, SVG)[0], found.url), SVG)
        if kind == HTML:
            return self._substitute(url, use)
        if kind == JSON or kind.endswith("+json"):
            return self._store.add(self.data(exchange, JSON), JSON)
        if kind.startswith("text/") or kind == SCRIPT:
            text = self._masker.code(text_of(exchange, kind)[0])
            return self._store.add(text.encode("utf-8"), "text/plain")
        return self._shown(exchange.body, kind) or self._substitute(url, use)

    def _shown(self, body: bytes, kind: str) -> str | None:
        """Store what a page shows or plays; None where nothing of it may be kept."""
        if not _SHOWN.match(kind):
            self.lacking["file of another kind"] += 1
            return None
        if kind.startswith("image/"):
            found = sniffed(body)  # browsers show a picture by its bytes, whatever it is called
            kind = found if found.startswith("image/") else kind
            body = self._paint(without_metadata(body, kind), kind)
        elif kind.startswith(("audio/", "video/")):
            body = without_tags(body)
        return self._store.add(body, kind) if body else None

    def _substitute(self, url: str, use: Use) -> str | None:
        if use is Use.IMAGE or (use is Use.RESOURCE and not _FONTS.search(url)):
            return self._store.add(STAND_IN_IMAGE, SVG)
        return None

    def _css(self, exchange: Exchange, encoding: str = "") -> bytes:
        text, used = text_of(exchange, CSS, encoding)

        def reference(value: str, use: CssUse) -> str:
            kind = Use.STYLE if use is CssUse.STYLE else Use.RESOURCE
            return self._path_in(value, exchange.url, kind, used) or "data:,"

        return self._masker.code(rewrite_css(text, reference)).encode("utf-8", "replace")

    def _svg(self, text: str, base: str) -> bytes:
        def reference(value: str) -> str | None:
            return self._path_in(value, base, Use.IMAGE)

        def style(value: str, use: CssUse) -> str:
            kind = Use.STYLE if use is CssUse.STYLE else Use.IMAGE
            return self._path_in(value, base, kind) or "data:,"

        new = rewrite_svg(
            text, reference, lambda value: rewrite_css(value, style), self._masker.text
        )
        if new is None:  # no browser shows it
            return STAND_IN_IMAGE
        return self._masker.code(new).encode("utf-8", "replace")

    def _path_in(self, value: str, base: str, use: Use, encoding: str = "utf-8") -> str | None:
        """Return the path of what `value` refers to inside a file that stands at `base`."""
        if scheme_of(cleaned(value)) == "data":
            data = data_url(cleaned(value))
            return None if data is None else self.inline(data[1], data[0], base, encoding)
        found = absolute(base, value, encoding) if base else None
        if found is None:
            return None
        path = self.resource(found[0], use)
        return None if path is None else path + found[1]

    def _script(self, text: str) -> bytes:
        text = _LITERAL.sub(lambda match: self._literal(match[0], PLACEHOLDER), text)
        return self._masker.code(text).encode("utf-8", "replace")

    def _literal(self, value: str, base: str) -> str:
        """Return the path of an absolute URL that the capture holds, or the masked text."""
        if scheme_of(value) not in ("http", "https") and not value.startswith("//"):
            return self._masker.code(value)
        found = absolute(base, value)
        known = self._archive.find(found[0]) if found else None
        if known is None or found is None:
            return self._masker.code(value)
        if known.kind == HTML:
            return self._page(*found)
        echo = self._echo(known.url) if known.kind == JSON else None
        return echo or self.resource(known.url, Use.RESOURCE) or self._masker.code(value)
