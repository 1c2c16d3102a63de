"""The HTML check finds what is wrong, and nothing in the websites of any form and language."""

from __future__ import annotations

import pytest

from riskchainbench.checks.html import page_problems, website_problems
from riskchainbench.core.codebook import default_codebook
from riskchainbench.websites.forms import FORMS
from riskchainbench.websites.synthesis import build_pool
from riskchainbench.websites.texts import languages

SOUND = (
    '<!doctype html><html lang="en"><head><title>T</title></head><body><h1>A</h1><h2>B</h2>'
    '<form><label for="f">Name</label><input id="f" name="f"><button>Go</button></form>'
    '<img src="/a.svg" alt=""></body></html>'
)


def test_a_sound_page_has_no_problem():
    assert page_problems(SOUND.encode()) == ()


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("<!doctype html>", "", "doctype"),
        ("<h2>B</h2>", "<h2>B</h3>", "end-tag"),
        ("<h2>B</h2>", "<p><div>B</p></div>", "end-tag"),
        ("<h2>B</h2>", "<h2 id=a id=b>B</h2>", "duplicate-attribute"),
        ("<h2>B</h2>", "<h2>B &nosuch; </h2>", "expected-named-entity"),
        ("<h2>B</h2>", "<table><p>B</p></table>", "table-voodoo"),
        ("<h2>B</h2>", "<div/>", "trailing-solidus"),
        ("<h2>B</h2>", "<h3>B</h3>", "h3 follows h1"),
        ("<h1>A</h1>", "<h2>A</h2>", "the first heading is h2"),
        ("<h2>B</h2>", "<h1>B</h1>", "2 headings of the first level"),
        (' lang="en"', "", "no lang"),
        ("<title>T</title>", "<title></title>", "no title"),
        (' alt=""', "", "no alt"),
        ("<h1>A</h1>", '<h1 id="f">A</h1>', "id 'f' occurs 2 times"),
        ('<label for="f">Name</label>', "", "input 'f' has no label"),
        ('for="f"', 'for="g"', "label for 'g': no such control"),
        ("<button>Go</button>", "<button></button>", "button without a name"),
    ],
)
def test_a_broken_page_is_told_why(before, after, problem):
    assert before in SOUND
    problems = page_problems(SOUND.replace(before, after).encode())
    assert any(problem in found for found in problems), problems


def test_pages_of_every_form_and_language_are_sound():
    pool = build_pool(3, default_codebook(), 60)
    assert {built.stratum.form for built in pool} == set(FORMS)
    assert {built.stratum.language for built in pool} == set(languages())
    problems = [(b.stratum.form, p) for b in pool for p in website_problems(b.loaded)]
    assert problems == []


@pytest.mark.slow
def test_pages_of_every_form_in_every_language_are_sound():
    pool = build_pool(3, default_codebook(), 270)
    kinds = {(b.stratum.form, b.stratum.language, b.loaded.website.viewport.width) for b in pool}
    assert len({kind[:2] for kind in kinds}) == len(FORMS) * len(languages())
    assert {width for *_, width in kinds} == {1280, 390}
    assert {b.stratum.front_end for b in pool} == {"plain", "card", "script"}
    problems = [(b.stratum.form, p) for b in pool for p in website_problems(b.loaded)]
    assert problems == []
