"""A website small enough to follow by hand: a form with a wrong branch and a member page."""

import pytest

from riskchainbench.core.investigation import ScaffoldClass, Viewport
from riskchainbench.websites.records import (
    Asset,
    Download,
    Effect,
    FieldFixtures,
    FieldTest,
    Fixture,
    LoadedWebsite,
    Method,
    Page,
    Redirect,
    Show,
    Transition,
    Website,
)


@pytest.fixture
def small_site() -> LoadedWebsite:
    website = Website(
        language="en",
        viewport=Viewport(width=1280, height=720),
        scaffold=(ScaffoldClass.FOLLOW_LINK, ScaffoldClass.FILL_FIELD, ScaffoldClass.SUBMIT_FORM),
        state={"joined": "no", "user": "", "wrong": "no"},
        pages=(
            Page(page_id="p1", file="pages/p1.html"),
            Page(page_id="p2", file="pages/p2.html"),
            Page(page_id="p3", file="pages/p3.html"),
            Page(page_id="p4", file="pages/p4.html", slots=("user",)),
        ),
        assets=(Asset(path="/a/s.css", file="assets/s.css", media_type="text/css"),),
        transitions=(
            Transition(path="/", when={"joined": ("no",)}, next=Show(page="p1")),
            Transition(path="/", when={"joined": ("yes",)}, next=Show(page="p4")),
            Transition(path="/j", when={"wrong": ("no",)}, next=Show(page="p2")),
            Transition(path="/j", when={"wrong": ("yes",)}, next=Show(page="p3")),
            Transition(
                method=Method.POST,
                path="/j",
                form={"name": FieldTest(), "code": FieldTest(one_of=("1234",))},
                effects=(
                    Effect(variable="joined", value="yes"),
                    Effect(variable="user", from_field="name"),
                ),
                next=Redirect(path="/"),
            ),
            Transition(
                method=Method.POST,
                path="/j",
                effects=(Effect(variable="wrong", value="yes"),),
                next=Redirect(path="/j"),
            ),
            Transition(path="/d", next=Download(file="assets/d.txt", name="notes.txt")),
        ),
        fields=(
            FieldFixtures(field="name", fixtures=(Fixture(name="value A", value="Lin <b>"),)),
            FieldFixtures(
                field="code",
                fixtures=(
                    Fixture(name="value A", value="0000"),
                    Fixture(name="value B", value="1234"),
                ),
            ),
        ),
    )
    form = (
        '<form method="post" action="/j"><label for="n">Name</label><input id="n" name="name">'
        '<label for="c">Code</label><input id="c" name="code"><button>Join</button></form>'
    )
    files = {
        "pages/p1.html": '<p>Welcome</p><a href="/j">Join us</a><a href="/x">Dead end</a>',
        "pages/p2.html": form,
        "pages/p3.html": "<p>Wrong code</p>" + form,
        "pages/p4.html": '<p>Hello {{user}} {{other}}</p><a href="/d">Notes</a>',
        "assets/s.css": "p{color:black}",
        "assets/d.txt": "harmless\n",
    }
    return LoadedWebsite(website, {name: text.encode() for name, text in files.items()})
