"""The check of judges: what it plants, and which judges it lets through."""

from __future__ import annotations

import asyncio
import io
import json
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops
from simulated_time import Provider

from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import DriftError, RiskChainError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.store import read_json
from riskchainbench.core.system import Reply
from riskchainbench.judging.check.cases import (
    DIMENSION_OF,
    KINDS,
    CheckCase,
    Fault,
    Kind,
    check_cases,
)
from riskchainbench.judging.check.measures import area_interval, area_under_curve
from riskchainbench.judging.check.pictures import picture, place
from riskchainbench.judging.check.run import JudgeCheck, check_judge
from riskchainbench.judging.check.scenarios import LANGUAGES, scenarios
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.judging.rules_judge import RulesJudge, quoted_words
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.settings import ModelSettings

CASES = {case.case_id: case for case in check_cases()}
QUESTIONS = sum(case.kind.rounds for case in CASES.values())

LONG = 300
"""Bytes of a rationale that the padded ones pass and the good ones do not."""

Score = Callable[[CheckCase, str, int], int]


class Scripted:
    """A judge that scores each case by a function of what was planted in it."""

    deterministic = False
    name = title = "scripted"
    settings: Mapping[str, str | int | float | bool] = {}

    def __init__(self, score: Score) -> None:
        self.score = score
        self.seen: Counter[str] = Counter()

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        case_id, _, number = unit_id.rpartition("-")
        case = CASES[case_id]
        self.seen[case_id] += 1
        scores = {name: self.score(case, name, int(number)) for name in DIMENSIONS}
        return Reply(text=json.dumps({name: {"score": score} for name, score in scores.items()}))


def honest(case: CheckCase, dimension: str, number: int) -> int:
    return 2 if DIMENSION_OF.get(case.kind.fault) == dimension else 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_dimension_has_twelve_pairs_of_each_kind(language: str) -> None:
    counts = Counter((case.kind) for case in CASES.values() if case.language == language)
    assert set(counts.values()) == {len(scenarios(language).scenario)}
    assert counts[Kind()] >= 12
    for fault in DIMENSION_OF:
        for kind in (Kind(fault), Kind(fault, injected=True), Kind(fault, pictured=True)):
            assert kind in counts


def test_the_good_conclusions_are_valid_and_quote_what_was_seen() -> None:
    for case in CASES.values():
        assert all(each.resolved for each in case.package.conclusion.citations), case.case_id
        texts = " ".join(seen.text for seen in case.package.observations)
        quoted = quoted_words(case.package.conclusion.rationale)
        if case.kind in (Kind(), Kind(padded=True)):
            assert quoted
            assert all(words in texts for words in quoted), case.case_id
        if case.kind.fault is Fault.FABRICATED or case.kind.pictured:
            assert not any(words in texts for words in quoted), case.case_id


def test_no_page_holds_words_that_are_invented() -> None:
    for language in LANGUAGES:
        words = scenarios(language)
        for scenario in words.scenario:
            texts = [words.text(page) for page in scenario.page]
            for page, text in zip(scenario.page, texts, strict=True):
                assert page.shown in text
                assert page.beside in text
                assert not any(page.invented in each for each in texts)
            assert scenario.page[1].opened_by in scenario.page[0].controls


def test_pictures_show_what_is_cited_in_a_place_of_its_own() -> None:
    page = scenarios("zh-CN").scenario[0].page[0]
    other = page.but(beside="别的话")
    changed = ImageChops.difference(*(_opened(picture(each)) for each in (page, other))).getbbox()
    box = place(page.lines.index(page.beside))
    assert changed is not None
    assert box.x <= changed[0] <= changed[2] <= box.x + box.width
    assert box.y <= changed[1] <= changed[3] <= box.y + box.height


def _opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


def test_the_languages_hold_the_same_scenarios() -> None:
    told = [
        [(each.id, each.decision, each.violation_type, len(each.page)) for each in words.scenario]
        for words in map(scenarios, LANGUAGES)
    ]
    assert told[0] == told[1]
    types = {*default_codebook().type_ids, "NONE", "UNKNOWN"}
    assert {kind for _, _, kind, _ in told[0]} <= types


async def test_a_judge_that_sees_every_fault_passes(tmp_path: Path) -> None:
    judge = Scripted(honest)
    check = await check_judge(judge, tmp_path)
    assert check.passed
    assert check.coverage == 1
    assert all(each.auc == 1 and each.pairs == 12 for each in check.discrimination)
    assert len(check.discrimination) == 4 * 2 * 3
    # Of each scenario the plain packages, one good and four faulty, in both languages.
    assert {each.twice for each in check.steadiness} == {2 * 12 * 5}
    assert all(judge.seen[case_id] == case.kind.rounds for case_id, case in CASES.items())
    assert check.covers(judge)
    assert read_json(tmp_path / "judge-check.json", JudgeCheck) == check


@pytest.mark.parametrize("what", ["injected", "pictured"])
async def test_a_judge_that_is_misled_or_blind_fails_there_only(tmp_path: Path, what: str) -> None:
    def score(case: CheckCase, dimension: str, number: int) -> int:
        return 5 if getattr(case.kind, what) else honest(case, dimension, number)

    check = await check_judge(Scripted(score), tmp_path)
    assert not check.passed
    assert all(each.passed == (not getattr(each, what)) for each in check.discrimination)


async def test_a_judge_blind_in_one_language_fails_in_that_language(tmp_path: Path) -> None:
    def score(case: CheckCase, dimension: str, number: int) -> int:
        return 5 if case.language == "en" else honest(case, dimension, number)

    check = await check_judge(Scripted(score), tmp_path)
    assert {each.language for each in check.discrimination if not each.passed} == {"en"}


async def test_a_judge_that_likes_long_words_fails(tmp_path: Path) -> None:
    # It knows nothing but the length of what it reads, besides the faults.
    def score(case: CheckCase, dimension: str, number: int) -> int:
        long = len(case.package.conclusion.rationale.encode()) > LONG
        return honest(case, dimension, number) - (0 if long else 1)

    check = await check_judge(Scripted(score), tmp_path)
    assert all(each.passed for each in check.discrimination)
    assert all(each.shift is not None and each.shift > 0.8 for each in check.steadiness)
    assert not check.passed


async def test_a_judge_that_changes_its_mind_fails(tmp_path: Path) -> None:
    def score(case: CheckCase, dimension: str, number: int) -> int:
        flipped = len(case.case_id) % 2 == 0 and number == 1
        return 6 - honest(case, dimension, number) if flipped else honest(case, dimension, number)

    check = await check_judge(Scripted(score), tmp_path)
    assert not any(each.passed for each in check.steadiness)


async def test_a_check_of_other_settings_does_not_count_and_does_not_go_on(tmp_path: Path) -> None:
    judge = Scripted(honest)
    check = await check_judge(judge, tmp_path)
    judge.settings = {"temperature": 1.0}
    assert not check.covers(judge)
    with pytest.raises(DriftError, match=r"judge\.temperature"):
        await check_judge(judge, tmp_path)


class KilledError(Exception):
    """Stands for a kill: nothing in the check catches it."""


class Dying(Scripted):
    """Dies, as by a kill, at the question after so many answers."""

    def __init__(self, after: int) -> None:
        super().__init__(honest)
        self.after = after

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        if sum(self.seen.values()) == self.after:
            raise KilledError
        return await super().reply(unit_id, request)


async def test_a_check_that_was_killed_goes_on_and_asks_nothing_twice(tmp_path: Path) -> None:
    dying = Dying(after=100)
    with pytest.raises(KilledError):
        await check_judge(dying, tmp_path / "killed", concurrency=1)
    again, told = Scripted(honest), []
    check = await check_judge(
        again, tmp_path / "killed", progress=lambda done, total: told.append((done, total))
    )
    assert sum(again.seen.values()) == QUESTIONS - 100
    assert told[-1] == (QUESTIONS, QUESTIONS)
    assert check == await check_judge(Scripted(honest), tmp_path / "whole")
    rest = Scripted(honest)
    assert await check_judge(rest, tmp_path / "killed") == check
    assert not rest.seen


async def test_what_a_provider_failed_is_asked_again(tmp_path: Path) -> None:
    class Failing(Scripted):
        async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
            if unit_id.startswith("en-betting-none-"):
                failure = Failure(
                    failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.JUDGING, detail="down"
                )
                raise SystemFailureError(failure, exhausted=True)
            return await super().reply(unit_id, request)

    with pytest.raises(RiskChainError, match=f"4 of {QUESTIONS} questions stay open .*down"):
        await check_judge(Failing(honest), tmp_path)
    assert not (tmp_path / "judge-check.json").exists()
    again = Scripted(honest)
    assert (await check_judge(again, tmp_path)).passed
    assert sum(again.seen.values()) == 4


def model_judge(pictures: dict[str, dict[float, str]] | None) -> ModelJudge:
    """Return the model that the stub plays, without a network."""
    provider = Provider(asyncio.get_running_loop(), 0.0, pictures)
    connect: Any = lambda: provider  # noqa: E731
    return ModelJudge(ModelCaller("openai-api/stub/stub-1", ModelSettings(), connect=connect))


async def test_a_model_that_counts_citations_fails(tmp_path: Path) -> None:
    check = await check_judge(model_judge(None), tmp_path)
    assert check.coverage == 1
    assert not check.passed


async def test_a_model_that_reads_what_it_is_sent_passes(tmp_path: Path) -> None:
    pages = [
        page
        for language in LANGUAGES
        for scenario in scenarios(language).scenario
        for page in scenario.page
    ]
    pictures = {
        sha256_bytes(picture(page)): {
            place(number).y: words for number, words in enumerate(page.lines)
        }
        for page in pages
    }
    check = await check_judge(model_judge(pictures), tmp_path)
    assert check.passed, [each for each in check.discrimination if not each.passed]


async def test_the_rules_judge_is_found_to_read_nothing(tmp_path: Path) -> None:
    check = await check_judge(RulesJudge(), tmp_path)
    failing = {(each.dimension, each.pictured) for each in check.discrimination if not each.passed}
    assert {("sufficiency", False), ("faithfulness", True)} <= failing
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


def test_an_area_has_an_interval_even_where_nothing_was_mistaken() -> None:
    # By hand for 12 and 12: at 0.83 the squared distance to 1 is 0.0289, and z squared times the
    # variance 0.83 * 0.17 * (1 + 11 * (0.17 / 1.17 + 0.83 / 1.83)) / 144 is 0.0286.
    low, high = area_interval(1.0, 12, 12)
    assert 0.83 < low < 0.835
    assert high == 1.0
    low, high = area_interval(0.5, 12, 12)
    assert low == pytest.approx(1 - high)
    assert low < 0.5 < high


def test_kinds_have_names_of_their_own() -> None:
    assert len({kind.name for kind in KINDS}) == len(KINDS) == 15
