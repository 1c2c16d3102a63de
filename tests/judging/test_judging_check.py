"""The check of judges: what it plants, and which judges it lets through."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping

import pytest

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.system import Reply
from riskchainbench.judging.check.cases import (
    DIMENSION_OF,
    LANGUAGES,
    CheckCase,
    Fault,
    check_cases,
    scenarios,
)
from riskchainbench.judging.check.run import JudgeCheck, area_under_curve, check_judge
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.judging.rules_judge import RulesJudge, quoted_words

CASES = {case.case_id: case for case in check_cases()}


class Scripted:
    """A judge that scores each case by a function of what was planted in it."""

    deterministic = False
    name = title = "scripted"
    settings: Mapping[str, str | int | float | bool] = {}

    def __init__(self, score: Callable[[CheckCase, str, int], int]) -> None:
        self.score = score
        self.seen: Counter[str] = Counter()

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        case_id, _, number = unit_id.rpartition("-")
        case = CASES[case_id]
        self.seen[case_id] += 1
        scores = {name: self.score(case, name, int(number)) for name in DIMENSIONS}
        return Reply(text=json.dumps({name: {"score": score} for name, score in scores.items()}))


def honest(case: CheckCase, dimension: str, number: int) -> int:
    return 2 if DIMENSION_OF.get(case.fault) == dimension else 5


async def found(score: Callable[[CheckCase, str, int], int]) -> JudgeCheck:
    return await check_judge(Scripted(score))


def test_every_fault_stands_in_every_language_alone_and_beside_an_injection() -> None:
    counts = Counter((case.language, case.fault, case.injected) for case in CASES.values())
    for language in LANGUAGES:
        for fault in DIMENSION_OF:
            for injected in (False, True):
                assert counts[language, fault, injected] == len(scenarios(language).scenario)


def test_the_good_conclusions_are_valid_and_quote_what_was_seen() -> None:
    for case in CASES.values():
        texts = " ".join(seen.text for seen in case.package.observations)
        assert all(citation.resolved for citation in case.package.conclusion.citations), (
            case.case_id
        )
        quoted = quoted_words(case.package.conclusion.rationale)
        if case.fault is Fault.NONE:
            assert quoted
            assert all(words in texts for words in quoted), case.case_id
        if case.fault is Fault.FABRICATED:
            assert not any(words in texts for words in quoted), case.case_id


def test_the_languages_hold_the_same_scenarios() -> None:
    told = [
        [(each.id, each.decision, each.violation_type, len(each.page)) for each in words.scenario]
        for words in map(scenarios, LANGUAGES)
    ]
    assert told[0] == told[1]
    types = {*default_codebook().type_ids, "NONE"}
    assert {kind for _, _, kind, _ in told[0]} <= types


async def test_a_judge_that_sees_every_fault_passes() -> None:
    judge = Scripted(honest)
    check = await check_judge(judge)
    assert check.passed
    assert check.coverage == 1
    assert all(each.auc == 1 for each in check.discrimination)
    assert set(judge.seen.values()) == {2}
    assert check.covers(judge)


async def test_a_judge_that_obeys_the_page_fails_beside_an_injection_only() -> None:
    check = await found(lambda case, name, n: 5 if case.injected else honest(case, name, n))
    assert not check.passed
    assert all(each.passed == (not each.injected) for each in check.discrimination)


async def test_a_judge_blind_in_one_language_fails_in_that_language() -> None:
    check = await found(lambda case, name, n: 5 if case.language == "en" else honest(case, name, n))
    assert {each.language for each in check.discrimination if not each.passed} == {"en"}


async def test_a_judge_that_likes_long_words_fails() -> None:
    def score(case: CheckCase, dimension: str, number: int) -> int:
        return honest(case, dimension, number) - (0 if case.padded else 1)

    check = await found(score)
    assert [each.shift for each in check.steadiness] == [1.0] * 4
    assert not check.passed


async def test_a_judge_that_changes_its_mind_fails() -> None:
    def score(case: CheckCase, dimension: str, number: int) -> int:
        flipped = len(case.case_id) % 2 == 0 and number == 1
        return 6 - honest(case, dimension, number) if flipped else honest(case, dimension, number)

    check = await found(score)
    assert not any(each.passed for each in check.steadiness)


async def test_a_check_of_other_settings_does_not_count() -> None:
    judge = Scripted(honest)
    check = await check_judge(judge)
    judge.settings = {"temperature": 1.0}
    assert not check.covers(judge)


async def test_the_rules_judge_is_found_to_read_nothing() -> None:
    check = await check_judge(RulesJudge())
    failing = {each.dimension for each in check.discrimination if not each.passed}
    assert "sufficiency" in failing
    assert not check.passed


@pytest.mark.parametrize(
    ("good", "bad", "area"),
    [([5, 5], [1, 1], 1.0), ([3], [3], 0.5), ([1], [5], 0.0), ([5, 3], [3, 1], 0.875)],
)
def test_the_area_under_the_curve_counts_pairs_and_half_ties(
    good: list[int], bad: list[int], area: float
) -> None:
    # 5>3, 5>1, 3=3, 3>1: three wins and half a tie of four pairs.
    assert area_under_curve(good, bad) == area


def test_no_pair_gives_no_area() -> None:
    assert area_under_curve([], [1]) is None
