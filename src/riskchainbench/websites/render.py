"""Turns a plan and a brand family into a website's files: pages, style, scripts, images.

Every name in the result is drawn from the contrast set's stream, so the members of a set
have equal names and none tells what it holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

import jinja2
from markupsafe import Markup

from riskchainbench.core.investigation import ScaffoldClass, Viewport
from riskchainbench.websites import drawing, scenes
from riskchainbench.websites.families import Family
from riskchainbench.websites.forms import FORMS, INLINE, FormWords
from riskchainbench.websites.plan import (
    Block,
    CodePicture,
    Endless,
    Form,
    Links,
    Move,
    Panel,
    Plan,
    Poster,
    Table,
    Tabs,
    View,
)
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
from riskchainbench.websites.styles import data_file, style_sheet

NARROW = 600
"""Viewports up to this width get the menu button and smaller drawings."""


_ROLES = {"home": "home", "home_again": "home", "list": "list", "detail": "detail"}
_NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


@dataclass(frozen=True)
class Look:
    """What a contrast set shares beside its plan's shape; `names` draws all file names.

    `form` is one of `FORMS`.
    """

    family: Family
    form: str
    form_words: FormWords
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


@dataclass(frozen=True)
class _Shown:
    """A block as the templates see it: its place on the page, and whether its title is shown."""

    kind: str
    it: Any
    head: bool = True
    place: int = 0


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
        self._template = FORMS[look.form]
        narrow = look.viewport.width <= NARROW
        size = (358, 170) if narrow else (440, 240)
        picture = scenes.scene(look.family.palette, look.art, *size)
        self._scripts = [self._script("menu")]
        if look.bar:
            self._scripts.append(self._script("bar"))
        if look.family.front_end == "script":
            self._scripts.append(self._script("list"))
        sheet = style_sheet(look.family, self._template, look.language)
        self._drawings: dict[Poster | CodePicture, _Picture] = {}
        self._shared: dict[str, object] = {
            "style": self._asset(sheet, "css", "text/css; charset=utf-8"),
            "mark": self._asset(drawing.mark(look.family.palette, look.family.mark), "svg"),
            "picture": _Picture(self._asset(picture, "svg"), *size),
            "stamps": self._stamps(),
            "form": self._template,
            "f": look.form_words,
            "front": look.family.front_end,
            "priced": self._priced(),
            "inline": self._inline(),
            "language": look.language,
            "brand": look.brand,
            "paths": self.paths,
            "menu": plan.menu,
            "ui": look.ui,
            "mobile": narrow,
            "footer": look.footer,
            "aside": look.aside,
            "bar": look.bar,
            "spare": self.spare,
        }
        pages = tuple(self._page(view) for view in plan.views)
        transitions = tuple(self._transition(move) for move in plan.moves)
        website = Website(
            language=look.language,
            viewport=look.viewport,
            scaffold=self._scaffold(),
            state=plan.state,
            pages=pages,
            assets=tuple(self.assets),
            transitions=transitions,
            fields=plan.fields,
        )
        return LoadedWebsite(website, self.files), self.page_ids

    def _scaffold(self) -> tuple[ScaffoldClass, ...]:
        """Return what the plan needs, and for a shop what its sorting needs."""
        needed = set(self.plan.scaffold)
        if self._template == "shop":
            needed |= {ScaffoldClass.CHOOSE_OPTION, ScaffoldClass.SUBMIT_FORM}
        return tuple(kind for kind in ScaffoldClass if kind in needed)

    def _stamps(self) -> tuple[str, ...]:
        """Return the three small pictures of a form, where it has any."""
        palette, art = self.look.family.palette, self.look.art
        match self._template:
            case "shop":
                drawn = [scenes.goods(palette, art) for _ in range(3)]
            case "app":
                drawn = [scenes.screen(palette, art) for _ in range(3)]
            case "tiles":
                drawn = [scenes.chart(palette, art, *size) for size in ((300, 70), (640, 120))]
            case _ if self.look.family.front_end == "card":
                drawn = [scenes.scene(palette, art, 240, 90) for _ in range(3)]
            case _:
                drawn = []
        return tuple(self._asset(svg, "svg") for svg in drawn)

    def _priced(self) -> bool:
        """Tell whether goods may bear a price: their table tells none of its own."""
        return not any(
            _NUMBER.fullmatch(cell)
            for view in self.plan.views
            for block in view.blocks
            if isinstance(block, Table)
            for row in block.rows
            for cell in row
        )

    def _inline(self) -> tuple[_Shown, ...]:
        """Return what of the desk page stands on the start page, too."""
        if self._template not in INLINE:
            return ()
        desk = next((view for view in self.plan.views if view.key == "desk"), None)
        blocks = desk.blocks if desk is not None else ()
        return tuple(self._shown(b) for b in blocks if isinstance(b, Form | CodePicture))

    def _asset(self, text: str, suffix: str, media_type: str = drawing.SVG) -> str:
        name = f"a{self.look.names.getrandbits(32):08x}.{suffix}"
        self.files[f"assets/{name}"] = text.encode("utf-8")
        self.assets.append(Asset(path=f"/{name}", file=f"assets/{name}", media_type=media_type))
        return f"/{name}"

    def _script(self, name: str) -> str:
        text = data_file("scripts", f"{name}.js")
        return self._asset(text, "js", "text/javascript; charset=utf-8")

    def _page(self, view: View) -> Page:
        redirect = None
        if view.redirect is not None:
            kind, key = view.redirect
            redirect = PageRedirect(kind=kind, path=self.paths[key])
        needed = tuple(_needed_scripts(view, self.look.family.front_end))
        target = redirect.path if redirect else None
        html = _template(self._template).render(
            self._shared
            | {
                "view": view,
                "role": _ROLES.get(view.key, "desk"),
                "blocks": self._blocks(view),
                "scripts": [*self._scripts, *map(self._script, needed)],
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

    def _blocks(self, view: View) -> tuple[_Shown, ...]:
        """Return the blocks of a page; a panel titled like the page bears no second title."""
        shown = []
        for place, block in enumerate(view.blocks):
            doubled = place == 0 and isinstance(block, Panel) and block.title == view.title
            home = _ROLES.get(view.key) == "home"
            shown.append(self._shown(block, head=home or not doubled, place=place))
        return tuple(shown)

    def _shown(self, block: Block, *, head: bool = True, place: int = 0) -> _Shown:
        if isinstance(block, Poster | CodePicture):
            if block not in self._drawings:
                self._drawings[block] = self._drawn(block)
            return _Shown("Picture", self._drawings[block])
        return _Shown(type(block).__name__, block, head, place)

    def _drawn(self, block: Poster | CodePicture) -> _Picture:
        palette = self.look.family.palette
        if isinstance(block, CodePicture):
            return _Picture(self._asset(drawing.code_picture(palette, block.code), "svg"), 150, 54)
        width = 310 if self.look.viewport.width <= NARROW else 640
        svg = drawing.poster(
            palette,
            block.title,
            block.paragraphs,
            width,
            language=self.look.language,
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


def _needed_scripts(view: View, front_end: str) -> Iterator[str]:
    if view.redirect is not None and view.redirect[0] is RedirectKind.SCRIPT:
        yield "go"
    if view.says:
        yield "say"
    apart = any(isinstance(block, Links) and block.apart for block in view.blocks)
    if front_end == "script" and apart:
        yield "open"
    if any(isinstance(block, Tabs) for block in view.blocks):
        yield "tabs"
    if any(isinstance(block, Endless) for block in view.blocks):
        yield "grow"


def _listing(items: tuple[tuple[str, str], ...]) -> Markup:
    text = json.dumps(items, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(lambda name: data_file("templates", name)),
    )
    environment.filters["listing"] = _listing
    return environment


def _template(form: str) -> jinja2.Template:
    return _environment().get_template(f"forms/{form}.html.j2")
