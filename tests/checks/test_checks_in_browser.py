"""The browser check over environments that behave and over such that do not."""

from __future__ import annotations

import contextlib
import io
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from PIL import Image

from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.checks import browser
from riskchainbench.checks.browser import BrowserCheck, check_in_browser, tour_of
from riskchainbench.checks.page_text import page_title, visible_text
from riskchainbench.checks.walk import reachable
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Element,
    ElementKind,
    Outcome,
    OutcomeStatus,
    Scroll,
)
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.websites.controls import controls

SETTINGS = BrowserSettings(binary=Path("/nowhere"), version="1.0")


class ClickedEnv:
    """Follows the clicks of a website's graph; where it is `stuck`, a click changes nothing."""

    def __init__(self, bundle, sandbox, stuck):
        self.bundle, self.sandbox, self.stuck = bundle, sandbox, stuck

    async def open(self, visit):
        self.graph = reachable(self.bundle.website(self.sandbox.case_of(visit.host)))
        self.node = self.graph.start
        png = io.BytesIO()
        Image.new("RGB", (40, 30), "white").save(png, "PNG")
        return self._view(None), png.getvalue()

    async def act(self, action):
        for edge in self.graph.edges[self.node]:
            if [step.control for step in edge.steps] == [action.element] and not self.stuck:
                self.node = edge.target
                break
        return self._view(Outcome(status=OutcomeStatus.DONE)), None

    async def end(self):
        pass

    def _view(self, outcome):
        body = self.graph.views[self.node].body
        steps = [s for edge in self.graph.edges[self.node] for s in edge.steps]
        names = dict.fromkeys([*(step.control for step in steps), *controls(body).closers])
        return PageView(
            title=page_title(body),
            text=visible_text(body, opened=True),
            elements=tuple(
                Element(element_id=name, kind=ElementKind.LINK, role="link", name=name)
                for name in names
            ),
            elements_left_out=0,
            scroll=Scroll(top=0, page_height=100, viewport_height=100),
            outcome=outcome,
            events=(),
            network=(),
            page_state=sha256_text(""),
        )


class OnePool:
    def __init__(self, env):
        self.env = env

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[ClickedEnv]:
        if self.env is None:
            raise SystemFailureError(
                Failure(
                    failure_class=FailureClass.BROWSER_LAUNCH,
                    stage=Stage.INVESTIGATION,
                    detail="no browser today",
                )
            )
        yield self.env


class KnownSandbox(Sandbox):
    def open(self, case_id, rng):
        episode = super().open(case_id, rng)
        self.cases = {**getattr(self, "cases", {}), episode.host: case_id}
        return episode

    def case_of(self, host):
        return self.cases[host]


@pytest.fixture
def bundle(demo_copy):
    return open_bundle(demo_copy)


@pytest.fixture
def clicked(bundle):
    """A website whose evidence and tour need clicks alone."""
    gold = open_gold(bundle)
    return next(
        case
        for case, stratum in sorted(gold.strata.items())
        if stratum.oracle_steps == 0
        and tour_of(bundle.website(case), reachable(bundle.website(case)))
    )


async def _checked(bundle, cases, *, stuck=False, down=False) -> BrowserCheck:
    websites = bundle.websites()
    sandbox = KnownSandbox(websites)
    env = None if down else ClickedEnv(bundle, sandbox, stuck)
    visits = SandboxVisits(sandbox, 1, websites, Random(1))
    return await check_in_browser(
        bundle,
        open_gold(bundle),
        cases,
        OnePool(env),
        visits,
        SETTINGS,
        workers=1,
        update=lambda *_: None,
    )


async def test_every_link_leads_to_its_page(bundle, clicked):
    (walked,) = (await _checked(bundle, [clicked])).walked
    assert walked.findings == ()
    assert walked.actions >= len(bundle.website(clicked).pages) - 1


async def test_a_link_that_leads_nowhere_is_told(bundle, clicked):
    (walked,) = (await _checked(bundle, [clicked], stuck=True)).walked
    (finding,) = walked.findings
    assert " led to " in finding
    assert ", not to " in finding


async def test_websites_that_no_browser_could_walk_are_named_and_walked_on_resume(bundle, clicked):
    down = await _checked(bundle, [clicked], down=True)
    assert down.open == (f"{clicked}: not walked: BROWSER_LAUNCH: no browser today",)
    assert down.walked == ()
    again = await _checked(bundle, [clicked])
    assert again.open == ()
    assert len(again.walked) == 1


async def test_a_website_without_a_way_ends_no_check(bundle, clicked, monkeypatch):
    def no_way(*_):
        raise InputError("pages: no walk over visible controls shows all of p1")

    monkeypatch.setattr(browser, "oracle_walk", no_way)
    (walked,) = (await _checked(bundle, [clicked])).walked
    assert walked.findings == ("pages: no walk over visible controls shows all of p1",)
