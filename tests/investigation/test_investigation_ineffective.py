"""An agent is told what it tried in vain on this page, and no more once the page changes."""

from __future__ import annotations

from collections.abc import Sequence

from investigation_world import CODEBOOK, task, view

from riskchainbench.core.investigation import (
    Action,
    ActionKind,
    Observation,
    Outcome,
    OutcomeStatus,
    Step,
    Timing,
)
from riskchainbench.investigation.ineffective import ineffective
from riskchainbench.investigation.prompts import action_request

DONE = OutcomeStatus.DONE
VAIN = OutcomeStatus.NO_EFFECT


def click(element: str) -> Action:
    return Action(action=ActionKind.CLICK, element=element)


def walked(*turns: tuple[int, str, OutcomeStatus]) -> tuple[list[Step], Observation]:
    """Return the steps of clicks, each on view number, element and with what came of it.

    The observation after the last one shows the view on which that one was made.
    """
    numbers = [number for number, _, _ in turns] + [turns[-1][0]]
    outcomes = [None, *(Outcome(status=status) for _, _, status in turns)]
    seen = [_observed(at, number, outcomes[at]) for at, number in enumerate(numbers)]
    steps = [
        Step(observation=seen[at], action=click(element), timing=Timing(observed_at=0))
        for at, (_, element, _) in enumerate(turns)
    ]
    return steps, seen[-1]


def _observed(at: int, number: int, outcome: Outcome | None) -> Observation:
    shown = view(number)
    return Observation(
        step=at,
        screenshot=None,
        title=shown.title,
        text=shown.text,
        elements=shown.elements,
        scroll=shown.scroll,
        outcome=outcome,
        remaining_actions=9,
        page_state=shown.page_state,
    )


def named(actions: Sequence[Action]) -> list[str | None]:
    return [action.element for action in actions]


def test_what_changed_nothing_on_this_page_is_remembered_once_and_in_order() -> None:
    steps, now = walked((1, "e1", VAIN), (1, "e2", OutcomeStatus.COVERED), (1, "e1", VAIN))
    assert named(ineffective(steps, now)) == ["e2", "e1"]


def test_it_is_forgotten_when_the_page_changes_even_if_it_changes_back() -> None:
    steps, now = walked((1, "e1", VAIN), (1, "e9", DONE), (2, "e8", DONE), (1, "e3", VAIN))
    assert named(ineffective(steps, now)) == ["e3"]


def test_what_worked_is_not_in_it() -> None:
    steps, now = walked((1, "e1", DONE), (1, "e2", OutcomeStatus.UNKNOWN_ELEMENT))
    assert ineffective(steps, now) == ()


def test_the_prompt_names_it_in_both_languages() -> None:
    steps, now = walked((1, "e1", VAIN))
    fresh = walked((1, "e1", DONE))
    for language, words in (("en", "Without effect"), ("zh-CN", "没有作用")):
        told, untold = (
            str(action_request(task(), CODEBOOK, *seen, 60, lambda _: b"", language).prompt)
            for seen in ((steps, now), fresh)
        )
        assert words in told
        assert words not in untold
