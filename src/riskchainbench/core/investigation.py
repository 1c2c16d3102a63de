"""Task 2 records: what an agent sees, what it may do, and the trajectory that results.

See the paper, section 3.3 and equation 4. Lengths on a page are CSS pixels; times are seconds.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import Field

from riskchainbench.core.failures import Failure
from riskchainbench.core.hashing import Sha256
from riskchainbench.core.record import Record
from riskchainbench.core.restoration import Usage

HORIZON = 30
TIME_LIMIT = 600.0
CONCLUSION_TIME_LIMIT = 180.0
MAX_INVALID_TURNS = 3
MAX_REPAIRS = 2


class ScaffoldClass(StrEnum):
    """The mechanical classes of interaction that a website calls for."""

    SCROLL = "SCROLL"
    FOLLOW_LINK = "FOLLOW_LINK"
    OPEN_VIEW = "OPEN_VIEW"
    FILL_FIELD = "FILL_FIELD"
    CHOOSE_OPTION = "CHOOSE_OPTION"
    SUBMIT_FORM = "SUBMIT_FORM"
    RELOAD = "RELOAD"


class Viewport(Record):
    """The size of the window in CSS pixels."""

    width: int = Field(gt=0)
    height: int = Field(gt=0)


class InvestigationTask(Record):
    """One website as the controller starts it; equal within a contrast set but for the id."""

    schema_version: Literal["investigation-task/1"] = "investigation-task/1"
    case_id: str
    scaffold: tuple[ScaffoldClass, ...]
    viewport: Viewport
    start_path: str = "/"
    horizon: int = Field(default=HORIZON, gt=0)
    time_limit: float = Field(default=TIME_LIMIT, gt=0)


class Box(Record):
    """A rectangle in the viewport."""

    x: float
    y: float
    width: float = Field(ge=0)
    height: float = Field(ge=0)


class ElementKind(StrEnum):
    """What an agent can do with a control."""

    LINK = "link"
    BUTTON = "button"
    FIELD = "field"
    CHOICE = "choice"
    SUBMIT = "submit"


class Element(Record):
    """One control of the inventory.

    `element_id` is unique over an episode: a control keeps its id while its page lives, and
    no other control is ever given it. `options` holds the labels a choice offers.
    """

    element_id: str
    kind: ElementKind
    role: str
    name: str
    value: str = ""
    options: tuple[str, ...] = ()
    checked: bool | None = None
    disabled: bool = False
    in_viewport: bool = True
    box: Box | None = None


class Scroll(Record):
    """How far the page is scrolled, and how long it is."""

    top: float
    page_height: float
    viewport_height: float


class ActionKind(StrEnum):
    """The nine actions."""

    CLICK = "click"
    FILL = "fill"
    CHOOSE = "choose"
    SUBMIT = "submit"
    SCROLL_DOWN = "scroll_down"
    SCROLL_UP = "scroll_up"
    BACK = "back"
    RELOAD = "reload"
    STOP = "stop"


ELEMENT_ACTIONS = frozenset(
    {ActionKind.CLICK, ActionKind.FILL, ActionKind.CHOOSE, ActionKind.SUBMIT}
)


class Action(Record):
    """The output contract of one agent turn."""

    action: ActionKind
    element: str | None = None
    option: str | None = None
    reason: str = ""


class OutcomeStatus(StrEnum):
    """How the last action ended."""

    DONE = "done"
    NO_EFFECT = "no_effect"
    UNKNOWN_ELEMENT = "unknown_element"
    NOT_APPLICABLE = "not_applicable"
    COVERED = "covered"
    DISABLED = "disabled"
    DETACHED = "detached"
    TIMEOUT = "timeout"
    BLOCKED = "blocked"
    INVALID_TURN = "invalid_turn"


class Outcome(Record):
    """What the last action did, as the agent is told it.

    `fixture` names the synthetic value that was filled in, never a label of the website.
    """

    status: OutcomeStatus
    detail: str = ""
    fixture: str | None = None


class EventKind(StrEnum):
    """What happened beside the page itself since the last observation."""

    DIALOG = "dialog"
    DOWNLOAD = "download"
    NEW_TAB = "new_tab"
    TAB_CLOSED = "tab_closed"
    BLOCKED_REQUEST = "blocked_request"
    LOAD_ERROR = "load_error"
    PAGE_CRASH = "page_crash"
    SCREENSHOT_FAILED = "screenshot_failed"


class PageEvent(Record):
    """One event; `text` holds no host."""

    kind: EventKind
    text: str = ""


class Observation(Record):
    """Everything the agent is shown at step `step` (design decision 15).

    `screenshot` is the SHA-256 of the viewport's PNG; `text` is the text that the viewport
    shows; `page_state` identifies the page, its text and its controls, so that two
    observations with equal states show the same thing.
    """

    step: int = Field(ge=0)
    screenshot: Sha256 | None
    title: str
    text: str
    elements: tuple[Element, ...]
    elements_left_out: int = 0
    scroll: Scroll
    outcome: Outcome | None = None
    events: tuple[PageEvent, ...] = ()
    remaining_actions: int
    page_state: Sha256


class Timing(Record):
    """Seconds since the first observation; the only part of a trajectory not reproducible."""

    observed_at: float
    decided_at: float | None = None
    provider_seconds: float = 0.0


class Step(Record):
    """One observation and the action taken on it; the last step may have none.

    A turn that held no valid action has `action` None and its `failure`; it still costs
    one action. `chain` is the SHA-256 over the previous chain value and this step without
    its timing.
    """

    schema_version: Literal["step/1"] = "step/1"
    observation: Observation
    action: Action | None = None
    failure: Failure | None = None
    repairs: int = 0
    reply_sha256: Sha256 | None = None
    timing: Timing
    chain: Sha256 = ""


class Ending(StrEnum):
    """Why an investigation ended; the first four are endings, not failures."""

    STOP = "stop"
    HORIZON = "horizon"
    TIME_LIMIT = "time_limit"
    INVALID_ACTIONS = "invalid_actions"
    ENVIRONMENT = "environment"
    OUTSIDE_ACTION = "outside_action"
    SYSTEM = "system"


class TrajectoryEnd(Record):
    """The last line of a trajectory."""

    schema_version: Literal["trajectory-end/1"] = "trajectory-end/1"
    ending: Ending
    failure: Failure | None = None
    usage: Usage = Usage()
    seconds: float = 0.0
    chain: Sha256 = ""


class Trajectory(Record):
    """A frozen investigation: τ = (o₀, a₀, …, o_T) and how it ended."""

    steps: tuple[Step, ...]
    end: TrajectoryEnd

    @property
    def concludable(self) -> bool:
        """Whether a conclusion can be asked for: something was seen, and nothing forbids it."""
        failure = self.end.failure
        return bool(self.steps) and (failure is None or failure.rule.conclusion_follows)
