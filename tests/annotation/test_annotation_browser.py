"""Two annotators, a third and a coordinator take six websites through every path to labels."""

from __future__ import annotations

import asyncio
import time
from random import Random

import pytest
from annotation_world import PASSWORD, V2, N, U, V
from axe_playwright_python.async_playwright import Axe
from frozen_runs import write_frozen_run
from playwright.async_api import BrowserContext, Page, async_playwright, expect

from riskchainbench.annotation.evidence_audit import build_audit
from riskchainbench.annotation.labels import freeze_labels
from riskchainbench.annotation.person_system import PersonDesk
from riskchainbench.annotation.records import ReportReason
from riskchainbench.annotation.settings import ANNOTATOR, COORDINATOR
from riskchainbench.annotation.simulate import simulate_ratings
from riskchainbench.browser.discovery import find_browser
from riskchainbench.bundle import open_bundle, open_gold
from riskchainbench.core.gold import LabelSource
from riskchainbench.pipeline.annotating import (
    DEMO_PASSWORD,
    Wanted,
    fill_demo,
    open_or_begin,
    workbench,
)
from riskchainbench.restoration.prompts import build_request
from riskchainbench.sandbox.server import SandboxServer

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
FACTS = {
    V: ("component:GAMBLING_BET_OFFER", "component:GAMBLING_STAKE_OR_PAYOUT"),
    V2: ("component:PHISHING_IMITATION_OR_ABNORMAL_FLOW", "component:PHISHING_CREDENTIAL_REQUEST"),
    N: ("component:BENIGN_SERVICE",),
    U: ("anchor:ENVIRONMENT_LIMITATION",),
}
# One website a path: consensus twice, both unsure, majority by decision, by type, coordinator.
VOTES = ((V, V), (N, N), (U, U), (V, N), (V, V2), (V2, N))
THIRDS = {2: U, 3: V, 4: V2, 5: U}
ENDS = {
    0: ("pair_consensus", V),
    1: ("pair_consensus", N),
    2: ("third_majority", U),
    3: ("third_majority", V),
    4: ("third_majority", V2),
    5: ("coordinator", V),
}


@pytest.fixture
def project(six_bundle, tmp_path):
    wanted = Wanted(training=1, repeat_rate=0.0, seed=1)
    made = open_or_begin(six_bundle, tmp_path / "project", wanted, time.time)
    for name, role in (("ann", ANNOTATOR), ("bob", ANNOTATOR), ("cleo", COORDINATOR)):
        made.add_person(name, role, PASSWORD)
    yield made
    made.close()


async def _sign_in(context: BrowserContext, port: int, name: str, password: str = PASSWORD) -> Page:
    page = await context.new_page()
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.fill("[name=name]", name)
    await page.fill("[name=password]", password)
    await page.click("button.main")
    await page.wait_for_url(lambda url: not url.endswith("/signin"))
    return page


async def _accessible(page: Page) -> None:
    found = await Axe().run(page, options=RULES)
    assert [(v["id"], v["nodes"][0]["target"]) for v in found.response["violations"]] == []


async def _fill(page: Page, label, *, draw: str = "") -> None:
    """Fill the form in by keyboard as far as it goes."""
    await page.locator("[name=environment][value=COMPLETE]").focus()
    await page.keyboard.press("Space")
    place = {"VIOLATION": "1", "NON_VIOLATION": "2", "INSUFFICIENT_EVIDENCE": "3"}
    await page.keyboard.press(f"Alt+{place[label[0].value]}")
    if label[0].value == "VIOLATION":
        await page.select_option("#type", label[1])
    for number, fact in enumerate(FACTS[label], start=1):
        await page.keyboard.press("Alt+e")
        await page.wait_for_selector("#pin-board:not([hidden])")
        await page.select_option("#pin-what", fact)
        if draw == "keys":
            await page.focus("#pin-board")
            for key in ("Enter", "ArrowLeft", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowDown"):
                await page.keyboard.press(key)
            await expect(page.locator("#pin-told")).to_have_text(
                "Frame at 464, 264; 336 wide, 176 high"
            )
        if draw == "mouse":
            box = await page.locator("#pin-board").bounding_box()
            await page.mouse.move(box["x"] + 60, box["y"] + 60)
            await page.mouse.down()
            await page.mouse.move(box["x"] + 260, box["y"] + 160)
            await page.mouse.up()
        await page.click("#pin-keep")
        await page.wait_for_selector(f"#pins li:nth-child({number})")
    await page.locator("[name=confidence][value='4']").focus()
    await page.keyboard.press("Space")


async def _submit(page: Page) -> None:
    before = page.url
    await page.keyboard.press("Alt+Enter")
    await page.wait_for_url(lambda url: url != before)


@pytest.mark.browser
@pytest.mark.timeout(170)
async def test_six_websites_go_through_every_path_to_frozen_labels(project, six_bundle, tmp_path):
    order = {case_id: number for number, case_id in enumerate(project.settings.cases)}
    with workbench(six_bundle, project, rng=Random(5)) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            contexts = {}
            for name in ("cleo", "ann", "bob", "cyd"):
                contexts[name] = await browser.new_context(viewport={"width": 1440, "height": 900})
            trouble: list[str] = []
            lead = await _sign_in(contexts["cleo"], server.port, "cleo")
            lead.on("console", lambda message: trouble.append(message.text))
            await lead.click("form[action='/plan'] button")
            await lead.wait_for_selector("text=handed out")

            for place, name in enumerate(("ann", "bob")):
                page = await _sign_in(contexts[name], server.port, name)
                page.on("pageerror", lambda error: trouble.append(str(error)))
                await page.click("form[action='/next'] button")
                await page.wait_for_url("**/practice/1")
                await _fill(page, N)
                await _submit_practice(page)
                for _ in range(6):
                    slot = int(page.url.rsplit("/", 1)[1])
                    vote = VOTES[order[project.slot_of(name, slot).case_id]][place]
                    await _fill(page, vote, draw=("mouse", "keys")[place])
                    await _submit(page)

            await lead.fill("[name=name]", "cyd")
            await lead.fill("[name=password]", PASSWORD)
            await lead.click("form[action='/people'] button")
            await lead.wait_for_selector("th:text('cyd')")
            third = await _sign_in(contexts["cyd"], server.port, "cyd")
            await third.click("form[action='/next'] button")
            await _fill(third, N)
            await _submit_practice(third)
            for _ in THIRDS:
                slot = int(third.url.rsplit("/", 1)[1])
                await _fill(third, THIRDS[order[project.slot_of("cyd", slot).case_id]])
                await _submit(third)

            await lead.goto(f"http://localhost:{server.port}/adjudicate")
            await lead.click(".rows a")
            await lead.locator("[name=decision][value=VIOLATION]").focus()
            await lead.keyboard.press("Space")
            await lead.select_option("#type", V[1])
            await lead.fill("[name=reason]", "bets are offered outright")
            await lead.click("button:text('Decide')")
            await lead.wait_for_url("**/adjudicate")
            await _accessible(lead)
            await lead.goto(f"http://localhost:{server.port}/agreement")
            await _accessible(lead)
            await browser.close()
    assert trouble == []
    manifest = freeze_labels(project, six_bundle, tmp_path / "labeled")
    assert manifest.tasks_sha256 == six_bundle.tasks_sha256
    gold = open_gold(open_bundle(tmp_path / "labeled"))
    assert gold.label_source is LabelSource.HUMAN
    for case_id, number in order.items():
        path, label = ENDS[number]
        assert project.standing().resolutions[case_id].path == path
        assert (gold.labels[case_id].decision, gold.labels[case_id].violation_type) == label
    said = [line.entry for line in project.lines() if line.entry.kind == "judgment"]
    assert len(said) == 16
    assert all(pin.screenshot for each in said for pin in each.judged.pins)
    for person, width in (("ann", None), ("bob", 336)):
        boxes = [p.box for each in said if each.person == person for p in each.judged.pins]
        assert boxes
        assert all(box is not None and width in (None, box.width) for box in boxes)
    assert all(each.visit[0].path == "/" for each in said)


async def _submit_practice(page: Page) -> None:
    await page.keyboard.press("Alt+Enter")
    await page.wait_for_selector(".pairs")
    await page.click("form[action='/next'] button")
    await page.wait_for_url("**/sites/*")


@pytest.mark.browser
@pytest.mark.timeout(120)
async def test_the_labeling_page_keeps_its_promises(project, six_bundle):
    """Blur, isolation, reset, drafts through a lost line, Chinese, and accessibility."""
    project.plan()
    with workbench(six_bundle, project, rng=Random(6), pictures=False) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            context = await browser.new_context(viewport={"width": 1440, "height": 900})
            page = await _sign_in(context, server.port, "ann")
            await _accessible(page)
            asked: list[str] = []
            page.on("request", lambda request: asked.append(request.url))
            await page.click("form[action='/next'] button")
            frame = page.frame_locator("#site")
            await frame.locator("body").wait_for()
            await _accessible(page)

            blurred = "() => document.documentElement.classList.contains('riskchain-blurred')"
            inner = next(f for f in page.frames if f != page.main_frame)
            assert await inner.evaluate(blurred)
            await page.keyboard.press("Alt+i")
            await inner.wait_for_function(f"() => !({blurred})()")

            # The framed website has no origin and reaches neither cookies nor the workbench.
            assert await inner.evaluate("() => self.origin") == "null"
            for attempt in ("document.cookie", "localStorage.length", "parent.document.title"):
                with pytest.raises(Exception, match=r"SecurityError|Blocked|denied"):
                    await inner.evaluate(f"() => {attempt}")
            moved = await inner.evaluate(
                "() => { try { top.location = 'about:blank'; return true } catch { return false } }"
            )
            assert moved is False
            stolen = await inner.evaluate(
                f"() => fetch('http://localhost:{server.port}/').then(() => true, () => false)"
            )
            assert stolen is False

            # What would open a tab opens in the frame; what a dialog says stands beside it.
            await inner.evaluate("() => alert('mind the step')")
            told = page.locator("[data-dialog]")
            await expect(told).to_have_text("The website says in a dialog: mind the step")
            assert await inner.evaluate("() => confirm('sure?')") is True
            await inner.evaluate("() => { window.open('/?tab=1') }")
            await inner.wait_for_url("**/?tab=1")
            await inner.evaluate(
                """() => { document.body.insertAdjacentHTML(
                "afterbegin", "<a href='/?tab=2' target=_blank>tab</a>") }"""
            )
            await inner.click("text=tab")
            await inner.wait_for_url("**/?tab=2")

            # Scrolling and typing join the visit; what was typed does not.
            await inner.evaluate(
                """() => {
                    document.body.insertAdjacentHTML('beforeend', '<input name=amount>');
                    document.body.style.minHeight = '3000px';
                }"""
            )
            await frame.locator("[name=amount]").press_sequentially("1234")
            async with page.expect_response(lambda answer: answer.url.endswith("/events")):
                await inner.evaluate("() => scrollTo(0, 500)")
            for _ in range(50):
                visit = project.store.visit("ann", "practice-1")
                if {"scroll", "input"} <= {each.kind.value for each in visit}:
                    break
                await page.wait_for_timeout(100)
            assert [each.fields for each in visit if each.kind == "input"] == [("amount",)]
            assert 500 in [each.top for each in visit]
            assert "1234" not in "".join(each.to_json() for each in visit)

            # Keys lead out of the website, but none of its own making judges anything.
            host = await page.get_attribute("#site", "src")
            await page.keyboard.press("Alt+j")
            await expect(page.locator("#tab-judgment")).to_be_focused()
            await page.keyboard.press("Alt+r")
            await expect(page.locator("#site")).not_to_have_attribute("src", host)

            await context.set_offline(True)
            await page.fill("#note", "typed without a line")
            await page.wait_for_selector("#saved.bad")
            await context.set_offline(False)
            await expect(page.locator("#saved")).to_have_text("Draft saved", timeout=15000)
            await page.reload()
            assert await page.input_value("#note") == "typed without a line"

            await page.click("[name=language]")
            await page.wait_for_selector("button:text('提交判断')")
            await _accessible(page)
            assert all("localhost:" in url for url in asked)
            await browser.close()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(120)
async def test_every_page_is_accessible(six_bundle, tmp_path):
    """The coordinator's pages, both audits, refusals, and the page of a person as a system."""
    run = write_frozen_run(tmp_path / "run", six_bundle, open_gold(six_bundle), judges={"rules": 4})
    made = open_or_begin(six_bundle, tmp_path / "p", Wanted(simulated=True, seed=3), time.time)
    fill_demo(made, six_bundle)
    slot = made.next_slot("ann")
    if slot is not None:
        made.report_site("ann", slot.slot_id, ReportReason.BROKEN)
    audit = build_audit(six_bundle, [run], 3)
    simulate_ratings(made, audit, 0.5)
    desk = PersonDesk()
    with (
        workbench(six_bundle, made, pictures=False, audit=audit) as server,
        SandboxServer(desk) as other,
    ):
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            for look in ({}, {"locale": "zh-CN", "color_scheme": "dark"}):
                for name, paths in (
                    ("cleo", ("progress", "adjudicate", "agreement", "audit/report")),
                    ("ann", ("", "codebook", "audit", "sites/1")),
                ):
                    context = await browser.new_context(**look)
                    page = await _sign_in(context, server.port, name, DEMO_PASSWORD)
                    for path in paths:
                        await page.goto(f"http://localhost:{server.port}/{path}")
                        await _accessible(page)
                    if name == "cleo":
                        await page.goto(f"http://localhost:{server.port}/adjudicate")
                        await page.click(".rows a")
                        await _accessible(page)
            task = next(iter(six_bundle.restoration_tasks.values()))
            asked = asyncio.create_task(desk.ask(build_request(task, "en")))
            page = await browser.new_page()
            await asyncio.sleep(0.1)
            await page.goto(f"http://localhost:{other.port}/{desk.secret}")
            await page.wait_for_selector("[name=candidates]")
            await _accessible(page)
            asked.cancel()
            await browser.close()
    made.close()
