"""Every way in which a unit of work can fail, with its owner and its consequence.

The documentation's table of failures is made from `FAILURES`; a failure that has no row
here cannot be recorded.
"""

from __future__ import annotations

from enum import StrEnum

from riskchainbench.core.record import Record


class Owner(StrEnum):
    """Who has to answer for a failure."""

    MODEL = "model"
    ENVIRONMENT = "environment"
    SYSTEM = "system"


class Stage(StrEnum):
    """The stages of a run, in order."""

    RESTORATION = "restoration"
    INVESTIGATION = "investigation"
    CONCLUSION = "conclusion"
    JUDGING = "judging"


class FailureClass(StrEnum):
    """The closed set of failures."""

    EMPTY_OUTPUT = "EMPTY_OUTPUT"
    TRUNCATED_OUTPUT = "TRUNCATED_OUTPUT"
    OVERSIZED_OUTPUT = "OVERSIZED_OUTPUT"
    NO_JSON = "NO_JSON"
    MALFORMED_JSON = "MALFORMED_JSON"
    DUPLICATE_KEYS = "DUPLICATE_KEYS"
    SCHEMA_MISMATCH = "SCHEMA_MISMATCH"
    REFUSAL = "REFUSAL"
    REQUEST_REJECTED = "REQUEST_REJECTED"
    INVALID_ACTIONS = "INVALID_ACTIONS"
    UNRESOLVED_CITATION = "UNRESOLVED_CITATION"
    OUTSIDE_ACTION = "OUTSIDE_ACTION"
    CONCLUSION_TIMEOUT = "CONCLUSION_TIMEOUT"
    PAGE_HUNG = "PAGE_HUNG"
    PAGE_CRASHED = "PAGE_CRASHED"
    PAGE_MEMORY = "PAGE_MEMORY"
    NO_FIRST_OBSERVATION = "NO_FIRST_OBSERVATION"
    BROWSER_LAUNCH = "BROWSER_LAUNCH"
    SANDBOX_ERROR = "SANDBOX_ERROR"
    HARNESS_ERROR = "HARNESS_ERROR"
    PROVIDER_ERROR = "PROVIDER_ERROR"
    STORAGE_ERROR = "STORAGE_ERROR"


class FailureRule(Record):
    """What a failure class means and what follows from it."""

    owner: Owner
    stages: tuple[Stage, ...]
    conclusion_follows: bool
    retried: bool
    text: str


_TEXT_STAGES = tuple(Stage)
_WEB = (Stage.INVESTIGATION,)
_CONCLUSION = (Stage.CONCLUSION,)


def _output(text: str) -> FailureRule:
    """An invalid reply: repaired, then final for the unit, and the model's own."""
    return FailureRule(
        owner=Owner.MODEL, stages=_TEXT_STAGES, conclusion_follows=True, retried=False, text=text
    )


def _page(text: str, *, conclusion_follows: bool = True) -> FailureRule:
    return FailureRule(
        owner=Owner.ENVIRONMENT,
        stages=_WEB,
        conclusion_follows=conclusion_follows,
        retried=False,
        text=text,
    )


def _system(stages: tuple[Stage, ...], text: str) -> FailureRule:
    return FailureRule(
        owner=Owner.SYSTEM, stages=stages, conclusion_follows=False, retried=True, text=text
    )


FAILURES: dict[FailureClass, FailureRule] = {
    FailureClass.EMPTY_OUTPUT: _output("The reply held no text."),
    FailureClass.TRUNCATED_OUTPUT: _output("The reply was cut at the token limit."),
    FailureClass.OVERSIZED_OUTPUT: _output("The reply was longer than is read."),
    FailureClass.NO_JSON: _output("The reply held no JSON object."),
    FailureClass.MALFORMED_JSON: _output("The reply's JSON could not be parsed."),
    FailureClass.DUPLICATE_KEYS: _output("The reply's JSON named a key twice."),
    FailureClass.SCHEMA_MISMATCH: _output("The reply's JSON broke the output contract."),
    FailureClass.REFUSAL: _output("The model declined to answer."),
    FailureClass.REQUEST_REJECTED: _output(
        "The provider rejected the request for good, for example as too long for the model."
    ),
    FailureClass.INVALID_ACTIONS: FailureRule(
        owner=Owner.MODEL,
        stages=_WEB,
        conclusion_follows=True,
        retried=False,
        text="Three turns in a row held no valid action.",
    ),
    FailureClass.UNRESOLVED_CITATION: FailureRule(
        owner=Owner.MODEL,
        stages=_CONCLUSION,
        conclusion_follows=False,
        retried=False,
        text="A citation did not resolve to observed content.",
    ),
    FailureClass.OUTSIDE_ACTION: FailureRule(
        owner=Owner.MODEL,
        stages=_WEB,
        conclusion_follows=False,
        retried=False,
        text="An action left the permitted environment.",
    ),
    FailureClass.CONCLUSION_TIMEOUT: FailureRule(
        owner=Owner.MODEL,
        stages=_CONCLUSION,
        conclusion_follows=False,
        retried=False,
        text="No conclusion came within its time limit.",
    ),
    FailureClass.PAGE_HUNG: _page("The page stopped answering and was killed."),
    FailureClass.PAGE_CRASHED: _page("The page's process died."),
    FailureClass.PAGE_MEMORY: _page("The page grew past the memory cap and was killed."),
    FailureClass.NO_FIRST_OBSERVATION: _page(
        "The website gave no first observation.", conclusion_follows=False
    ),
    FailureClass.BROWSER_LAUNCH: _system(_WEB, "The browser did not start."),
    FailureClass.SANDBOX_ERROR: _system(_WEB, "The website server failed."),
    FailureClass.HARNESS_ERROR: _system(tuple(Stage), "The harness itself failed."),
    FailureClass.PROVIDER_ERROR: _system(tuple(Stage), "The model's provider failed."),
    FailureClass.STORAGE_ERROR: _system(tuple(Stage), "A file could not be written or read."),
}

SYSTEM_RETRIES = 2
"""How often a unit is tried again after a system failure before it stays open."""


class Failure(Record):
    """One failure of one unit of work."""

    failure_class: FailureClass
    stage: Stage
    detail: str = ""
    step: int | None = None

    @property
    def rule(self) -> FailureRule:
        """The row that says who owns this failure and what follows."""
        return FAILURES[self.failure_class]


class SystemFailureError(Exception):
    """A system failure on its way up to the runner, which retries the unit.

    `exhausted` marks a failure that was retried already where it arose; the unit is not
    tried again and stays open.
    """

    def __init__(self, failure: Failure, *, exhausted: bool = False) -> None:
        super().__init__(f"{failure.failure_class}: {failure.detail}")
        self.failure = failure
        self.exhausted = exhausted
