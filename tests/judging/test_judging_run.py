"""The judging stage: resume, coverage, drift."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from judging_run import CASES, freeze_conclusions

from riskchainbench.core.conclusion import Conclusion
from riskchainbench.core.errors import DriftError, InputError, IntegrityError
from riskchainbench.core.failures import Failure, FailureClass, Stage, SystemFailureError
from riskchainbench.core.system import Reply
from riskchainbench.judging.protocol import JudgingRequest
from riskchainbench.judging.read import judges_of, read_judgments
from riskchainbench.judging.registry import make_judge
from riskchainbench.judging.run import judge

GOOD = json.dumps(
    {
        name: {"score": 3, "reason": "step 0"}
        for name in ("faithfulness", "sufficiency", "completeness", "consistency")
    }
)


class Scripted:
    """A judge that answers from a list, or breaks where the list says None."""

    name = "maker/judge"
    title = "maker/judge"
    deterministic = False

    def __init__(self, *replies: str | None, temperature: float = 0.0) -> None:
        self._replies = list(replies)
        self._temperature = temperature
        self.asked: list[str] = []

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        return {"temperature": self._temperature}

    async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
        self.asked.append(unit_id)
        text = self._replies.pop(0)
        if text is None:
            raise SystemFailureError(
                Failure(failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.JUDGING)
            )
        return Reply(text=text)


async def test_every_valid_conclusion_is_judged_once(run: Path, benchmark_bundle: object) -> None:
    scripted = Scripted(GOOD, GOOD)
    manifest = await judge(benchmark_bundle, run, scripted)
    assert scripted.asked == list(CASES[:2])
    assert manifest.units == 2
    assert await judge(benchmark_bundle, run, Scripted()) == manifest
    _, judgments = read_judgments(run, "maker/judge")
    assert judgments[CASES[0]].scores.numbers()["sufficiency"] == 3
    assert CASES[2] not in judgments


async def test_an_unreadable_reply_is_missing_coverage(run: Path, benchmark_bundle: object) -> None:
    scripted = Scripted("four out of five", "4", '{"faithfulness": 4}', GOOD)
    await judge(benchmark_bundle, run, scripted, concurrency=1)
    _, judgments = read_judgments(run, "maker/judge")
    assert judgments[CASES[0]].scores is None
    assert judgments[CASES[0]].failure.failure_class is FailureClass.SCHEMA_MISMATCH
    assert judgments[CASES[0]].usage.calls == 3
    assert judgments[CASES[1]].scores is not None


async def test_two_different_answers_in_one_reply_are_no_score(
    run: Path, benchmark_bundle: object
) -> None:
    scripted = Scripted(GOOD + GOOD.replace("3", "5"), GOOD)
    await judge(benchmark_bundle, run, scripted, concurrency=1, repairs=0)
    assert read_judgments(run, "maker/judge")[1][CASES[0]].scores is None


async def test_a_provider_failure_leaves_the_case_open_and_is_tried_again(
    run: Path, benchmark_bundle: object
) -> None:
    manifest = await judge(benchmark_bundle, run, Scripted(None, None, None, GOOD), concurrency=1)
    assert manifest.open_units == (CASES[0],)
    again = Scripted(GOOD)
    manifest = await judge(benchmark_bundle, run, again)
    assert again.asked == [CASES[0]]
    assert manifest.open_units == ()
    assert set(read_judgments(run, "maker/judge")[1]) == set(CASES[:2])


async def test_a_kill_between_two_cases_repeats_no_call(
    run: Path, benchmark_bundle: object
) -> None:
    class KilledError(Exception):
        pass

    class Killed(Scripted):
        async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
            if unit_id == CASES[1]:
                raise KilledError
            return await super().reply(unit_id, request)

    with pytest.raises(KilledError):
        await judge(benchmark_bundle, run, Killed(GOOD), concurrency=1)
    rest = Scripted(GOOD)
    await judge(benchmark_bundle, run, rest, concurrency=1)
    assert rest.asked == [CASES[1]]


async def test_other_decoding_is_refused(run: Path, benchmark_bundle: object) -> None:
    await judge(benchmark_bundle, run, Scripted(GOOD, GOOD))
    with pytest.raises(DriftError, match="temperature"):
        await judge(benchmark_bundle, run, Scripted(GOOD, GOOD, temperature=1.0))


async def test_a_conclusion_frozen_anew_is_judged_anew(
    run: Path, benchmark_bundle: object, conclusion: Conclusion
) -> None:
    await judge(benchmark_bundle, run, Scripted(GOOD, GOOD))
    changed = conclusion.but(rationale="Other words.")
    freeze_conclusions(run, {CASES[0]: conclusion, CASES[1]: changed, CASES[2]: None})
    again = Scripted(GOOD.replace("3", "4"))
    await judge(benchmark_bundle, run, again)
    assert again.asked == [CASES[1]]
    _, judgments = read_judgments(run, "maker/judge")
    assert [judgments[c].scores.numbers()["faithfulness"] for c in CASES[:2]] == [3, 4]


async def test_the_rules_judge_freezes_the_same_bytes_twice(
    run: Path, benchmark_bundle: object, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(run, other)
    first = await judge(benchmark_bundle, run, make_judge("rules"))
    second = await judge(benchmark_bundle, other, make_judge("rules"))
    assert first.files == second.files
    assert first.notes["title"] == "rules (not a validated judge)"
    assert judges_of(run) == ("rules",)


async def test_a_changed_trajectory_is_refused(run: Path, benchmark_bundle: object) -> None:
    path = run / "investigation" / CASES[0] / "trajectory.jsonl"
    path.write_text(path.read_text().replace("Live odds", "Nice odds"))
    with pytest.raises(IntegrityError, match=CASES[0]):
        await judge(benchmark_bundle, run, Scripted(GOOD, GOOD))


async def test_without_conclusions_there_is_nothing_to_judge(
    run: Path, benchmark_bundle: object
) -> None:
    shutil.rmtree(run / "conclusion")
    with pytest.raises(InputError, match="not finished"):
        await judge(benchmark_bundle, run, Scripted())


async def test_no_label_host_or_model_is_in_any_prompt(run: Path, benchmark_bundle: object) -> None:
    prompts: list[str] = []

    class Listening(Scripted):
        async def reply(self, unit_id: str, request: JudgingRequest) -> Reply:
            prompts.append(repr(request.prompt))
            return await super().reply(unit_id, request)

    await judge(benchmark_bundle, run, Listening(GOOD, GOOD))
    assert len(prompts) == 2
    for mark in ("model-9", "maker", *CASES):
        assert all(mark not in prompt for prompt in prompts)
