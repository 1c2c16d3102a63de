from riskchainbench.checks.page_text import drawn_text, squeezed, visible_text
from riskchainbench.core.investigation import Viewport
from riskchainbench.websites.records import Asset, LoadedWebsite, Page, Show, Transition, Website

PAGE = (
    b"<!doctype html><html><head><title>T &amp; U</title><style>p{}</style></head><body>"
    b'<nav hidden><a href="/m">Behind the menu</a></nav><p>Two\n  words</p>'
    b'<div data-list><script type="application/json">[["Built","by script"]]</script></div>'
    b"<script>var secret = 1</script><template><p>never</p></template>"
    b'<img src="/d.svg" alt="x"></body></html>'
)


def test_visible_text_leaves_out_what_no_visitor_sees():
    lines = visible_text(PAGE).splitlines()
    assert lines[0] == "T & U"
    assert "Built" in lines
    assert "by script" in lines
    text = visible_text(PAGE)
    for hidden in ("Behind the menu", "secret", "never", "p{}"):
        assert hidden not in text


def test_opened_text_holds_what_stands_behind_a_menu():
    assert "Behind the menu" in visible_text(PAGE, opened=True)


def test_drawn_text_comes_from_the_images_that_the_page_shows():
    website = Website(
        language="en",
        viewport=Viewport(width=10, height=10),
        scaffold=(),
        pages=(Page(page_id="p1", file="p1.html"),),
        assets=(
            Asset(path="/d.svg", file="d.svg", media_type="image/svg+xml"),
            Asset(path="/e.svg", file="e.svg", media_type="image/svg+xml"),
        ),
        transitions=(Transition(path="/", next=Show(page="p1")),),
    )
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><g aria-label="You have"/>'
    svg += b'<g aria-label="won &amp; so"/></svg>'
    other = b'<svg><g aria-label="no"/></svg>'
    loaded = LoadedWebsite(website, {"p1.html": PAGE, "d.svg": svg, "e.svg": other})
    assert drawn_text(loaded, PAGE) == "You have won & so"


def test_squeezed_text_ignores_line_breaks_and_case():
    assert squeezed("Bet\n now ") == squeezed("bet NOW") == "betnow"
