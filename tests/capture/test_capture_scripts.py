"""Kept scripts find the answers that were captured, by what they send, and reach nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from json import dumps
from pathlib import Path
from random import Random

import pytest
from awkward_site import png, serving
from captures import Sent, har, warc
from playwright.async_api import async_playwright
from starlette.testclient import TestClient

from riskchainbench.annotation.web.frames import Frames
from riskchainbench.browser.discovery import find_browser
from riskchainbench.browser.pool import LocalPool
from riskchainbench.browser.settings import Visit
from riskchainbench.browser.view import PageView
from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.pipeline.investigating import browser_settings
from riskchainbench.sandbox.app import Sandbox
from riskchainbench.sandbox.gallery_index import GalleryIndex
from riskchainbench.sandbox.server import SandboxServer
from riskchainbench.websites.files import check_website
from riskchainbench.websites.records import LoadedWebsite

SCRIPTED = (
    Sent("/", b"<title>t</title><p>Text</p><script src=/s.js></script>"),
    Sent("/s.js", b"document.title = 'ran'", "text/javascript"),
)
Write = Callable[[Path, Iterable[Sent]], Path]


def posted(body: dict[str, object], answer: object) -> Sent:
    """A script's request with JSON, and the JSON it was answered with."""
    json = "application/json"
    return Sent(
        "/api", dumps(answer).encode(), json, 200, "POST", dumps(body).encode(), (), 0, json
    )


async def visited(loaded: LoadedWebsite) -> PageView:
    """Open a website in the sealed browser."""
    sandbox, pool = Sandbox({"x": loaded}), LocalPool(browser_settings(), 1)
    with SandboxServer(sandbox) as server:
        try:
            async with pool.lease() as environment:
                host = sandbox.open("x", Random(1)).host
                view, _ = await environment.open(
                    Visit(host=host, port=server.port, start_path=loaded.website.start_path)
                )
        finally:
            await pool.close()
    return view


@pytest.mark.parametrize("write", [warc, har])
def test_json_bodies_tell_answers_apart(write: Write, tmp_path: Path) -> None:
    sent = [
        {
            "op": "list",
            "filter": {"tag": "red"},
            "user-name": "a@shop-mail.org",
            "t": 1700000000001,
        },
        {"op": "list", "filter": {"tag": "blue"}, "user-name": "", "t": 1700000000002},
        {"op": "item", "id": 7},
    ]
    answers = [posted(body, {"n": n}) for n, body in enumerate(sent)]
    page = Sent("/", b"<title>t</title><script>go()</script>")
    capture = read_capture(write(tmp_path / "x", [page, *answers]))
    found = compile_capture(capture, ImportPolicy(scripts=Scripts.KEEP))
    check_website(found.loaded, "x")
    sandbox = Sandbox({"x": found.loaded})
    client = TestClient(sandbox, base_url=f"http://{sandbox.open('x', Random(1)).host}")

    def asked(**body: object) -> object:
        return client.post("/api", json=body).json()["n"]

    assert asked(**sent[1]) == 1
    assert asked(**{**sent[1], "t": 1700000099999}) == 1  # a time that no visit sends again
    assert asked(**{**sent[0], "user-name": "person1@mail.test"}) == 0  # as the page now says
    assert asked(op="item", id=7) == 2
    assert asked(op="unknown") == 0


@pytest.mark.parametrize("scripts", [Scripts.DROP, Scripts.KEEP])
def test_people_are_shown_scripts_only_where_they_were_kept(
    scripts: Scripts, tmp_path: Path
) -> None:
    capture = read_capture(warc(tmp_path / "x", SCRIPTED))
    loaded = compile_capture(capture, ImportPolicy(scripts=scripts)).loaded
    kept = scripts is Scripts.KEEP
    index = TestClient(GalleryIndex({"x": loaded}, Random(1)), base_url="http://127.0.0.1:8100")
    assert ("allow-scripts" in index.get("/site/x").text) is kept
    frames = Frames({"x": loaded}, "localhost", Random(1), lambda: 0.0, lambda *_: None)
    host = frames.host("ann", "s1", "x", 0.0)
    answer = TestClient(frames, base_url=f"http://{host}:8090").get("/")
    policy = answer.headers["content-security-policy"]
    own = f"script-src {host}:8090/.workbench/frame.js;"
    assert (own in policy, "script-src 'self'" in policy) == (not kept, kept)


PHONING = """
const say = (name, value) => { document.body.dataset[name] = value };
fetch('http://HOME/fetch').catch(() => say('fetch', 'no'));
fetch('/api', {method: 'POST', headers: {'content-type': 'application/json'},
               body: JSON.stringify({item: 2})})
  .then(answer => answer.json()).then(value => {
    const line = document.createElement('h2'); line.textContent = 'Item ' + value.name;
    document.body.append(line) });
new Image().src = 'http://HOME/image';
navigator.sendBeacon('http://HOME/beacon', 'x');
try { new WebSocket('ws://HOME/socket') } catch (error) {}
const frame = document.createElement('iframe'); frame.src = 'http://HOME/frame';
document.body.append(frame);
"""


@pytest.mark.browser
def test_a_kept_script_that_phones_home_reaches_nobody_and_is_recorded(tmp_path: Path) -> None:
    with serving() as home:
        code = PHONING.replace("HOME", f"127.0.0.1:{home.port}").encode()
        path = warc(
            tmp_path / "x",
            [
                Sent("/", b"<title>t</title><h1>Calm</h1><script src=/s.js></script>"),
                Sent("/s.js", code, "text/javascript"),
                *(posted({"item": n}, {"name": f"number {n}"}) for n in (1, 2)),
            ],
        )
        capture = read_capture(path)
        found = compile_capture(capture, ImportPolicy(scripts=Scripts.KEEP))
        check_website(found.loaded, "x")
        view = asyncio.run(visited(found.loaded))
    assert home.asked == []
    assert "Item number 2" in view.text  # the script ran, and was answered by what it sent
    # The policy of the pages ends most of it unasked; what it lets try is refused and told.
    assert [each.url.rpartition("/")[2] for each in view.network] == ["image"]
    assert any("outside" in event.text for event in view.events)


def test_scripts_find_files_pages_and_forms_under_the_paths_they_know(tmp_path: Path) -> None:
    code = b"img.src = '/i/a.png'; fetch('/list?page=2'); location = 'deep/item'"
    found = compile_capture(
        read_capture(
            warc(
                tmp_path / "x",
                [
                    Sent(
                        "/",
                        b"<title>t</title><script src=/s.js></script><form method=post action=/in>"
                        b"<input name=n></form>",
                    ),
                    Sent("/s.js", code, "text/javascript"),
                    Sent("/i/a.png", png(9), "image/png"),
                    Sent("/list?page=1", b"<p>One"),
                    Sent("/list?page=2", b"<p>Two <a href=/late>late</a>"),
                    Sent("/late", b"<p>Late"),
                    Sent("/deep/item", b"<p>Item"),
                    Sent("/u/ann@shop-mail.org", b"<p>Named"),
                    Sent("/in", b"<p>Let in", method="POST", sent=b"n=1"),
                ],
            )
        ),
        ImportPolicy(scripts=Scripts.KEEP),
    )
    check_website(found.loaded, "x")
    sandbox = Sandbox({"x": found.loaded})
    client = TestClient(sandbox, base_url=f"http://{sandbox.open('x', Random(1)).host}")
    assert client.get("/i/a.png").headers["content-type"] == "image/png"
    assert "Two" in client.get("/list?page=2").text
    assert "One" in client.get("/list?page=7").text  # the first stands for what was not captured
    assert "Item" in client.get("/deep/item").text
    assert client.get("/u/ann@shop-mail.org").status_code == 204  # its path names somebody
    assert "Let in" in client.post("/in", data={"n": "x"}).text
    assert "Late" in " ".join(found.texts.values())
    images = [asset.file for asset in found.loaded.website.assets if "png" in asset.media_type]
    assert len(images) == 2
    assert len(set(images)) == 1  # stored once


@pytest.mark.browser
async def test_kept_scripts_find_their_answers_in_a_persons_frame_too(tmp_path: Path) -> None:
    code = b"""fetch('/api', {method: 'POST', headers: {'content-type': 'application/json'},
      body: '{"item": 2}'}).then(a => a.json()).then(v => { document.title = v;
      const b = document.createElement('b'); b.textContent = v; document.body.append(b) })"""
    page = Sent("/", b"<title>t</title><p>Text<script src=/s.js></script>")
    answers = (posted({"item": n}, f"number {n}") for n in (1, 2))
    path = warc(tmp_path / "x", [page, Sent("/s.js", code, "text/javascript"), *answers])
    loaded = compile_capture(read_capture(path), ImportPolicy(scripts=Scripts.KEEP)).loaded
    with SandboxServer(GalleryIndex({"x": loaded}, Random(1))) as server:
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=str(find_browser().path), args=["--no-sandbox", "--disable-gpu"]
            )
            shown = await browser.new_page()
            await shown.goto(f"http://127.0.0.1:{server.port}/site/x")
            await shown.frame_locator("iframe").get_by_text("number 2").wait_for(timeout=20_000)
            await browser.close()
