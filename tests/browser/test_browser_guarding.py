"""A run does not start with a browser that leaks, and `doctor` tells how it is confined."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from riskchainbench.browser import isolation
from riskchainbench.browser.canary import IsolationReport, Reached
from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.settings import BrowserSettings, Visit
from riskchainbench.cli.app import app
from riskchainbench.core.errors import RiskChainError
from riskchainbench.core.failures import FailureClass, SystemFailureError
from riskchainbench.pipeline import doctor

CONFINED = Confinement(user="nobody", chromium_sandbox=True, network_namespace=True)
HELD = IsolationReport(
    confinement=CONFINED,
    targets=("name", "IPv4"),
    vectors=("fetch", "websocket"),
    complete=True,
    attempts=4,
    reached=(),
)
LEAKED = HELD.but(reached=(Reached(vector="websocket", target="IPv4"),))
INCOMPLETE = HELD.but(complete=False)


class Given:
    """Stands in for the self-test: gives one report after another and counts."""

    def __init__(self, *reports: IsolationReport) -> None:
        self.reports = list(reports)
        self.made = 0

    async def __call__(self, settings: BrowserSettings, *, quick: bool = False) -> IsolationReport:
        self.made += 1
        return self.reports.pop(0)


def given(monkeypatch: pytest.MonkeyPatch, *reports: IsolationReport) -> Given:
    tests = Given(*reports)
    monkeypatch.setattr(isolation, "isolation_test", tests)
    monkeypatch.setattr(isolation, "_sealed", {})
    return tests


async def test_settings_are_tested_once_a_process(
    monkeypatch: pytest.MonkeyPatch, settings: BrowserSettings
) -> None:
    tests = given(monkeypatch, HELD, HELD)
    await isolation.require_sealed(settings)
    await isolation.require_sealed(settings)
    assert tests.made == 1
    await isolation.require_sealed(settings.but(locale="en-US"))
    assert tests.made == 2


async def test_a_leak_ends_the_run_and_is_named(
    monkeypatch: pytest.MonkeyPatch, settings: BrowserSettings
) -> None:
    given(monkeypatch, LEAKED)
    with pytest.raises(RiskChainError, match="websocket reached a listener outside"):
        await isolation.require_sealed(settings)


async def test_a_test_that_stays_incomplete_ends_the_run(
    monkeypatch: pytest.MonkeyPatch, settings: BrowserSettings
) -> None:
    given(monkeypatch, INCOMPLETE, HELD)
    await isolation.require_sealed(settings)
    given(monkeypatch, INCOMPLETE, INCOMPLETE)
    with pytest.raises(RiskChainError, match="made not all its attempts"):
        await isolation.require_sealed(settings)


@pytest.mark.browser
async def test_a_browser_that_dies_at_launch_leaves_nothing_to_try(
    monkeypatch: pytest.MonkeyPatch, settings: BrowserSettings, tmp_path: Path
) -> None:
    monkeypatch.setattr(isolation, "_sealed", {})
    binary = tmp_path / "chromium"
    binary.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    binary.chmod(0o755)
    failure = await isolation.require_sealed(settings.but(binary=binary))
    assert failure is not None
    assert failure.failure_class is FailureClass.BROWSER_LAUNCH
    visit = Visit(host="case.test", port=1)
    async with isolation.Unlaunched(failure).lease() as env:
        with pytest.raises(SystemFailureError):
            await env.open(visit)


@pytest.mark.parametrize(("report", "code"), [(HELD, 0), (LEAKED, 1), (INCOMPLETE, 1)])
def test_doctor_prints_every_way_out_and_leaves_with_an_error_if_one_is_open(
    monkeypatch: pytest.MonkeyPatch, report: IsolationReport, code: int
) -> None:
    monkeypatch.setattr(doctor, "examine_isolation", lambda: report)
    done = CliRunner().invoke(app, ["doctor", "--isolation"])
    assert done.exit_code == code
    rows = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    assert rows["fetch"].split()[1:] == ["held", "held"]
    assert rows["websocket"].split()[1:] == ["held", "REACHED" if report.reached else "held"]
    assert f"reached: {len(report.reached)}" in rows
    as_json = CliRunner().invoke(app, ["doctor", "--isolation", "--json"])
    assert as_json.exit_code == code
    assert json.loads(as_json.stdout)["sealed"] is (code == 0)


def test_doctor_tells_a_sandbox_that_did_not_start_from_one_never_asked_for() -> None:
    assert doctor.account_item(CONFINED, CONFINED).state == "ok"
    without = CONFINED.but(chromium_sandbox=False)
    forbidden = doctor.account_item(CONFINED, without)
    assert forbidden.state == "warning"
    assert "sandbox off" in forbidden.found
    assert "user namespaces" in forbidden.mend
    as_root = without.but(user="root")
    assert "setpriv" in doctor.account_item(as_root, as_root).mend


@pytest.mark.browser
def test_doctor_tries_a_launch() -> None:
    (item,) = doctor.examine("account").items
    assert item.found.startswith("the browser ran as")
