"""The investigation environment: BrowserGym's environment, faster, sealed and unseen by pages.

It keeps one browser warm and gives each episode a fresh context, waits for quiet instead of a
fixed delay, and reads a page in one pass instead of through an accessibility tree. An action
is a `core.investigation.Action` as JSON; an observation is a dictionary with the screenshot's
PNG bytes and a `PageView`. It hangs where a page hangs: only `pool`, which kills the process
around it, bounds that.
"""

from __future__ import annotations

import contextlib
import time
from typing import Any

import gymnasium
from browsergym.core import _get_global_playwright
from browsergym.core.env import BrowserEnv
from browsergym.core.spaces import AnyDict, Unicode
from playwright.sync_api import Browser, BrowserContext
from playwright.sync_api import Error as PlaywrightError

from riskchainbench.browser.acting import Actor, Known
from riskchainbench.browser.contexts import Contexts, Fresh
from riskchainbench.browser.fixtures import FixtureCycle
from riskchainbench.browser.guards import Layer, NetworkLog, allowed
from riskchainbench.browser.launch import LaunchedBrowser, launch
from riskchainbench.browser.reader import Glance, PageGoneError, Reading
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.browser.tabs import Fatal, PageCrashedError, Tabs
from riskchainbench.browser.task import GOAL, NullChat, VisitTask
from riskchainbench.browser.view import PageView, page_state
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    EventKind,
    Outcome,
    OutcomeStatus,
)

_READ_TRIES = 4


class InvestigationEnv(BrowserEnv):  # type: ignore[misc]
    """One browser, one website at a time.

    Args:
        settings: limits, rendering and isolation.
        fatal: called when the active page died or opens dialogs without end; see `Tabs`.
    """

    def __init__(self, settings: BrowserSettings, fatal: Fatal | None = None) -> None:
        super().__init__(VisitTask, action_mapping=None, pre_observation_delay=0.0)
        self.settings = settings
        self.browser: Browser | None = None
        self.context: BrowserContext | None = None
        self.task: VisitTask | None = None
        self.observation_space = gymnasium.spaces.Dict(
            {"view": AnyDict(), "screenshot_png": AnyDict(), "goal": Unicode()}
        )
        self._fatal = fatal or _ignored
        self._launched: LaunchedBrowser | None = None
        self._contexts: Contexts | None = None
        self._network = NetworkLog()
        self._glance: Glance | None = None
        self._tabs: Tabs | None = None
        self._actor: Actor | None = None
        self._known: dict[str, Known] = {}
        self._next_id = 1
        self._last: tuple[str, bytes | None] | None = None
        self._outcome: Outcome | None = None
        self._host = ""

    # --- BrowserGym's contract ---------------------------------------------------------------
    def reset(
        self, seed: int | None = None, *, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode in a fresh context of the warm browser.

        Args:
            seed: unused; a website has no chance of its own.
            options: ``{"visit": Visit}``.
        """
        gymnasium.Env.reset(self, seed=seed)
        visit: Visit = (options or {})["visit"]
        if self._launched is not None:
            self._launched.relay.shut()
        launched = self._warm()
        contexts = self._contexts
        assert contexts is not None
        network = NetworkLog()
        fresh, tabs = self._fresh(contexts, visit, network)
        # The new page is held back until the last one is closed and can do nothing any more.
        launched.relay.admit(visit.host, visit.port, held=True)
        self._leave()
        contexts.when_closed(launched.relay.release)
        self._network = network
        self._host = visit.host
        self.browser, self.context = launched.browser, fresh.context
        self._tabs = tabs
        self._actor = Actor(tabs, FixtureCycle(visit.fixtures), network, self.settings)
        self._known, self._next_id = {}, 1
        self._last, self._outcome = None, None
        self.chat = NullChat()
        self.task = VisitTask(seed, visit, self.settings.first_load_cap)
        self.page = tabs.active
        self.task.setup(self.page)
        contexts.closed()
        contexts.prepare(fresh.size)
        self.start_time = time.time()
        self._wait_dom_loaded()
        return self._get_obs(), {"task_info": {}}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Carry out one action, given as JSON, and observe."""
        parsed = Action.model_validate_json(action)
        assert self._actor is not None
        self._network.step += 1
        self.last_action, self.last_action_error = action, ""
        if parsed.action is ActionKind.STOP:
            self._outcome = Outcome(status=OutcomeStatus.DONE)
        else:
            self._outcome = self._actor.act(parsed, self._known)
        self._wait_dom_loaded()
        return self._get_obs(), 0.0, False, False, {}

    def _fresh(self, contexts: Contexts, visit: Visit, network: NetworkLog) -> tuple[Fresh, Tabs]:
        """Return a context for the visit and its guarded tabs."""
        size = (visit.width, visit.height)
        fresh = contexts.take(size)
        try:
            return fresh, Tabs(fresh, visit, self.settings, network, self._fatal)
        except PlaywrightError:
            # The process of a tab that waited for long may be gone.
            contexts.close(fresh.context)
        fresh = contexts.take(size)
        return fresh, Tabs(fresh, visit, self.settings, network, self._fatal)

    def end_episode(self) -> None:
        """Close the episode's context; the browser stays warm."""
        if self._launched is not None:
            self._launched.relay.shut()
        self._leave()
        if self._contexts is not None:
            self._contexts.closed()

    def _leave(self) -> None:
        """Begin to close the episode's context."""
        if self.context is not None and self._contexts is not None:
            self._contexts.close(self.context)
        self.context = None
        self._tabs = None
        self._actor = None
        self.task = None

    def close(self) -> None:
        """Close the episode and the browser."""
        self.end_episode()
        self._cool()

    # --- waiting and looking -----------------------------------------------------------------
    def _wait_dom_loaded(self) -> None:
        """Wait until the active tab is quiet and loads nothing.

        A page that goes on loading is waited for up to the load cap, however slow the machine;
        one on which nothing arrives, or that only goes on changing, up to the quiet cap.
        """
        assert self._tabs is not None
        assert self._actor is not None
        started = time.monotonic()
        # A glance is of use where nothing comes between the quiet and the reading.
        next_id = None if self._actor.points else self._next_id
        left = self.settings.quiet_cap
        while True:
            quiet = self._settle(left, next_id)
            next_id = None
            loading, navigating = self._tabs.pending()
            if quiet and not loading:
                return
            self._glance = None
            now = time.monotonic()
            left = max(started, self._tabs.progress) + self.settings.quiet_cap - now
            late = now - started > self.settings.load_cap
            if late or (left <= 0 and not navigating):
                if loading:
                    self._give_up(navigating)
                return
            left = max(left, self.settings.quiet)

    def _settle(self, cap: float, next_id: int | None = None) -> bool:
        """Wait for quiet, at most `cap` seconds; tell whether it came."""
        assert self._tabs is not None
        self._glance = None
        for _ in range(_READ_TRIES):
            try:
                quiet, self._glance = self._tabs.reader().quiet(self.settings.quiet, cap, next_id)
            except (PageGoneError, PlaywrightError):
                with contextlib.suppress(PlaywrightError):
                    self._tabs.active.wait_for_load_state(
                        "domcontentloaded", timeout=self.settings.load_cap * 1000 / _READ_TRIES
                    )
                continue
            return quiet
        return False

    def _give_up(self, navigating: bool) -> None:
        assert self._tabs is not None
        if navigating:
            with contextlib.suppress(PageGoneError, PlaywrightError):
                self._tabs.reader().stop_loading()
            self._tabs.event(EventKind.LOAD_ERROR, "the page did not answer; loading was stopped")
        self._tabs.forget_pending()

    def _get_obs(self) -> dict[str, Any]:
        """Return the active tab's view and its screenshot."""
        assert self._tabs is not None
        assert self._actor is not None
        self._leave_error_page()
        self._actor.rest_pointer()
        reading = self._read()
        png = self._shoot()
        self.page = self._tabs.active
        elements = tuple(reading.elements)
        path = self.page.url.split("://", 1)[-1].partition("/")[2]
        state = page_state(
            path,
            reading.title,
            reading.text,
            elements,
            (reading.scroll.top, reading.inner_scroll),
        )
        outcome = self._judged(self._outcome, state, png)
        self._last = (state, png)
        view = PageView(
            title=self._hostless(reading.title),
            text=self._hostless(reading.text),
            elements=elements,
            elements_left_out=reading.left_out,
            scroll=reading.scroll,
            outcome=outcome,
            events=self._tabs.take_events(),
            network=self._network.take(),
            page_state=state,
        )
        return {"view": view, "screenshot_png": png, "goal": GOAL}

    def _judged(self, outcome: Outcome | None, state: str, png: bytes | None) -> Outcome | None:
        """Turn an action that changed nothing into one without effect."""
        assert self._tabs is not None
        if outcome is None or outcome.status is not OutcomeStatus.DONE or outcome.detail:
            return outcome
        if self._tabs.eventful or outcome.fixture is not None or self._last != (state, png):
            return outcome
        return Outcome(status=OutcomeStatus.NO_EFFECT, detail="nothing changed")

    def _read(self) -> Reading:
        assert self._tabs is not None
        for _ in range(_READ_TRIES):
            glance, self._glance = self._glance, None
            try:
                reading, self._next_id = self._tabs.reader().read(self._next_id, glance)
            except (PageGoneError, PlaywrightError):
                self._settle(self.settings.quiet_cap)
                continue
            tab = id(self._tabs.active)
            for element in reading.elements:
                owner = reading.owners[element.element_id]
                self._known[element.element_id] = Known(element, owner, tab)
            return reading
        if self.browser is None or not self.browser.is_connected():
            raise PageCrashedError("the browser went down")
        self._tabs.event(EventKind.LOAD_ERROR, "the page keeps changing and could not be read")
        return Reading()

    def _shoot(self) -> bytes | None:
        assert self._tabs is not None
        try:
            return self._tabs.reader().screenshot()
        except (PageGoneError, PlaywrightError):
            self._tabs.event(EventKind.SCREENSHOT_FAILED, "")
            return None

    def _leave_error_page(self) -> None:
        """Go back from the browser's own error page, or from a tab that never got a page."""
        assert self._tabs is not None
        for _ in self._tabs.pages:
            url = self._tabs.active.url
            error = url.startswith("chrome-error:") or (url != "" and not allowed(url, self._host))
            if not error and not self._tabs.stillborn(self._tabs.active):
                return
            if error:
                self._tabs.event(EventKind.LOAD_ERROR, "the page could not be loaded")
            if not self._went_back():
                return

    def _went_back(self) -> bool:
        """Go to the last page of the website, in this tab or the one before; tell if there is."""
        assert self._tabs is not None
        try:
            reader = self._tabs.reader()
            index, entries = reader.history()
            before = [e for e in entries[:index] if e["url"].startswith(self._origin)]
            if before:
                reader.go_to_entry(before[-1]["id"])
            elif len(self._tabs.pages) > 1:
                self._tabs.close_active()
            else:
                return False
        except (PageGoneError, PlaywrightError):
            return False
        self._wait_dom_loaded()
        return True

    # --- launching ---------------------------------------------------------------------------
    @property
    def _origin(self) -> str:
        return f"http://{self._host}/"

    def _hostless(self, text: str) -> str:
        return text.replace(self._host, "site") if self._host else text

    def _warm(self) -> LaunchedBrowser:
        if self._launched is not None and self._launched.browser.is_connected():
            return self._launched
        self._cool()
        self._launched = launch(_get_global_playwright(), self.settings, self._turned_away)
        self._contexts = Contexts(self._launched.browser, self.settings)
        return self._launched

    def _cool(self) -> None:
        if self._contexts is not None:
            self._contexts.finish()
            self._contexts = None
        self.browser = self.context = None
        if self._launched is not None:
            self._launched.close()
            self._launched = None

    @property
    def launched(self) -> LaunchedBrowser | None:
        """The running browser, if one is."""
        return self._launched

    def warm_up(self) -> LaunchedBrowser:
        """Launch the browser before the first episode."""
        return self._warm()

    def _turned_away(self, host: str) -> None:
        self._network.refuse(Layer.RELAY, "connection", f"http://{host}/")


def _ignored(failure_class: FailureClass, detail: str) -> None:
    """Leave it to the next look at the page to fail."""
