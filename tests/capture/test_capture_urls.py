"""URLs are resolved as browsers resolve them, and nothing is lost on the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riskchainbench.capture.srcset import rewrite_srcset
from riskchainbench.capture.urls import absolute, canonical

BASE = "http://shop.test/a/b.html?x=1"


@pytest.mark.parametrize(
    ("reference", "url", "fragment"),
    [
        ("c.html", "http://shop.test/a/c.html", ""),
        ("?y=2#z", "http://shop.test/a/b.html?y=2", "#z"),
        ("#z", BASE, "#z"),
        ("", BASE, ""),
        ("/../../d", "http://shop.test/d", ""),
        ("\\e\\f", "http://shop.test/e/f", ""),
        ("//HOST.test:80/g", "http://host.test/g", ""),
        ("https:\\\\other.test\\h", "https://other.test/h", ""),
        (" \n i j\t.html ", "http://shop.test/a/i%20j.html", ""),
        ("/%7ek/%2f%c3%a9", "http://shop.test/~k/%2F%C3%A9", ""),
        ("/中?q=文", "http://shop.test/%E4%B8%AD?q=%E6%96%87", ""),
        ("http://b\u00fccher.test/", "http://xn--bcher-kva.test/", ""),
        ("http://user:pass@shop.test/p", "http://shop.test/p", ""),
        ("page?", "http://shop.test/a/page?", ""),
    ],
)
def test_references_resolve_as_in_a_browser(reference: str, url: str, fragment: str) -> None:
    assert absolute(BASE, reference) == (url, fragment)


@pytest.mark.parametrize(
    "reference",
    [
        "mailto:a@b.test",
        "javascript:x()",
        "file:///etc/passwd",
        "http://",
        "http://a b/",
        "x" * 9000,
    ],
)
def test_what_is_not_fetched_has_no_url(reference: str) -> None:
    assert absolute(BASE, reference) is None


def test_a_query_is_written_in_the_encoding_of_its_page() -> None:
    assert absolute(BASE, "/s?q=\u00e9", "windows-1252") == ("http://shop.test/s?q=%E9", "")


PARTS = st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc")), min_size=0, max_size=20)


@given(PARTS, PARTS, PARTS)
def test_an_absolute_url_is_its_own_resolution(path: str, query: str, fragment: str) -> None:
    found = absolute(BASE, f"/{path}?{query}#{fragment}")
    if found is None:
        return
    assert absolute("http://elsewhere.test/", found[0]) == (found[0], "")
    assert canonical(found[0]) == found[0]


@given(st.lists(st.text(alphabet="abc%2F/?&=+;", max_size=12), min_size=2, max_size=2, unique=True))
def test_different_queries_stay_different(queries: list[str]) -> None:
    first, second = (absolute(BASE, "/p?" + query.replace("#", "")) for query in queries)
    assert first != second


def test_image_candidates_with_commas_and_data_are_read_by_the_standard() -> None:
    text = "a,b.png 1x, data:image/png;base64,AA== 2x,c.png,  d.png 300w"
    assert rewrite_srcset(text, lambda url: f"[{url}]") == (
        "[a,b.png] 1x, [data:image/png;base64,AA==] 2x, [c.png], [d.png] 300w"
    )


def test_a_candidate_that_nothing_stands_for_is_left_out() -> None:
    assert rewrite_srcset("x 1x, y 2x", lambda url: None if url == "x" else "/y") == "/y 2x"
