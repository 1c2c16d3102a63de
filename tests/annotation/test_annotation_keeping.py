"""In a real browser: no form loses what was typed into it, and pictures outlive their browser."""

from __future__ import annotations

import contextlib
import time
from random import Random

import psutil
import pytest
from annotation_world import PASSWORD
from frozen_runs import write_frozen_run
from playwright.async_api import async_playwright, expect

from riskchainbench.annotation.evidence_audit import build_audit
from riskchainbench.annotation.records import ReportReason
from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR
from riskchainbench.annotation.web.photographer import BrowserPhotographer, PageState
from riskchainbench.browser.discovery import find_browser
from riskchainbench.bundle import open_gold
from riskchainbench.investigation.browsing import browser_settings
from riskchainbench.pipeline.annotating import Wanted, open_or_begin, workbench

pytestmark = [pytest.mark.browser, pytest.mark.timeout(120)]


@pytest.fixture
def project(six_bundle, tmp_path):
    wanted = Wanted(training=1, repeat_rate=0.0, seed=1)
    made = open_or_begin(six_bundle, tmp_path / "project", wanted, time.time)
    for name, role in (("ann", ANNOTATOR), ("bob", ANNOTATOR), ("cleo", COORDINATOR)):
        made.add_person(name, role, PASSWORD)
    made.plan()
    yield made
    made.close()


async def _sign_in(page, base, name):
    await page.goto(f"{base}/signin")
    await page.fill("[name=name]", name)
    await page.fill("[name=password]", PASSWORD)
    await page.click("button.main")
    await page.wait_for_url(lambda url: not url.endswith("/signin"))


async def test_nothing_typed_is_lost_and_nobody_else_is_shown_it(project, six_bundle, tmp_path):
    run = write_frozen_run(tmp_path / "run", six_bundle, open_gold(six_bundle))
    slot = project.next_slot("ann")
    project.report_site("ann", slot.slot_id, ReportReason.BROKEN)
    audit = build_audit(six_bundle, [run], 3)
    with workbench(six_bundle, project, rng=Random(6), pictures=False, audit=audit) as server:
        base = f"http://localhost:{server.port}"
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            context = await browser.new_context(viewport={"width": 390, "height": 844})
            page = await context.new_page()

            # The coordinator's reason, through a lost line and a page closed.
            await _sign_in(page, base, "cleo")
            await page.goto(f"{base}/adjudicate/{slot.case_id}")
            await page.click("details[data-website] summary")
            frame = page.frame_locator("#site")
            await frame.locator("body").wait_for()
            blurred = page.frames[1].locator("html.riskchain-blurred")
            await expect(blurred).to_have_count(1)
            await page.click("[data-images]")
            await expect(blurred).to_have_count(0)
            await page.locator("[name=decision][value=VIOLATION]").check(force=True)
            await page.select_option("#type", index=2)
            await page.fill("[name=reason]", "a long reason")
            await context.set_offline(True)
            await page.click("button:text('Decide')")
            await expect(page.locator("form .wrong")).to_contain_text("No connection")
            await context.set_offline(False)
            await page.reload()
            assert await page.input_value("[name=reason]") == "a long reason"
            assert await page.locator("#type").is_visible()
            await page.click("button:text('Decide')")
            await page.wait_for_url("**/adjudicate")
            assert await page.evaluate("() => localStorage.length") == 0

            # Who leaves the project is asked for twice.
            await page.goto(f"{base}/progress")
            sure = page.locator("form[action='/people/bob/leave'] button")
            assert not await sure.is_visible()
            await page.locator("summary[aria-label^='bob:']").focus()
            await page.keyboard.press("Enter")
            assert await sure.is_visible()

            # An annotator's scores and draft, past the end of their session.
            await _sign_out(page)
            await _sign_in(page, base, "ann")
            await page.goto(f"{base}/audit")
            await page.check("[name=faithfulness][value='4']")
            await page.click(".sticky button.main")
            await expect(page.locator("form .wrong")).to_contain_text("all four scores")
            await page.reload()
            assert await page.is_checked("[name=faithfulness][value='4']")
            await page.goto(f"{base}/practice/1")
            await page.frame_locator("#site").locator("body").wait_for()
            other = await context.new_page()
            await other.goto(f"{base}/")
            await _sign_out(other)
            await page.fill("#note", "mine alone")
            await expect(page.locator("#saved")).to_contain_text("signed out")
            await _sign_in(other, base, "bob")
            await other.goto(f"{base}/practice/1")
            assert await other.input_value("#note") == ""
            await _sign_out(other)
            await _sign_in(other, base, "ann")
            await page.reload()
            await expect(page.locator("#saved")).to_have_text("Draft saved", timeout=10_000)
            assert await page.input_value("#note") == "mine alone"

            # What was refused is a draft all the same; a removed pin leaves the focus nearby.
            await page.fill("#note", "refused at once")
            await page.keyboard.press("Alt+Enter")
            await expect(page.locator("#problems")).to_be_focused()
            await expect(page.locator("#saved")).to_have_text("Draft saved")
            draft = project.store.draft("ann", "practice-1")
            assert "refused at once" in draft.body
            await page.keyboard.press("Alt+e")
            await page.wait_for_selector("#pin-none:not([hidden])")
            await page.select_option("#pin-what", "anchor:ENVIRONMENT_LIMITATION")
            await page.click("#pin-keep")
            await page.focus("#pins li button")
            await page.keyboard.press("Enter")
            await expect(page.locator("#f-pins [data-do=pin]")).to_be_focused()

            # On a phone a website keeps a size at which it can be read.
            wide = await page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
            site = await page.locator("#site").bounding_box()
            assert (wide, site["width"] > 500) == (0, True)
            await browser.close()


async def _sign_out(page):
    await page.click("form[action='/signout'] button")
    await page.wait_for_url("**/signin")


def test_pictures_are_taken_again_after_their_browser_died(six_bundle):
    website = next(iter(six_bundle.websites().values()))
    state = PageState(website, "<!doctype html><p>seen", "/", 0)
    before = set(psutil.Process().children(recursive=True))
    photographer = BrowserPhotographer(browser_settings())
    try:
        first = photographer.picture(state)
        assert first is not None
        for each in set(psutil.Process().children(recursive=True)) - before:
            with contextlib.suppress(psutil.NoSuchProcess):
                if "chrom" in each.name():
                    each.kill()
        photographer.picture(state)  # may be the one that finds it dead
        assert photographer.picture(state) == first
    finally:
        photographer.close()
