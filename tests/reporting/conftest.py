"""The invented benchmark of this room's tests, made once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from reporting_world import World, make_world

from riskchainbench.browser.discovery import find_browser

WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

Opener = Callable[..., Page]
Checker = Callable[[Page], list[tuple[str, str]]]


@pytest.fixture(scope="session")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    """Twelve websites, four systems, two variants each."""
    return make_world(tmp_path_factory.mktemp("runs"))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """A Chromium that ends with its module, so that no event loop is left behind."""
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=str(find_browser().path), args=["--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Opener]:
    """Open a page of a report, and fail where it logs an error or asks for anything remote."""
    contexts = []
    problems: list[str] = []

    def open_page(path: Path, fragment: str = "", script: str = "", **options: Any) -> Page:
        context = chromium.new_context(
            viewport=options.pop("viewport", {"width": 1400, "height": 1000}),
            locale=options.pop("locale", "en-US"),
            reduced_motion="reduce",
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.add_init_script(script)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
        page.on(
            "request",
            lambda r: None if r.url.startswith("file://") else problems.append(r.url),
        )
        page.goto(f"file://{path}{fragment}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def axe() -> Checker:
    """Return the rules of WCAG 2.2 AA that a page breaks, each with the first place."""

    def check(page: Page) -> list[tuple[str, str]]:
        page.evaluate((resources.files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
        found = page.evaluate(
            "(tags) => axe.run(document, {runOnly: tags, preload: false, "
            "resultTypes: ['violations']})",
            WCAG,
        )
        assert len(found["passes"]) > 10
        return [(each["id"], each["nodes"][0]["html"]) for each in found["violations"]]

    return check
