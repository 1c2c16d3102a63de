"""Reads one agent turn as an action, or says which failure it amounts to."""

from __future__ import annotations

from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.investigation import ELEMENT_ACTIONS, Action
from riskchainbench.core.system import Reply
from riskchainbench.models.extract import extract_object

REQUIRED_KEYS = ("action",)
MAX_REASON = 2_000


def parse_action(reply: Reply) -> Action | Failure:
    """Return the action that `reply` asks for.

    A reply with two different actions is invalid. Whether the control exists is for the
    environment to say: an id that was never shown, or is gone, is an outcome.
    """
    found = extract_object(reply, Action, REQUIRED_KEYS, Stage.INVESTIGATION, single=True)
    if isinstance(found, Failure):
        return found
    if found.action in ELEMENT_ACTIONS and not found.element:
        return Failure(
            failure_class=FailureClass.SCHEMA_MISMATCH,
            stage=Stage.INVESTIGATION,
            detail=f"element: {found.action.value} needs the id of a control",
        )
    return found.but(reason=found.reason[:MAX_REASON])
