"""A browser that reads: it draws nothing and runs no script, but asks the sandbox for real."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from starlette.testclient import TestClient

from riskchainbench.browser.fixtures import FixtureCycle
from riskchainbench.browser.settings import Visit
from riskchainbench.browser.view import PageView
from riskchainbench.checks.page_text import page_title, visible_text
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Element,
    ElementKind,
    EventKind,
    Outcome,
    OutcomeStatus,
    PageEvent,
    Scroll,
)
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.websites.controls import PageForm, controls

_ONWARD = re.compile(rb'data-go="([^"]+)"|http-equiv="refresh" content="\d+;\s*url=([^"]+)"')
_ASSETS = re.compile(rb'(?:src|href)="(/a[0-9a-f]+\.(?:css|js|svg))"')


@dataclass
class ReadingBrowser:
    """One environment. Actions of a kind in `broken` do nothing; `unasked` assets are left out."""

    sandbox: Sandbox
    broken: frozenset[ActionKind] = frozenset()
    unasked: bool = False
    _client: TestClient = field(init=False)
    _cycle: FixtureCycle = field(init=False)
    _body: bytes = b""
    _path: str = ""
    _typed: dict[str, str] = field(default_factory=dict)
    _events: tuple[PageEvent, ...] = ()

    async def open(self, visit: Visit) -> tuple[PageView, bytes]:
        self._client = TestClient(self.sandbox, base_url=f"http://{visit.host}")
        self._cycle = FixtureCycle(visit.fixtures)
        self._body = b""
        self._go("GET", visit.start_path)
        png = io.BytesIO()
        Image.new("RGB", (40, 30), "white").save(png, "PNG")
        return self._view(None), png.getvalue()

    async def act(self, action: Action) -> tuple[PageView, None]:
        outcome = Outcome(status=OutcomeStatus.DONE)
        self._events = ()
        if action.action in self.broken:
            return self._view(Outcome(status=OutcomeStatus.NO_EFFECT)), None
        name = action.element
        match action.action:
            case ActionKind.CLICK:
                link = next(
                    (link for link in controls(self._body).links if link.name == name), None
                )
                if link is not None:
                    self._go("GET", link.path, dict(link.query))
            case ActionKind.FILL:
                entry = next(f for form in self._forms for f in form.fields if f.label == name)
                value = self._cycle.next(self._path, entry.name, entry.kind)
                self._typed[entry.name] = value.value
                outcome = outcome.but(fixture=value.name)
            case ActionKind.CHOOSE:
                entry = next(f for form in self._forms for f in form.fields if f.label == name)
                chosen = next(o for o in entry.options if o.label == action.option)
                self._typed[entry.name] = chosen.value
            case ActionKind.SUBMIT:
                form = next(form for form in self._forms if name in form.submits)
                fields = {f.name: self._typed.get(f.name, f.value) for f in form.fields if f.name}
                self._go(form.method, form.path, fields)
        return self._view(outcome), None

    async def end(self) -> None:
        pass

    @property
    def _forms(self) -> tuple[PageForm, ...]:
        return controls(self._body).forms

    def _go(self, method: str, path: str, fields: dict[str, str] | None = None) -> None:
        given: dict[str, Any] = {"params" if method == "GET" else "data": fields or {}}
        answer = self._client.request(method, path, **given)
        if answer.headers.get("content-disposition"):
            self._events = (PageEvent(kind=EventKind.DOWNLOAD, text="a file"),)
            return
        if answer.status_code == 204:
            return
        self._typed = {}
        self._body, self._path = answer.content, urlsplit(str(answer.url)).path
        for asset in () if self.unasked else _ASSETS.findall(self._body):
            self._client.get(asset.decode())
        onward = _ONWARD.search(self._body)
        if onward:
            self._go("GET", (onward[1] or onward[2]).decode())

    def _view(self, outcome: Outcome | None) -> PageView:
        found = controls(self._body)
        forms = [name for form in found.forms for name in form.submits]
        fields = [entry.label for form in found.forms for entry in form.fields]
        links = [link.name for link in found.links]
        names = (*links, *fields, *forms, *found.closers, *found.menus, *found.tabs)
        return PageView(
            title=page_title(self._body),
            text=visible_text(self._body, opened=True),
            elements=tuple(
                Element(element_id=name, kind=ElementKind.LINK, role="link", name=name)
                for name in dict.fromkeys(names)
                if name
            ),
            elements_left_out=0,
            scroll=Scroll(top=0, page_height=100, viewport_height=100),
            outcome=outcome,
            events=self._events,
            network=(),
            page_state=sha256_text(""),
        )
