"""Turns a plan and a brand family into a website's files: pages, style, scripts, images.

Every name in the result is drawn from the contrast set's stream, so the members of a set
have equal names and none tells what it holds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from random import Random
from typing import Any

import jinja2
from markupsafe import Markup

from riskchainbench.core.investigation import Viewport
from riskchainbench.websites import drawing
from riskchainbench.websites.faces import faces
from riskchainbench.websites.families import Family
from riskchainbench.websites.plan import Block, CodePicture, Links, Move, Plan, Poster, View
from riskchainbench.websites.records import (
    Asset,
    Download,
    Effect,
    LoadedWebsite,
    Page,
    PageRedirect,
    Redirect,
    RedirectKind,
    Show,
    Transition,
    Website,
)

NARROW = 600
"""Viewports up to this width get the menu button and smaller drawings."""


@dataclass(frozen=True)
class Look:
    """What a contrast set shares beside its plan's shape; `names` draws all file names."""

    family: Family
    brand: str
    language: str
    viewport: Viewport
    ui: Mapping[str, str]
    footer: tuple[str, str]
    aside: tuple[str, str]
    bar: bool
    file_text: str
    names: Random
    art: Random


@dataclass(frozen=True)
class _Picture:
    src: str
    width: int
    height: int


def render(plan: Plan, look: Look) -> tuple[LoadedWebsite, dict[str, str]]:
    """Return the website and its page ids by view key."""
    return _Renderer(plan, look).website()


class _Renderer:
    def __init__(self, plan: Plan, look: Look) -> None:
        self.plan, self.look = plan, look
        self.files: dict[str, bytes] = {}
        self.assets: list[Asset] = []
        keys = dict.fromkeys(move.path for move in plan.moves)
        self.paths = {key: f"/{look.names.getrandbits(32):08x}" for key in keys}
        self.paths[plan.start] = "/"
        self.spare = f"/{look.names.getrandbits(32):08x}"
        self.page_ids = {view.key: f"v{look.names.getrandbits(32):08x}" for view in plan.views}

    def website(self) -> tuple[LoadedWebsite, dict[str, str]]:
        look, plan = self.look, self.plan
        narrow = look.viewport.width <= NARROW
        size = (340, 150) if narrow else (400, 210)
        picture = drawing.illustration(look.family.palette, look.art, *size)
        self._scripts = [self._script("menu")]
        if look.bar:
            self._scripts.append(self._script("bar"))
        if look.family.front_end == "script":
            self._scripts.append(self._script("list"))
        self._shared: dict[str, object] = {
            "style": self._asset(_css(look), "css", "text/css; charset=utf-8"),
            "mark": self._asset(drawing.mark(look.family.palette, look.family.mark), "svg"),
            "picture": _Picture(self._asset(picture, "svg"), *size),
            "stamps": self._stamps() if look.family.front_end == "card" else (),
        }
        pages = tuple(self._page(view) for view in plan.views)
        transitions = tuple(self._transition(move) for move in plan.moves)
        website = Website(
            language=look.language,
            viewport=look.viewport,
            scaffold=plan.scaffold,
            state=plan.state,
            pages=pages,
            assets=tuple(self.assets),
            transitions=transitions,
            fields=plan.fields,
        )
        return LoadedWebsite(website, self.files), self.page_ids

    def _stamps(self) -> tuple[str, ...]:
        palette, art = self.look.family.palette, self.look.art
        return tuple(
            self._asset(drawing.illustration(palette, art, 240, 90), "svg") for _ in range(3)
        )

    def _asset(self, text: str, suffix: str, media_type: str = drawing.SVG) -> str:
        name = f"a{self.look.names.getrandbits(32):08x}.{suffix}"
        self.files[f"assets/{name}"] = text.encode("utf-8")
        self.assets.append(Asset(path=f"/{name}", file=f"assets/{name}", media_type=media_type))
        return f"/{name}"

    def _script(self, name: str) -> str:
        return self._asset(_data("scripts", f"{name}.js"), "js", "text/javascript; charset=utf-8")

    def _page(self, view: View) -> Page:
        look = self.look
        scripts = list(self._scripts)
        redirect = None
        if view.redirect is not None:
            kind, key = view.redirect
            redirect = PageRedirect(kind=kind, path=self.paths[key])
            if kind is RedirectKind.SCRIPT:
                scripts.append(self._script("go"))
        if view.says:
            scripts.append(self._script("say"))
        if look.family.front_end == "script" and any(
            isinstance(block, Links) and block.apart for block in view.blocks
        ):
            scripts.append(self._script("open"))
        target = redirect.path if redirect else None
        html = _template("page.html.j2").render(
            self._shared
            | {
                "view": view,
                "blocks": view.blocks,
                "draw": self._draw,
                "language": look.language,
                "brand": look.brand,
                "paths": self.paths,
                "menu": self.plan.menu,
                "ui": look.ui,
                "mobile": look.viewport.width <= NARROW,
                "footer": look.footer,
                "aside": look.aside,
                "bar": look.bar,
                "spare": self.spare,
                "scripts": scripts,
                "refresh": target if redirect and redirect.kind is RedirectKind.META else None,
                "go": target if redirect and redirect.kind is RedirectKind.SCRIPT else None,
            }
        )
        file = f"pages/{self.page_ids[view.key]}.html"
        self.files[file] = (html + "\n").encode("utf-8")
        slots = tuple(name for name in self.plan.state if f"{{{{{name}}}}}" in html)
        return Page(
            page_id=self.page_ids[view.key],
            file=file,
            slots=slots,
            redirect=redirect,
            dialogs=(view.says,) if view.says else (),
        )

    def _draw(self, block: Block) -> Markup:
        kind, shown = type(block).__name__, block
        if isinstance(block, Poster | CodePicture):
            kind, shown = "Picture", self._drawn(block)
        text = _template("blocks.html.j2").render(
            kind=kind,
            block=shown,
            paths=self.paths,
            ui=self.look.ui,
            front=self.look.family.front_end,
            picture=self._shared["picture"],
            stamps=self._shared["stamps"],
            lead_on=self.plan.menu[2][0],
        )
        return Markup(text)

    def _drawn(self, block: Poster | CodePicture) -> Any:
        palette = self.look.family.palette
        if isinstance(block, CodePicture):
            return _Picture(self._asset(drawing.code_picture(palette, block.code), "svg"), 150, 54)
        width = 310 if self.look.viewport.width <= NARROW else 640
        svg = drawing.poster(
            palette,
            block.title,
            block.paragraphs,
            width,
            face=faces("sans", self.look.language),
            figure=block.figure,
        )
        return _Picture(self._asset(svg, "svg"), width, drawing.height_of(svg))

    def _transition(self, move: Move) -> Transition:
        after: Show | Redirect | Download
        if move.download:
            file = f"assets/t{self.look.names.getrandbits(32):08x}.txt"
            self.files[file] = self.look.file_text.encode("utf-8")
            after = Download(file=file, name="file.txt")
        elif move.view:
            after = Show(page=self.page_ids[move.view])
        else:
            after = Redirect(path=self.paths[move.redirect])
        return Transition(
            method=move.method,
            path=self.paths[move.path],
            when=move.when,
            form=move.form,
            effects=tuple(
                Effect(variable=name, from_field=value[1:])
                if value.startswith("$")
                else Effect(variable=name, value=value)
                for name, value in move.effects.items()
            ),
            next=after,
        )


def _css(look: Look) -> str:
    names = ("base", f"layout-{look.family.layout}", f"front-{look.family.front_end}")
    return _variables(look) + "".join(_data("styles", f"{name}.css") for name in names)


def _variables(look: Look) -> str:
    palette, family = look.family.palette, look.family
    face = faces(family.typeface, look.language)
    return (
        f":root{{--accent:{palette.accent};--ink:{palette.accent_ink};--page:{palette.page};"
        f"--surface:{palette.surface};--text:{palette.text};--muted:{palette.muted};"
        f"--line:{palette.line};--radius:{family.radius}px;--face:{face}}}\n"
    )


@cache
def _data(folder: str, name: str) -> str:
    file = resources.files("riskchainbench.websites") / "data" / folder / name
    return file.read_text(encoding="utf-8")


def _listing(items: tuple[tuple[str, str], ...]) -> Markup:
    text = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


@cache
def _template(name: str) -> jinja2.Template:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(lambda name: _data("templates", name)),
    )
    environment.filters["listing"] = _listing
    return environment.get_template(name)
