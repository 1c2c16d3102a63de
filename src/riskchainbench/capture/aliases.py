"""Lets kept scripts find what the capture holds under the paths that they know.

A script asks for its own site's files by relative paths, which nothing can rewrite. They stand
there a second time: files by path alone, pages by path and query, submissions as their form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from riskchainbench.capture.content import CSS, HTML, JSON, SCRIPT
from riskchainbench.capture.references import Use
from riskchainbench.capture.submissions import query_fields
from riskchainbench.websites.records import Asset, FieldTest, Method, Redirect, Transition
from riskchainbench.websites.step import MAX_FIELD_LENGTH
from riskchainbench.websites.submitted import named

if TYPE_CHECKING:
    from riskchainbench.capture.compiler import Compiler

MAX_ALIASES = 2000
_USES = {CSS: Use.STYLE, SCRIPT: Use.SCRIPT}


class Aliases:
    """The second paths of one website.

    Args:
        compiler: of the website, whose scripts are kept.
        taken: the transitions that stand already.
    """

    def __init__(self, compiler: Compiler, taken: tuple[Transition, ...]) -> None:
        self._compiler = compiler
        self._taken = taken
        self.pages = tuple(self._pages())
        self.assets = tuple(self._assets({t.path for t in (*taken, *self.pages)}))

    def _answers(self) -> Iterator[tuple[str, str, str]]:
        """Yield path, URL and type of what was asked of the website itself, by its scripts' words.

        A path that tells a name or a host of the capture has none.
        """
        compiler = self._compiler
        for exchange in compiler.archive.capture.exchanges[:MAX_ALIASES]:
            path = compiler.forms.echo_path(exchange.url)
            found = compiler.archive.find(exchange.url) if exchange.method == "GET" else None
            if path is None or found is None or path == compiler.start_path:
                continue
            if found.exchange.status < 400 and compiler.masker.text(path) == path:
                yield path, exchange.url, found.kind

    def _pages(self) -> Iterator[Transition]:
        compiler = self._compiler
        found: list[Transition] = []
        for path, url, kind in self._answers():
            if kind != HTML or compiler.shown_at(path):
                continue
            fields = named(query_fields(url))
            tests = {n: FieldTest(one_of=(v[:MAX_FIELD_LENGTH],)) for n, v in fields.items()}
            target = compiler.page(url, "").partition("#")[0]
            found.append(Transition(path=path, form=tests, next=Redirect(path=target)))
            found.append(Transition(path=path, next=Redirect(path=target)))
        yield from sorted(found, key=lambda each: -len(each.form))
        for action, path in compiler.forms.submitted():
            alias = compiler.forms.echo_path(action)
            if alias is not None and compiler.masker.text(alias) == alias:
                for each in self._taken:
                    if each.method is Method.POST and each.path == path:
                        yield each.but(path=alias)

    def _assets(self, taken: set[str]) -> Iterator[Asset]:
        compiler = self._compiler
        for path, url, kind in self._answers():
            if kind in (HTML, JSON) or path in taken or path in compiler.store.assets:
                continue
            at = compiler.resource(url, _USES.get(kind, Use.MEDIA))
            asset = compiler.store.assets.get(at or "")
            if asset is not None:
                taken.add(path)
                yield Asset(path=path, file=asset.file, media_type=asset.media_type)
