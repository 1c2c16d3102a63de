"""What becomes of the parts of a page: styles, scripts, frames, pictures, references."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from captures import ORIGIN, Sent, warc
from hypothesis import given, settings
from hypothesis import strategies as st
from walking import Visitor, compiled

from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.exchange import Capture, CaptureKind, Exchange
from riskchainbench.capture.policy import ImportPolicy, Scripts
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.record import Origin
from riskchainbench.capture.seal import seal_problems
from riskchainbench.capture.troubles import CaptureError
from riskchainbench.websites.files import check_website
from riskchainbench.websites.step import Event

HTML = "text/html; charset=utf-8"


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


def test_styles_in_a_drawing_are_a_file_before_it_and_its_paint_is_local(tmp_path: Path) -> None:
    found = compiled(
        Sent(
            "/",
            b"<title>t</title><p>x<svg><g><style>a{fill:red}</style></g>"
            b"<rect fill='u\\72l(//else.invalid/#a)' d='scale(2)'/></svg>",
        ),
        path=tmp_path,
    )
    home = Visitor(found).text
    assert re.search(r'<p>x<link rel="stylesheet" href="[^"]+"><svg><g></g><rect fill="url', home)
    assert "invalid" not in home


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
