"""Two websites whose start pages differ, one of them with state."""

import pytest

from riskchainbench.core.investigation import ScaffoldClass, Viewport
from riskchainbench.websites.records import (
    Effect,
    FieldTest,
    LoadedWebsite,
    Method,
    Page,
    Redirect,
    Show,
    Transition,
    Website,
)


def _site(word: str) -> LoadedWebsite:
    website = Website(
        language="en",
        viewport=Viewport(width=1280, height=720),
        scaffold=(ScaffoldClass.SUBMIT_FORM,),
        state={"name": ""},
        pages=(Page(page_id="p1", file="p1.html", slots=("name",)),),
        transitions=(
            Transition(path="/", next=Show(page="p1")),
            Transition(
                method=Method.POST,
                path="/n",
                form={"name": FieldTest()},
                effects=(Effect(variable="name", from_field="name"),),
                next=Redirect(path="/"),
            ),
        ),
    )
    return LoadedWebsite(website, {"p1.html": f"<p>{word} {{{{name}}}}</p>".encode()})


@pytest.fixture
def two_sites() -> dict[str, LoadedWebsite]:
    return {"c1": _site("First"), "c2": _site("Second")}
