"""A website stepped as a Gymnasium environment with BrowserGym's words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from browsergym.utils.obs import flatten_axtree_to_str, flatten_dom_to_str, prune_html

from riskchainbench.browser.pool import EnvironmentFailureError
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.browser.view import PageView
from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.core.errors import InputError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.hashing import sha256_text
from riskchainbench.core.investigation import Action, ActionKind, Element, ElementKind, Scroll
from riskchainbench.doors.gymnasium import (
    Scorer,
    WebsiteEnv,
    environment,
    environment_id,
    register_bundle,
)
from riskchainbench.doors.gymnasium.translation import (
    URL,
    UnknownActionError,
    accessibility_tree,
    document_snapshot,
    parsed_action,
)
from riskchainbench.investigation.chain import verify_chain

SETTINGS = BrowserSettings(binary=Path("/none"), version="1.0")


def view(number: int = 0) -> PageView:
    return PageView(
        title=f"view {number}",
        text="Welcome to the shop\nmembers only",
        elements=(
            Element(element_id="e1", kind=ElementKind.LINK, role="link", name="go"),
            Element(
                element_id="e2",
                kind=ElementKind.CHOICE,
                role="checkbox",
                name="agree",
                checked=False,
            ),
        ),
        elements_left_out=0,
        scroll=Scroll(top=0, page_height=720, viewport_height=720),
        outcome=None,
        events=(),
        network=(),
        page_state=sha256_text(str(number)),
    )


class FakeHost:
    """Shows one view after another; `hangs` is the number of the action that never returns."""

    hangs = 0

    def __init__(self, *_: Any) -> None:
        self.acted: list[Action] = []

    def open(self, task: Any) -> tuple[PageView, bytes | None]:
        self.acted = []
        return view(), None

    def act(self, action: Action) -> tuple[PageView, bytes | None]:
        self.acted.append(action)
        if len(self.acted) == self.hangs:
            raise EnvironmentFailureError(
                Failure(
                    failure_class=FailureClass.PAGE_HUNG,
                    stage=Stage.INVESTIGATION,
                    detail="no answer",
                )
            )
        return view(len(self.acted)), None

    def close(self) -> None:
        pass


@pytest.fixture
def case_id(demo_bundle: Bundle) -> str:
    return min(demo_bundle.investigation_tasks)


@pytest.fixture
def seconds() -> list[float]:
    return [0.0]


@pytest.fixture
def env(
    monkeypatch: pytest.MonkeyPatch, demo_folder: Path, case_id: str, seconds: list[float]
) -> Iterator[WebsiteEnv]:
    monkeypatch.setattr(environment, "Host", FakeHost)
    made = WebsiteEnv(
        case_id, demo_folder, evaluation=True, settings=SETTINGS, clock=lambda: seconds[0]
    )
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("click('e3')", Action(action=ActionKind.CLICK, element="e3")),
        ("click('e3', button='left')", Action(action=ActionKind.CLICK, element="e3")),
        ("fill('e3', 'anything')", Action(action=ActionKind.FILL, element="e3")),
        (
            "select_option('e3', ['two'])",
            Action(action=ActionKind.CHOOSE, element="e3", option="two"),
        ),
        ("press('e3', 'Enter')", Action(action=ActionKind.SUBMIT, element="e3")),
        ("scroll(0, 300)", Action(action=ActionKind.SCROLL_DOWN)),
        ("scroll(0, -300)", Action(action=ActionKind.SCROLL_UP)),
        ("go_back()", Action(action=ActionKind.BACK)),
        ('{"action": "reload"}', Action(action=ActionKind.RELOAD)),
    ],
)
def test_stock_actions_are_understood(text: str, action: Action) -> None:
    assert parsed_action(text) == (action, None)


@pytest.mark.parametrize(
    "text",
    ["", "goto('http://outside.test')", "click()", "__import__('os').system('x')", "((((", "{}"],
)
def test_other_actions_are_not(text: str) -> None:
    with pytest.raises(UnknownActionError):
        parsed_action(text)


def test_a_message_to_the_user_is_the_report() -> None:
    action, report = parsed_action("send_msg_to_user('it is fine')")
    assert action.action is ActionKind.STOP
    assert report == "it is fine"


def test_the_tree_reads_as_a_stock_agent_reads_it() -> None:
    assert flatten_axtree_to_str(accessibility_tree(view())).splitlines() == [
        "RootWebArea 'view 0'",
        "\tStaticText 'Welcome to the shop'",
        "\tStaticText 'members only'",
        "\t[e1] link 'go'",
        "\t[e2] checkbox 'agree', checked=False",
    ]


def test_the_document_reads_as_a_stock_agent_reads_it() -> None:
    html = prune_html(flatten_dom_to_str(document_snapshot(view())))
    assert 'bid="e1"' in html
    assert "members only" in html


def test_an_observation_lies_in_the_declared_space(env: WebsiteEnv) -> None:
    observed, info = env.reset()
    assert env.observation_space.contains(observed)
    assert observed["url"] == URL
    assert observed["screenshot"].shape == (720, 1280, 3)
    assert info["door"] == "browsergym"
    after, reward, terminated, truncated, _ = env.step("click('e1')")
    assert env.observation_space.contains(after)
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.action_space.contains("click('e1')")


def test_the_horizon_truncates_and_says_so(
    env: WebsiteEnv, demo_bundle: Bundle, case_id: str
) -> None:
    env.reset()
    horizon = demo_bundle.investigation_tasks[case_id].horizon
    ends = [env.step("scroll(0, 100)") for _ in range(horizon)]
    assert not any(truncated for _, _, _, truncated, _ in ends[:-1])
    _, reward, terminated, truncated, info = ends[-1]
    assert (reward, terminated, truncated, info["ending"]) == (0.0, False, True, "horizon")
    with pytest.raises(InputError, match="over"):
        env.step("scroll(0, 100)")
    finished = env.finished("no report")
    verify_chain(finished.trajectory, "here")
    assert len(finished.trajectory.steps) == horizon + 1


def test_the_time_limit_truncates(
    env: WebsiteEnv, demo_bundle: Bundle, case_id: str, seconds: list[float]
) -> None:
    env.reset()
    seconds[0] = demo_bundle.investigation_tasks[case_id].time_limit
    assert env.step("scroll(0, 100)")[4]["ending"] == "time_limit"


def test_an_unknown_action_costs_one_and_is_told(env: WebsiteEnv) -> None:
    _, info = env.reset()
    observed, _, _, _, after = env.step("goto('http://outside.test')")
    assert observed["last_action_error"] == "goto: no such action here"
    assert after["remaining_actions"] == info["remaining_actions"] - 1


def test_a_page_that_hangs_ends_the_episode(
    env: WebsiteEnv, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FakeHost, "hangs", 1)
    env.reset()
    observed, _, _, truncated, info = env.step("click('e1')")
    assert (truncated, info["ending"]) == (True, "environment")
    assert observed["last_action_error"] == "no answer"


def test_no_label_host_or_case_reaches_the_agent(
    env: WebsiteEnv, demo_bundle: Bundle, case_id: str
) -> None:
    observed, info = env.reset()
    shown = f"{observed} {info}"
    assert case_id not in shown
    assert set(re.findall(r"[\w.-]+\.test\b", shown)) == {"site.test"}


def test_evaluation_bundles_need_a_flag(demo_folder: Path, case_id: str) -> None:
    with pytest.raises(InputError, match="evaluation=True"):
        register_bundle(demo_folder)
    with pytest.raises(InputError, match="not of the train split"):
        WebsiteEnv(case_id, demo_folder, settings=SETTINGS)


@pytest.mark.parametrize(
    ("language", "over"), [("en", "investigation of one website is over"), ("zh-CN", "已经结束")]
)
def test_goal_tells_of_an_investigation_that_begins(
    monkeypatch: pytest.MonkeyPatch, demo_folder: Path, case_id: str, language: str, over: str
) -> None:
    monkeypatch.setattr(environment, "Host", FakeHost)
    made = WebsiteEnv(case_id, demo_folder, evaluation=True, language=language, settings=SETTINGS)
    goal = made.reset()[0]["goal"]
    made.close()
    assert over not in goal.split("\n\n")[0]
    assert "send_msg_to_user" in goal.split("\n\n")[0]
    assert goal.split("\n\n")[1].startswith("# ")
    assert "VIOLATION | NON_VIOLATION | INSUFFICIENT_EVIDENCE" in goal


def test_the_train_split_opens_without_a_flag(
    monkeypatch: pytest.MonkeyPatch, demo_folder: Path, case_id: str
) -> None:
    monkeypatch.setattr(environment, "Host", FakeHost)
    monkeypatch.setattr(environment, "train_cases", lambda _: frozenset({case_id}))
    assert register_bundle(demo_folder) == (environment_id(case_id),)
    env = gymnasium.make(environment_id(case_id), bundle=demo_folder, settings=SETTINGS)
    assert env.reset()[0]["open_pages_titles"] == ("view 0",)


def test_the_scorer_alone_knows_what_a_report_was_worth(
    env: WebsiteEnv, demo_bundle: Bundle, demo_folder: Path, case_id: str
) -> None:
    label = open_gold(demo_bundle).labels[case_id]
    report = {
        "decision": label.decision.value,
        "violation_type": label.violation_type,
        "rationale": "r",
        "evidence": [{"step": 0, "locator": {"kind": "quote", "text": "Welcome to the shop"}}],
        "confidence": 1,
    }
    with Scorer(demo_folder) as scorer:
        rewards = []
        for said in (report, report | {"evidence": []}, "nothing"):
            env.reset()
            end = env.step(f"send_msg_to_user({json.dumps(said)!r})")
            assert end[1:4] == (0.0, True, False)
            finished = env.finished()
            rewards.append(scorer.reward(finished.trajectory, finished.record).reward)
    assert rewards == [1.0, 0.0, 0.0]


def test_a_bundle_without_gold_is_one_line(demo_copy: Path) -> None:
    with pytest.raises(InputError, match="not a bundle"), Scorer(demo_copy / "nowhere") as scorer:
        scorer.train_cases()


@pytest.mark.browser
def test_a_website_is_stepped_in_a_real_browser(demo_folder: Path, case_id: str) -> None:
    register_bundle(demo_folder, evaluation=True)
    env = gymnasium.make(environment_id(case_id), bundle=demo_folder)
    try:
        first, _ = env.reset()
        assert env.observation_space.contains(first)
        assert np.ptp(first["screenshot"]) > 0
        bid = next(iter(first["extra_element_properties"]))
        after, *_ = env.step(f"click('{bid}')")
        assert after["last_action"] == f"click('{bid}')"
        again, _ = env.reset()
        assert np.array_equal(again["screenshot"], first["screenshot"])
        assert again["axtree_object"] == first["axtree_object"]
    finally:
        env.close()
