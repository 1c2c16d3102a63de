"""Websites behind an OpenEnv server: PNG bytes, isolated sessions, idle ones ended."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("openenv", reason="the extra `training` is not installed")

from openenv.core.generic_client import GenericEnvClient
from test_doors_gymnasium import FakeHost
from websockets.exceptions import ConnectionClosed

from riskchainbench.bundle import Bundle, open_gold
from riskchainbench.core.errors import InputError
from riskchainbench.doors.gymnasium import environment
from riskchainbench.doors.openenv import openenv_app
from riskchainbench.sandbox.server import SandboxServer

Serve = Callable[..., str]


@pytest.fixture
def serve(demo_folder: Path) -> Iterator[Serve]:
    with ExitStack() as running:

        def start(**options: Any) -> str:
            app = openenv_app(demo_folder, evaluation=True, **options)
            server = running.enter_context(SandboxServer(app, lifespan=True))
            return f"http://127.0.0.1:{server.port}"

        yield start


@pytest.fixture
def without_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "Host", FakeHost)
    monkeypatch.setattr(environment, "browser_settings", lambda: None)


@contextmanager
def client(address: str) -> Iterator[Any]:
    with GenericEnvClient(base_url=address).sync() as connected:
        yield connected


@pytest.mark.usefixtures("without_browser")
def test_an_episode_ends_with_the_reward_of_its_report(
    serve: Serve, demo_bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    (case_id,) = sorted(demo_bundle.investigation_tasks)[:1]
    label = open_gold(demo_bundle).labels[case_id]
    report = {
        "decision": label.decision.value,
        "violation_type": label.violation_type,
        "rationale": "r",
        "evidence": [{"step": 0, "locator": {"kind": "quote", "text": "Welcome to the shop"}}],
        "confidence": 1,
    }
    seed = seed_of(demo_bundle, case_id)
    with client(serve()) as session:
        first = session.reset(seed=seed)
        assert (first.done, first.reward) == (False, 0.0)
        assert first.observation["title"] == "view 0"
        went = session.step({"call": "click('e1')"})
        assert (went.done, went.reward, went.observation["title"]) == (False, 0.0, "view 1")
        end = session.step({"call": f"send_msg_to_user({json.dumps(report)!r})"})
        assert (end.done, end.reward) == (True, 1.0)
        assert session.state()["ending"] == "stop"


def seed_of(bundle: Bundle, case_id: str) -> int:
    """Return the first seed whose draw among the cases is `case_id`."""
    from random import Random

    cases = sorted(bundle.investigation_tasks)
    return next(seed for seed in range(10_000) if Random(seed).choice(cases) == case_id)


@pytest.mark.usefixtures("without_browser")
def test_no_label_host_or_case_is_sent(serve: Serve, demo_bundle: Bundle) -> None:
    with client(serve()) as session:
        sent = str(session.reset(seed=1).observation) + str(session.state())
    assert not [case_id for case_id in demo_bundle.investigation_tasks if case_id in sent]
    assert ".test" not in sent


@pytest.mark.usefixtures("without_browser")
def test_sessions_do_not_see_each_other_and_one_too_many_is_refused(serve: Serve) -> None:
    address = serve(sessions=2)
    with client(address) as one, client(address) as two:
        one.reset(seed=1)
        two.reset(seed=1)
        one.step({"call": "click('e1')"})
        assert two.step({"call": "scroll(0, 10)"}).observation["title"] == "view 1"
        assert one.state()["step_count"] == 1
        with pytest.raises((ConnectionClosed, RuntimeError)), client(address) as three:
            three.reset(seed=1)


@pytest.mark.usefixtures("without_browser")
def test_an_idle_session_is_ended(serve: Serve) -> None:
    address = serve(sessions=1, idle_seconds=1.0)
    with client(address) as idle:
        idle.reset(seed=1)
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            time.sleep(0.5)
            try:
                with client(address) as second:
                    assert second.reset(seed=1).observation["title"] == "view 0"
                return
            except Exception:
                continue
    pytest.fail("the idle session was never ended")


def test_evaluation_bundles_need_leave(demo_folder: Path) -> None:
    with pytest.raises(InputError, match="--evaluation"):
        openenv_app(demo_folder)


@pytest.mark.browser
def test_a_website_is_stepped_through_the_server(serve: Serve) -> None:
    with client(serve(sessions=1)) as session:
        first = session.reset(seed=3).observation
        assert base64.b64decode(first["screenshot"]).startswith(b"\x89PNG")
        assert first["elements"]
        links = [each["element_id"] for each in first["elements"] if each["kind"] == "link"]
        went = session.step({"call": f"click('{links[-1]}')"})
        assert went.observation["error"] in ("", "no_effect: nothing changed")
        assert went.observation["remaining_actions"] == first["remaining_actions"] - 1
        again = session.reset(seed=3).observation
        assert again["screenshot"] == first["screenshot"]
