"""Every reference of a style sheet is found, whichever of its shapes it has."""

from __future__ import annotations

import subprocess
import sys

import pytest
import tinycss2
from hypothesis import given, settings
from hypothesis import strategies as st

from riskchainbench.capture.css import CssUse, quoted, rewrite_css, unescaped


def seen(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []

    def note(reference: str, use: CssUse) -> str:
        found.append((reference, use.value))
        return "/new"

    rewrite_css(text, note)
    return found


@pytest.mark.parametrize(
    ("text", "references"),
    [
        ("a{b:url(c.png)}", [("c.png", "resource")]),
        ("a{b:url( 'c d.png' )}", [("c d.png", "resource")]),
        ("a{b:URL(\"c\\\"d.png\")}", [('c"d.png', "resource")]),
        ("a{b:url(c\\20 d.png)}", [("c d.png", "resource")]),
        ("@import 'x.css' screen;", [("x.css", "style")]),
        ("@import url(x.css);a{b:'y.css'}", [("x.css", "style")]),
        ("a{b:image-set('c' 1x, url(d) 2x);e:'f'}", [("c", "resource"), ("d", "resource")]),
        ("a{b:-webkit-image-set(url(c.png) 1x)}", [("c.png", "resource")]),
        ("a{b:image-set('c.png' type('image/png') 1x)}", [("c.png", "resource")]),
        ("/* url(no.png) */a{--v:url(c.png)}", [("c.png", "resource")]),
        ("a{content:'url(no.png)'}", []),
        ("a{b:my-url(no.png)}", []),
        ("a{b:url(#mask)}", []),
        ("@namespace url(http://www.w3.org/1999/xhtml);", []),
        ("a{b:\\75rl(c.png)}", [("c.png", "resource")]),
        ("a{b:u\\rl(c.png)}", [("c.png", "resource")]),
        ("a{b:\\69mage-set('c' 1x)}", [("c", "resource")]),
        ("@\\69mport 'x.css';", [("x.css", "style")]),
        ("a{b:src('c.png')}", [("c.png", "resource")]),
        (".a\\'{b:url(c.png)}", [("c.png", "resource")]),
        ("a{b:'x\r;c:url(c.png)'}", [("c.png", "resource")]),
        ("@namespace 'a;b';c{b:url(c.png)}", [("c.png", "resource")]),
    ],
)  # fmt: skip
def test_references_are_found(text: str, references: list[tuple[str, str]]) -> None:
    assert seen(text) == references


def test_what_is_no_reference_stays_and_comments_go() -> None:
    text = 'a::before { content: "x;y" } /* who */ @media (min-width: 1px) { b { c: url(d) } }'
    assert rewrite_css(text, lambda reference, use: "/p") == (
        'a::before { content: "x;y" }   @media (min-width: 1px) { b { c: url("/p") } }'
    )


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_a_quoted_reference_reads_back(text: str) -> None:
    text = text.replace("\0", "").replace("\r", "").replace("\f", "")
    token = tinycss2.parse_component_value_list(quoted(text))[0]
    assert token.type == "string"
    assert token.value == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("p{b:url(und:url(x.png)}", "p{b:!!}"),
        ("p{b:url(x y)}c{d:e}", "p{b:!!}c{d:e}"),
        ("p{b:url(x\"y)}", "p{b:!!}"),
        ("p{c:'x\n;d:e}", 'p{c:""!!\n;d:e}'),
        ("@im,ort 'b';css';p{b:url(und:url(x.png)}", "@im,ort 'b';css\";p{b:url(und:url(x.png)}\""),
        ("p{b:url(c.png", 'p{b:url("/new")}'),
        ("p{c:'x\\", 'p{c:"x"}'),
        ("p{w:calc((1px", "p{w:calc((1px))}"),
        ("p{c:d\\", "p{c:d\ufffd}"),
    ],
)  # fmt: skip
def test_what_is_cut_off_is_closed_and_what_is_broken_stays_broken(text: str, left: str) -> None:
    assert rewrite_css(text, lambda reference, use: "/new") == left


TOKENS = st.sampled_from(
    ["url(a.png)", "url('b.png')", 'url( "c.png" )', "image-set('d.png' 1x)", "'s'", '"t"', "(",
     ")", "{", "}", ";", "@import 'e.css';", "@import url(f.css);", "/* url(x) */", "x", ":", " ",
     "'", '"', "\\", "\n", "\r", "\f", "/*", "*/", "url(", "u\\72 l(", "[", "]", "image-set(",
     "@charset 'x'", "a.png", "\0", "é", "\u00a0", "!", "-", "3", "\\'", "src(",
     "url(x:y", "//z"]
)  # fmt: skip


@given(st.lists(TOKENS, max_size=14))
@settings(max_examples=600)
def test_no_url_token_is_left_as_it_was(tokens: list[str]) -> None:
    out = rewrite_css("".join(tokens), lambda reference, use: "/new")
    read = tinycss2.parse_component_value_list(out)
    assert {url for url in urls(read) if url.strip() and not url.startswith("#")} <= {"/new"}
    assert {error.kind for error in errors(read)} <= {")", "]", "}"}


def errors(tokens: list[object]) -> list[tinycss2.ast.ParseError]:
    found = []
    for token in tokens:
        if getattr(token, "type", "") == "error":
            found.append(token)
        for inner in ("content", "arguments"):
            found += errors(getattr(token, inner, None) or [])
    return found


LOADING = ("url", "src", "image-set")


def urls(tokens: list[object]) -> list[str]:
    found: list[str] = []
    for token in tokens:
        kind = getattr(token, "type", "")
        if kind == "url":
            found.append(token.value)  # type: ignore[attr-defined]
        if kind == "function" and token.lower_name in LOADING:  # type: ignore[attr-defined]
            found += [t.value for t in token.arguments if t.type == "string"]  # type: ignore[attr-defined]
        for inner in ("content", "arguments"):
            found += urls(getattr(token, inner, None) or [])
    return found


@pytest.mark.parametrize("form", ["a{{b:url({})}}", "a{{b:url('{}')}}", "a{{b:url({} x)}}", "'{}'"])
def test_a_typeface_inside_a_style_sheet_takes_little_memory(form: str) -> None:
    code = (
        "import resource; from riskchainbench.capture.css import rewrite_css\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        f"rewrite_css({form!r}.format('A' * 8_000_000), lambda *_: '')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    assert int(done.stdout) < 100 * 1024


def test_escapes_are_undone() -> None:
    assert unescaped('\\61\\000062 c\\\nd\\"') == 'abcd"'
