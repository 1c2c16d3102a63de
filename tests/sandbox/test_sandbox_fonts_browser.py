"""In a real browser every letter of every language comes from the sandbox's own typefaces."""

from random import Random

import pytest
from playwright.async_api import Page, async_playwright

from riskchainbench.browser.discovery import find_browser
from riskchainbench.core.codebook import default_codebook
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.synthesis import build_pool
from riskchainbench.websites.texts import languages


async def _fonts(page: Page) -> set[tuple[str, bool]]:
    """Return the fonts that the page's text is drawn with, and whether a font was sent."""
    session = await page.context.new_cdp_session(page)
    await session.send("DOM.enable")
    await session.send("CSS.enable")
    root = (await session.send("DOM.getDocument"))["root"]["nodeId"]
    query = {"nodeId": root, "selector": "h1, h2, p, nav a, label, button"}
    found: set[tuple[str, bool]] = set()
    for node in (await session.send("DOM.querySelectorAll", query))["nodeIds"][:25]:
        used = await session.send("CSS.getPlatformFontsForNode", {"nodeId": node})
        found |= {(font["familyName"], font["isCustomFont"]) for font in used["fonts"]}
    return found


@pytest.mark.browser
async def test_no_page_uses_a_font_of_the_machine():
    pool = build_pool(11, default_codebook(), 27)
    by_language = {built.stratum.language: built for built in pool}
    assert set(by_language) == set(languages())
    sandbox = Sandbox({b.pool_id: b.loaded for b in by_language.values()}, suffix="localhost")
    seen: dict[str, set[tuple[str, bool]]] = {}
    with SandboxServer(sandbox) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            page = await browser.new_page()
            page.on("dialog", lambda dialog: dialog.dismiss())
            for language, built in by_language.items():
                host = sandbox.open(built.pool_id, Random(language)).host
                await page.goto(f"http://{host}:{server.port}/")
                await page.wait_for_timeout(100)
                await page.evaluate("document.fonts.ready")
                seen[language] = await _fonts(page)
            await browser.close()
    assert all(seen.values())
    assert {language: name for language in seen for name, sent in seen[language] if not sent} == {}
