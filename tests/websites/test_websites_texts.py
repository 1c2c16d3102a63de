"""What is asked of all words of a language together: read, varied, balanced, and in agreement."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

import pytest

from riskchainbench.core.decisions import Decision
from riskchainbench.websites.alternatives import alternatives
from riskchainbench.websites.takes import ScenarioText, Take
from riskchainbench.websites.texts import (
    languages,
    phrases,
    scenario_takes,
    scenarios,
    unmarked,
)

LONGER = 0.03
"""How far a decision's pages may be from the mean length of their sets, in a language's mean."""

FINAL = dict.fromkeys("을은과이", True) | dict.fromkeys("를는와가", False)
"""Korean particles that depend on whether the syllable before them has a final consonant."""
SPOKEN_WITH_FINAL = "013678"
PARTICLE = re.compile(r"<([^<>]*)>([을를은는과와이가])(?=[\s.,])")


def takes_of(language: str) -> Iterator[tuple[str, ScenarioText | Take]]:
    for scenario in scenarios():
        takes = scenario_takes(scenario.scenario, language)
        if takes is not None:
            yield from ((scenario.scenario, take) for take in takes.every)


@pytest.mark.parametrize("language", languages())
def test_somebody_has_read_every_text(language: str) -> None:
    unread = [name for name, take in takes_of(language) if take.review not in {"model", "native"}]
    assert unread == []
    assert phrases(language).review in {"model", "native"}


@pytest.mark.parametrize("language", languages())
def test_every_scenario_has_words_to_choose_from(language: str) -> None:
    counted: dict[str, int] = defaultdict(int)
    for name, _ in takes_of(language):
        counted[name] += 1
    assert set(counted) == {scenario.scenario for scenario in scenarios()}
    assert [name for name, takes in counted.items() if takes < 2] == []


@pytest.mark.parametrize("language", languages())
def test_no_decision_has_the_longer_words_in_the_mean(language: str) -> None:
    shares: dict[Decision, list[float]] = defaultdict(list)
    for _, take in takes_of(language):
        lengths = {
            decision: sum(
                _length(words) for slot in (slots.d1, slots.d2, slots.d3) for words in slot or ()
            )
            for decision, slots in take.members.items()
        }
        for decision, length in lengths.items():
            shares[decision].append(length / mean(lengths.values()))
    for decision in Decision:
        assert mean(shares[decision]) == pytest.approx(1, abs=LONGER), decision


def _length(words: str) -> float:
    """Return the mean length of all readings."""
    return sum(mean(map(len, options)) for options in alternatives(unmarked(words)))


def test_korean_particles_fit_every_alternative_before_them(repository: Path) -> None:
    data = repository / "src/riskchainbench/websites/data"
    files = [data / "phrases/ko.toml", *sorted((data / "texts/ko").glob("*.toml"))]
    wrong = [
        f"{file.name}: {found[0]}"
        for file in files
        for found in PARTICLE.finditer(file.read_text(encoding="utf-8"))
        if not _fits(found[1], found[2])
    ]
    assert wrong == []


def _fits(options: str, particle: str) -> bool:
    finals = {_has_final(option.rstrip("\"'”’)]")) for option in options.split("|")}
    return finals <= {FINAL[particle], None}


def _has_final(word: str) -> bool | None:
    """Tell whether the last syllable ends in a consonant; None where the script does not say."""
    last = word[-1:]
    if last.isdecimal():
        return last in SPOKEN_WITH_FINAL
    return (ord(last) - ord("가")) % 28 != 0 if "가" <= last <= "힣" else None


@pytest.mark.parametrize(
    ("options", "particle", "fits"),
    [
        ("생강|차", "를", False),
        ("소금|생강", "을", True),
        ("차|연고", "가", True),
        ("2|3", "이", False),
    ],
)
def test_a_particle_that_does_not_fit_is_found(options: str, particle: str, fits: bool) -> None:
    assert _fits(options, particle) is fits
