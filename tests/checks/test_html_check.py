"""The HTML check finds what is wrong, and nothing in the websites of any form and language."""

from __future__ import annotations

import pytest

from riskchainbench.checks.html import page_problems, website_problems
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.seeds import stream
from riskchainbench.websites import synthesis
from riskchainbench.websites.dealing import deals, scenario_turns
from riskchainbench.websites.forms import FORMS
from riskchainbench.websites.synthesis import SET_DECISIONS, fitting_scenarios
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


SETS = 800
"""Contrast sets of three in the pool of 2,500."""


def _kinds(deal):
    """Return the front end, width, form and language of a contrast set."""
    return deal.family.front_end, deal.frame.viewport.width, deal.frame.form, deal.language


def _covering(keys_of):
    """Build as many sets of a whole pool as show everything that `keys_of` finds in its sets."""
    fitting = fitting_scenarios(default_codebook())
    turns = scenario_turns(fitting, default_codebook(), stream(3, "scenario-order"))
    spoken = {scenario.scenario: languages() for scenario in fitting}
    seen = set()
    for deal in deals(3, turns, spoken, SETS):
        keys = set(keys_of(*_kinds(deal)))
        if keys - seen:
            seen |= keys
            yield from synthesis._build_set(3, default_codebook(), deal, SET_DECISIONS)


def _problems(pool):
    return [
        (b.stratum.form, b.stratum.language, p) for b in pool for p in website_problems(b.loaded)
    ]


def _shown(pool):
    kinds = [
        (b.stratum.front_end, b.loaded.website.viewport.width, b.stratum.form, b.stratum.language)
        for b in pool
    ]
    return [set(values) for values in zip(*kinds, strict=True)]


EVERYTHING = [{"plain", "card", "script"}, {1280, 390}, set(FORMS), set(languages())]


def test_pages_of_every_front_end_width_form_and_language_are_sound():
    pool = list(
        _covering(lambda end, width, form, spoken: [(end, width, form), (end, width, spoken)])
    )
    assert _shown(pool) == EVERYTHING
    assert _problems(pool) == []


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_pages_of_every_kind_that_the_pool_holds_are_sound():
    pool = list(_covering(lambda *kind: [kind]))
    assert _shown(pool) == EVERYTHING
    assert _problems(pool) == []
