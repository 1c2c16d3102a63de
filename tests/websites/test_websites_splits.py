"""Parts of a selection: disjoint train and test, messages paired so that little is lost."""

from random import Random

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.decisions import Decision
from riskchainbench.core.gold import SampleGold, Stratum
from riskchainbench.core.restoration import Intent
from riskchainbench.websites.quotas import Candidate
from riskchainbench.websites.splits import PartName, kept_apart, splits, train_templates
from riskchainbench.websites.texts import BANKS, scenarios

BANK = {scenario.scenario: scenario.bank for scenario in scenarios()}
SETS = 54


def _candidate(number, decision):
    scenario = scenarios()[number % len(scenarios())]
    stratum = Stratum(
        case_id="",
        contrast_set=f"set-{number:03d}",
        scenario=scenario.scenario,
        brand_family=f"f{number}",
        form=scenario.forms[0],
        topic=scenario.topic,
        language="en",
        front_end="plain",
        stateful=True,
        depth=1,
        difficulty=1,
        oracle_steps=1,
    )
    types = default_codebook().complete_types(scenario.components.values())
    kind = types[0] if decision is Decision.VIOLATION else "NONE"
    return Candidate(f"w{number:03d}{decision[0]}", decision, kind, stratum)


POOL = [_candidate(number, decision) for number in range(SETS) for decision in Decision]
TEMPLATES = [f"t{number // 3}" for number in range(len(POOL))]
SCENARIOS = [candidate.stratum.scenario for candidate in POOL]


def _partners():
    partners = list(range(len(POOL)))
    Random(5).shuffle(partners)
    return partners


def _crossing(partners, learnt):
    return sum(
        (TEMPLATES[session] in learnt) is not (BANK[SCENARIOS[website]] == BANKS[0])
        for session, website in enumerate(partners)
    )


def test_pairing_keeps_train_and_test_messages_apart():
    drawn = _partners()
    train = sum(BANK[scenario] == BANKS[0] for scenario in SCENARIOS)
    learnt = train_templates(TEMPLATES, train, 1)
    paired = kept_apart(drawn, TEMPLATES, SCENARIOS, 1)
    assert sorted(paired) == sorted(drawn)
    assert _crossing(drawn, learnt) > 20
    # Each template stands behind three sessions, so at most two are left over.
    assert _crossing(paired, learnt) <= 2


def test_train_templates_stand_behind_as_many_sessions_as_asked_for_or_a_little_less():
    uses = [f"t{number}" for number in range(40) for _ in range(1 + number % 4)]
    for wanted in range(0, 101, 9):
        taken = train_templates(uses, wanted, 1)
        assert wanted - 3 <= sum(template in taken for template in uses) <= wanted


def _sample(session, case_id, variant):
    return SampleGold(
        sample_id=f"m{session:03d}{variant}",
        case_id=case_id,
        variant=variant,
        session=f"s{session}",
        messages={"1": "x"},
        intent=next(iter(Intent)),
        entry=f"e{session}.a.test",
        platform="p",
        recipe="r",
        operators=(),
        severity="light",
        entry_position="first",
        length="short",
        theme="t",
        template=TEMPLATES[session],
    )


def test_train_and_test_share_no_website_scenario_family_or_template():
    websites = {f"case-{number}": candidate for number, candidate in enumerate(POOL)}
    paired = kept_apart(_partners(), TEMPLATES, SCENARIOS, 1)
    samples = [
        _sample(session, f"case-{website}", variant)
        for session, website in enumerate(paired)
        for variant in ("v000", "v001")
    ]
    found = splits(websites, samples, 1)
    by_id = {sample.sample_id: sample for sample in samples}

    def traits(part):
        cases = [websites[case].stratum for case in part.cases]
        return (
            set(part.cases),
            {stratum.scenario for stratum in cases},
            {stratum.brand_family for stratum in cases},
            {by_id[sample].template for sample in part.samples},
        )

    for mine, theirs in zip(traits(found.train), traits(found.test), strict=True):
        assert mine
        assert not mine & theirs
    assert len(found.train.cases) + len(found.test.cases) >= len(POOL) - 2
    lite = found.part(PartName.LITE)
    assert len(lite.cases) == 99
    assert len({websites[case].stratum.contrast_set for case in lite.cases}) == 33
    assert len(lite.samples) == 2 * 99
