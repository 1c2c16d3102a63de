"""A compiled website shows what the captured site showed, reaches nobody and names nobody."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from awkward_site import AwkwardSite
from captures import ORIGIN, Sent, har, warc
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.capture.compiler import Compiled, compile_capture
from riskchainbench.capture.exchange import Capture, CaptureKind, Exchange
from riskchainbench.capture.masking import Masker
from riskchainbench.capture.opaque import opaque
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.record import Origin
from riskchainbench.capture.seal import leads_outside, seal_problems
from riskchainbench.capture.troubles import CaptureError
from riskchainbench.messages.identifiers import find_live_identifiers
from riskchainbench.websites.controls import Controls, controls
from riskchainbench.websites.exploration import reachable
from riskchainbench.websites.files import check_website
from riskchainbench.websites.step import Event, State, View, initial_state, step

HTML = "text/html; charset=utf-8"


def compiled(*answers: Sent, path: Path, scripts: Scripts = Scripts.DROP) -> Compiled:
    found = compile_capture(read_capture(warc(path / "x", answers)), ImportPolicy(scripts=scripts))
    check_website(found.loaded, "x")
    return found


class Visitor:
    """Walks a compiled website as `step` answers."""

    def __init__(self, found: Compiled) -> None:
        self.site = found.loaded
        self.state: State = initial_state(self.site)
        self.view: View = self.go(Event("GET", "/"))

    def go(self, event: Event) -> View:
        for _ in range(10):
            self.state, view = step(self.site, self.state, event)
            if view.location is None:
                self.view = view
                return view
            event = Event("GET", view.location)
        raise AssertionError("endless redirects")

    @property
    def controls(self) -> Controls:
        return controls(self.view.body)

    def follow(self, name: str) -> View:
        link = next(link for link in self.controls.links if link.name == name)
        return self.go(Event("GET", link.path, query=dict(link.query)))

    def submit(self, number: int = 0, **fields: str) -> View:
        form = self.controls.forms[number]
        given = {f.name: f.value for f in form.fields if f.name} | fields
        if form.method == "GET":
            return self.go(Event("GET", form.path, query=given))
        return self.go(Event("POST", form.path, form=given))

    @property
    def text(self) -> str:
        return self.view.body.decode()


@pytest.fixture(params=["x.warc.gz", "m"])
def of_wget(request: pytest.FixtureRequest, awkward: tuple[Path, AwkwardSite]) -> Compiled:
    capture = read_capture(awkward[0] / request.param)
    found = compile_capture(capture, ImportPolicy())
    check_website(found.loaded, "x")
    return found


def test_links_of_the_awkward_site_lead_where_they_led(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    assert "Welcome home" in visitor.text
    seen = {}
    for name in ("First item", "Second item", "Old address", "Umlaut", "Packed", "中文"):
        visitor.go(Event("GET", "/"))
        seen[name] = visitor.follow(name).body.decode()
    assert "Item 1 first" in seen["First item"]
    assert "Item 2 first" in seen["Second item"]
    assert "Item 1 first" in seen["Old address"]
    assert "Grüße und Küsse" in seen["Umlaut"]
    assert "Once packed" in seen["Packed"]
    assert "中文页面" in seen["中文"]


def test_what_the_capture_lacks_is_stood_in_for(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    view = visitor.follow("Elsewhere")
    assert view.status == 404
    assert of_wget.origins[view.page_id or ""] is Origin.SUBSTITUTE
    assert "Welcome home" in visitor.follow("Back").body.decode()


def test_the_awkward_site_is_sealed(of_wget: Compiled, awkward: tuple[Path, AwkwardSite]) -> None:
    assert seal_problems(of_wget.loaded, ["127.0.0.1"]) == ()
    home = Visitor(of_wget).text
    assert re.findall(r"<(?:script|noscript|base|style|template)\b|\son\w+=|\sstyle=", home) == []


def test_equal_files_are_stored_once(of_wget: Compiled) -> None:
    pictures = [name for name in of_wget.loaded.files if name.endswith(".png")]
    assert len(pictures) == 1


def test_identifiers_are_masked_and_counted(of_wget: Compiled) -> None:
    home = Visitor(of_wget).text
    assert "5550" not in home
    assert "shop.example-mail" not in home
    assert find_live_identifiers(home) == []
    assert of_wget.masked["phone"] == of_wget.masked["e-mail"] == 1


def test_a_title_keeps_no_host(of_wget: Compiled) -> None:
    assert "<title>Home</title>" in Visitor(of_wget).text


def test_a_form_without_a_captured_answer_has_a_labelled_one(of_wget: Compiled) -> None:
    visitor = Visitor(of_wget)
    assert visitor.submit(1, user_name="x").status == 204
    visitor.go(Event("GET", "/"))
    view = visitor.submit(1, user_name="x", **{"pass": "y"})
    assert "You are now signed in." in view.body.decode()
    assert of_wget.origins[view.page_id or ""] is Origin.SYNTHETIC
    assert visitor.state != initial_state(of_wget.loaded)


def test_every_page_can_be_explored(of_wget: Compiled) -> None:
    graph = reachable(of_wget.loaded)
    assert graph.loops == ()
    assert not [where for where in graph.dead if where.startswith("GET")]


# --- state ---------------------------------------------------------------------------------------
FORM = (
    b'<title>t</title><form method=post action=/in><input name="u[n]"><input type=password name=p>'
    b"<button>Go</button></form><a href=/shop>Shop</a>"
)
TO_HOME = (("Location", "/home"),)
LOGIN = (
    Sent("/", FORM, second=1),
    Sent("/shop", b"<p>Prices for guests", second=2),
    Sent(
        "/in", b"<p>Wrong <a href=/>Back</a>", method="POST", sent=b"u%5Bn%5D=ann&p=bad", second=3
    ),
    Sent("/in", b"", "", 303, "POST", b"u%5Bn%5D=ann&p=good", TO_HOME, second=4),
    Sent("/home", b"<p>Hello member <a href=/shop>Shop</a>", second=5),
    Sent("/shop", b"<p>Prices for members", second=6),
)


@pytest.mark.parametrize("write", [warc, har])
def test_captured_submissions_become_transitions(tmp_path: Path, write: object) -> None:
    capture = read_capture(write(tmp_path / "x", LOGIN))  # type: ignore[operator]
    found = compile_capture(capture, ImportPolicy())
    check_website(found.loaded, "x")
    visitor = Visitor(found)
    assert "guests" in visitor.follow("Shop").body.decode()
    visitor.go(Event("GET", "/"))
    assert "Wrong" in visitor.submit(u_n="ann", p="bad").body.decode()
    visitor.follow("Back")
    assert "Hello member" in visitor.submit(u_n="ann", p="good").body.decode()
    assert "members" in visitor.follow("Shop").body.decode()
    assert set(found.origins.values()) == {Origin.OBSERVED}


def test_what_was_typed_is_offered_as_a_fixture(tmp_path: Path) -> None:
    found = compiled(*LOGIN, path=tmp_path)
    values = [fixture.value for fixture in found.loaded.fixtures("p")]
    assert values[:2] == ["bad", "good"]


def test_a_search_answers_what_was_searched_and_nothing_else(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<form action=/s><input name=q><input type=hidden name=l value=en></form>"),
        Sent("/s?q=red&l=en", b"<p>Red things"),
        path=tmp_path,
    )
    visitor = Visitor(found)
    assert "Red things" in visitor.submit(q="red").body.decode()
    visitor.go(Event("GET", "/"))
    assert "Nothing was found." in visitor.submit(q="blue").body.decode()


def test_scripts_are_answered_by_method_path_and_fields(tmp_path: Path) -> None:
    json = "application/json"
    found = compiled(
        Sent("/", b"<title>t</title><script>fetch('/api?p=1')</script>"),
        Sent("/api?p=1", b'{"page":1,"next":"http://shop.test/api?p=2"}', json),
        Sent("/api?p=2", b'{"page":2}', json),
        Sent("/track/beacon", b"{}", json),
        path=tmp_path,
        scripts=Scripts.KEEP,
    )
    visitor = Visitor(found)
    assert visitor.go(Event("GET", "/api", query={"p": "2"})).body == b'{"page":2}'
    assert visitor.go(Event("GET", "/api", query={"p": "1"})).body == b'{"page":1,"next":"/api"}'
    assert visitor.go(Event("GET", "/track/beacon")).status == 204


# --- pages ---------------------------------------------------------------------------------------
def test_inline_styles_keep_their_rank_in_a_file(tmp_path: Path) -> None:
    found = compiled(
        Sent(
            "/",
            b"<title>t</title><style>#a{color:red}</style>"
            b"<p id=a style='color:blue;}x{'>x<b style='top:1px'>y",
        ),
        path=tmp_path,
    )
    sheets = sorted(body for name, body in found.loaded.files.items() if name.endswith(".css"))
    assert sheets == [b"#a{color:red}", b'[data-k0="1"]:not(#_#_#_#_){top:1px}\n']


def test_kept_scripts_and_handlers_move_into_files(tmp_path: Path) -> None:
    found = compiled(
        Sent(
            "/",
            b"<title>t</title><button onclick='go(1)'>x</button>"
            b"<script>var a='http://shop.test/n'</script><script src=s.js></script>",
        ),
        Sent("/n", b"<p>next"),
        Sent("/s.js", b"var b = 'http://other.shop-cdn.com/x';", "text/javascript"),
        path=tmp_path,
        scripts=Scripts.KEEP,
    )  # fmt: skip
    home = Visitor(found).text
    assert "onclick" not in home
    assert len(re.findall(r'<script src="/a\w+\.js"></script>', home)) == 3
    code = b"\n".join(b for name, b in found.loaded.files.items() if name.endswith(".js")).decode()
    assert "go(1)" in code
    assert "shop" not in code


def test_what_is_not_shown_is_no_text(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<title>t</title><style>p{}</style><p>seen<noscript>no</noscript><xmp>a@b.com"),
        path=tmp_path,
    )
    assert list(found.texts.values()) == ["seen person1@mail.test"]


def test_a_page_that_stands_in_a_frame_or_inside_it(tmp_path: Path) -> None:
    found = compiled(
        Sent(
            "/",
            b"<title>t</title><iframe src=/f></iframe>"
            b"<iframe srcdoc='&lt;p style=color:red>in'></iframe>"
            b"<iframe src=http://else.invalid/></iframe>",
        ),
        Sent("/f", b"<p>framed"),
        path=tmp_path,
    )  # fmt: skip
    visitor = Visitor(found)
    sources = re.findall(r'<iframe src="([^"]+)"', visitor.text)
    texts = [visitor.go(Event("GET", path)).body.decode() for path in sources]
    assert "framed" in texts[0]
    assert "in" in texts[1]
    assert "data-k0" in texts[1]
    assert "not available" in texts[2]


def test_a_refresh_leads_on_inside_the_website(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<title>t</title><meta http-equiv=refresh content='0;URL=\"/next\"'>"),
        Sent("/next", b"<p>next"),
        path=tmp_path,
    )
    page = found.loaded.pages[Visitor(found).view.page_id or ""]
    assert page.redirect is not None
    assert "next" in Visitor(found).go(Event("GET", page.redirect.path)).body.decode()


def test_lazy_images_are_awake_where_scripts_are_gone(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<title>t</title><img data-src=a.gif src='data:image/gif;base64,R0lGODlh'>"),
        Sent("/a.gif", b"GIF89a-real", "image/gif"),
        path=tmp_path,
    )
    assert b"GIF89a-real;" in found.loaded.files.values()


def test_data_urls_become_files(tmp_path: Path) -> None:
    page = (
        b"<title>t</title><style>@font-face{src:url(data:font/woff2;base64,d09GMg==)}</style>"
        b"<img src='data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22/%3E'>"
    )
    found = compiled(Sent("/", page), path=tmp_path)
    endings = sorted(name.rsplit(".")[-1] for name in found.loaded.files)
    assert endings == ["css", "html", "svg", "woff2"]


def test_a_download_is_a_harmless_file(tmp_path: Path) -> None:
    found = compiled(
        Sent("/", b"<title>t</title><a href=/app.apk>Get it</a>"),
        Sent("/app.apk", b"PK\x03\x04payload", "application/vnd.android.package-archive"),
        path=tmp_path,
    )
    visitor = Visitor(found)
    view = visitor.follow("Get it")
    assert (view.download_name, b"payload" in view.body) == ("file.txt", False)


def test_a_limit_on_pages_cuts_the_farthest(tmp_path: Path) -> None:
    chain = [Sent(f"/{n}", f"<p>{n}<a href=/{n + 1}>on</a>".encode()) for n in range(1, 30)]
    answers = [Sent("/", b"<title>t</title><a href=/1>on</a>"), *chain]
    capture = read_capture(warc(tmp_path / "x", answers))
    policy = ImportPolicy()
    found = compile_capture(capture, policy.but(limits=policy.limits.but(pages=10)))
    check_website(found.loaded, "x")
    observed = [o for o in found.origins.values() if o is Origin.OBSERVED]
    assert len(observed) == 10
    assert found.lacking["page beyond the limit"] == 1


def test_a_start_page_that_is_too_large_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaptureError, match="too large: its start page"):
        compiled(Sent("/", b"<title>t</title>" + b"<p>x" * 2_500_000), path=tmp_path)


def test_equal_captures_give_equal_bytes(tmp_path: Path) -> None:
    captures = [read_capture(har(tmp_path / name, LOGIN)) for name in ("a", "b")]
    first, second = (compile_capture(capture, ImportPolicy()).loaded for capture in captures)
    assert first.website == second.website
    assert first.files == second.files


def test_no_name_of_a_file_is_taken_for_a_number(tmp_path: Path) -> None:
    names = [opaque(str(number)) for number in range(3000)]
    assert len(set(names)) == len(names)
    masker = Masker()
    assert [
        name for name in names if masker.code(f"url(/a{name}.png)") != f"url(/a{name}.png)"
    ] == []


# --- masking -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("Visit WWW.Acme-Shop.com now", "Visit host1.test now"),
        (
            "a@b.com and A@b.com, c@d.org",
            "person1@mail.test and person1@mail.test, person2@mail.test",
        ),
        ("13800138000 / 138 0013 8000", "100-0000-0001 / 100-0000-0001"),
        ("card 4111 1111 1111 1111!", "card 0000 0000 0000 0001!"),
        ("id 11010519491231002X.", "id 000000000000000001."),
        ("0x" + "ab" * 20, "w0001"),
        ("QQ：123456789", "a0001"),
        ("Ask Ann Example.", "Ask Name1."),
        ("１３８００１３８０００", "100-0000-0001"),
        ("price 1,299.00 on 2026-01-02, 10:30", "price 1,299.00 on 2026-01-02, 10:30"),
        ("version 1.2.3 of file.txt", "version 1.2.3 of file.txt"),
        ("write to person@mail.test", "write to person@mail.test"),
    ],
)
def test_originals_are_replaced(text: str, masked: str) -> None:
    masker = Masker(["www.acme-shop.com"], ["Ann Example"])
    assert masker.text(text) == masked
    assert not masker.left


def test_a_short_name_is_a_word_and_a_long_one_is_found_anywhere() -> None:
    masker = Masker([], ["Ng", "Ann Example", "王五"])
    assert masker.text("Ng sings, 王五先生, toAnnExample") == "Name1 sings, Name2先生, toName3"


@given(st.text(max_size=80))
@settings(max_examples=150, deadline=None)
def test_masking_leaves_no_live_identifier_unreported(text: str) -> None:
    masker = Masker()
    out = masker.text(text + " 13912345678 x@y.com http://real-name.com/a")
    assert not find_live_identifiers(out) or masker.left


def test_nothing_that_names_somebody_stays_in_a_kept_page(tmp_path: Path) -> None:
    page = (
        b"<title>t</title><style>#u13912345678{color:red}</style>"
        b"<b id=u13912345678 class='x a@b-mail.org' title=a@b-mail.org"
        b' data-m=\'{"m":"a@b-mail.org"}\' onclick="mail(\'a@b-mail.org\')">x</b>'
        b'<script type=application/json>{"mail":"a@b-mail.org","n":1}</script><textarea>13912345678'
        b"</textarea><select><option value=13912345678>a@b-mail.org</select><script>var m = "
        b"'a@b-mail.org'</script><svg><title>a@b-mail.org</title></svg><!-- a@b-mail.org -->"
        b'<img alt=a@b-mail.org src="data:image/svg+xml,<svg><text>13912345678</text></svg>">'
    )
    found = compiled(Sent("/", page), path=tmp_path, scripts=Scripts.KEEP)
    files = b"\n".join(found.loaded.files.values()).decode()
    assert "b-mail" not in files
    assert "13912345678" not in files
    assert '{"mail":"person1@mail.test","n":1}' in files
    assert "#u100-0000-0001{" in files
    assert 'id="u100-0000-0001"' in files


# --- properties ----------------------------------------------------------------------------------
KINDS = (Scripts.KEEP, Scripts.DROP)
URLS = st.sampled_from(
    [
        "/a", "b?x=1&y=2", "//cdn.else.invalid/c.js", "http://else.invalid/", "#f", "", " /a ",
        "HTTPS://SHOP.TEST/a", "data:text/html,<p>x", "javascript:alert(1)", "mailto:x@y.com",
        "\\\\else.invalid\\x", "/\\else.invalid", "http:else.invalid", "blob:http://x/1",
        "file:///etc/passwd", "a\tb", "ftp://else.invalid/",
    ]
)  # fmt: skip
PLACES = st.sampled_from(
    """<a href='{}'>x</a>
<img src='{}'>
<img srcset='{} 2x, {} 1x'>
<link rel=stylesheet href='{}'>
<script src='{}'></script>
<iframe src='{}'></iframe>
<form action='{}'><button formaction='{}'>x</button></form>
<p style='background:url("{}")'>
<style>@import '{}';p{{b:url({})}}</style>
<video poster='{}' src='{}'></video>
<meta http-equiv=refresh content='0;url={}'>
<base href='{}'>
<svg><use xlink:href='{}'/><image href='{}'/></svg>
<svg><a xlink:href='{}'><text>x</text></a></svg>
<object data='{}'></object>
<embed src='{}'>
<body background='{}'>
<area href='{}'>
<input type=image src='{}' formaction='{}'>
<link rel=manifest href='{}'>
<a ping='{}' href='/a'>p</a>
<math href='{}'>
<div data-url='{}'>
<table background='{}'>
<blockquote cite='{}'>
<frameset><frame src='{}'></frameset>""".splitlines()
)


@given(st.lists(st.tuples(PLACES, URLS), min_size=1, max_size=6), st.sampled_from(KINDS))
@settings(max_examples=150, deadline=None)
def test_no_reference_of_any_page_leads_outside(
    parts: list[tuple[str, str]], scripts: Scripts
) -> None:
    page = "<title>t</title>" + "".join(place.format(url, url) for place, url in parts)
    answers = (
        Exchange(f"{ORIGIN}/", headers=(("content-type", HTML),), body=page.encode()),
        Exchange(f"{ORIGIN}/a", headers=(("content-type", HTML),), body=b"<p>a"),
    )
    capture = Capture(CaptureKind.WARC, answers, None, (), 0, "0" * 64)
    found = compile_capture(capture, ImportPolicy(scripts=scripts))
    check_website(found.loaded, "x")
    assert seal_problems(found.loaded, ["shop.test"]) == ()


@pytest.mark.parametrize(
    ("reference", "outside"),
    [
        ("/a", False),
        ("#x", False),
        ("data:,", False),
        ("//x", True),
        ("/\\x", True),
        ("a", True),
        ("http://x", True),
    ],
)
def test_what_leads_outside_is_told(reference: str, outside: bool) -> None:
    assert leads_outside(reference) is outside
