"""One website of a bundle as a Gymnasium environment with BrowserGym's keys.

The horizon and the time limit live inside, the reward inside is always 0: what an episode was
worth is asked of `Scorer` once it is over.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from browsergym.core.spaces import AnyBox, AnyDict, Float, Unicode

from riskchainbench.browser.pool import EnvironmentFailureError
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle, open_bundle
from riskchainbench.core.conclusion import Conclusion, ConclusionRecord
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Ending,
    Observation,
    Outcome,
    OutcomeStatus,
    Step,
    Timing,
    Trajectory,
    TrajectoryEnd,
)
from riskchainbench.core.system import Reply
from riskchainbench.doors.gymnasium.hosting import Host
from riskchainbench.doors.gymnasium.scorer import train_cases
from riskchainbench.doors.gymnasium.translation import (
    URL,
    UnknownActionError,
    accessibility_tree,
    document_snapshot,
    element_properties,
    goal_of,
    parsed_action,
    pixels,
)
from riskchainbench.investigation.browsing import browser_settings
from riskchainbench.investigation.chain import START, chained, chained_end
from riskchainbench.investigation.conclude import parse_conclusion
from riskchainbench.investigation.prompts import conclusion_request

DOOR = "browsergym"
"""Stands in every `info`: results that came this way are not those of a run."""

_ENTRY_POINT = "riskchainbench.doors.gymnasium.environment:WebsiteEnv"


def environment_id(case_id: str) -> str:
    """Return the name under which the case is registered."""
    return f"browsergym/riskchainbench.{case_id}"


def opened_cases(bundle: Path | str, *, evaluation: bool = False) -> tuple[str, ...]:
    """Return the cases that a door opens: the train split, or all with `evaluation`.

    Raises:
        InputError: there is no bundle, or no train split and `evaluation` is not set.
    """
    folder = Path(bundle)
    cases = set(open_bundle(folder).investigation_tasks)
    if not evaluation:
        cases &= train_cases(folder)
        if not cases:
            raise InputError(
                f"{folder}: has no train split; pass evaluation=True (or --evaluation) to step it"
            )
    return tuple(sorted(cases))


def register_bundle(bundle: Path | str, *, evaluation: bool = False) -> tuple[str, ...]:
    """Register every website of the train split for `gymnasium.make`; return their names.

    Args:
        bundle: a bundle's folder.
        evaluation: register all websites, those of the evaluation included.

    Raises:
        InputError: there is no bundle, or no train split and `evaluation` is not set.
    """
    names = []
    for case_id in opened_cases(bundle, evaluation=evaluation):
        names.append(environment_id(case_id))
        gymnasium.register(
            names[-1],
            entry_point=_ENTRY_POINT,
            order_enforce=False,
            disable_env_checker=True,
            kwargs={"case_id": case_id, "bundle": str(bundle), "evaluation": evaluation},
        )
    return tuple(names)


@dataclass(frozen=True)
class Finished:
    """An episode that is over and its report, as `Scorer.reward` takes them."""

    trajectory: Trajectory
    record: ConclusionRecord


class WebsiteEnv(gymnasium.Env[dict[str, Any], str]):
    """One website; see `register_bundle`.

    Args:
        case_id: which website.
        bundle: the bundle's folder.
        evaluation: whether a case outside the train split may be opened.
        language: of the goal's words.
        settings: of the browser; those for this machine by default.
        clock: seconds of a clock that never goes back, for the time limit.
        trees: whether the document and accessibility trees are built; empty ones otherwise.

    Raises:
        InputError: no such case, or one of the evaluation without leave.
    """

    metadata: dict[str, Any] = {"render_modes": []}  # noqa: RUF012 (Gymnasium's contract)

    def __init__(
        self,
        case_id: str,
        bundle: Path | str,
        *,
        evaluation: bool = False,
        language: str = "en",
        settings: BrowserSettings | None = None,
        clock: Callable[[], float] = time.monotonic,
        trees: bool = True,
    ) -> None:
        folder = Path(bundle)
        self._bundle: Bundle = open_bundle(folder)
        if case_id not in self._bundle.investigation_tasks:
            raise InputError(f"{folder}: no case {case_id}")
        if not evaluation and case_id not in train_cases(folder):
            raise InputError(
                f"{folder}: {case_id} is not of the train split; pass evaluation=True to step it"
            )
        self._task = self._bundle.investigation_tasks[case_id]
        self._goal = _goal(self._bundle, case_id, language)
        self._settings = settings or browser_settings()
        self._clock = clock
        self._trees = trees
        self._host: Host | None = None
        self._steps: list[Step] = []
        self._now: Observation | None = None
        self._end: TrajectoryEnd | None = None
        self._report: str | None = None
        self._started = 0.0
        self._last: tuple[PageView, bytes | None] | None = None
        self.observation_space = _observation_space()
        self.action_space = Unicode()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; a website has no chance of its own, so `seed` changes nothing.

        Raises:
            EnvironmentFailureError: the website gave no first observation.
            SystemFailureError: the browser or the harness failed.
        """
        super().reset(seed=seed, options=options)
        if self._host is None:
            self._host = Host(self._bundle, self._settings)
        self._steps, self._end, self._report = [], None, None
        view, png = self._host.open(self._task)
        self._started = self._clock()
        self._see(view, png)
        return self._observed("", ""), self._info(view)

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out one action, as BrowserGym's call or as JSON; the reward is always 0.

        `truncated` comes with the reason in ``info["ending"]``: horizon, time limit or a page
        that failed.

        Raises:
            InputError: the episode is over, or there was no reset.
            SystemFailureError: the browser or the harness failed.
        """
        if self._now is None or self._end is not None or self._last is None:
            raise InputError("the episode is over; call reset()")
        try:
            parsed, report = parsed_action(action)
        except UnknownActionError as error:
            return self._unmoved(action, str(error))
        self._note(parsed)
        if parsed.action is ActionKind.STOP:
            self._report = report
            return self._over(action, Ending.STOP)
        assert self._host is not None
        try:
            view, png = self._host.act(parsed)
        except EnvironmentFailureError as error:
            failure = error.failure.but(step=len(self._steps) - 1)
            return self._over(action, Ending.ENVIRONMENT, failure)
        self._see(view, png)
        return self._went_on(action, _error(view.outcome))

    @property
    def seen(self) -> tuple[PageView, bytes | None]:
        """The last view and its screenshot's PNG bytes.

        Raises:
            InputError: there was no reset.
        """
        if self._last is None:
            raise InputError("nothing was seen yet; call reset()")
        return self._last

    def finished(self, report: str | None = None) -> Finished:
        """Return the episode that is over, for `Scorer.reward`.

        Args:
            report: the report, if it was not sent with ``send_msg_to_user``.

        Raises:
            InputError: the episode goes on.
        """
        if self._end is None:
            raise InputError("the episode is not over")
        trajectory = Trajectory(steps=tuple(self._steps), end=self._end)
        text = report if report is not None else self._report or ""
        found = parse_conclusion(Reply(text), trajectory, self._task, self._bundle.codebook)
        return Finished(
            trajectory,
            ConclusionRecord(
                case_id=self._task.case_id,
                trajectory_sha256=self._end.chain,
                conclusion=found if isinstance(found, Conclusion) else None,
                failure=found if isinstance(found, Failure) else None,
            ),
        )

    def close(self) -> None:
        """End the website's server; the browser stays warm for the process's next environment."""
        if self._host is not None:
            self._host.close()
            self._host = None

    # --- the record --------------------------------------------------------------------------
    def _see(self, view: PageView, png: bytes | None) -> None:
        self._last = (view, png)
        self._now = Observation(
            step=len(self._steps),
            screenshot=None if png is None else sha256_bytes(png),
            title=view.title,
            text=view.text,
            elements=view.elements,
            elements_left_out=view.elements_left_out,
            scroll=view.scroll,
            outcome=view.outcome,
            events=view.events,
            remaining_actions=self._task.horizon - len(self._steps),
            page_state=view.page_state,
        )

    def _note(self, action: Action | None, failure: Failure | None = None) -> None:
        assert self._now is not None
        timing = Timing(observed_at=self._elapsed())
        step = Step(observation=self._now, action=action, failure=failure, timing=timing)
        self._steps.append(chained(self._steps[-1].chain if self._steps else START, step))

    def _unmoved(
        self, action: str, why: str
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        failure = Failure(
            failure_class=FailureClass.SCHEMA_MISMATCH, stage=Stage.INVESTIGATION, detail=why
        )
        self._note(None, failure)
        assert self._now is not None
        self._now = self._now.but(
            step=len(self._steps),
            outcome=Outcome(status=OutcomeStatus.INVALID_TURN),
            events=(),
            remaining_actions=self._task.horizon - len(self._steps),
        )
        return self._went_on(action, why)

    def _went_on(
        self, action: str, error: str
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        if self._elapsed() >= self._task.time_limit:
            self._note(None)
            return self._over(action, Ending.TIME_LIMIT, error=error)
        if len(self._steps) >= self._task.horizon:
            self._note(None)
            return self._over(action, Ending.HORIZON, error=error)
        assert self._last is not None
        return self._observed(action, error), 0.0, False, False, self._info(self._last[0])

    def _over(
        self, action: str, ending: Ending, failure: Failure | None = None, error: str = ""
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        end = TrajectoryEnd(ending=ending, failure=failure, seconds=self._elapsed())
        self._end = chained_end(self._steps[-1].chain, end)
        assert self._last is not None
        stopped = ending is Ending.STOP
        told = error or (failure.detail if failure is not None else "")
        info = self._info(self._last[0])
        return self._observed(action, told), 0.0, stopped, not stopped, info

    def _elapsed(self) -> float:
        return round(self._clock() - self._started, 3)

    # --- BrowserGym's keys -------------------------------------------------------------------
    def _observed(self, action: str, error: str) -> dict[str, Any]:
        assert self._last is not None
        view, png = self._last
        viewport = self._task.viewport
        return {
            "chat_messages": ({"role": "user", "timestamp": 0.0, "message": self._goal},),
            "goal": self._goal,
            "goal_object": ({"type": "text", "text": self._goal},),
            "open_pages_urls": (URL,),
            "open_pages_titles": (view.title,),
            "active_page_index": np.asarray([0]),
            "url": URL,
            "screenshot": pixels(png, viewport.width, viewport.height),
            "dom_object": document_snapshot(view) if self._trees else {},
            "axtree_object": accessibility_tree(view) if self._trees else {},
            "extra_element_properties": element_properties(view),
            "focused_element_bid": "",
            "last_action": action,
            "last_action_error": error,
            "elapsed_time": np.asarray([self._elapsed()]),
        }

    def _info(self, view: PageView) -> dict[str, Any]:
        outcome = view.outcome
        return {
            "door": DOOR,
            "ending": None if self._end is None else self._end.ending.value,
            "fixture": outcome.fixture if outcome is not None else None,
            "events": [event.model_dump(mode="json") for event in view.events],
            "remaining_actions": self._task.horizon - len(self._steps),
            "remaining_seconds": max(0.0, self._task.time_limit - self._elapsed()),
        }


def _error(outcome: Outcome | None) -> str:
    if outcome is None or outcome.status is OutcomeStatus.DONE:
        return ""
    return f"{outcome.status.value}: {outcome.detail}" if outcome.detail else outcome.status.value


def _goal(bundle: Bundle, case_id: str, language: str) -> str:
    """Return the policy and the form of the report; neither tells which website it is."""
    nothing = Trajectory(steps=(), end=TrajectoryEnd(ending=Ending.STOP))
    request = conclusion_request(
        bundle.investigation_tasks[case_id], bundle.codebook, nothing, lambda _: b"", language
    )
    said = "\n".join(getattr(part, "text", "") for part in request.prompt[0].parts)
    return goal_of(said, language)


def _observation_space() -> gymnasium.spaces.Dict:
    message = {"role": Unicode(), "timestamp": Float(), "message": Unicode()}
    spaces = gymnasium.spaces
    return spaces.Dict(
        {
            "chat_messages": spaces.Sequence(spaces.Dict(message)),
            "goal": Unicode(),
            "goal_object": spaces.Sequence(AnyDict()),
            "open_pages_urls": spaces.Sequence(Unicode()),
            "open_pages_titles": spaces.Sequence(Unicode()),
            "active_page_index": spaces.Box(low=0, high=255, dtype=int),
            "url": Unicode(),
            "screenshot": AnyBox(low=0, high=255, shape=(-1, -1, 3), dtype=np.uint8),
            "dom_object": AnyDict(),
            "axtree_object": AnyDict(),
            "extra_element_properties": AnyDict(),
            "focused_element_bid": Unicode(),
            "last_action": Unicode(),
            "last_action_error": Unicode(),
            "elapsed_time": spaces.Box(low=0, high=np.inf, dtype=float),
        }
    )
