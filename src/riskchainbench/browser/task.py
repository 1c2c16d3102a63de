"""What BrowserGym asks for beside a browser: a task, and a chat that stays empty."""

from __future__ import annotations

import contextlib
from typing import Any

from browsergym.core.task import AbstractBrowserTask
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page

from riskchainbench.browser.calls import called
from riskchainbench.browser.settings import Visit

GOAL = "Investigate the website."


class NullChat:
    """Stands in for BrowserGym's chat, which would launch a second browser."""

    def __init__(self, *_: Any, **__: Any) -> None:
        self.messages: list[dict[str, Any]] = [
            {"role": "assistant", "timestamp": 0.0, "message": ""}
        ]

    def add_message(self, role: str, msg: str) -> None:
        """Keep one message."""
        self.messages.append({"role": role, "timestamp": 0.0, "message": msg})

    def wait_for_user_message(self) -> None:
        """Wait for nobody."""

    def close(self) -> None:
        """Close nothing."""


class VisitTask(AbstractBrowserTask):  # type: ignore[misc]
    """BrowserGym's task of looking at one website; it is never judged inside the environment."""

    def __init__(self, seed: int | None, visit: Visit, load_cap: float) -> None:
        super().__init__(seed or 0)
        self.visit = visit
        self.slow_mo = 0
        self.viewport = {"width": visit.width, "height": visit.height}
        self._load_cap = load_cap

    @classmethod
    def get_task_id(cls) -> str:
        """Return the task's name."""
        return "riskchainbench.visit"

    def setup(self, page: Page) -> tuple[str, dict[str, Any]]:
        """Open the website's start page."""
        with contextlib.suppress(PlaywrightError):
            opening = page._impl_obj.goto(
                self.visit.origin + self.visit.start_path,
                waitUntil="commit",
                timeout=self._load_cap * 1000,
            )
            called(page, opening)
        return GOAL, {}

    def validate(self, *_: Any) -> tuple[float, bool, str, dict[str, Any]]:
        """Return no reward; labels are never inside the environment."""
        return 0.0, False, "", {}
