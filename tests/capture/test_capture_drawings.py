"""Drawings lose what runs and tells, and every reference in them stays inside the website."""

from __future__ import annotations

import pytest
from captures import Sent, warc
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.capture.compiler import compile_capture
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.readers.open import read_capture
from riskchainbench.capture.seal import seal_problems
from riskchainbench.capture.svg import rewrite_svg

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink"'
OUT = '<svg xmlns="http://www.w3.org/2000/svg"'


def rewritten(inside: str, head: str = HEAD) -> str | None:
    return rewrite_svg(f"{head}>{inside}</svg>", lambda url: "/new", lambda css: "new", str.lower)


@pytest.mark.parametrize(
    ("inside", "left"),
    [
        ("<title>ANN</title>X<text>Y</text>Z", "<title>ann</title>x<text>y</text>z"),
        ("<use x:href='#a'/>", '<use href="#a" />'),
        ("<image x:href='&#104;ttp://u.invalid/'/>", '<image href="/new" />'),
        ("<g>a<s:script xmlns:s='http://www.w3.org/2000/svg'>f()</s:script>b</g>", "<g>ab</g>"),
        ("<foreignObject><p/></foreignObject><rect onclick='f()' x='1'/>", '<rect x="1" />'),
        ("<style><![CDATA[a{b:url(c)}]]></style>", "<style>new</style>"),
        ("<rect fill='u\\72l(c)' width='calc(2)'/>", '<rect fill="new" width="calc(2)" />'),
        ("<metadata>Ann</metadata><!-- Ann --><?who Ann?>", None),
        ("<i:x xmlns:i='urn:i' i:y='Ann'/><rect xmlns:i='urn:i' i:z='Ann'/>", "<rect />"),
        ("<a href='/x'><set attributeName='href' to='javascript:f()'/></a>", '<a href="/new" />'),
        ("<g xml:base='//u.invalid' xml:space='preserve'/>", '<g xml:space="preserve" />'),
    ],
)  # fmt: skip
def test_what_becomes_of_a_drawing(inside: str, left: str | None) -> None:
    assert rewritten(inside) == (f"{OUT} />" if left is None else f"{OUT}>{left}</svg>")


@pytest.mark.parametrize(
    "text", ["<svg><g></svg>", "<svg x:href='a'/>", "", "<svg>" + "<g>" * 5000 + "</g>" * 5000]
)
def test_what_no_browser_shows_is_none(text: str) -> None:
    assert rewrite_svg(text, str, str, str) is None


def test_declared_words_are_read_and_bombs_are_not() -> None:
    head = "<!DOCTYPE svg [<!ENTITY a 'word'>]>" + HEAD
    assert rewritten("<text>&a;</text>", head) == f"{OUT}><text>word</text></svg>"
    many = "".join(f"<!ENTITY a{n} '{f'&a{n - 1};' * 10}'>" for n in range(1, 10))
    assert rewritten("&a9;", f"<!DOCTYPE svg [<!ENTITY a0 'x{'y' * 99}'>{many}]>" + HEAD) is None


PIECES = st.sampled_from(
    ["<style>", "</style>", "<![CDATA[", "]]>", "url(", "&#117;rl(//u.invalid)", ")", "'", '"',
     "@import '//u.invalid/x.css';", "<rect fill='url(http://u.invalid/#a)'/>", "\\", "{", "}",
     "<image href='//u.invalid/a.png'/>", "<rect style='mask:url(//u.invalid/m)'/>", "&quot;"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=10))
@settings(max_examples=150, deadline=None)
def test_no_drawing_leads_outside(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    body = f"{HEAD}>{''.join(pieces)}</svg>".encode()
    sent = (Sent("/", b"<title>t</title><img src=a.svg>"), Sent("/a.svg", body, "image/svg+xml"))
    capture = read_capture(warc(tmp_path_factory.getbasetemp() / "drawing", sent))
    assert seal_problems(compile_capture(capture, ImportPolicy()).loaded, []) == ()
