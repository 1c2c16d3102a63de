"""How long the environment waits for a page before it shows it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import pytest
from browser_pages import PageServer, Session, send
from PIL import Image

from riskchainbench.browser.contexts import Contexts
from riskchainbench.browser.environment import InvestigationEnv
from riskchainbench.browser.reader import TabReader
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.websites.fonts import FONT_TYPE, font_file, font_names

pytestmark = pytest.mark.browser

Begin = Callable[..., Session]

PAGE = """<style>@font-face{font-family:late;font-display:block;src:url(/late.woff2)}
h1{font:60px late}</style><h1>HEADLINE</h1>"""


def test_words_whose_typeface_comes_late_are_in_the_first_picture(
    begin: Begin, server: PageServer
) -> None:
    def late(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(2.2)
        handler.send_response(200)
        data = font_file(next(n for n in font_names() if n.startswith("sans-400-l"))) or b""
        for name, value in (
            ("Content-Type", FONT_TYPE),
            ("Content-Length", str(len(data))),
            ("Access-Control-Allow-Origin", "*"),
        ):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    server.pages["/late.woff2"] = late
    session = begin(PAGE)
    assert session.png is not None
    with Image.open(io.BytesIO(session.png)) as picture:
        dark = picture.convert("L").point(lambda value: 255 if value < 100 else 0)
    assert dark.getbbox() is not None


def test_a_page_that_goes_on_loading_is_waited_for(begin: Begin, server: PageServer) -> None:
    def slow(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.6)
        number = int(handler.path[2:])
        rule = f"@import '/s{number - 1}'" if number else "p{display:block!important}"
        send(handler, rule.encode(), Content_Type="text/css")

    server.pages.update({f"/s{number}": slow for number in range(4)})
    session = begin("<link rel=stylesheet href=/s3><p style='display:none'>styled at last</p>")
    assert session.view.text == "styled at last"


def test_a_page_on_which_nothing_arrives_is_not_waited_for(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/never"] = lambda h: time.sleep(8)
    started = time.monotonic()
    session = begin("<p>here</p><script src=/never async></script>")
    assert session.view.text == "here"
    assert time.monotonic() - started < 6


def test_quiet_that_was_there_before_it_was_asked_for_counts(settings: BrowserSettings) -> None:
    def look() -> tuple[bool, bool]:
        env = InvestigationEnv(settings)
        contexts = Contexts(env.warm_up().browser, settings)
        try:
            fresh = contexts.take((800, 600))
            reader = TabReader(fresh.page, fresh.session, settings, fresh.frame_id)
            fresh.page.goto("data:text/html,<p>page</p>")
            time.sleep(0.6)
            first, _ = reader.quiet(0.5, 0.0)
            # The page may have been acted on by now.
            again, _ = reader.quiet(0.5, 0.0)
            return first, again
        finally:
            contexts.finish()
            env.close()

    # Playwright's driver leaves a loop running in the thread that it was started from.
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(look).result() == (True, False)
