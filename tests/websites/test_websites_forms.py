"""Presentation forms: shared out evenly, visible in the page, equal within a set."""

from __future__ import annotations

from collections import Counter

import pytest

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.gold import WalkStep
from riskchainbench.core.investigation import ActionKind, ScaffoldClass
from riskchainbench.core.seeds import stream
from riskchainbench.websites.controls import controls
from riskchainbench.websites.dealing import deals, scenario_turns
from riskchainbench.websites.exploration import reachable, shortest_walk
from riskchainbench.websites.forms import FORMS, form_words
from riskchainbench.websites.synthesis import build_pool
from riskchainbench.websites.texts import languages, phrases, scenario_takes, scenarios


@pytest.fixture(scope="module")
def pool():
    return build_pool(3, default_codebook(), 60, languages=("en", "ko"))


def _first_page(built):
    loaded = built.loaded
    page = next(p for p in loaded.website.pages if b"at-home" in loaded.files[p.file])
    return loaded.files[page.file].decode()


def test_every_form_is_in_a_small_pool_and_looks_like_itself(pool):
    seen = {built.stratum.form: _first_page(built) for built in pool}
    assert set(seen) == set(FORMS)
    own = {
        "landing page": 'class="steps"',
        "portal": 'class="columns"',
        "catalogue or shop": 'class="filters"',
        "article": 'class="byline"',
        "forum thread": 'class="post"',
        "app download": 'class="store"',
        "login or registration": 'class="doorway"',
        "chat or support": 'class="window"',
        "dashboard or wallet": 'class="figures"',
        "link page or interstitial": 'class="stack"',
    }
    for form, page in seen.items():
        assert {other for other, mark in own.items() if mark in page} == {form}


def test_sign_in_and_conversation_stand_in_the_first_view(pool):
    for built in pool:
        if FORMS[built.stratum.form] in ("door", "talk"):
            forms = controls(_first_page(built).encode()).forms
            assert len(forms) == 1
            assert forms[0].submits


def test_each_form_has_a_share_of_a_pool_in_every_language():
    fitting = [s for s in scenarios() if scenario_takes(s.scenario, "en") is not None]
    turns = scenario_turns(fitting, default_codebook(), stream(1, "order"))
    dealt = list(deals(1, turns, {s.scenario: languages() for s in fitting}, 850))
    shares = Counter(deal.frame.form for deal in dealt)
    assert set(shares) == set(FORMS)
    assert min(shares.values()) > 0.05 * len(dealt)
    assert max(shares.values()) < 0.15 * len(dealt)
    each = Counter((deal.language, deal.frame.form) for deal in dealt)
    assert len(each) == len(FORMS) * len(languages())


def test_small_talk_is_drawn_equally_from_equal_streams():
    for language in languages():
        bank = phrases(language).forms
        words = form_words(bank, stream(1, language))
        assert words == form_words(bank, stream(1, language))
        assert "<" not in "".join([*words.replies, *words.times, *words.headlines])


def test_a_shop_may_be_sorted_and_its_scaffold_says_so(pool):
    shop = next(built for built in pool if built.stratum.form == "catalogue or shop")
    assert ScaffoldClass.CHOOSE_OPTION in shop.loaded.website.scaffold
    form = controls(_first_page(shop).encode()).forms[0]
    assert (form.method, form.fields[0].kind, form.fields[0].label) == ("GET", "choice", "Sort by")


def test_what_lies_behind_a_tab_is_opened_on_the_walk(pool):
    found = False
    for built in pool:
        tabbed = [
            page.page_id
            for page in built.loaded.website.pages
            if controls(built.loaded.files[page.file]).tabs
        ]
        if tabbed:
            found = True
            walk = shortest_walk(built.loaded, (tabbed[0],), reachable(built.loaded))
            names = controls(built.loaded.files[f"pages/{tabbed[0]}.html"]).tabs
            assert walk[-1] == WalkStep(action=ActionKind.CLICK, control=names[0])
    assert found


def test_a_walk_may_need_six_steps():
    pool = build_pool(3, default_codebook(), 27, languages=("en",))
    wallet = next(built for built in pool if built.stratum.scenario == "vault")
    assert wallet.stratum.depth == 6
    assert wallet.stratum.oracle_steps >= 6
    wrong, right = (fixture.value for fixture in wallet.loaded.fixtures("code"))
    assert wrong != right
