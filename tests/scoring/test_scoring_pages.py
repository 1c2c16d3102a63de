"""Telling a page from what an observation recorded."""

from scoring_world import observation

from riskchainbench.core.investigation import Viewport
from riskchainbench.scoring.pages import page_finder
from riskchainbench.websites.records import LoadedWebsite, Page, Show, Transition, Website

BODIES = {
    "home": "<title>Fair</title><nav>Home News</nav><p>Welcome to the fair</p>",
    "news": "<title>Fair</title><nav>Home News</nav><p>Opening hours change</p>",
    "poster": "<title>Fair</title><nav>Home News</nav><img src='/a/1.png'>",
    "help": "<title>Help</title><nav>Home News</nav><script>Welcome to the fair</script>",
}
SITE = LoadedWebsite(
    website=Website(
        language="en",
        viewport=Viewport(width=1280, height=800),
        scaffold=(),
        pages=tuple(Page(page_id=name, file=f"{name}.html") for name in BODIES),
        transitions=(Transition(path="/", next=Show(page="home")),),
    ),
    files={f"{name}.html": body.encode() for name, body in BODIES.items()},
)


def page_of(text, title="Fair"):
    return page_finder(SITE)(observation(0, text, title=title))


def test_a_page_is_told_by_its_words():
    assert page_of("Home News\nWelcome to the fair") == "home"
    assert page_of("Home News\nOpening hours change") == "news"


def test_a_page_of_pixels_is_the_one_with_no_words_but_the_shared_ones():
    assert page_of("Home News") == "poster"


def test_a_title_rules_out_other_pages_and_scripts_are_no_words():
    assert page_of("Home News", title="Help") == "help"
    assert page_of("Home News", title="Elsewhere") is None
