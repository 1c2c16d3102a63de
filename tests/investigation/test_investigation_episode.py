"""Budgets, endings, invalid turns and the hash chain of one investigation."""

from __future__ import annotations

from pathlib import Path

import pytest
from investigation_world import (
    CLICK,
    STOP,
    Clock,
    FakeEnv,
    Scripted,
    episode,
    task,
    text_of,
)

from riskchainbench.core.errors import IntegrityError
from riskchainbench.core.failures import FailureClass
from riskchainbench.core.investigation import Ending, OutcomeStatus, Trajectory
from riskchainbench.core.system import Reply
from riskchainbench.investigation.chain import verify_chain
from riskchainbench.investigation.episode import Rules


async def test_stop_ends_and_costs_nothing(tmp_path: Path) -> None:
    done = await episode(tmp_path, Scripted(CLICK, STOP), of=task(horizon=2))
    steps = done.trajectory.steps
    assert done.trajectory.end.ending is Ending.STOP
    assert [step.observation.remaining_actions for step in steps] == [2, 1]
    assert [step.action.action for step in steps if step.action] == ["click", "stop"]


async def test_the_horizon_is_an_ending_that_still_shows_the_last_view(tmp_path: Path) -> None:
    done = await episode(tmp_path, Scripted(CLICK, CLICK, CLICK), of=task(horizon=2))
    assert done.trajectory.end.ending is Ending.HORIZON
    assert done.trajectory.end.failure is None
    assert len(done.trajectory.steps) == 3
    assert done.trajectory.steps[-1].action is None
    assert done.trajectory.concludable


async def test_three_invalid_turns_in_a_row_end_it(tmp_path: Path) -> None:
    bad = ["no json"] * 3
    system = Scripted(*bad, CLICK, *bad, *bad, *bad)
    done = await episode(tmp_path, system, of=task(horizon=20))
    end = done.trajectory.end
    assert end.ending is Ending.INVALID_ACTIONS
    assert end.failure is not None
    assert end.failure.failure_class is FailureClass.INVALID_ACTIONS
    assert [step.action is None for step in done.trajectory.steps] == [
        True,
        False,
        True,
        True,
        True,
    ]
    second = done.trajectory.steps[1].observation
    assert second.outcome is not None
    assert second.outcome.status is OutcomeStatus.INVALID_TURN
    assert second.remaining_actions == 19
    assert done.trajectory.concludable


async def test_a_turn_is_repaired_twice_at_most(tmp_path: Path) -> None:
    system = Scripted("no json", "[]", CLICK)
    done = await episode(tmp_path, system)
    assert done.trajectory.steps[0].action is not None
    assert done.trajectory.steps[0].repairs == 2
    assert "NO_JSON" in text_of(system.requests[1])


async def test_strict_rules_repair_nothing(tmp_path: Path) -> None:
    rules = Rules(language="en", repairs=0)
    done = await episode(tmp_path, Scripted("no json", CLICK), rules=rules)
    assert done.trajectory.steps[0].failure is not None
    assert done.trajectory.steps[0].failure.failure_class is FailureClass.NO_JSON


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply(text='{"action": "click"}'), FailureClass.SCHEMA_MISMATCH),
        (Reply(text='{"action": "goto", "element": "e1"}'), FailureClass.SCHEMA_MISMATCH),
        (Reply(text=f"{CLICK} {STOP}"), FailureClass.SCHEMA_MISMATCH),
        (Reply(text='{"action": "stop", "action": "click"}'), FailureClass.DUPLICATE_KEYS),
        (Reply(text="抱歉，我无法协助。"), FailureClass.REFUSAL),
        (Reply(text=""), FailureClass.EMPTY_OUTPUT),
    ],
)
async def test_an_invalid_turn_has_its_class(
    tmp_path: Path, reply: Reply, expected: FailureClass
) -> None:
    rules = Rules(language="en", repairs=0)
    done = await episode(tmp_path, Scripted(reply), rules=rules)
    failure = done.trajectory.steps[0].failure
    assert failure is not None
    assert failure.failure_class is expected


async def test_the_time_limit_runs_from_the_first_observation(tmp_path: Path) -> None:
    clock = Clock()

    def think(_: object) -> None:
        clock.now += 25

    system = Scripted(CLICK, CLICK, CLICK, CLICK, before=think)
    done = await episode(tmp_path, system, clock=clock)
    assert done.trajectory.end.ending is Ending.TIME_LIMIT
    assert [step.timing.observed_at for step in done.trajectory.steps] == [0, 25, 50, 75]
    assert done.trajectory.steps[-1].action is None


async def test_provider_time_can_be_left_out(tmp_path: Path) -> None:
    clock = Clock()

    def think(_: object) -> None:
        clock.now += 25

    slow = Reply(text=CLICK, provider_seconds=25)
    rules = Rules(language="en", count_provider_time=False)
    system = Scripted(slow, slow, slow, Reply(text=STOP), before=think)
    done = await episode(tmp_path, system, clock=clock, rules=rules)
    assert done.trajectory.end.ending is Ending.STOP


async def test_a_hung_page_ends_it_and_a_conclusion_follows(tmp_path: Path) -> None:
    env = FakeEnv(fails={2: FailureClass.PAGE_HUNG})
    done = await episode(tmp_path, Scripted(CLICK, CLICK), env=env)
    end = done.trajectory.end
    assert end.ending is Ending.ENVIRONMENT
    assert end.failure is not None
    assert (end.failure.failure_class, end.failure.step) == (FailureClass.PAGE_HUNG, 1)
    assert done.trajectory.concludable


async def test_no_first_observation_admits_no_conclusion(tmp_path: Path) -> None:
    env = FakeEnv(fails={0: FailureClass.PAGE_HUNG})
    done = await episode(tmp_path, Scripted(), env=env)
    failure = done.trajectory.end.failure
    assert failure is not None
    assert failure.failure_class is FailureClass.NO_FIRST_OBSERVATION
    assert not done.trajectory.concludable


async def test_a_resumed_case_replays_its_replies(tmp_path: Path) -> None:
    first = Scripted(CLICK, CLICK, STOP)
    done = await episode(tmp_path, first)
    again = Scripted("never asked")
    replayed = await episode(tmp_path, again)
    assert again.requests == []
    assert [s.chain for s in replayed.trajectory.steps] == [s.chain for s in done.trajectory.steps]


async def test_other_observations_drop_the_log(tmp_path: Path) -> None:
    await episode(tmp_path, Scripted(CLICK, CLICK, STOP))
    again = Scripted(STOP)
    changed = await episode(tmp_path, again, of=task(horizon=4))
    assert len(again.requests) == 1
    assert len(changed.trajectory.steps) == 1


async def test_the_chain_finds_every_change(tmp_path: Path) -> None:
    trajectory = (await episode(tmp_path, Scripted(CLICK, STOP))).trajectory
    verify_chain(trajectory, "t")
    first, second = trajectory.steps
    forged = first.but(observation=first.observation.but(text="Text of another view"))
    for steps in ((forged, second), (first,), (second, first)):
        with pytest.raises(IntegrityError):
            verify_chain(Trajectory(steps=steps, end=trajectory.end), "t")
    longer = trajectory.end.but(ending=Ending.HORIZON)
    with pytest.raises(IntegrityError):
        verify_chain(Trajectory(steps=trajectory.steps, end=longer), "t")
    slower = first.but(timing=first.timing.but(observed_at=9.0))
    verify_chain(Trajectory(steps=(slower, second), end=trajectory.end), "t")


@pytest.mark.parametrize("language", ["zh-CN", "en"])
async def test_the_prompt_holds_the_policy_and_no_identity(tmp_path: Path, language: str) -> None:
    system = Scripted(CLICK, STOP)
    await episode(tmp_path, system, of=task("secret-case"), rules=Rules(language=language))
    for request in system.requests:
        prompt = text_of(request)
        assert system.requests[0].codebook.render(language) in prompt
        assert "secret-case" not in prompt
        assert ".test" not in prompt
        assert "Text of view 1" in prompt


async def test_the_fingerprint_leaves_the_clock_out(tmp_path: Path) -> None:
    fast, slow = Scripted(STOP), Scripted(STOP)
    await episode(tmp_path / "a", fast, of=task(time_limit=60))
    calls = iter((100.0, 100.0, 130.0, 130.0, 130.0, 130.0, 130.0, 130.0))
    await episode(tmp_path / "b", slow, of=task(time_limit=60), clock=lambda: next(calls))
    assert text_of(fast.requests[0]) != text_of(slow.requests[0])
    assert fast.requests[0].fingerprint == slow.requests[0].fingerprint
