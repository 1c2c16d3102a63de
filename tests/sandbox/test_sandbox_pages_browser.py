"""What happens within a page, in a real browser: tabs and a list that grows."""

from random import Random

import pytest
from playwright.async_api import Page, async_playwright

from riskchainbench.browser.discovery import find_browser
from riskchainbench.core.codebook import default_codebook
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.synthesis import BuiltWebsite, build_pool


def _page_with(pool: tuple[BuiltWebsite, ...], mark: bytes) -> tuple[BuiltWebsite, str]:
    for built in pool:
        files = built.loaded.files
        pages = {t.next.page: t.path for t in built.loaded.website.transitions
                 if t.next.kind == "show" and not t.when}  # fmt: skip
        for page in built.loaded.website.pages:
            if mark in files[page.file] and page.page_id in pages:
                return built, pages[page.page_id]
    raise AssertionError(f"no page with {mark!r}")


async def _see_tabs(page: Page) -> None:
    first, second = page.locator("#t1"), page.locator("#t2")
    assert await first.is_visible()
    assert not await second.is_visible()
    await page.locator("[data-tab=t2]").click()
    assert await second.is_visible()
    assert not await first.is_visible()


async def _see_growth(page: Page) -> None:
    hidden = page.locator(".group[hidden]")
    assert await hidden.count() == 2
    for _ in range(12):
        await page.evaluate("window.scrollBy(0, window.innerHeight)")
        await page.wait_for_timeout(50)
    assert await hidden.count() == 0


@pytest.mark.browser
async def test_tabs_open_and_lists_grow():
    pool = build_pool(3, default_codebook(), 60, languages=("en", "ko"))
    tabbed, growing = _page_with(pool, b"data-tab="), _page_with(pool, b"data-grows>")
    sandbox = Sandbox({b.pool_id: b.loaded for b, _ in (tabbed, growing)}, suffix="localhost")
    with SandboxServer(sandbox) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            page = await browser.new_page()
            for (built, path), see in ((tabbed, _see_tabs), (growing, _see_growth)):
                host = sandbox.open(built.pool_id, Random(built.pool_id)).host
                await page.goto(f"http://{host}:{server.port}{path}")
                await see(page)
            await browser.close()
