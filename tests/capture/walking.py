"""Compiles small captures and walks the websites that come out."""

from __future__ import annotations

from pathlib import Path

from captures import Sent, warc

from riskchainbench.capture.compiler import Compiled, compile_capture
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.websites.controls import Controls, controls
from riskchainbench.websites.files import check_website
from riskchainbench.websites.step import Event, State, View, initial_state, step


def compiled(*answers: Sent, path: Path, scripts: Scripts = Scripts.DROP) -> Compiled:
    found = compile_capture(read_capture(warc(path / "x", answers)), ImportPolicy(scripts=scripts))
    check_website(found.loaded, "x")
    return found


class Visitor:
    """Walks a compiled website as `step` answers."""

    def __init__(self, found: Compiled) -> None:
        self.site = found.loaded
        self.state: State = initial_state(self.site)
        self.view: View = self.go(Event("GET", "/"))

    def go(self, event: Event) -> View:
        for _ in range(10):
            self.state, view = step(self.site, self.state, event)
            if view.location is None:
                self.view = view
                return view
            event = Event("GET", view.location)
        raise AssertionError("endless redirects")

    @property
    def controls(self) -> Controls:
        return controls(self.view.body)

    def follow(self, name: str) -> View:
        link = next(link for link in self.controls.links if link.name == name)
        return self.go(Event("GET", link.path, query=dict(link.query)))

    def submit(self, number: int = 0, **fields: str) -> View:
        form = self.controls.forms[number]
        given = {f.name: f.value for f in form.fields if f.name} | fields
        if form.method == "GET":
            return self.go(Event("GET", form.path, query=given))
        return self.go(Event("POST", form.path, form=given))

    @property
    def text(self) -> str:
        return self.view.body.decode()
