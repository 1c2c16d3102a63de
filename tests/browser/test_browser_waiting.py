"""How long the environment waits for a page before it shows it."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler

import pytest
from browser_pages import PageServer, Session, send, visit_of
from browsergym.core import _get_global_playwright, _set_global_playwright
from PIL import Image

from riskchainbench.browser.contexts import Contexts
from riskchainbench.browser.environment import InvestigationEnv
from riskchainbench.browser.reader import TabReader
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.core.investigation import Action, ActionKind
from riskchainbench.websites.fonts import FONT_TYPE, font_file, font_names

pytestmark = pytest.mark.browser

Begin = Callable[..., Session]
InAThread = Callable[[Callable[[], object]], object]

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


@pytest.fixture(scope="module")
def in_a_thread() -> Iterator[InAThread]:
    """Work with environments in this process: the driver leaves a loop running in its thread."""
    with ThreadPoolExecutor(1) as thread:
        yield lambda work: thread.submit(work).result()
        thread.submit(_get_global_playwright().stop).result()
        _set_global_playwright(None)


def test_a_tab_that_opens_late_is_waited_for(
    settings: BrowserSettings, server: PageServer, in_a_thread: InAThread
) -> None:
    server.pages["/"] = "<title>one</title><button onclick=\"window.open('/two')\">go</button>"
    server.pages["/two"] = "<title>two</title><p>second</p>"

    def look() -> str:
        env = InvestigationEnv(settings)
        try:
            seen, _ = env.reset(options={"visit": visit_of(server)})
            tabs, context = env._tabs, env.context
            assert tabs is not None
            assert context is not None
            context.remove_listener("page", tabs._opened)
            context.on("page", lambda page: tabs._loop.call_later(0.6, tabs._opened, page))
            button = seen["view"].elements[0].element_id
            after = env.step(Action(action=ActionKind.CLICK, element=button).to_json())[0]
            return str(after["view"].title)
        finally:
            env.close()

    assert in_a_thread(look) == "two"


def test_quiet_that_was_there_before_it_was_asked_for_counts(
    settings: BrowserSettings, in_a_thread: InAThread
) -> None:
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

    assert in_a_thread(look) == (True, False)
