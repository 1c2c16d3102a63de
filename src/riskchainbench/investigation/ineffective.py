"""What was tried in vain on the page as it is now, so that an agent need not try it again.

The memory is keyed by the page's state and the control, and is empty once the page changes. It
is read off the recorded steps: nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from riskchainbench.core.investigation import Action, Observation, OutcomeStatus, Step

VAIN = frozenset(
    {
        OutcomeStatus.NO_EFFECT,
        OutcomeStatus.NOT_APPLICABLE,
        OutcomeStatus.COVERED,
        OutcomeStatus.DISABLED,
        OutcomeStatus.DETACHED,
        OutcomeStatus.BLOCKED,
    }
)
"""Outcomes that the same action would have again while the page stays as it is."""


def ineffective(steps: Sequence[Step], observation: Observation) -> tuple[Action, ...]:
    """Return the actions that left the page as `observation` shows it, the earliest first.

    Args:
        steps: those before, the last one's action having led to `observation`.
        observation: the present one.
    """
    found: dict[tuple[str, str | None, str | None], Action] = {}
    after = observation
    for step in reversed(steps):
        if step.observation.page_state != observation.page_state:
            break
        action, outcome = step.action, after.outcome
        if action is not None and outcome is not None and outcome.status in VAIN:
            found[action.action, action.element, action.option] = action
        after = step.observation
    return tuple(reversed(found.values()))
