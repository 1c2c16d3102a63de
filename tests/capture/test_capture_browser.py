"""Captures made by a real Chromium over loopback, imported and looked at again, all sealed."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from awkward_site import AwkwardSite, serving
from captures import Sent, warc

from riskchainbench.browser.pool import LocalPool
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.likeness import flagged, image_similarity, measure, text_overlap
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.record import PageLikeness
from riskchainbench.capture.recording import loopback_url, record_site
from riskchainbench.capture.rendering import frozen_pages, render_capture
from riskchainbench.core.errors import InputError, RiskChainError
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.pipeline.investigating import browser_settings
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.files import check_website
from riskchainbench.websites.records import LoadedWebsite

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def settings() -> BrowserSettings:
    return browser_settings()


@pytest.fixture(scope="module")
def site() -> Iterator[AwkwardSite]:
    with serving() as running:
        yield running


def test_a_recorded_site_walks_like_the_original(
    site: AwkwardSite, settings: BrowserSettings, tmp_path: Path
) -> None:
    out = tmp_path / "x.wacz"
    recording = record_site(site.url, out, settings, pages=12, forms=True)
    assert recording.pages >= 8
    assert "elsewhere.invalid" in recording.refused or "stats.invalid" in recording.refused
    capture = read_capture(out)
    assert capture.start == site.url
    found = compile_capture(capture, ImportPolicy())
    check_website(found.loaded, "x")
    titles = asyncio.run(_walk(found.loaded, settings))
    assert titles == ["Welcome home", "Item 2 first", "Welcome home", "Found sample"]


async def _walk(loaded: LoadedWebsite, settings: BrowserSettings) -> list[str]:
    """Go from the start page to the second item, back, and search; return what was read."""
    sandbox = Sandbox({"x": loaded})
    pool = LocalPool(settings, 1)
    seen: list[str] = []
    with SandboxServer(sandbox) as server:
        try:
            async with pool.lease() as environment:
                host = sandbox.open("x", Random(1)).host
                visit = Visit(host=host, port=server.port, start_path=loaded.website.start_path)
                view, _ = await environment.open(visit)
                seen.append(view.text)
                link = next(e for e in view.elements if e.name == "Second item")
                view, _ = await environment.act(
                    Action(action=ActionKind.CLICK, element=link.element_id)
                )
                seen.append(view.text)
                view, _ = await environment.act(Action(action=ActionKind.BACK))
                seen.append(view.text)
                assert not view.network
        finally:
            await pool.close()
    form = next(t for t in loaded.website.transitions if "q" in t.form)
    page = loaded.pages[_page_at(loaded, form.next.path)]  # type: ignore[union-attr]
    seen.append(loaded.files[page.file].decode())
    lines = ("Welcome home", "Item 2 first", "Found sample")
    return [next(line for line in lines if line in text) for text in seen]


def _page_at(loaded: LoadedWebsite, path: str) -> str:
    transition = next(t for t in loaded.website.transitions if t.path == path and not t.form)
    return str(transition.next.page)  # type: ignore[union-attr]


def test_a_recording_that_cannot_be_says_why(settings: BrowserSettings, tmp_path: Path) -> None:
    with pytest.raises(RiskChainError, match=r"^http://127\.0\.0\.1:9/: the site did not answer$"):
        record_site("http://127.0.0.1:9/", tmp_path / "x", settings, pages=1, forms=False)
    with pytest.raises(InputError, match="its folder does not exist; make it first"):
        record_site("http://127.0.0.1:9/", tmp_path / "no/x", settings, pages=1, forms=False)


def test_a_snapshot_of_chromium_is_imported(
    site: AwkwardSite, settings: BrowserSettings, tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=settings.binary, chromium_sandbox=False
        )
        har = tmp_path / "x.har"
        context = browser.new_context(record_har_path=har, record_har_content="embed")
        page = context.new_page()
        page.goto(site.url)
        shown = page.inner_text("body")
        session = context.new_cdp_session(page)
        data = session.send("Page.captureSnapshot", {"format": "mhtml"})["data"]
        (tmp_path / "x.mhtml").write_text(data, newline="")
        context.close()
        browser.close()
    for name in ("x.mhtml", "x.har"):
        capture = read_capture(tmp_path / name)
        policy = ImportPolicy()
        found = compile_capture(capture, policy)
        check_website(found.loaded, "x")
        (first, *_) = measure(tmp_path / name, found, policy, settings)
        assert first.text_overlap > 0.95, name
        assert first.image_similarity > 0.95, name
        home = found.texts[first.page_id]
        assert text_overlap(found.masker.text(shown), home) > 0.9, name


def test_frozen_pages_show_what_scripts_wrote(settings: BrowserSettings, tmp_path: Path) -> None:
    page = (
        b"<!DOCTYPE html><title>t</title><div id=a></div><script src=/s.js></script>"
        b"<script>fetch('/api').then(r=>r.json()).then(j=>{const b=document.createElement('b');"
        b"b.textContent=j.word;document.body.append(b)})</script>"
    )
    script = b"document.getElementById('a').innerHTML='<a href=/late>Written late</a>'"
    path = warc(
        tmp_path / "x",
        [
            Sent("/", page),
            Sent("/s.js", script, "text/javascript"),
            Sent("/api", b'{"word":"fetched"}', "application/json"),
            Sent("/late", b"<p>Late page"),
        ],
    )
    policy = ImportPolicy(scripts=Scripts.FREEZE)
    capture = read_capture(path)
    found = compile_capture(capture, policy, frozen_pages(path, capture, policy, settings))
    check_website(found.loaded, "x")
    texts = " ".join(found.texts.values())
    assert "Written late" in texts
    assert "fetched" in texts
    assert "Late page" in texts
    assert not [name for name in found.loaded.files if name.endswith(".js")]


@pytest.mark.hostile
def test_a_page_that_hangs_or_phones_home_is_bounded(
    settings: BrowserSettings, tmp_path: Path
) -> None:
    with serving() as outside:
        phoning = (
            f"<p>calm<script>fetch('{outside.url}'); new Image().src='{outside.url}x'</script>"
        )
        path = warc(
            tmp_path / "x",
            [
                Sent("/", b"<title>t</title><a href=/h>h</a><a href=/p>p</a>"),
                Sent("/h", b"<p>hung<script>while(true){}</script>"),
                Sent("/p", phoning.encode()),
            ],
        )
        urls = [f"http://shop.test/{name}" for name in ("h", "p")]
        shown = render_capture(path, ImportPolicy(), settings, urls, limit=8.0)
    assert [url for url in urls if url in shown] == [urls[1]]
    assert "calm" in shown[urls[1]].text
    assert outside.asked == []


@pytest.mark.parametrize("url", ["http://example.com/", "https://127.0.0.1/", "file:///etc", "x"])
def test_only_loopback_is_recorded(url: str) -> None:
    with pytest.raises(InputError, match="only sites on loopback"):
        loopback_url(url)


def test_likeness_tells_unlike_pages() -> None:
    assert text_overlap("one two two", "two two three") == pytest.approx(2 / 4)
    assert text_overlap("", "") == 1.0
    assert image_similarity(b"no picture", b"no picture") == 0.0
    page = PageLikeness(page_id="p", text_overlap=0.79, image_similarity=1.0)
    assert flagged(page)
    assert not flagged(page.but(text_overlap=0.8))
