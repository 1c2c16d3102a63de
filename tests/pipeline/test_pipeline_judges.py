"""Judges that are models: what is said beside their names, and when a check counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from stub_fixtures import Stub

from riskchainbench.core.errors import InputError
from riskchainbench.core.store import write_json
from riskchainbench.judging.check.run import Discrimination, JudgeCheck
from riskchainbench.judging.model_judge import ModelJudge
from riskchainbench.models.provider.caller import ModelCaller
from riskchainbench.models.provider.settings import ModelSettings
from riskchainbench.pipeline.judges import (
    SAME_VENDOR,
    UNCHECKED,
    judge_marks,
    run_judge_check,
    vendor,
)
from riskchainbench.pipeline.options import Asking


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

    part = Discrimination(dimension="faithfulness", language="en", injected=False, pairs=4, auc=auc)
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


def test_a_model_is_checked_over_the_wire(tmp_path: Path, stub: Stub) -> None:
    found = run_judge_check(stub.name, Asking(), tmp_path, lambda done, total: None)
    assert (found.asked, found.read) == (160, 160)
    # The stub counts citations, which tells it nothing of what they say.
    assert not found.passed
    assert (tmp_path / "judge-check.json").exists()
