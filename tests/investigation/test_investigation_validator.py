"""Which citations resolve: golden cases, worked by hand on one observation."""

from __future__ import annotations

from pathlib import Path

import pytest
from investigation_world import Scripted, episode, task

from riskchainbench.core.conclusion import (
    BoxLocator,
    Conclusion,
    ElementLocator,
    EvidenceReference,
    Locator,
    QuoteLocator,
)
from riskchainbench.core.decisions import Decision
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import Ending, Trajectory
from riskchainbench.investigation.validator import validate_conclusion


async def seen(folder: Path, text: str) -> Trajectory:
    trajectory = (await episode(folder, Scripted())).trajectory
    first = trajectory.steps[0]
    changed = first.but(observation=first.observation.but(text=text))
    return Trajectory(steps=(changed,), end=trajectory.end)


def concluded(locator: Locator, step: int = 0) -> Conclusion:
    return Conclusion(
        decision=Decision.NON_VIOLATION,
        violation_type="NONE",
        rationale="r",
        evidence=(EvidenceReference(step=step, locator=locator),),
        confidence=1,
    )


@pytest.mark.parametrize(
    ("quote", "valid"),
    [
        ("保证每日收益", True),
        ("首充 满百\n送百", True),  # white space folds on both sides
        ("收益", False),  # two letters, and no control's text
        ("go 1", True),  # three letters and digits, but a control's whole text
        ("保证每日亏损", False),
        ("！！！！", False),
        ("   ", False),
    ],
)
async def test_quotes(tmp_path: Path, quote: str, valid: bool) -> None:
    trajectory = await seen(tmp_path, "保证每日收益 ！！！！\n首充  满百 送百\ngo 1")
    verdict = validate_conclusion(trajectory, concluded(QuoteLocator(text=quote)), task().viewport)
    assert verdict.valid is valid
    if not valid:
        assert verdict.failure is not None
        assert verdict.failure.failure_class is FailureClass.UNRESOLVED_CITATION


@pytest.mark.parametrize(
    ("box", "valid"),
    [((0, 0, 1280, 720), True), ((1270, 0, 11, 5), False), ((0, 719, 1, 1), True)],
)
async def test_boxes_lie_inside_the_viewport(
    tmp_path: Path, box: tuple[float, float, float, float], valid: bool
) -> None:
    trajectory = await seen(tmp_path, "")
    x, y, width, height = box
    locator = BoxLocator(x=x, y=y, width=width, height=height)
    assert validate_conclusion(trajectory, concluded(locator), task().viewport).valid is valid


async def test_a_box_needs_a_screenshot(tmp_path: Path) -> None:
    trajectory = await seen(tmp_path, "")
    first = trajectory.steps[0]
    blind = first.but(observation=first.observation.but(screenshot=None))
    verdict = validate_conclusion(
        Trajectory(steps=(blind,), end=trajectory.end),
        concluded(BoxLocator(x=0, y=0, width=1, height=1)),
        task().viewport,
    )
    assert not verdict.valid


async def test_elements_and_steps_have_to_exist(tmp_path: Path) -> None:
    trajectory = await seen(tmp_path, "")
    known, unknown = ElementLocator(element_id="e1"), ElementLocator(element_id="e2")
    viewport = task().viewport
    assert validate_conclusion(trajectory, concluded(known), viewport).valid
    assert not validate_conclusion(trajectory, concluded(unknown), viewport).valid
    assert not validate_conclusion(trajectory, concluded(known, step=1), viewport).valid


async def test_an_action_outside_makes_every_conclusion_invalid(tmp_path: Path) -> None:
    trajectory = await seen(tmp_path, "")
    outside = Trajectory(
        steps=trajectory.steps, end=trajectory.end.but(ending=Ending.OUTSIDE_ACTION)
    )
    verdict = validate_conclusion(
        outside, concluded(ElementLocator(element_id="e1")), task().viewport
    )
    assert verdict.failure is not None
    assert verdict.failure.failure_class is FailureClass.OUTSIDE_ACTION
