"""Audits on websites of one page: clean ones pass, planted leaks and shortcuts are caught."""

import io
from random import Random

import numpy as np
import pytest
from PIL import Image
from threadpoolctl import threadpool_limits

from riskchainbench.checks.audited import audited, audited_pool
from riskchainbench.checks.duplicates import near_duplicates, perceptual_hash, signature
from riskchainbench.checks.grams import gram_counts
from riskchainbench.checks.leak import audit_leak, shuffles
from riskchainbench.checks.pictures import audit_pictures, thumbnail
from riskchainbench.checks.sameness import audit_sameness, runs
from riskchainbench.checks.shortcut import audit_shortcuts
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import Stratum
from riskchainbench.core.investigation import Viewport
from riskchainbench.websites.records import LoadedWebsite, Page, Show, Transition, Website
from riskchainbench.websites.synthesis import build_pool

WORDS = [
    "amber",
    "basalt",
    "cedar",
    "dune",
    "elm",
    "fern",
    "gorse",
    "heath",
    "iris",
    "juniper",
    "kelp",
    "larch",
    "moss",
]


def _site(number, decision, text, *, extra_states=0):
    website = Website(
        language="en",
        viewport=Viewport(width=1280, height=720),
        scaffold=(),
        state={f"s{n}": "" for n in range(1 + extra_states)},
        pages=(Page(page_id="p1", file="p1.html"),),
        transitions=(Transition(path="/", next=Show(page="p1")),),
    )
    stratum = Stratum(
        case_id="",
        contrast_set=f"set-{number:03d}",
        scenario=f"scenario-{number % 10}",
        brand_family=f"f{number}",
        form="x",
        topic="x",
        language="en",
        front_end="plain",
        stateful=False,
        depth=1,
        difficulty=0,
        oracle_steps=0,
    )
    case_id = f"w{Random(f'{number}{decision}').getrandbits(40):010x}"
    body = f"<html><head><title>T - Brand{number}</title></head><body><p>{text}</p></body></html>"
    loaded = LoadedWebsite(website, {"p1.html": body.encode()})
    return audited(case_id, loaded, decision, (), stratum)


def _text(number, words=60):
    rng = Random(number)
    return " ".join(rng.choice(WORDS) for _ in range(words))


def _pool(
    change=lambda number, decision: {},
    text=lambda number, decision: _text(number),
    sets=100,
):
    return [
        _site(number, decision, text(number, decision), **change(number, decision))
        for number in range(sets)
        for decision in Decision
    ]


def test_clean_websites_pass_all_audits():
    pool = _pool()
    assert audit_leak(pool, 1).findings == ()
    found = audit_shortcuts(pool, 1)
    assert found.findings == ()
    assert all(test.accuracy == pytest.approx(1 / 3) for test in found.tests)
    assert audit_sameness(pool).findings == ()


def _leaky(number, decision):
    chance = 0.65 if decision is Decision.VIOLATION else 0.35
    return {"extra_states": int(Random(f"leak{number}{decision}").random() < chance)}


def test_planted_leak_of_auc_065_is_caught():
    audit = audit_leak(_pool(_leaky, sets=300), 1)
    caught = [test for test in audit.tests if test.fails]
    assert sum(test.target is Decision.VIOLATION for test in caught) >= 2
    assert all(0.55 < test.auc < 0.7 for test in caught)
    assert audit.unequal_sets


def test_few_websites_are_tested_for_equality_alone():
    audit = audit_leak(_pool(_leaky)[:30], 1)
    assert audit.tests == ()
    assert audit.findings


@pytest.fixture(autouse=True)
def _one_thread():
    with threadpool_limits(1):
        yield


@pytest.mark.parametrize("decision", list(Decision))
def test_planted_word_is_caught_as_a_shortcut(decision):
    def text(number, own):
        return _text(number) + (" sunflower sunflower" if own is decision else "")

    audit = audit_shortcuts(_pool(text=text), 1)
    failed = {test.name for test in audit.tests if test.fails}
    assert "words, decisive paragraphs masked" in failed
    assert "first page, evidence later" in failed


def test_planted_element_is_caught_as_a_shortcut():
    def text(number, own):
        return _text(number) + ("</p><p>" if own is Decision.VIOLATION else "")

    failed = {test.name for test in audit_shortcuts(_pool(text=text), 1).tests if test.fails}
    assert "element counts" in failed


def test_copied_website_is_caught():
    pool = _pool(text=lambda number, decision: _text(number if number > 1 else 0))
    (found,) = audit_sameness(pool).languages
    assert (found.most, found.fails) == (1.0, True)
    assert found.near == 9


def test_runs_of_spaced_and_unspaced_languages():
    assert runs("One two, three four 12.5 six", "en") == {
        "one two three four 0",
        "two three four 0 six",
    }
    assert runs("天地玄黄宇宙", "zh-CN") == {"天 地 玄 黄 宇", "地 玄 黄 宇 宙"}


def test_labels_are_shuffled_within_sets_alone():
    groups = np.array([0, 1, 0, 1, 2])
    labels = np.array([True, False, False, False, True])
    rows = shuffles(labels, groups, 3)
    for group in range(3):
        assert set(rows[:, groups == group].sum(axis=1)) == {labels[groups == group].sum()}
    assert 0.4 < rows[:, 0].mean() < 0.6


def test_near_duplicates_are_counted_in_words_and_elements():
    pool = _pool(text=lambda number, decision: _text(number if number > 1 else 0), sets=4)
    words, elements = near_duplicates(pool)
    assert (words.respect, words.pairs, words.involved) == ("words", 9, 6)
    assert (elements.respect, elements.pairs) == ("elements", 6 * 9)


def test_minhash_estimates_the_share_of_common_members():
    # 300 members are common, 900 are in either: one in three.
    one, other = (
        signature({f"common {n}" for n in range(300)} | {f"{own} {n}" for n in range(300)})
        for own in ("mine", "yours")
    )
    assert (one == other).mean() == pytest.approx(1 / 3, abs=0.15)


def test_equal_runs_fall_into_equal_columns_and_are_counted():
    one, other, none = gram_counts(["abab", "abab!", ""]).toarray()
    assert (one.sum(), other.sum(), none.sum()) == (3 + 2, 4 + 3, 0)
    assert sorted(one[one > 0]) == [1, 1, 1, 2]
    assert ((other - one) >= 0).all()


def test_decisive_paragraphs_of_a_built_website_are_masked_and_shared_words_stay():
    built = build_pool(5, default_codebook(), 27)
    for number in range(0, len(built), 3):
        members = built[number : number + 3]
        websites = audited_pool(members)
        assert len({website.masked_text for website in websites}) == 1
        for one, website in zip(members, websites, strict=True):
            for component in one.components:
                assert component.realization not in website.masked_text


def _picture(number, decision, tinted):
    """A picture of noise; one decision may be tinted."""
    noise = np.random.default_rng(number).integers(0, 200, (64, 48, 3), dtype=np.uint8)
    if tinted and decision is Decision.VIOLATION:
        noise[:, :, 0] += 50
    data = io.BytesIO()
    Image.fromarray(noise).save(data, "PNG")
    return data.getvalue()


def _pictured(tinted):
    pool = _pool()
    pictures = {
        website.case_id: _picture(number // 3, website.decision, tinted)
        for number, website in enumerate(pool)
    }
    thumbnails = {case_id: thumbnail(png) for case_id, png in pictures.items()}
    hashes = {case_id: perceptual_hash(png) for case_id, png in pictures.items()}
    return audit_pictures(thumbnails, hashes, pool, 1)


def test_equal_pictures_within_sets_pass_and_a_tint_is_caught():
    clean = _pictured(tinted=False)
    assert clean.findings == ()
    assert (clean.websites, clean.duplicates.pairs) == (300, 0)
    (finding,) = _pictured(tinted=True).findings
    assert finding.startswith("first screenshot, evidence later: balanced accuracy")


def test_pictures_of_few_websites_are_no_verdict():
    pool = _pool(sets=10)
    colors = {
        website.case_id: bytes([50 * number for number in range(3)] * 1024)
        for website in pool
        if website.decision is not Decision.INSUFFICIENT_EVIDENCE
    }
    assert audit_pictures(colors, {}, pool, 1).findings == ()
