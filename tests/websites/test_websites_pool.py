from collections import Counter
from pathlib import Path

import pytest

from riskchainbench.core.codebook import default_codebook, load_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import Medium, Placement
from riskchainbench.core.seeds import stream
from riskchainbench.websites.alternatives import first_reading
from riskchainbench.websites.families import brand_families
from riskchainbench.websites.files import read_website, write_website
from riskchainbench.websites.synthesis import build_pool, fitting_scenarios
from riskchainbench.websites.texts import languages, marks, scenario_takes, scenarios, unmarked

SMALL = Path(__file__).parent.parent / "data" / "codebook_small.toml"
LANGUAGES = languages()


@pytest.fixture(scope="module")
def pool():
    return build_pool(5, default_codebook(), 8, languages=("zh-CN", "en"))


def test_eight_sets_are_twenty_four_websites_one_of_each_decision_a_set(pool):
    assert len(pool) == 24
    sets = Counter((built.stratum.contrast_set, built.decision) for built in pool)
    assert len(sets) == 24
    assert len({built.pool_id for built in pool}) == 24


def test_pool_is_varied(pool):
    violations = [built for built in pool if built.decision is Decision.VIOLATION]
    assert len({built.violation_type for built in violations}) == 8
    assert {built.stratum.language for built in pool} == {"en", "zh-CN"}
    assert {built.stratum.stateful for built in pool} == {True, False}
    assert {built.stratum.front_end for built in pool} == {"plain", "card", "script"}
    assert len({built.stratum.form for built in pool}) >= 6
    assert len({built.stratum.brand_family for built in pool}) == 8
    assert {built.loaded.website.viewport.width for built in pool} == {1280, 390}


def test_evidence_stands_in_many_places():
    pool = build_pool(5, default_codebook(), len(scenarios()))
    placed = [part for built in pool for part in built.components if part.asserted]
    assert {part.medium for part in placed} == {Medium.TEXT, Medium.PIXELS}
    assert {part.placement for part in placed} == set(Placement)


def test_equal_seeds_give_equal_bytes_and_other_seeds_others(pool):
    again = build_pool(5, default_codebook(), 8, languages=("zh-CN", "en"))
    assert again == pool
    assert build_pool(6, default_codebook(), 8)[0].loaded.files != pool[0].loaded.files


def test_a_longer_pool_takes_its_first_scenarios_in_the_same_order(pool):
    longer = build_pool(5, default_codebook(), 10, languages=("zh-CN", "en"))
    assert [b.stratum.scenario for b in longer[:24]] == [b.stratum.scenario for b in pool]


def test_every_website_survives_the_disk(pool, tmp_path):
    for built in pool[:3]:
        write_website(tmp_path / built.pool_id, built.loaded)
        assert read_website(tmp_path / built.pool_id) == built.loaded


def test_website_record_names_no_pool_id_label_or_set(pool):
    for built in pool:
        text = built.loaded.website.to_json()
        for secret in (built.pool_id, built.decision.value, built.stratum.contrast_set):
            assert secret not in text


def test_small_codebook_with_type_ids_of_its_own_builds():
    codebook = load_codebook(SMALL)
    pool = build_pool(5, codebook, len(fitting_scenarios(codebook)))
    violations = [built for built in pool if built.decision is Decision.VIOLATION]
    assert {built.violation_type for built in violations} == set(codebook.type_ids)
    benign = {part.component_id for built in pool for part in built.components}
    assert "HONEST_SERVICE" in benign


def test_codebook_without_any_scenario_is_refused():
    codebook = default_codebook()
    kinds = tuple(
        kind.but(complete_sets=(("ADULT_CONTENT_SHOWN", "MALWARE_FALSE_SOURCE"),))
        for kind in codebook.types[:1]
    )
    with pytest.raises(InputError, match="no scenario completes"):
        build_pool(5, codebook.but(types=kinds), 1)


@pytest.mark.parametrize("sets", [0, -1])
def test_empty_pool_is_refused(sets):
    with pytest.raises(InputError, match="at least one contrast set"):
        build_pool(5, default_codebook(), sets)


def test_families_differ_and_do_not_depend_on_their_number():
    families = brand_families(5, 60)
    assert families[:30] == brand_families(5, 30)
    for language in languages():
        assert len({family.names[language] for family in families}) == 60
    assert len({family.palette.accent for family in families}) > 50


def test_marks_are_taken_out_of_what_is_shown():
    text = 'He says [~A:"bet now"], but [N:we take no bets].'
    assert unmarked(text) == 'He says "bet now", but we take no bets.'
    assert [(m.code, m.words, m.asserted) for m in marks(text)] == [
        ("A", '"bet now"', False),
        ("N", "we take no bets", True),
    ]


WRITTEN = [
    pytest.param(scenario, language, id=f"{language}-{scenario.scenario}")
    for language in languages()
    for scenario in scenarios()
    if scenario_takes(scenario.scenario, language) is not None
]


def _asserted(slots):
    return Counter(mark.code for words in slots for mark in marks(words) if mark.asserted)


@pytest.mark.parametrize(("scenario", "language"), WRITTEN)
def test_words_of_every_take_realize_what_their_label_needs(scenario, language):
    takes = scenario_takes(scenario.scenario, language)
    needed = set(scenario.components)
    for number in range(2 * len(takes.every)):
        text = takes.draw(stream(number, "words"))
        asserted = {
            decision: _asserted([*slots.d1, *slots.d2, *slots.d3])
            for decision, slots in text.members.items()
        }
        assert asserted[Decision.VIOLATION] == dict.fromkeys(needed, 1)
        assert set(asserted[Decision.NON_VIOLATION]) == {"N", "C"}
        lacking = asserted[Decision.INSUFFICIENT_EVIDENCE]
        assert set(lacking) <= {"A"}
        assert set(lacking) != needed
        # Sets of one scenario state the same facts, whatever the language and the take.
        assert set(lacking) == _lacking(scenario_takes(scenario.scenario, "en"))


def _lacking(takes):
    slots = takes.first.members[Decision.INSUFFICIENT_EVIDENCE]
    return set(_asserted([*slots.d1, *slots.d2, *slots.d3]))


@pytest.mark.parametrize(("scenario", "language"), WRITTEN)
def test_no_label_can_be_told_by_the_length_of_a_take(scenario, language):
    takes = scenario_takes(scenario.scenario, language)
    lengths = _lengths(takes.first)
    assert max(lengths.values()) <= 1.25 * min(lengths.values())
    for take in takes.others:
        if take.members:
            lengths = _lengths(take)
            assert max(lengths.values()) <= 1.25 * min(lengths.values())


@pytest.mark.parametrize(("scenario", "language"), WRITTEN)
def test_no_label_can_be_told_by_the_number_of_paragraphs(scenario, language):
    for take in scenario_takes(scenario.scenario, language).every:
        for slot in ("d1", "d2", "d3"):
            given = [getattr(slots, slot) for slots in take.members.values()]
            assert len({len(words) for words in given if words is not None}) <= 1


@pytest.mark.parametrize(("scenario", "language"), WRITTEN)
def test_no_control_is_named_like_a_page_of_the_menu(scenario, language):
    if set(scenario.flows) <= {"files", "relay", "popup"}:
        pytest.skip("its steps name links alone")
    for take in scenario_takes(scenario.scenario, language).every:
        assert not set(take.menu or ()) & set(take.steps or ()), "a name leads to two controls"


def _lengths(take):
    return {
        decision: sum(
            len(first_reading(unmarked(word)))
            for words in (slots.d1, slots.d2, slots.d3)
            for word in words or ()
        )
        for decision, slots in take.members.items()
    }


@pytest.mark.parametrize("language", languages())
def test_no_decision_has_the_longest_words_in_every_scenario(language):
    longest = Counter()
    written = [scenario_takes(scenario.scenario, language) for scenario in scenarios()]
    for takes in written:
        if takes is not None:
            lengths = _lengths(takes.first)
            longest[max(lengths, key=lengths.__getitem__)] += 1
    assert longest.total() < 4 or max(longest.values()) < longest.total()
