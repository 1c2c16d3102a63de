"""A website of three views without a browser, and systems that answer from a script."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from riskchainbench.browser.pool import EnvHandle, EnvironmentFailureError
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import (
    Action,
    Box,
    Element,
    ElementKind,
    InvestigationTask,
    Outcome,
    OutcomeStatus,
    ScaffoldClass,
    Scroll,
    Viewport,
)
from riskchainbench.core.store import Images, Log
from riskchainbench.core.system import AnyRequest, ConclusionRequest, Reply
from riskchainbench.investigation.episode import Episode, Rules, run_episode
from riskchainbench.models.ask import ReplyLog

CODEBOOK = default_codebook()
RULES = Rules(language="en")
BROWSER = BrowserSettings(binary=Path("/none"), version="1.0")
TASKS_SHA256 = sha256_text("tasks")
STOP = '{"action": "stop"}'
CLICK = '{"action": "click", "element": "e1"}'
CONCLUSION = (
    '{"decision": "INSUFFICIENT_EVIDENCE", "violation_type": "UNKNOWN", "rationale": "r",'
    ' "evidence": [{"step": 0, "locator": {"kind": "element", "element_id": "e1"}}],'
    ' "confidence": 0.5}'
)


def task(case_id: str = "c1", horizon: int = 5, time_limit: float = 60) -> InvestigationTask:
    return InvestigationTask(
        case_id=case_id,
        scaffold=(ScaffoldClass.FOLLOW_LINK,),
        viewport=Viewport(width=1280, height=720),
        horizon=horizon,
        time_limit=time_limit,
    )


def view(number: int, outcome: Outcome | None = None) -> PageView:
    element = Element(
        element_id=f"e{number}",
        kind=ElementKind.LINK,
        role="link",
        name=f"go {number}",
        box=Box(x=0, y=0, width=10, height=10),
    )
    return PageView(
        title=f"view {number}",
        text=f"Text of view {number}\ngo {number}",
        elements=(element,),
        elements_left_out=0,
        scroll=Scroll(top=0, page_height=720, viewport_height=720),
        outcome=outcome,
        events=(),
        network=(),
        page_state=sha256_text(str(number)),
    )


@dataclass
class FakeEnv:
    """Shows one view after another; `fails` maps the number of an action to its failure."""

    fails: Mapping[int, FailureClass] = field(default_factory=dict)
    acted: list[Action] = field(default_factory=list)

    async def open(self, visit: Visit) -> tuple[PageView, bytes | None]:
        self.acted = []
        self._fail(0)
        return view(1), b"png 1"

    async def act(self, action: Action) -> tuple[PageView, bytes | None]:
        self.acted.append(action)
        number = len(self.acted)
        self._fail(number)
        return view(number + 1, Outcome(status=OutcomeStatus.DONE)), b"png %d" % (number + 1)

    async def end(self) -> None:
        pass

    def _fail(self, number: int) -> None:
        if number in self.fails:
            raise EnvironmentFailureError(
                Failure(failure_class=self.fails[number], stage=Stage.INVESTIGATION)
            )


class FakePool:
    def __init__(self, env: EnvHandle | None = None) -> None:
        self._env = env or FakeEnv()

    @contextlib.asynccontextmanager
    async def lease(self) -> AsyncIterator[EnvHandle]:
        yield self._env

    async def close(self) -> None:
        pass


class FakeVisits:
    def __init__(self) -> None:
        self.opened: list[str] = []
        self.closed = 0

    def open(self, task: InvestigationTask) -> Visit:
        self.opened.append(task.case_id)
        return Visit(host=f"h{len(self.opened)}.test", port=1)

    def close(self, visit: Visit) -> None:
        self.closed += 1


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Scripted:
    """Answers action requests from `turns` in order (then stops), conclusions with `conclusion`."""

    name = "scripted"

    def __init__(
        self,
        *turns: str | Reply,
        conclusion: str | Reply = CONCLUSION,
        before: Callable[[AnyRequest], None] | None = None,
    ) -> None:
        self._turns = turns
        self._conclusion = conclusion
        self._before = before or (lambda request: None)
        self._place: dict[str, int] = {}
        self.requests: list[AnyRequest] = []

    @property
    def settings(self) -> Mapping[str, str | int | float | bool]:
        return {"turns": len(self._turns)}

    async def reply(self, unit_id: str, request: AnyRequest) -> Reply:
        self.requests.append(request)
        self._before(request)
        if isinstance(request, ConclusionRequest):
            found = self._conclusion
        else:
            place = self._place.get(unit_id, 0)
            self._place[unit_id] = place + 1
            found = self._turns[place] if place < len(self._turns) else STOP
        return found if isinstance(found, Reply) else Reply(text=found)


def text_of(request: AnyRequest) -> str:
    return "\n".join(
        getattr(part, "text", "") for message in request.prompt for part in message.parts
    )


async def episode(
    folder: Path,
    system: Scripted,
    *,
    env: FakeEnv | None = None,
    of: InvestigationTask | None = None,
    clock: Callable[[], float] | None = None,
    rules: Rules = RULES,
) -> Episode:
    of = of or task()
    return await run_episode(
        of,
        Visit(host="h.test", port=1),
        env or FakeEnv(),
        system,
        CODEBOOK,
        Images(folder / "images"),
        ReplyLog(Log(folder / "replies.jsonl")).unit(of.case_id),
        clock or Clock(),
        rules,
    )
