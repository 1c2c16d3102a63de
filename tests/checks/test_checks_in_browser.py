"""The browser check over environments that behave and over such that do not."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from reading_browser import ReadingBrowser
from starlette.responses import Response

from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.checks import browser
from riskchainbench.checks.browser import BrowserCheck, certificate_folder, check_in_browser
from riskchainbench.checks.tour import tour_of
from riskchainbench.checks.walk import reachable
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.investigation import ActionKind
from riskchainbench.investigation.visits import SandboxVisits
from riskchainbench.sandbox.app import Sandbox

SETTINGS = BrowserSettings(binary=Path("/nowhere"), version="1.0")


class OnePool:
    def __init__(self, env):
        self.env = env

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[ReadingBrowser]:
        if self.env is None:
            raise SystemFailureError(
                Failure(
                    failure_class=FailureClass.BROWSER_LAUNCH,
                    stage=Stage.INVESTIGATION,
                    detail="no browser today",
                )
            )
        yield self.env


@pytest.fixture
def bundle(demo_copy):
    return open_bundle(demo_copy)


def websites_with(bundle, kinds):
    """Return the websites whose tour takes steps of all these kinds."""
    found = []
    for case in sorted(bundle.investigation_tasks):
        loaded = bundle.website(case)
        stops = tour_of(loaded, reachable(loaded)).stops
        if set(kinds) <= {step.action for stop in stops for step in stop.steps}:
            found.append(case)
    assert found
    return found


async def _checked(bundle, cases, *, down=False, **changes) -> BrowserCheck:
    websites = bundle.websites()
    sandbox = Sandbox(websites)
    env = None if down else ReadingBrowser(sandbox, **changes)
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


def test_a_tour_and_its_entrances_take_every_transition(bundle):
    for case in bundle.investigation_tasks:
        loaded = bundle.website(case)
        tour = tour_of(loaded, reachable(loaded))
        asked = {request for stop in tour.stops for request in stop.requests}
        asked |= {("GET", entrance.path) for entrance in tour.apart}
        asked.add(("GET", loaded.website.start_path))
        assert asked >= {(t.method.value, t.path) for t in loaded.website.transitions}


async def test_everything_that_visible_controls_do_works(bundle):
    check = await _checked(bundle, bundle.investigation_tasks)
    assert {walked.case_id: walked.findings for walked in check.walked if walked.findings} == {}
    for walked in check.walked:
        assert walked.actions >= len(bundle.website(walked.case_id).pages) - 2


async def test_a_link_that_leads_nowhere_is_told(bundle):
    cases = websites_with(bundle, {ActionKind.CLICK})
    check = await _checked(bundle, cases, broken=frozenset({ActionKind.CLICK}))
    for walked in check.walked:
        assert any(found.startswith("click ") for found in walked.findings), walked


async def test_a_form_that_does_nothing_is_told(bundle):
    cases = websites_with(bundle, {ActionKind.FILL, ActionKind.SUBMIT})
    check = await _checked(bundle, cases, broken=frozenset({ActionKind.SUBMIT}))
    for walked in check.walked:
        assert any(found.startswith("submit ") for found in walked.findings), walked


async def test_a_field_that_takes_nothing_is_told(bundle):
    cases = websites_with(bundle, {ActionKind.FILL})
    check = await _checked(bundle, cases, broken=frozenset({ActionKind.FILL}))
    for walked in check.walked:
        assert any(" never gave " in found for found in walked.findings), walked


async def test_assets_that_no_page_asked_for_are_opened_by_themselves(bundle, monkeypatch):
    case = sorted(bundle.investigation_tasks)[0]
    (walked,) = (await _checked(bundle, [case], unasked=True)).walked
    assert walked.findings == ()
    asset = bundle.website(case).website.assets[0].path
    shutil.rmtree(certificate_folder(bundle))

    async def missing(self, request):
        if request.url.path == asset:
            return Response(status_code=404)
        return await answered(self, request)

    answered = Sandbox._respond
    monkeypatch.setattr(Sandbox, "_respond", missing)
    (walked,) = (await _checked(bundle, [case], unasked=True)).walked
    assert walked.findings == (f"{asset} was not served",)


async def test_websites_that_no_browser_could_walk_are_named_and_walked_on_resume(bundle):
    case = sorted(bundle.investigation_tasks)[0]
    down = await _checked(bundle, [case], down=True)
    assert down.open == (f"{case}: not walked: BROWSER_LAUNCH: no browser today",)
    assert down.walked == ()
    again = await _checked(bundle, [case])
    assert again.open == ()
    assert len(again.walked) == 1


async def test_a_website_without_a_way_ends_no_check(bundle, monkeypatch):
    strata = open_gold(bundle).strata
    shown_first = min(case for case, stratum in strata.items() if stratum.oracle_steps == 0)

    def no_way(*_):
        raise InputError("pages: no walk over visible controls shows all of p1")

    monkeypatch.setattr(browser, "oracle_walk", no_way)
    (walked,) = (await _checked(bundle, [shown_first])).walked
    assert walked.findings == ("pages: no walk over visible controls shows all of p1",)
