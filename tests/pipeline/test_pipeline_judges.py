"""Judges that are models: what is said beside their names, and when a check counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from stub_fixtures import Stub

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import Log, write_json
from riskchainbench.judging.check.measures import Discrimination
from riskchainbench.judging.check.run import JudgeCheck
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.models.provider.budget import BudgetSpentError
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.settings import ModelSettings
from riskchainbench.pipeline.evaluate import evaluate
from riskchainbench.pipeline.judges import (
    SAME_VENDOR,
    UNCHECKED,
    JudgeChecking,
    judge_marks,
    require_judge,
    vendor,
)
from riskchainbench.pipeline.options import Asking, Options


def caller(name: str = "openai/judge-1", **settings: object) -> ModelCaller:
    return ModelCaller(name, ModelSettings.model_validate(settings))


@pytest.mark.parametrize(
    ("model", "made_by"),
    [
        ("openai/gpt-4o", "openai"),
        ("openrouter/OpenAI/gpt-4o", "openai"),
        ("openai-api/ark/doubao-1", "ark"),
    ],
)
def test_a_vendor_is_read_from_a_name(model: str, made_by: str) -> None:
    assert vendor(model) == made_by


@pytest.mark.parametrize(
    ("system", "marks"),
    [
        ("openai/gpt-4o", [UNCHECKED, SAME_VENDOR]),
        ("anthropic/claude-x", [UNCHECKED]),
        ("rules", [UNCHECKED]),
    ],
)
def test_an_unchecked_judge_and_one_of_the_same_vendor_say_so(
    system: str, marks: list[str]
) -> None:
    assert judge_marks(caller(), system, None) == marks
    title = ModelJudge(caller(), marks).title
    assert title == f"openai/judge-1 ({', '.join(marks)})"


def check(tmp_path: Path, made: ModelCaller, auc: float) -> Path:
    from riskchainbench.judging.check.run import _identity

    part = Discrimination(
        dimension="faithfulness", language="en", injected=False, pictured=False, pairs=4, auc=auc
    )
    record = JudgeCheck(
        **_identity(ModelJudge(made)), asked=2, read=2, discrimination=(part,), steadiness=()
    )
    write_json(tmp_path / "check.json", record)
    return tmp_path / "check.json"


def test_a_passed_check_of_the_same_judge_takes_the_mark_away(tmp_path: Path) -> None:
    assert judge_marks(caller(), "rules", check(tmp_path, caller(), 0.95)) == []


def test_a_failed_check_does_not_count(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did not pass"):
        judge_marks(caller(), "rules", check(tmp_path, caller(), 0.5))


def test_a_check_under_other_settings_does_not_count(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="run riskchain judge-check again"):
        judge_marks(caller(temperature=1.0), "rules", check(tmp_path, caller(), 0.95))


def never(*_: object, **__: object) -> None:
    raise AssertionError("something was run before the judge was looked at")


@pytest.mark.parametrize(
    ("judge", "asking", "words"),
    [
        ("nosuch", Asking(), "no judge 'nosuch'"),
        ("nobody/judge", Asking(), "no provider 'nobody'"),
        ("openai/gpt-4o", Asking(), "set OPENAI_API_KEY"),
        ("openai-api/stub/judge", Asking(max_cost=1.0), "no price is known"),
        ("rules", Asking(judge_check=Path("check.json")), "leave --judge-check out"),
    ],
)
def test_a_judge_that_cannot_judge_is_told_before_anything_is_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stub: Stub,
    judge: str,
    asking: Asking,
    words: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr("riskchainbench.pipeline.evaluate.Stages", never)
    with pytest.raises(InputError, match=words):
        evaluate(tmp_path, tmp_path / "run", "rules", Options(judging=asking), never, judge=judge)


@pytest.mark.parametrize(
    ("name", "auc", "words"),
    [("openai-api/stub/other", 0.95, "not of"), ("", 0.5, "did not pass")],
)
def test_a_refused_check_leaves_no_stage_and_no_call(
    tmp_path: Path, stub: Stub, name: str, auc: float, words: str
) -> None:
    path = check(tmp_path, caller(name or stub.name), auc)
    with pytest.raises(InputError, match=words):
        require_judge(stub.name, Asking(judge_check=path), tmp_path / "run")
    assert not (tmp_path / "run").exists()
    assert stub.model.calls == 0


def checked(stub: Stub, folder: Path, most: int) -> JudgeCheck:
    return JudgeChecking(stub.name, Asking(max_tokens=most), folder).run(lambda done, total: None)


def test_a_check_whose_budget_is_spent_goes_on_with_a_larger_one(
    tmp_path: Path, stub: Stub
) -> None:
    with pytest.raises(BudgetSpentError):
        checked(stub, tmp_path, 60_000)
    before = stub.model.calls
    with pytest.raises(BudgetSpentError):
        checked(stub, tmp_path, 60_000)
    assert stub.model.calls == before, "what an earlier start spent counts"
    with pytest.raises(BudgetSpentError):
        checked(stub, tmp_path, 120_000)
    logged = list(Log(tmp_path / "work" / "replies.jsonl"))
    assert len({line["unit"] for line in logged}) == len(logged)
    # Two calls were the probe's; at most four were under way each time that the money was spent.
    assert len(logged) <= stub.model.calls - 2 <= len(logged) + 8
