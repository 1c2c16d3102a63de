"""Parts of a frozen selection: a train and a test split that share nothing, and a lite part.

Train and test differ in brand family, scenario, phrase bank and message template. Samples
whose template belongs to the other side are in neither.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from riskchainbench.core.gold import SampleGold
from riskchainbench.core.record import Record
from riskchainbench.core.seeds import stream
from riskchainbench.websites.quotas import Candidate, packaged_quotas
from riskchainbench.websites.selection import select
from riskchainbench.websites.texts import BANKS, scenarios

_TRAIN_TEMPLATES = 2 / 3


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


def splits(websites: Mapping[str, Candidate], samples: Sequence[SampleGold], seed: int) -> Splits:
    """Return the parts of a bundle whose cases are `websites`.

    Raises:
        InputError: there are too few websites for the lite part.
    """
    banks = {scenario.scenario: scenario.bank for scenario in scenarios()}
    first, second = BANKS
    train = {case for case, c in websites.items() if banks.get(c.stratum.scenario) == first}
    test = {case for case, c in websites.items() if banks.get(c.stratum.scenario) == second}
    templates = sorted({sample.template for sample in samples})
    stream(seed, "split-templates").shuffle(templates)
    cut = round(len(templates) * _TRAIN_TEMPLATES)
    by_pool_id = {candidate.pool_id: case for case, candidate in websites.items()}
    chosen = select(tuple(websites.values()), packaged_quotas("lite"), seed).selected
    lite = {by_pool_id[pool_id] for pool_id in chosen}
    return Splits(
        train=_part(train, samples, set(templates[:cut])),
        test=_part(test, samples, set(templates[cut:])),
        lite=_part(lite, samples, set(templates)),
    )


def _part(cases: set[str], samples: Sequence[SampleGold], templates: set[str]) -> Part:
    return Part(
        cases=tuple(sorted(cases)),
        samples=tuple(
            sorted(s.sample_id for s in samples if s.case_id in cases and s.template in templates)
        ),
    )
