"""What travels between a trainer and the server: one action in, one observation out."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class WebsiteAction(Action):  # type: ignore[misc]
    """One call of BrowserGym's words, or one action of this benchmark as JSON.

    ``send_msg_to_user('...')`` with the report as JSON ends the episode.
    """

    call: str = Field(max_length=100_000)


class WebsiteObservation(Observation):  # type: ignore[misc]
    """What the agent sees; no label, host or case is among it.

    `screenshot` is a PNG in base64, empty where the page drew none. `elements` are the controls
    in view, each with the id that actions name. `ending` says why an episode is over. `reward`
    is 0 until the report, then what the scorer's process made of it.
    """

    goal: str = ""
    title: str = ""
    text: str = ""
    elements: list[dict[str, Any]] = Field(default_factory=list)
    elements_left_out: int = 0
    screenshot: str = ""
    error: str = ""
    fixture: str | None = None
    events: list[dict[str, Any]] = Field(default_factory=list)
    ending: str | None = None
    remaining_actions: int = 0
    remaining_seconds: float = 0.0


class WebsiteState(State):  # type: ignore[misc]
    """Where an episode stands; the door is named, since its results are those of no run."""

    door: str = "openenv"
    ending: str | None = None
