"""What the environment shows of a page and what its actions do, in a real Chromium."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from browser_pages import HOST, PageServer, Session, send, values

from riskchainbench.core.investigation import Action, ElementKind, EventKind, OutcomeStatus

pytestmark = pytest.mark.browser

Begin = Callable[..., Session]


def test_the_text_is_what_the_viewport_shows(begin: Begin) -> None:
    session = begin(
        "<title>首页</title><h1>欢迎 光临</h1><p>a <b>bold</b> tail</p>"
        "<p style='display:none'>hidden</p><p style='opacity:0'>clear</p>"
        "<div style='height:3000px'></div><p>below the fold</p>"
    )
    assert session.view.title == "首页"
    assert session.view.text == "欢迎 光临\na bold tail"
    for _ in range(6):
        session.act("scroll_down")
    assert session.view.text == "below the fold"


def test_a_paragraph_that_crosses_the_fold_is_cut_there(begin: Begin) -> None:
    lines = "".join(f"行{number:03d}<br>" for number in range(100))
    session = begin(f"<p style='margin:0;line-height:20px'>{lines}</p>")
    shown = session.view.text.split("\n")
    assert shown[0] == "行000"
    assert 34 <= len(shown) <= 36


def test_text_under_an_opaque_layer_is_not_shown(begin: Begin) -> None:
    layer = "<div style='position:fixed;inset:0;background:{}'>cookie wall</div>"
    opaque = begin("<p>beneath it</p>" + layer.format("#fff"))
    assert opaque.view.text == "cookie wall"
    clear = begin("<p>beneath it</p>" + layer.format("rgba(0,0,0,.3)"))
    assert "beneath it" in clear.view.text


def test_text_clipped_by_a_scrolling_box_is_not_shown_until_scrolled(begin: Begin) -> None:
    box = "<div style='height:700px;overflow:auto'>first<div style='height:900px'></div>last</div>"
    session = begin(box)
    assert session.view.text == "first"
    session.act("scroll_down")
    session.act("scroll_down")
    assert session.view.text == "last"
    assert session.act("scroll_down").outcome.status is OutcomeStatus.NO_EFFECT


def test_shadow_roots_and_frames_are_read_and_clicked(begin: Begin, server: PageServer) -> None:
    server.pages["/inner"] = (
        "<p>inside the frame</p><button onclick='this.textContent=\"hit\"'>press"
    )
    server.pages["/mount.js"] = lambda h: send(
        h,
        b"const r=host.attachShadow({mode:'open'});"
        b"r.innerHTML='<p>in the shadow</p><button>dark</button>';"
        b"r.querySelector('button').onclick=e=>e.target.textContent='lit'",
        Content_Type="text/javascript",
    )
    session = begin(
        "<div id=host></div><script src=/mount.js></script>"
        "<iframe src=/inner sandbox='allow-scripts' style='margin-left:200px'></iframe>"
    )
    assert "in the shadow" in session.view.text
    assert "inside the frame" in session.view.text
    session.act("click", "press")
    assert "hit" in session.view.text
    session.act("click", "dark")
    assert "lit" in session.view.text


def test_controls_keep_their_ids_while_their_page_lives(begin: Begin) -> None:
    session = begin("<a href='/'>again</a><button onclick='document.title=1'>same")
    before = session.element("same").element_id
    session.act("click", "same")
    assert session.element("same").element_id == before
    used = {element.element_id for element in session.view.elements}
    session.act("reload")
    assert not used & {element.element_id for element in session.view.elements}


def test_the_page_cannot_see_that_it_is_read(begin: Begin, server: PageServer) -> None:
    server.pages["/watch.js"] = lambda h: send(
        h,
        b"new MutationObserver(()=>{}).observe(document,{subtree:true,attributes:true});"
        b"onload=()=>{out.textContent=[navigator.webdriver===true,"
        b"/Headless/.test(navigator.userAgent),typeof reader,"
        b"document.querySelectorAll('[bid]').length].join()}",
        Content_Type="text/javascript",
    )
    session = begin("<p id=out></p><button>b</button><script src=/watch.js></script>")
    assert session.view.text.splitlines()[0] == "false,false,undefined,0"


def test_fill_cycles_the_declared_fixtures_and_names_them(begin: Begin) -> None:
    fixtures = {"code": values(("wrong code", "0000"), ("right code", "1234"))}
    session = begin("<label>Code <input name=code></label>", fixtures=fixtures)
    shown = []
    for _ in range(3):
        outcome = session.act("fill", "Code").outcome
        shown.append((outcome.fixture, session.element("Code").value))
    assert shown == [("wrong code", "0000"), ("right code", "1234"), ("wrong code", "0000")]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        ("<input aria-label=f type=date>", "2026-01-15"),
        ("<input aria-label=f type=range>", "50"),
        ("<input aria-label=f type=email>", "visitor@mail.test"),
        ("<textarea aria-label=f></textarea>", "Sample text"),
        ("<div aria-label=f contenteditable>old</div>", "Sample text"),
    ],
)
def test_every_kind_of_field_is_filled(begin: Begin, markup: str, expected: str) -> None:
    session = begin(markup)
    assert session.act("fill", "f").outcome.status is OutcomeStatus.DONE
    assert session.element("f").value == expected


def test_choices_of_every_kind_are_chosen(begin: Begin) -> None:
    session = begin(
        "<select aria-label=s><option>甲<option>乙</select>"
        "<label><input type=checkbox>agree</label>"
        "<label><input type=radio name=r style='display:none'>left</label>"
        "<div role=switch aria-checked=false tabindex=0 "
        "onclick=\"this.setAttribute('aria-checked','true')\">dark mode</div>"
    )
    assert session.act("choose", "s", "乙").outcome.status is OutcomeStatus.DONE
    assert session.element("s").value == "乙"
    assert session.act("choose", "s", "丙").outcome.status is OutcomeStatus.NOT_APPLICABLE
    for name in ("agree", "left", "dark mode"):
        session.act("choose", name)
        assert session.element(name).checked is True


def test_submit_sends_the_form_of_a_field(begin: Begin, server: PageServer) -> None:
    server.pages["/sent"] = "<p>received</p>"
    session = begin("<form action=/sent><input name=q aria-label=q><button>go</button></form>")
    session.act("fill", "q")
    session.act("submit", "q")
    assert session.view.text == "received"
    assert server.paths[-1] == "/sent?q=Sample+text"


def test_a_covered_control_says_what_covers_it(begin: Begin) -> None:
    session = begin(
        "<button>buy</button><div role=dialog aria-label='Cookies'"
        " style='position:fixed;inset:0;background:#fff'></div>"
    )
    outcome = session.act("click", "buy").outcome
    assert outcome.status is OutcomeStatus.COVERED
    assert outcome.detail == "covered by dialog “Cookies”"


def test_disabled_gone_and_unknown_controls_are_outcomes(begin: Begin) -> None:
    session = begin("<button disabled>off</button><button onclick='this.remove()'>once</button>")
    assert session.act("click", "off").outcome.status is OutcomeStatus.DISABLED
    once = session.element("once").element_id
    session.raw(Action(action="click", element=once))
    gone = session.raw(Action(action="click", element=once))
    assert gone.outcome.status is OutcomeStatus.DETACHED
    unknown = session.raw(Action(action="click", element="e999"))
    assert unknown.outcome.status is OutcomeStatus.UNKNOWN_ELEMENT


def test_an_action_that_changes_nothing_has_no_effect(begin: Begin) -> None:
    session = begin("<button>dead</button>")
    session.act("click", "dead")  # the first click moves the focus ring
    before = session.view.page_state
    assert session.act("click", "dead").outcome.status is OutcomeStatus.NO_EFFECT
    assert session.view.page_state == before


def test_a_new_tab_becomes_active_and_back_closes_it(begin: Begin, server: PageServer) -> None:
    server.pages["/new"] = "<p>second tab</p>"
    session = begin("<a target=_blank href=/new>open</a>")
    session.act("click", "open")
    assert session.view.text == "second tab"
    assert EventKind.NEW_TAB in {event.kind for event in session.view.events}
    session.act("back")
    assert session.view.text == "open"


def test_back_and_its_end(begin: Begin, server: PageServer) -> None:
    server.pages["/two"] = "<p>two</p>"
    session = begin("<a href=/two>next</a>")
    session.act("click", "next")
    session.act("back")
    assert session.view.text == "next"
    assert session.act("back").outcome.status is OutcomeStatus.NO_EFFECT


@pytest.mark.parametrize("call", ["alert('你好')", "confirm('你好')", "prompt('你好')"])
def test_dialogs_are_answered_and_told(begin: Begin, call: str) -> None:
    session = begin(f'<button onclick="{call}">ask</button>')
    events = session.act("click", "ask").events
    assert [event.kind for event in events] == [EventKind.DIALOG]
    assert "你好" in events[0].text


def test_a_download_is_told_and_not_saved(begin: Begin, server: PageServer) -> None:
    server.pages["/file"] = lambda h: send(
        h, b"x", Content_Type="application/zip", Content_Disposition="attachment; filename=a.zip"
    )
    session = begin("<a href=/file>get</a>")
    events = session.act("click", "get").events
    assert [(event.kind, event.text) for event in events] == [
        (EventKind.DOWNLOAD, "a.zip (not saved)")
    ]
    assert HOST not in session.view.network[0].url


def test_the_start_of_a_second_episode_is_the_same_to_the_byte(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/paint.js"] = lambda h: send(
        h,
        b"out.textContent=[localStorage.length,document.cookie,Math.random(),"
        b"new Date().getFullYear(),Intl.DateTimeFormat().resolvedOptions().timeZone].join();"
        b"localStorage.a=1;document.cookie='b=2'",
        Content_Type="text/javascript",
    )
    page = "<p id=out></p><input autofocus><script src=/paint.js></script>"
    first = begin(page)
    second = begin(page)
    assert first.view.text.startswith("0,,0.")
    assert first.view.text.endswith("2026,Asia/Shanghai")
    assert second.view == first.view
    assert second.png == first.png


def test_the_clock_moves(begin: Begin, server: PageServer) -> None:
    server.pages["/c.js"] = lambda h: send(
        h,
        b"b.onclick=()=>{o.textContent=Date.now()-t>50};t=Date.now()",
        Content_Type="text/javascript",
    )
    session = begin("<button id=b>late</button><p id=o></p><script src=/c.js></script>")
    session.act("click", "late")
    assert "true" in session.view.text


def test_kinds_of_controls(begin: Begin) -> None:
    session = begin(
        "<a href=/>link</a><button>button</button><form><button>send</button></form>"
        "<input aria-label=field><input type=checkbox aria-label=choice>"
        "<div style='cursor:pointer'>div</div><details><summary>more</summary></details>"
        "<input type=hidden aria-label=no><a>no link</a>"
    )
    assert {element.name: element.kind for element in session.view.elements} == {
        "link": ElementKind.LINK,
        "button": ElementKind.BUTTON,
        "send": ElementKind.SUBMIT,
        "field": ElementKind.FIELD,
        "choice": ElementKind.CHOICE,
        "div": ElementKind.BUTTON,
        "more": ElementKind.BUTTON,
    }


def test_a_slow_answer_is_waited_for(begin: Begin, server: PageServer) -> None:
    def slow(handler: object) -> None:
        time.sleep(0.6)
        send(handler, b"<p>late page</p>")  # type: ignore[arg-type]

    server.pages["/slow"] = slow
    session = begin("<a href=/slow>go</a>")
    session.act("click", "go")
    assert session.view.text == "late page"


def test_an_outside_page_is_refused_wherever_it_would_open(begin: Begin) -> None:
    session = begin(
        "<a href=http://outside.test/a>here</a><a target=_blank href=http://outside.test/b>tab</a>"
    )
    for name in ("here", "tab"):
        session.act("click", name)
        assert session.view.text == "heretab"
        assert EventKind.BLOCKED_REQUEST in {event.kind for event in session.view.events}
        assert not any("outside.test" in event.text for event in session.view.events)
        assert session.view.network[0].url.startswith("http://outside.test/")


def test_a_redirect_outside_comes_back_without_naming_the_host(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/go"] = lambda h: send(h, b"", 302, Location="http://outside.test/x")
    session = begin("<a href=/go>go</a>")
    session.act("click", "go")
    assert session.view.text == "go"
    assert "outside" not in " ".join(event.text for event in session.view.events).replace(
        "an outside page", ""
    )
    assert "http://outside.test/x" in {entry.url for entry in session.view.network}


@pytest.mark.parametrize("url", ["file:///etc/passwd", "view-source:http://x", "chrome://crash"])
def test_a_link_of_another_scheme_is_never_clicked(begin: Begin, url: str) -> None:
    session = begin(f"<a href='{url}'>open</a>")
    assert session.act("click", "open").outcome.status is OutcomeStatus.BLOCKED
    assert session.view.network[0].layer == "action"


def test_another_episodes_host_is_turned_away(begin: Begin, server: PageServer) -> None:
    server.pages["/w.js"] = lambda h: send(
        h, b"new WebSocket('ws://other.test/')", Content_Type="text/javascript"
    )
    session = begin("<p>page</p><script src=/w.js></script>")
    session.act("scroll_down")
    assert set(server.hosts) == {HOST}


def test_what_the_pointer_rests_on_after_a_load_is_always_drawn_alike(begin: Begin) -> None:
    page = "<style>a{display:block;padding:99px}a:hover{background:red}</style><a href=/>again</a>"
    shots = set()
    for _ in range(3):
        session = begin(page)
        session.act("click", "again")
        shots.add(session.png)
    assert len(shots) == 1


def test_a_scrolling_box_that_is_reached_by_keyboard_alone_is_scrolled(begin: Begin) -> None:
    rows = "".join(
        f"<a href='/{n}' style='display:block;height:90px'>row {n}</a>" for n in range(20)
    )
    session = begin(
        "<body style='margin:0;overflow:hidden;height:100vh'>"
        f"<div tabindex=0 style='height:100vh;overflow:auto'>{rows}</div>"
    )
    assert "row 19" not in session.view.text
    for _ in range(3):
        session.act("scroll_down")
    assert "row 19" in session.view.text
    session.act("scroll_up")
    assert "row 19" not in session.view.text


def test_a_control_below_the_edge_of_a_scrolling_box_is_scrolled_to_and_clicked(
    begin: Begin,
) -> None:
    session = begin(
        "<div style='height:200px;overflow:auto'><div style='height:2000px'></div>"
        "<button onclick=\"document.title='hit'\">deep</button></div>"
    )
    assert not session.element("deep").in_viewport
    assert session.act("click", "deep").title == "hit"


def test_a_control_that_only_answers_keys_is_submitted_by_its_form(
    begin: Begin, server: PageServer
) -> None:
    server.pages["/found"] = "<p>found</p>"
    session = begin("<form action=/found><input name=q aria-label=search></form>")
    session.act("fill", "search")
    assert session.act("submit", "search").text == "found"


@pytest.mark.parametrize("listener", ["keydown", "keyup", "keypress"])
def test_a_control_that_answers_keys_alone_is_pressed_by_key(begin: Begin, listener: str) -> None:
    session = begin(
        "<div role=button tabindex=0 id=b>open</div><script>"
        f"b.addEventListener('{listener}', e => e.key === 'Enter' && (document.title = 'opened'))"
        "</script>"
    )
    assert session.act("click", "open").title == "opened"


def test_a_control_that_answers_both_is_clicked_once(begin: Begin) -> None:
    session = begin(
        "<div role=button tabindex=0 id=b>open</div><script>let n = 0;"
        "for (const kind of ['keydown', 'click'])"
        " b.addEventListener(kind, () => { document.title = kind + ++n; })</script>"
    )
    assert session.act("click", "open").title == "click1"
