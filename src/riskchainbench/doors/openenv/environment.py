"""One session of the OpenEnv server: a browser of its own, one website an episode."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata

from riskchainbench import __version__
from riskchainbench.core.errors import InputError
from riskchainbench.doors.gymnasium import WebsiteEnv
from riskchainbench.doors.openenv.records import WebsiteAction, WebsiteObservation, WebsiteState
from riskchainbench.doors.openenv.rewards import SharedScorer


class WebsitesEnvironment(Environment[WebsiteAction, WebsiteObservation, WebsiteState]):  # type: ignore[misc]
    """Episodes over the websites that a bundle opens for training.

    `reset(seed=n)` takes the website that n chooses, and the same again for the same n; without
    a seed one is drawn.

    Args:
        bundle: the bundle's folder.
        cases: the cases that may be opened.
        scorer: says what a report was worth; shared by all sessions.
        language: of the goal's words.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self, bundle: Path, cases: Sequence[str], scorer: SharedScorer, language: str = "en"
    ) -> None:
        super().__init__()
        self._bundle = bundle
        self._cases = tuple(sorted(cases))
        self._scorer = scorer
        self._language = language
        self._env: WebsiteEnv | None = None
        self._case_id = ""
        self._state = WebsiteState()

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **_: Any
    ) -> WebsiteObservation:
        """Begin an episode.

        Raises:
            EnvironmentFailureError: the website gave no first observation.
            SystemFailureError: the browser or the harness failed.
        """
        rng = SystemRandom() if seed is None else Random(seed)
        self._open(rng.choice(self._cases))
        assert self._env is not None
        self._state = WebsiteState(episode_id=episode_id)
        observed, info = self._env.reset()
        return self._observation(observed, info, 0.0, done=False)

    def step(
        self,
        action: WebsiteAction,
        timeout_s: float | None = None,  # noqa: ARG002 (every step is bounded by the environment)
        **_: Any,
    ) -> WebsiteObservation:
        """Carry out one action; the reward comes with the last observation.

        Raises:
            InputError: the episode is over, or there was no reset.
            SystemFailureError: the browser or the harness failed.
        """
        if self._env is None:
            raise InputError("no episode was begun; call reset first")
        observed, _reward, terminated, truncated, info = self._env.step(action.call)
        done = terminated or truncated
        self._state.step_count += 1
        self._state.ending = info["ending"]
        reward = 0.0
        if done:
            finished = self._env.finished()
            reward = self._scorer.reward(finished.trajectory, finished.record).reward
        return self._observation(observed, info, reward, done=done)

    @property
    def state(self) -> WebsiteState:
        """Where the episode stands."""
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        """Return what the environment is."""
        return EnvironmentMetadata(
            name="riskchainbench",
            description="Investigate a local website and report whether it breaks the policy.",
            version=__version__,
        )

    def close(self) -> None:
        """End the session; its browser stays warm for the next one."""
        if self._env is not None:
            self._env.close()
            self._env = None

    def _open(self, case_id: str) -> None:
        if self._env is not None and self._case_id == case_id:
            return
        self.close()
        self._env = WebsiteEnv(
            case_id, self._bundle, evaluation=True, language=self._language, trees=False
        )
        self._case_id = case_id

    def _observation(
        self, observed: dict[str, Any], info: dict[str, Any], reward: float, *, done: bool
    ) -> WebsiteObservation:
        assert self._env is not None
        view, png = self._env.seen
        return WebsiteObservation(
            done=done,
            reward=reward,
            goal=observed["goal"],
            title=view.title,
            text=view.text,
            elements=[element.model_dump(mode="json") for element in view.elements],
            elements_left_out=view.elements_left_out,
            screenshot="" if png is None else base64.b64encode(png).decode("ascii"),
            error=observed["last_action_error"],
            fixture=info["fixture"],
            events=info["events"],
            ending=info["ending"],
            remaining_actions=info["remaining_actions"],
            remaining_seconds=info["remaining_seconds"],
        )
