"""One investigation: the loop of observations and actions, its budgets and how it ends.

See the paper, section 3.3. The loop knows no label, entry or host; it asks a system, acts
through an environment and records every step in a hash chain.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from riskchainbench.browser.guards import NetworkEntry
from riskchainbench.browser.pool import EnvHandle, EnvironmentFailureError
from riskchainbench.browser.settings import Visit
from riskchainbench.browser.view import PageView
from riskchainbench.core.codebook import Codebook
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import (
    MAX_INVALID_TURNS,
    MAX_REPAIRS,
    Action,
    ActionKind,
    Ending,
    InvestigationTask,
    Observation,
    Outcome,
    OutcomeStatus,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.core.restoration import Usage
from riskchainbench.core.store import Images
from riskchainbench.core.system import ActionRequest, Reply, System
from riskchainbench.investigation.ablations import (
    Ablation,
    shown_codebook,
    shown_observation,
    shown_steps,
    shown_task,
)
from riskchainbench.investigation.actions import parse_action
from riskchainbench.investigation.chain import START, chained, chained_end
from riskchainbench.investigation.prompts import action_request
from riskchainbench.models.ask import Answer, UnitReplies, ask, total

Clock = Callable[[], float]
"""Seconds of a clock that never goes back."""


@dataclass(frozen=True)
class Rules:
    """How a case is investigated; recorded in the stage's settings.

    `count_provider_time` says whether waiting for the provider counts against the time limit.
    `ablations` name what the agent is not given.
    """

    language: str
    repairs: int = MAX_REPAIRS
    count_provider_time: bool = True
    ablations: frozenset[Ablation] = frozenset()

    @property
    def recorded(self) -> dict[str, str]:
        """What the stage's settings say of the ablations, if there are any."""
        left_out = ", ".join(sorted(ablation.value for ablation in self.ablations))
        return {"ablations": left_out} if left_out else {}


@dataclass
class Episode:
    """What an investigation recorded."""

    trajectory: Trajectory
    network: list[NetworkEntry]


async def run_episode(
    task: InvestigationTask,
    visit: Visit,
    env: EnvHandle,
    system: System,
    codebook: Codebook,
    images: Images,
    replies: UnitReplies,
    clock: Clock,
    rules: Rules,
) -> Episode:
    """Investigate one website from its first observation to an ending.

    A page that hangs, crashes or explodes ends the investigation with its failure.

    Raises:
        SystemFailureError: the provider, the browser or the harness failed; try again.
        StorageError: a screenshot could not be written.
    """
    loop = _Loop(task, env, system, codebook, images, replies, clock, rules)
    return await loop.run(visit)


@dataclass
class _Loop:
    task: InvestigationTask
    env: EnvHandle
    system: System
    codebook: Codebook
    images: Images
    replies: UnitReplies
    clock: Clock
    rules: Rules
    steps: list[Step] = field(default_factory=list)
    network: list[NetworkEntry] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    started: float = 0.0
    replayed_seconds: float = 0.0
    invalid: int = 0

    async def run(self, visit: Visit) -> Episode:
        try:
            view, png = await self.env.open(visit)
        except EnvironmentFailureError as error:
            return self._ended(Ending.ENVIRONMENT, _no_first(error.failure))
        self.started = self.clock()
        observation = self._observation(view, png)
        while True:
            turn = await self._turn(observation)
            if isinstance(turn, Episode):
                return turn
            if turn is None:
                observation = self._unmoved(observation)
                continue
            try:
                view, png = await self.env.act(turn)
            except EnvironmentFailureError as error:
                failure = error.failure.but(step=observation.step)
                return self._ended(Ending.ENVIRONMENT, failure)
            observation = self._observation(view, png)

    async def _turn(self, observation: Observation) -> Action | Episode | None:
        """Ask for one action and record the step; None stands for an invalid turn."""
        observed_at = self._elapsed()
        if observed_at >= self.task.time_limit:
            return self._last(observation, observed_at, Ending.TIME_LIMIT)
        if observation.remaining_actions == 0 or Ablation.INTERACTION in self.rules.ablations:
            return self._last(observation, observed_at, Ending.HORIZON)
        answer = await self._asked(observation)
        self.usages.append(answer.usage)
        if answer.timed_out:
            return self._last(observation, observed_at, Ending.TIME_LIMIT)
        self._record(observation, observed_at, answer)
        if answer.value is None:
            return self._invalid_turn(observation)
        self.invalid = 0
        if answer.value.action is ActionKind.STOP:
            return self._ended(Ending.STOP)
        return answer.value

    def _invalid_turn(self, observation: Observation) -> Episode | None:
        self.invalid += 1
        if self.invalid < MAX_INVALID_TURNS:
            return None
        failure = Failure(
            failure_class=FailureClass.INVALID_ACTIONS,
            stage=Stage.INVESTIGATION,
            detail=f"{self.invalid} turns in a row",
            step=observation.step,
        )
        return self._ended(Ending.INVALID_ACTIONS, failure)

    async def _asked(self, observation: Observation) -> Answer[Action]:
        ablations = self.rules.ablations
        request = action_request(
            shown_task(self.task, ablations),
            shown_codebook(self.codebook, ablations),
            shown_steps(self.steps, ablations),
            shown_observation(observation, ablations),
            self._remaining(),
            self.images.get,
            self.rules.language,
        )

        async def call(question: ActionRequest) -> Reply:
            return await self.system.reply(self.task.case_id, question)

        replayed = self.replies.replayed
        answer = await ask(
            call,
            request,
            parse_action,
            self.replies,
            repairs=self.rules.repairs,
            language=self.rules.language,
            remaining=self._remaining,
        )
        if self.replies.replayed > replayed:
            self.replayed_seconds += answer.usage.provider_seconds
        return answer

    def _elapsed(self) -> float:
        """Return the seconds since the first observation, as if no reply were replayed."""
        seconds = self.clock() - self.started + self.replayed_seconds
        if not self.rules.count_provider_time:
            seconds -= total(self.usages).provider_seconds
        return max(0.0, seconds)

    def _remaining(self) -> float:
        return self.task.time_limit - self._elapsed()

    def _observation(self, view: PageView, png: bytes | None) -> Observation:
        self.network += view.network
        return Observation(
            step=len(self.steps),
            screenshot=self.images.put(png) if png is not None else None,
            title=view.title,
            text=view.text,
            elements=view.elements,
            elements_left_out=view.elements_left_out,
            scroll=view.scroll,
            outcome=view.outcome,
            events=view.events,
            remaining_actions=self.task.horizon - len(self.steps),
            page_state=view.page_state,
        )

    def _unmoved(self, observation: Observation) -> Observation:
        """Return what is observed after a turn without action: the same, and one action less."""
        return observation.but(
            step=len(self.steps),
            outcome=Outcome(status=OutcomeStatus.INVALID_TURN),
            events=(),
            remaining_actions=self.task.horizon - len(self.steps),
        )

    def _record(self, observation: Observation, observed_at: float, answer: Answer[Action]) -> None:
        step = Step(
            observation=observation,
            action=answer.value,
            failure=answer.failure,
            repairs=answer.usage.repairs,
            reply_sha256=answer.reply_sha256,
            timing=Timing(
                observed_at=round(observed_at, 3),
                decided_at=round(self._elapsed(), 3),
                provider_seconds=round(answer.usage.provider_seconds, 3),
            ),
        )
        self._append(step)

    def _last(self, observation: Observation, observed_at: float, ending: Ending) -> Episode:
        timing = Timing(observed_at=round(observed_at, 3))
        self._append(Step(observation=observation, timing=timing))
        return self._ended(ending)

    def _append(self, step: Step) -> None:
        self.steps.append(chained(self._chain(), step))

    def _chain(self) -> str:
        return self.steps[-1].chain if self.steps else START

    def _ended(self, ending: Ending, failure: Failure | None = None) -> Episode:
        seconds = self._elapsed() if self.steps else 0.0
        end = TrajectoryEnd(
            ending=ending,
            failure=failure,
            usage=total(self.usages),
            seconds=round(seconds, 3),
        )
        trajectory = Trajectory(steps=tuple(self.steps), end=chained_end(self._chain(), end))
        return Episode(trajectory, self.network)


def _no_first(failure: Failure) -> Failure:
    return Failure(
        failure_class=FailureClass.NO_FIRST_OBSERVATION,
        stage=Stage.INVESTIGATION,
        detail=f"{failure.failure_class.value}: {failure.detail}",
    )
