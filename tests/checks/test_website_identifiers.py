"""What looks like somebody's identifier in a website, and what only seems to."""

import pytest

from riskchainbench.checks.identifiers import served_identifiers
from riskchainbench.core.investigation import Viewport
from riskchainbench.websites.records import LoadedWebsite, Page, Show, Transition, Website


def _found(text, language="pt", file="p1.html"):
    website = Website(
        language=language,
        viewport=Viewport(width=1280, height=720),
        scaffold=(),
        pages=(Page(page_id="p1", file="p1.html"),),
        transitions=(Transition(path="/", next=Show(page="p1")),),
    )
    return list(served_identifiers(LoadedWebsite(website, {file: text.encode()})))


@pytest.mark.parametrize(
    "text",
    ["Primeiro aqui, com dois textos.", "Tudo para nós. Com a senha, direto."],
)
def test_portuguese_with_is_no_domain(text):
    assert _found(text) == []


@pytest.mark.parametrize("text", ["aqui[.]com", "https://aqui.com/x", "aqui dot com"])
def test_domains_of_somebody_are_found_in_portuguese_too(text):
    (found,) = _found(text)
    assert found == "p1.html holds the domain 'aqui.com'"


def test_numbers_of_an_outline_are_no_telephone_and_words_beside_it_are():
    outline = '<svg><path d="M 400 280 444 C 800 517 823" transform="scale(1)"/></svg>'
    assert _found(outline, file="a.svg") == []
    assert _found(outline.replace("<svg>", '<svg><g aria-label="+86 138 0013 8000"/>'))
