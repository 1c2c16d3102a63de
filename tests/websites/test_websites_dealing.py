"""How a pool is dealt out: parallel groups of equal facts, families apart by bank."""

from collections import Counter, defaultdict

import pytest

from riskchainbench.core.codebook import default_codebook
from riskchainbench.websites.dealing import deals, parallel_groups
from riskchainbench.websites.synthesis import build_pool, build_sets
from riskchainbench.websites.texts import languages, scenarios

THREE = scenarios()[:3]
EVERYWHERE = {scenario.scenario: languages() for scenario in scenarios()}


def _groups(sets, turns=THREE, spoken=EVERYWHERE):
    groups = defaultdict(list)
    for deal in deals(1, turns, spoken, sets):
        groups[deal.parallel].append(deal)
    return groups


def test_each_group_is_one_set_in_each_language_with_one_scenario_and_frame():
    groups = _groups(60)
    assert len(groups) == 6
    for members in groups.values():
        assert sorted(deal.language for deal in members) == sorted(languages())
        shared = {
            (d.scenario.scenario, d.frame, d.family.layout, d.family.front_end) for d in members
        }
        assert len(shared) == 1


def test_the_full_pool_holds_forty_groups_in_all_ten_languages_once_all_is_written():
    groups = _groups(800, turns=scenarios())
    whole = [g for g in groups.values() if len({deal.language for deal in g}) == 10]
    assert len(whole) >= 40


def test_families_of_the_full_pool_are_many_and_stay_in_their_bank():
    used = Counter()
    banks = defaultdict(set)
    for deal in deals(1, scenarios(), EVERYWHERE, 850):
        used[deal.family.family_id] += 1
        banks[deal.family.family_id].add(deal.scenario.bank)
    assert len(used) >= 400
    assert max(used.values()) <= 4
    assert all(len(found) == 1 for found in banks.values())


@pytest.fixture(scope="module")
def pool():
    return build_pool(5, default_codebook(), 2 * len(scenarios()), languages=("en", "zh-CN"))


def _facts(built):
    stratum, website = built.stratum, built.loaded.website
    return (
        built.violation_type,
        stratum.form,
        stratum.front_end,
        (stratum.depth, stratum.difficulty, stratum.oracle_steps),
        website.viewport,
        website.scaffold,
        (len(website.pages), len(website.transitions), len(website.state), len(website.fields)),
        [page.redirect and page.redirect.kind for page in website.pages],
        sorted((c.component_id, c.placement, c.medium) for c in built.components if c.asserted),
    )


def test_parallel_sets_state_the_same_facts_in_other_words(pool):
    assert parallel_groups([built.stratum for built in pool]) == {2: len(scenarios())}
    sides = defaultdict(list)
    for built in pool:
        sides[built.stratum.parallel, built.decision].append(built)
    for one, other in sides.values():
        assert one.stratum.language != other.stratum.language
        assert _facts(one) == _facts(other)


def test_parts_of_a_pool_are_the_pool(pool):
    parts = [
        [
            built
            for members in build_sets(5, default_codebook(), 8, languages=("en",), part=(number, 3))
            for built in members
        ]
        for number in range(3)
    ]
    whole = build_pool(5, default_codebook(), 8, languages=("en",))
    assert sorted(b.pool_id for part in parts for b in part) == sorted(b.pool_id for b in whole)
    assert {b.pool_id: b for part in parts for b in part} == {b.pool_id: b for b in whole}
