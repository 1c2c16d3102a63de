from random import Random

import pytest
from playwright.async_api import async_playwright

from riskchainbench.browser.discovery import find_browser
from riskchainbench.core.codebook import default_codebook
from riskchainbench.sandbox.gallery_index import GalleryIndex
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.synthesis import build_pool

_LOADED_FACES = """async () => {
    const faces = [...await document.fonts.ready];
    return faces.every(face => face.status !== "error")
        && faces.filter(face => face.status === "loaded").length;
}"""


@pytest.mark.browser
async def test_person_registers_in_the_frame_and_resets_it():
    pool = build_pool(7, default_codebook(), 27, languages=("en",))
    built = next(b for b in pool if b.stratum.scenario == "matches")
    index = GalleryIndex({built.pool_id: built.loaded}, Random(1))
    state = built.loaded.website.state
    assert state["joined"] == "no"
    with SandboxServer(index) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            page = await browser.new_page()
            refused: list[str] = []
            page.on("console", lambda message: refused.append(message.text))
            await page.goto(f"http://127.0.0.1:{server.port}/site/{built.pool_id}")
            frame = page.frame_locator("iframe")
            await frame.locator("nav a").nth(3).click()
            await frame.locator("#f-user").fill("Lin")
            await frame.locator("#f-code").fill(built.loaded.fixtures("code")[1].value)
            await frame.locator("form button").click()
            assert await frame.get_by_text("Lin", exact=True).count() == 1
            accent = await frame.locator(".button").first.evaluate(
                "node => getComputedStyle(node).backgroundColor"
            )
            assert accent != "rgba(0, 0, 0, 0)"
            assert await frame.locator("body").evaluate(_LOADED_FACES) > 0
            await page.get_by_role("button", name="Reset").click()
            await frame.locator("nav a").nth(3).click()
            await frame.locator("#f-user").wait_for()
            await browser.close()
    assert refused == []
