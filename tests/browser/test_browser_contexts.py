"""Episodes follow one another in contexts made ahead; nothing of one is in the next."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

import psutil
import pytest
from browser_pages import Driver, PageServer, Session, send

from riskchainbench.core.investigation import Action, ActionKind

pytestmark = pytest.mark.browser

Begin = Callable[..., Session]


def renderers(driver: Driver) -> list[psutil.Process]:
    assert driver.worker.tree is not None
    found = []
    for process in driver.worker.tree.members():
        with contextlib.suppress(psutil.Error):
            if "--type=renderer" in process.cmdline():
                found.append(process)
    return found


def width_of(png: bytes | None) -> int:
    assert png is not None
    return int.from_bytes(png[16:20], "big")


def test_every_episode_has_its_own_storage_and_looks_the_same(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/count.js"] = lambda h: send(
        h,
        b"localStorage.n=1+Number(localStorage.n||0);"
        b"document.cookie='n='+(1+Number((document.cookie.match(/n=(\\d+)/)||[])[1]||0));"
        b"o.textContent=localStorage.n+document.cookie+history.length",
        Content_Type="text/javascript",
    )
    page = "<p id=o></p><button>b</button><script src=/count.js></script>"
    sessions = [begin(page) for _ in range(4)]
    assert {session.view.text for session in sessions} == {"1n=12\nb"}
    assert len({session.png for session in sessions}) == 1
    assert len({session.view.to_json() for session in sessions}) == 1


def test_contexts_do_not_pile_up(begin: Begin, driver: Driver) -> None:
    for _ in range(3):
        begin("<p>page</p>")
    few = len(renderers(driver))
    for _ in range(8):
        begin("<p>page</p>")
    assert len(renderers(driver)) <= few


def test_a_context_of_another_size_is_not_used(begin: Begin) -> None:
    widths = [width_of(begin("<p>page</p>", width=width).png) for width in (1280, 800, 800, 1280)]
    assert widths == [1280, 800, 800, 1280]


def test_a_context_that_died_before_it_was_needed_is_replaced(begin: Begin, driver: Driver) -> None:
    begin("<p>page</p>")
    driver.run(driver.worker.end())
    waiting = renderers(driver)
    assert waiting
    for renderer in waiting:
        renderer.kill()
    time.sleep(1.0)
    assert begin("<p>page</p>").view.text == "page"


def test_what_the_last_page_still_tries_is_not_the_next_ones(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/storm.js"] = lambda h: send(
        h,
        b"setInterval(()=>{for(let i=0;i<9;i++)new WebSocket('ws://other.test/'+Math.random())},1)",
        Content_Type="text/javascript",
    )
    for _ in range(3):
        assert begin("<p>storm</p><script src=/storm.js></script>").view.network
        assert begin("<p>calm</p>").view.network == ()


def test_a_reading_that_came_to_nothing_numbers_no_control(
    begin: Begin, server: PageServer
) -> None:
    def late(handler: BaseHTTPRequestHandler) -> None:
        time.sleep(0.5)
        send(handler, b"late")

    server.pages["/late"] = late
    server.pages["/grow.js"] = lambda h: send(
        h,
        b"fetch('/late').then(r=>r.text()).then(t=>{const n=document.createElement('button');"
        b"n.textContent=t;b.before(n)})",
        Content_Type="text/javascript",
    )
    session = begin("<button id=b>first</button><script src=/grow.js></script>")
    named = {element.name: element.element_id for element in session.view.elements}
    assert named == {"late": "e1", "first": "e2"}


def test_controls_of_frames_are_numbered_after_those_of_the_page(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/inner"] = "<button onclick='this.textContent=\"hit\"'>inner</button>"
    session = begin("<button>outer</button><iframe src=/inner></iframe>")
    named = {element.name: element.element_id for element in session.view.elements}
    assert named == {"outer": "e1", "inner": "e2"}
    session.raw(Action(action=ActionKind.CLICK, element="e2"))
    assert session.element("hit").element_id == "e2"
