"""Pages that hang, crash or flood: each ends within a bound and with a failure of its own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import psutil
import pytest
from browser_pages import PageServer, send, visit_of

from riskchainbench.browser.pool import EnvironmentFailureError, Worker
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.view import PageView
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import Action, ActionKind, EventKind, OutcomeStatus
from riskchainbench.core.units import tried

pytestmark = [pytest.mark.browser, pytest.mark.hostile]

LIMIT = 10.0
RECOVERY = 3.0


@pytest.fixture(scope="module")
def worker(settings: BrowserSettings) -> Iterator[Worker]:
    """Return one worker for all tests; it starts anew by itself after it was killed."""
    made = Worker(
        settings.but(step_limit=LIMIT, open_limit=LIMIT, load_cap=3.0, memory_cap=1024**3)
    )
    yield made
    if made.tree is not None:
        made.tree.kill()


async def opened(worker: Worker, server: PageServer, page: str) -> PageView:
    server.pages["/"] = page
    return (await worker.open(visit_of(server)))[0]


async def click(worker: Worker, view: PageView, name: str) -> PageView:
    found = next(element for element in view.elements if element.name == name)
    action = Action(action=ActionKind.CLICK, element=found.element_id)
    return (await worker.act(action))[0]


async def still_works(worker: Worker, server: PageServer) -> None:
    """Show that a fresh page is fine, tried again after a system failure as a unit would be."""
    view = await tried(lambda: opened(worker, server, "<p>all is well</p>"))
    assert isinstance(view, PageView), view
    assert view.text == "all is well"


@pytest.mark.parametrize(
    "script", ["while(true){}", "while(true)alert(1)"], ids=["loop", "alert storm"]
)
async def test_a_page_that_never_returns_is_killed_in_time(
    worker: Worker, server: PageServer, script: str
) -> None:
    view = await opened(worker, server, f"<button onclick='{script}'>go</button>")
    started = time.monotonic()
    with pytest.raises(EnvironmentFailureError) as caught:
        await click(worker, view, "go")
    assert caught.value.failure.failure_class is FailureClass.PAGE_HUNG
    assert time.monotonic() - started < LIMIT + RECOVERY
    await still_works(worker, server)


@pytest.mark.parametrize(
    "script",
    ["while(true){}", "setTimeout(()=>{while(true){}},50)"],
    ids=["on load", "in a timer"],
)
async def test_a_loop_before_the_first_observation(
    worker: Worker, server: PageServer, script: str
) -> None:
    await still_works(worker, server)
    started = time.monotonic()
    with pytest.raises(EnvironmentFailureError) as caught:
        await opened(worker, server, f"<p>soon</p><script>{script}</script>")
    assert caught.value.failure.failure_class is FailureClass.PAGE_HUNG
    assert time.monotonic() - started < LIMIT + RECOVERY
    await still_works(worker, server)


async def test_a_loop_in_a_worker_does_no_harm(worker: Worker, server: PageServer) -> None:
    page = (
        "<button>go</button><script>new Worker(URL.createObjectURL(new Blob(['for(;;){}'])))"
        "</script>"
    )
    view = await opened(worker, server, page)
    assert (await click(worker, view, "go")).outcome is not None


async def test_a_crash_is_the_pages_failure(worker: Worker, server: PageServer) -> None:
    view = await opened(worker, server, "<button>go</button>")
    tree = worker.tree
    assert tree is not None
    renderers = [p for p in tree.members() if "--type=renderer" in p.cmdline()]
    for renderer in renderers:
        renderer.kill()
    with pytest.raises(EnvironmentFailureError) as caught:
        await click(worker, view, "go")
    assert caught.value.failure.failure_class is FailureClass.PAGE_CRASHED
    await still_works(worker, server)


async def test_a_memory_bomb_is_stopped_at_the_cap(worker: Worker, server: PageServer) -> None:
    bomb = "k=[];setInterval(()=>{k.push(new Uint8Array(5e7).fill(1))},10)"
    view = await opened(worker, server, f'<button onclick="{bomb}">go</button>')

    async def go_on() -> None:
        nonlocal view
        for _ in range(20):
            view = await click(worker, view, "go")

    with pytest.raises(EnvironmentFailureError) as caught:
        await go_on()
    assert caught.value.failure.failure_class in {
        FailureClass.PAGE_MEMORY,
        FailureClass.PAGE_HUNG,
        FailureClass.PAGE_CRASHED,
    }
    await still_works(worker, server)


async def test_a_hundred_thousand_nodes_are_read_up_to_the_cap(
    worker: Worker, server: PageServer
) -> None:
    view = await opened(worker, server, "<div><a href=/>x</a></div>" * 50_000)
    assert len(view.elements) == 200
    assert view.elements_left_out == 50_000 - 200


@pytest.mark.parametrize("pages", [20, 0], ids=["twenty", "without end"])
async def test_popups_are_capped(worker: Worker, server: PageServer, pages: int) -> None:
    server.pages["/pop"] = "<p>popped</p>"
    storm = (
        f"for(let i=0;i<{pages};i++)window.open('/pop')"
        if pages
        else "setInterval(()=>window.open('/pop'),20)"
    )
    view = await opened(worker, server, f'<button onclick="{storm}">go</button>')
    try:
        view = await click(worker, view, "go")
    except EnvironmentFailureError as error:
        assert error.failure.failure_class is FailureClass.PAGE_HUNG  # noqa: PT017
    else:
        assert EventKind.NEW_TAB in {event.kind for event in view.events}
    await still_works(worker, server)


async def test_a_page_that_never_answers(worker: Worker, server: PageServer) -> None:
    server.pages["/never"] = lambda h: time.sleep(30)
    view = await opened(worker, server, "<a href=/never>go</a>")
    view = await click(worker, view, "go")
    assert EventKind.LOAD_ERROR in {event.kind for event in view.events}
    assert view.text == "go"


async def test_a_page_that_never_finishes_is_shown_as_far_as_it_came(
    worker: Worker, server: PageServer
) -> None:
    def trickle(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", "100000")
        handler.end_headers()
        handler.wfile.write(b"<p>the beginning</p>" + b" " * 2000)
        handler.wfile.flush()
        time.sleep(30)

    server.pages["/part"] = trickle
    view = await opened(worker, server, "<a href=/part>go</a>")
    assert (await click(worker, view, "go")).text == "the beginning"


async def test_redirect_and_reload_loops_end(worker: Worker, server: PageServer) -> None:
    server.pages["/loop"] = lambda h: send(h, b"", 302, Location="/loop")
    server.pages["/again"] = "<p>again</p><script>setTimeout(()=>location.reload(),100)</script>"
    view = await opened(worker, server, "<a href=/loop>redirect</a><a href=/again>reload</a>")
    after = await click(worker, view, "redirect")
    assert EventKind.LOAD_ERROR in {event.kind for event in after.events}
    try:
        after = await click(worker, after, "reload")
    except EnvironmentFailureError as error:
        assert error.failure.failure_class is FailureClass.PAGE_HUNG  # noqa: PT017
    await still_works(worker, server)


async def test_frames_rebuilt_all_the_time(worker: Worker, server: PageServer) -> None:
    script = (
        "setInterval(()=>{document.querySelector('iframe')?.remove();"
        "document.body.append(document.createElement('iframe'))},30)"
    )
    view = await opened(worker, server, f"<p>steady</p><script>{script}</script>")
    assert view.text.startswith("steady")


async def test_a_huge_response_is_cut_off(
    worker: Worker, server: PageServer, settings: BrowserSettings
) -> None:
    def flood(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Type", "text/html")
        handler.send_header("Content-Length", str(300 * 1024**2))
        handler.end_headers()
        for _ in range(300):
            handler.wfile.write(b"<!-- filler -->" * 70_000)

    server.pages["/flood"] = flood
    view = await opened(worker, server, "<a href=/flood>go</a>")
    try:
        await click(worker, view, "go")
    except EnvironmentFailureError as error:
        assert error.failure.rule.owner == "environment"  # noqa: PT017
    await still_works(worker, server)


async def test_pages_that_use_our_words_or_ask_for_much(worker: Worker, server: PageServer) -> None:
    page = (
        "<p bid=a1 browsergym_x=1>bid of its own</p>"
        "<button onclick='print();window.close();document.body.requestFullscreen();"
        "navigator.geolocation.getCurrentPosition(()=>{});Notification.requestPermission()'>"
        "ask</button><script>Array.prototype.map=null;document.querySelectorAll=null;"
        "window.reader={};onbeforeunload=()=>'stay'</script><a href=/>leave</a>"
    )
    view = await opened(worker, server, page)
    assert "bid of its own" in view.text
    view = await click(worker, view, "ask")
    view = await click(worker, view, "leave")
    assert view.outcome is not None
    assert view.outcome.status in {OutcomeStatus.DONE, OutcomeStatus.NO_EFFECT}


async def test_a_closed_shadow_root_is_no_harm(worker: Worker, server: PageServer) -> None:
    page = (
        "<p>open air</p><div id=d></div><script>"
        "d.attachShadow({mode:'closed'}).innerHTML='<button>hidden</button>'</script>"
    )
    assert (await opened(worker, server, page)).text == "open air"


async def test_no_process_outlives_its_worker(worker: Worker, server: PageServer) -> None:
    await opened(worker, server, "<p>here</p>")
    assert worker.tree is not None
    members = worker.tree.members()
    assert len(members) > 3
    await worker.kill()
    gone, alive = psutil.wait_procs(members, timeout=3)
    assert alive == []
    assert len(gone) == len(members)
