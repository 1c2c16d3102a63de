"""What leads outside is found by other parsers than the compiler's."""

from __future__ import annotations

import pytest

from riskchainbench.capture.policy import DESKTOP
from riskchainbench.capture.seal import leads_outside, seal_problems
from riskchainbench.websites.records import LoadedWebsite, Website


def problems(name: str, body: str) -> tuple[str, ...]:
    website = Website.model_construct(language="en", viewport=DESKTOP)
    return seal_problems(LoadedWebsite(website, {name: body.encode()}), ())


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.css", "a{b:url(http://u.test/)}"),
        ("a.css", "a{b:url( '//u.test/' )}"),
        ("a.css", "a{b:u\\72l(//u.test/)}"),
        ("a.css", "a{b:url(\\68ttp://u.test/)}"),
        ("a.css", "@import '//u.test/a.css';"),
        ("a.css", "a{b:-webkit-image-set('//u.test/a.png' 1x)}"),
        ("a.css", ".a\\'{b:url(//u.test/)}"),
        ("a.svg", "<svg><style>@import '//u.test/a';</style></svg>"),
        ("a.svg", "<svg fill='&#117;rl(//u.test/)'/>"),
        ("a.svg", "<svg xmlns:x='http://www.w3.org/1999/xlink' x:href='&#47;/u.test'/>"),
        ("a.html", "<p style='b:url(//u.test/)'>x"),
        ("a.html", "<style>a{b:url(//u.test/)}</style>"),
        ("a.html", "<svg><rect fill='u\\72l(//u.test/)'/></svg>"),
        ("a.html", "<img srcset='/a 1x, //u.test/b 2x'>"),
    ],
)
def test_a_reference_that_leads_outside_is_found(name: str, body: str) -> None:
    assert len(problems(name, body)) == 1


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.css", "a{b:url(/x)}@import '/a';c{content:'url(http://u.test/)'}"),
        ("a.css", "@import '/a' 'http://u.test/';"),
        ("a.css", "@namespace url(http://www.w3.org/1999/xhtml);a{b:url('data:,')}"),
        ("a.svg", "<svg><text>url(http://u.test/)</text><rect fill='url(#a)'/></svg>"),
        ("a.html", "<p title='see: url(//u.test/)'>url(http://u.test/)"),
    ],
)
def test_words_and_names_are_no_references(name: str, body: str) -> None:
    assert problems(name, body) == ()


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
