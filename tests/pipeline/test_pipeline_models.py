"""A whole run of a provider's model, played by the stub, whole and killed in every stage."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from stub_fixtures import Stub

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import DriftError, InputError, RiskChainError
from riskchainbench.core.failures import Stage
from riskchainbench.core.restoration import Prediction
from riskchainbench.core.seeds import stream
from riskchainbench.core.stage import StageFolder, StageSettings, read_run
from riskchainbench.core.store import read_json, read_jsonl
from riskchainbench.investigation.ablations import Ablation
from riskchainbench.investigation.trajectory import read_trajectory
from riskchainbench.judging.read import judging_stage, read_judgments
from riskchainbench.models.provider.budget import BudgetSpentError
from riskchainbench.models.provider.errors import ProviderStopError
from riskchainbench.models.provider.prices import load_prices
from riskchainbench.models.provider.settings import ModelSettings, Pace, Structured
from riskchainbench.pipeline.asking import probe_model
from riskchainbench.pipeline.judges import JudgeChecking
from riskchainbench.pipeline.options import Asking, Options
from riskchainbench.pipeline.restore_file import restore_file
from riskchainbench.pipeline.stages import Stages
from riskchainbench.pipeline.status import status

pytest.importorskip("inspect_ai", reason="the extra `models` is not installed")

CASES = 2
AT_ONCE = 4
PACE = Pace(at_once=AT_ONCE, attempts=3, first_pause=0.01)
TIMES = {"provider_seconds", "seconds", "observed_at", "decided_at", "chain"}


def quiet(done: int, total: int) -> None:
    """Show no progress."""


def options(**asking: Any) -> Options:
    asked = Asking(**{"pace": PACE, **asking})
    return Options(limit=CASES, asking=asked, judging=asked)


def stages(bundle: Path, run: Path, stub: Stub, **asking: Any) -> Stages:
    return Stages(bundle, run, stub.name, options(**asking))


def timeless(value: Any) -> Any:
    """Return `value` without what two runs need not have in common."""
    if isinstance(value, dict):
        return {name: timeless(each) for name, each in value.items() if name not in TIMES}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def frozen(folder: Path) -> dict[str, Any]:
    """Return the frozen files of a stage without their times."""
    found = {}
    for name in StageFolder(folder).manifest().files:
        lines = (folder / name).read_text(encoding="utf-8")
        text = lines if name.endswith(".json") else f"[{','.join(lines.splitlines())}]"
        found[name] = timeless(json.loads(text))
    return found


def test_the_probe_settles_what_a_resumed_run_takes_over(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    stub.model.refused_formats = {"json_schema"}
    first = stages(demo_folder, tmp_path / "run", stub).system
    calls = stub.model.calls
    assert first.settings["structured"] == Structured.JSON_OBJECT
    assert stages(demo_folder, tmp_path / "run", stub).system.settings == first.settings
    assert stub.model.calls == calls == 3


def test_other_settings_are_no_resume(demo_folder: Path, tmp_path: Path, stub: Stub) -> None:
    _ = stages(demo_folder, tmp_path / "run", stub).system
    warmer = ModelSettings(temperature=1.0)
    with pytest.raises(DriftError) as drifted:
        _ = stages(demo_folder, tmp_path / "run", stub, settings=warmer).system
    assert "(temperature: 0.0 then, 1.0 now)" in str(drifted.value)


def test_a_model_without_eyes_restores_and_investigates_only_when_told(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    stub.model.blind = True
    made = stages(demo_folder, tmp_path / "run", stub)
    assert made.restore(quiet).units == 144
    with pytest.raises(InputError, match="does not see images"):
        made.investigate(quiet)


def test_a_finished_stage_needs_no_key(
    demo_folder: Path, tmp_path: Path, stub: Stub, monkeypatch: pytest.MonkeyPatch
) -> None:
    stages(demo_folder, tmp_path / "run", stub).restore(quiet)
    monkeypatch.delenv("STUB_API_KEY")
    assert stages(demo_folder, tmp_path / "run", stub).restore(quiet).units == 144


def test_an_unknown_price_cannot_be_capped(demo_folder: Path, tmp_path: Path, stub: Stub) -> None:
    with pytest.raises(InputError, match="no price is known"):
        _ = stages(demo_folder, tmp_path / "run", stub, max_cost=1.0).system


def test_a_budget_holds_over_restarts(demo_folder: Path, tmp_path: Path, stub: Stub) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        f'[[price]]\nmodel = "{stub.name}"\ninput = 100\noutput = 100\ndate = "2026-01-01"\n'
        'source = "made up"\n',
        encoding="utf-8",
    )
    for most in (1.0, 1.5):
        with pytest.raises(BudgetSpentError, match=f"--max-cost is {most:g}"):
            stages(demo_folder, tmp_path / "run", stub, max_cost=most, prices=prices).restore(quiet)
        (found,) = status(tmp_path / "run", load_prices(prices))
        assert found.spending.cost is not None
        # A call costs less than 0.1, and the calls under way are paid for.
        assert most <= found.spending.cost < most + 0.1 * AT_ONCE * 2


def test_units_that_a_provider_failed_stay_open_and_are_taken_up_again(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    lasting = PACE.but(at_once=1, attempts=1, give_up_after=10)
    made = stages(demo_folder, tmp_path / "run", stub, pace=lasting)
    _ = made.system
    stub.model.faults = deque(["ok"] * 20 + ["503"] * 3)
    with pytest.raises(RiskChainError, match="3 of 144 stay open"):
        made.restore(quiet)
    before = stub.model.calls
    assert stages(demo_folder, tmp_path / "run", stub).restore(quiet).open_units == ()
    assert stub.model.calls - before == 3


@pytest.mark.parametrize("fault", ["401", "403", "400", "rejects:400:quota"])
def test_a_provider_that_rejects_every_call_costs_the_model_no_unit(
    demo_folder: Path, tmp_path: Path, stub: Stub, fault: str
) -> None:
    made = stages(demo_folder, tmp_path / "run", stub)
    _ = made.system
    stub.model.faults = deque(["ok"] * 20 + [fault] * 200)
    for _start in range(2):
        with pytest.raises(ProviderStopError):
            stages(demo_folder, tmp_path / "run", stub).restore(quiet)
    stub.model.faults.clear()
    stages(demo_folder, tmp_path / "run", stub).restore(quiet)
    predictions = read_jsonl(tmp_path / "run/restoration/predictions.jsonl", Prediction)
    assert all(prediction.failure is None for prediction in predictions)


def test_a_fault_during_the_probe_leaves_no_trace(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    stub.model.faults = deque(["ok", "408", "408", "408"])
    with pytest.raises(ProviderStopError, match="nothing was recorded"):
        _ = stages(demo_folder, tmp_path / "run", stub).system
    assert not (tmp_path / "run").exists()
    assert stages(demo_folder, tmp_path / "run", stub).system.settings["structured"] == (
        Structured.JSON_SCHEMA
    )


def test_a_given_form_is_probed_and_kept(demo_folder: Path, tmp_path: Path, stub: Stub) -> None:
    given = ModelSettings(structured=Structured.NONE)
    made = stages(demo_folder, tmp_path / "run", stub, settings=given).system
    assert made.settings["structured"] == Structured.NONE
    assert stub.model.calls == 2
    stub.model.faults = deque(["says:words"])
    with pytest.raises(InputError, match="output contract"):
        _ = stages(demo_folder, tmp_path / "mute", stub, settings=given).system
    stub.model.blind = True
    blind = stages(demo_folder, tmp_path / "blind", stub, settings=given)
    with pytest.raises(InputError, match="does not see images"):
        blind.investigate(quiet)


def test_a_probe_heeds_the_pace_that_was_asked_for(stub: Stub) -> None:
    stub.model.faults = deque(["endless"] * 5)
    with pytest.raises(ProviderStopError, match="no answer within 1 seconds"):
        probe_model(stub.name, ModelSettings(), Pace(attempts=1, attempt_seconds=1))
    assert stub.model.calls == 1


@pytest.fixture(scope="module")
def whole(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing disturbed, made when first needed."""
    return tmp_path_factory.mktemp("whole") / "run"


def undisturbed(bundle: Path, run: Path, stub: Stub) -> Path:
    made = stages(bundle, run, stub)
    made.restore(quiet)
    made.investigate(quiet)
    made.conclude(quiet)
    made.judge(stub.name, quiet)
    return run


@pytest.mark.browser
def test_a_model_is_sent_what_every_stage_promises(
    demo_folder: Path, whole: Path, stub: Stub
) -> None:
    run = undisturbed(demo_folder, whole, stub)
    predictions = read_jsonl(run / "restoration" / "predictions.jsonl", Prediction)
    assert len(predictions) == 144
    assert all(prediction.failure is None for prediction in predictions)
    conclusions = sorted((run / "conclusion").glob("w*.json"))
    assert len(conclusions) == CASES
    for path in conclusions:
        record = read_json(path, ConclusionRecord)
        assert record.conclusion is not None, record.failure
        trajectory = read_trajectory(run / "investigation" / record.case_id)
        for step in trajectory.steps:
            # The stub gives the hash of the image it received as its reason.
            assert step.action is not None
            assert step.action.reason == step.observation.screenshot
        shown = len({step.observation.screenshot for step in trajectory.steps})
        assert record.conclusion.rationale == f"{shown} screenshots were shown."
    _, judgments = read_judgments(run, stub.name)
    assert len(judgments) == CASES
    assert all(judgment.scores is not None for judgment in judgments.values())


STAGES = {
    Stage.RESTORATION: "restore",
    Stage.INVESTIGATION: "investigate",
    Stage.CONCLUSION: "conclude",
    Stage.JUDGING: "judge",
}
KILLS = range(int(os.environ.get("KILLS", "1")))
"""Seeds of the moments at which each stage is killed; KILLS=20 tries twenty."""


@contextmanager
def child(verb: str, bundle: Path, run: Path, stub: Stub) -> Iterator[subprocess.Popen[bytes]]:
    """The verb in a process of its own, killed at the latest on leaving."""
    told = {
        "restore": ["--system", stub.name],
        "investigate": ["--system", stub.name, "--limit", str(CASES)],
        "conclude": [],
        "judge": ["--judge", stub.name],
    }[verb]
    code = "from riskchainbench.cli.app import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, verb, str(bundle), str(run), *told, "--set", "at_once=4"],
        env=dict(os.environ),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(30)


@pytest.mark.browser
@pytest.mark.parametrize("seed", KILLS)
@pytest.mark.parametrize("stage", list(STAGES))
def test_a_killed_stage_goes_on_and_pays_for_nothing_twice(
    demo_folder: Path, tmp_path: Path, whole: Path, stub: Stub, stage: Stage, seed: int
) -> None:
    if not (whole / "judging").exists():
        undisturbed(demo_folder, whole, stub)
    run = tmp_path / "run"
    shutil.copytree(whole, run)
    for later in list(STAGES)[list(STAGES).index(stage) :]:
        shutil.rmtree(run / later)
    wanted = judging_stage(whole, stub.name).folder if stage is Stage.JUDGING else whole / stage
    needed = len((wanted / "work" / "replies.jsonl").read_text(encoding="utf-8").splitlines())
    moment = stream(seed, "kill", stage)
    enough = moment.randrange(1, needed)
    verb = STAGES[stage]
    stub.model.calls = 0
    stub.model.delay = 0.15
    probes = 2 if stage is Stage.JUDGING else 0
    with child(verb, demo_folder, run, stub) as process:
        deadline = time.monotonic() + 120
        while stub.model.calls < enough + probes:
            assert process.poll() is None, "ended before it could be killed"
            assert time.monotonic() < deadline, "made no calls"
            time.sleep(0.02)
        time.sleep(0.15 * moment.random())
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    stub.model.delay = 0.0
    made = stages(demo_folder, run, stub)
    resumed = {
        Stage.RESTORATION: made.restore,
        Stage.INVESTIGATION: made.investigate,
        Stage.CONCLUSION: made.conclude,
        Stage.JUDGING: lambda update: made.judge(stub.name, update),
    }[stage]
    resumed(quiet)
    place = judging_stage(run, stub.name).folder if stage is Stage.JUDGING else run / stage
    assert frozen(place) == frozen(wanted)
    # Calls in flight at the kill were paid for and lost; every other reply was kept.
    assert needed <= stub.model.calls - probes <= needed + AT_ONCE


@pytest.mark.browser
def test_an_ablation_is_named_wherever_the_system_is(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    left_out = frozenset({Ablation.CODEBOOK, Ablation.INTERACTION})
    given = Options(limit=1, ablations=left_out, asking=Asking(pace=PACE))
    made = Stages(demo_folder, tmp_path / "run", stub.name, given)
    made.investigate(quiet)
    again = Stages.of_run(demo_folder, tmp_path / "run")
    again.conclude(quiet)
    manifest = read_run(tmp_path / "run")
    assert manifest.system == f"{stub.name} [no codebook, no interaction]"
    for stage in ("investigation", "conclusion"):
        settings = read_json(tmp_path / "run" / stage / "settings.json", StageSettings).settings
        assert settings["ablations"] == "no codebook, no interaction"
    with pytest.raises(DriftError):
        Stages(demo_folder, tmp_path / "run", stub.name, options()).investigate(quiet)


def test_a_run_with_kept_replies_asks_nothing_twice_and_is_marked(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    cache = tmp_path / "cache"
    stages(demo_folder, tmp_path / "first", stub, cache=cache).restore(quiet)
    before = stub.model.calls
    stages(demo_folder, tmp_path / "second", stub, cache=cache).restore(quiet)
    assert stub.model.calls - before == 2, "only the probe is not kept"
    predictions = read_jsonl(tmp_path / "second/restoration/predictions.jsonl", Prediction)
    assert {each.usage.from_cache for each in predictions} == {1}
    assert read_run(tmp_path / "second").system == f"{stub.name} [response cache]"
    Stages.of_run(demo_folder, tmp_path / "second").restore(quiet)
    with pytest.raises(DriftError, match="response cache"):
        stages(demo_folder, tmp_path / "second", stub).restore(quiet)


@pytest.mark.parametrize(
    ("given", "option"),
    [
        ({"cache": Path("cache")}, "--cache"),
        ({"settings": ModelSettings(temperature=1.0)}, "--set"),
        ({"pace": PACE}, "--set"),
        ({"max_cost": 5.0}, "--max-cost"),
        ({"max_tokens": 5}, "--max-tokens"),
        ({"unprobed": True}, "--unprobed"),
    ],
)
@pytest.mark.parametrize("verb", ["restore", "investigate", "conclude"])
def test_a_system_that_is_no_model_is_given_nothing_that_only_a_model_heeds(
    demo_folder: Path, tmp_path: Path, given: dict[str, Any], option: str, verb: str
) -> None:
    made = Stages(demo_folder, tmp_path / "run", "rules", Options(asking=Asking(**given)))
    with pytest.raises(InputError, match=f"rules: is not asked .* leave {option} out"):
        getattr(made, verb)(quiet)
    assert not (tmp_path / "run").exists()


def test_inputs_from_elsewhere_and_checks_of_judges_are_no_different(tmp_path: Path) -> None:
    given = Asking(settings=ModelSettings(temperature=1.0))
    with pytest.raises(InputError, match="leave --set out"):
        restore_file(tmp_path / "in", tmp_path / "out", "rules", Options(asking=given), quiet)
    with pytest.raises(InputError, match="leave --set out"):
        JudgeChecking("rules", given, tmp_path)


def test_a_budget_that_others_share_may_be_one_that_a_system_cannot_heed(
    demo_folder: Path, tmp_path: Path
) -> None:
    given = Options(asking=Asking(max_tokens=5), shared_budget=True)
    made = Stages(demo_folder, tmp_path / "run", "rules", given)
    made._require_fitting()
