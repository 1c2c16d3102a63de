"""Running the check: every package rated, the plain ones twice, then three demands on the scores.

For each dimension and language, the score has to tell a good package from its faulty twin
(area under the curve at least `MIN_AUC`): as text, beside page text that addresses the judge, and
in pictures. Asked twice, the judge has to agree with itself (quadratic weighted kappa at least
`MIN_KAPPA`). Words that say nothing must not move a score (mean shift at most `MAX_SHIFT`).

Folder of a check: settings, a log of replies by the hash of their question, judge-check.json.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from riskchainbench.core.codebook import Codebook, default_codebook
from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.failures import Failure
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.core.stage import StageFolder, StageSettings
from riskchainbench.core.store import write_json
from riskchainbench.core.system import Reply
from riskchainbench.core.units import run_all, tried
from riskchainbench.judging.check.cases import CheckCase, check_cases
from riskchainbench.judging.check.measures import (
    Discrimination,
    Rated,
    Steadiness,
    discrimination,
    steadiness,
)
from riskchainbench.judging.check.scenarios import LANGUAGES, scenarios_sha256
from riskchainbench.judging.prompts import instruction_sha256, judging_request
from riskchainbench.judging.protocol import Judge, JudgingRequest
from riskchainbench.judging.records import JudgeScores
from riskchainbench.judging.rubric import default_rubric
from riskchainbench.judging.run import Progress, parse_scores
from riskchainbench.models.ask import Answer, ReplyLog, ask

JUDGE_CHECK = "judge-check.json"
MIN_COVERAGE = 0.95
_STAGE = "judge-check"


class JudgeCheck(Record):
    """What a check found; it holds for this judge, these settings, this prompt and rubric."""

    schema_version: Literal["judge-check/2"] = "judge-check/2"
    judge: str
    settings: dict[str, Any] = Field(default_factory=dict)
    prompts: dict[str, Sha256]
    rubric_sha256: Sha256
    scenarios_sha256: Sha256
    asked: int
    read: int
    discrimination: tuple[Discrimination, ...]
    steadiness: tuple[Steadiness, ...]

    @property
    def coverage(self) -> float:
        """The share of replies that could be read."""
        return self.read / self.asked

    @property
    def passed(self) -> bool:
        """Whether the judge's scores may count."""
        told_apart = all(each.passed for each in self.discrimination)
        steady = all(each.passed for each in self.steadiness)
        return self.coverage >= MIN_COVERAGE and told_apart and steady

    def covers(self, judge: Judge) -> bool:
        """Tell whether this check is of `judge` as it is set now."""
        now = _identity(judge)
        return all(getattr(self, name) == value for name, value in now.items())


def _identity(judge: Judge) -> dict[str, Any]:
    return {
        "judge": judge.name,
        "settings": dict(judge.settings),
        "prompts": {language: instruction_sha256(language) for language in LANGUAGES},
        "rubric_sha256": default_rubric().sha256,
        "scenarios_sha256": scenarios_sha256(),
    }


async def check_judge(
    judge: Judge, folder: Path, *, concurrency: int = 4, progress: Progress | None = None
) -> JudgeCheck:
    """Let `judge` rate every package of the check, in the language of each.

    Replies are kept in `folder`; a check that was cut short goes on there and asks nothing twice.

    Raises:
        DriftError: a check of another judge, or under other settings, was begun in `folder`.
        RiskChainError: the provider failed some questions; the same call asks the rest.
        ProviderStopError: no further call could do better.
    """
    cases, codebook = check_cases(), default_codebook()
    stage = StageFolder(folder)
    stage.begin(_settings(judge))
    replies = ReplyLog(stage.log("replies"))
    units = [(case, number) for case in cases for number in range(case.kind.rounds)]
    rated: Rated = {}
    failures: list[Failure] = []
    done = 0

    async def work(unit: tuple[CheckCase, int]) -> None:
        nonlocal done
        answer = await tried(lambda: _asked(judge, *unit, codebook, replies))
        if isinstance(answer, Failure):
            failures.append(answer)
            return
        if answer.value is not None:
            rated[unit[0].case_id, unit[1]] = answer.value
        done += 1
        if progress is not None:
            progress(done, len(units))

    await run_all(units, work, concurrency=concurrency)
    if failures:
        raise RiskChainError(
            f"{folder}: {len(failures)} of {len(units)} questions stay open after system "
            f"failures ({failures[-1].detail}); what was answered is kept, and the same command "
            "asks the rest"
        )
    found = JudgeCheck(
        **_identity(judge),
        asked=len(units),
        read=len(rated),
        discrimination=discrimination(cases, rated),
        steadiness=steadiness(cases, rated),
    )
    write_json(folder / JUDGE_CHECK, found)
    return found


async def _asked(
    judge: Judge, case: CheckCase, number: int, codebook: Codebook, replies: ReplyLog
) -> Answer[JudgeScores]:
    unit_id = f"{case.case_id}-{number}"
    request = judging_request(
        case.package, codebook, default_rubric(), case.images.__getitem__, case.language
    )

    async def call(question: JudgingRequest) -> Reply:
        return await judge.reply(unit_id, question)

    return await ask(
        call, request, parse_scores, replies.unit(unit_id), repairs=0, language=case.language
    )


def _settings(judge: Judge) -> StageSettings:
    identity = _identity(judge)
    settings = {
        "judge": judge.name,
        **{f"judge.{name}": value for name, value in sorted(judge.settings.items())},
        **{f"prompt.{name}": value for name, value in identity["prompts"].items()},
        "rubric_sha256": identity["rubric_sha256"],
    }
    return StageSettings(
        stage=_STAGE, tasks_sha256=scenarios_sha256(), inputs={}, settings=settings
    )
