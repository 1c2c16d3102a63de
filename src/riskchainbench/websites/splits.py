"""Parts of a frozen selection: a train and a test split that share nothing, and a lite part.

Train and test differ in brand family, scenario, phrase bank and message template. Messages are
paired with websites so that hardly a message leads from one side to the other; a website that
such a message leads to is in neither part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Literal

from riskchainbench.core.gold import PRIMARY_VARIANT, SampleGold
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream
from riskchainbench.websites.quotas import Candidate, packaged_quotas
from riskchainbench.websites.selection import select
from riskchainbench.websites.texts import BANKS, scenarios


class PartName(StrEnum):
    """The parts that a bundle can be cut into."""

    TRAIN = "train"
    TEST = "test"
    LITE = "lite"


class Part(Record):
    """Cases and samples of one part, sorted."""

    cases: tuple[str, ...]
    samples: tuple[str, ...]


class Splits(Record):
    """The parts of a bundle; `lite` is a stratified choice of whole contrast sets."""

    schema_version: Literal["splits/1"] = "splits/1"
    train: Part
    test: Part
    lite: Part

    def part(self, name: PartName) -> Part:
        """Return the part of that name."""
        match name:
            case PartName.TRAIN:
                return self.train
            case PartName.TEST:
                return self.test
            case PartName.LITE:
                return self.lite


def splits(websites: Mapping[str, Candidate], samples: Sequence[SampleGold], seed: int) -> Splits:
    """Return the parts of a bundle whose cases are `websites`.

    Raises:
        InputError: there are too few websites for the lite part.
    """
    primary = [sample for sample in samples if sample.variant == PRIMARY_VARIANT]
    train = {case for case, c in websites.items() if _is_train(c.stratum.scenario)}
    learnt = train_templates([sample.template for sample in primary], len(train), seed)
    by_pool_id = {candidate.pool_id: case for case, candidate in websites.items()}
    chosen = select(tuple(websites.values()), packaged_quotas("lite"), seed).selected
    lite = {by_pool_id[pool_id] for pool_id in chosen}
    return Splits(
        train=_part([s for s in samples if s.case_id in train and s.template in learnt]),
        test=_part([s for s in samples if s.case_id not in train and s.template not in learnt]),
        lite=_part([s for s in samples if s.case_id in lite]),
    )


def kept_apart(
    partners: Sequence[int], templates: Sequence[str], scenario_names: Sequence[str], seed: int
) -> list[int]:
    """Return a pairing in which train templates lead to train websites, as far as counts allow.

    Args:
        partners: the website of each session, by number, drawn by chance.
        templates: the template of each session.
        scenario_names: the scenario of each website.
        seed: draws the train templates.
    """
    train = [_is_train(scenario) for scenario in scenario_names]
    learnt = train_templates(templates, sum(train), seed)
    strays = [
        session
        for session, website in enumerate(partners)
        if (templates[session] in learnt) is not train[website]
    ]
    out = [session for session in strays if templates[session] in learnt]
    back = [session for session in strays if templates[session] not in learnt]
    paired = list(partners)
    for one, other in zip(out, back, strict=False):
        paired[one], paired[other] = paired[other], paired[one]
    return paired


def train_templates(templates: Sequence[str], sessions: int, seed: int) -> frozenset[str]:
    """Return templates that stand behind `sessions` sessions, or a little less.

    `templates` are those of all sessions; only their counts matter.
    """
    counts = Counter(templates)
    order = sorted(counts)
    stream(seed, "split-templates").shuffle(order)
    taken: set[str] = set()
    left = sessions
    for template in order:
        if counts[template] <= left:
            taken.add(template)
            left -= counts[template]
    return frozenset(taken)


def _is_train(scenario: str) -> bool:
    return _banks().get(scenario) == BANKS[0]


def _banks() -> Mapping[str, str]:
    return {scenario.scenario: scenario.bank for scenario in scenarios()}


def _part(samples: Sequence[SampleGold]) -> Part:
    return Part(
        cases=tuple(sorted({sample.case_id for sample in samples})),
        samples=tuple(sorted(sample.sample_id for sample in samples)),
    )
