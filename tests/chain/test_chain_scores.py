"""The whole chain in a real browser: the oracle is perfect, constants hit the label counts."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.stage import StageFolder
from riskchainbench.pipeline.reports import report_runs
from riskchainbench.pipeline.results import score_runs
from riskchainbench.pipeline.stages import Options, Stages
from riskchainbench.pipeline.verify_run import verify_submission
from riskchainbench.scoring.records import Scores, SystemScores

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

SITES, SETS, MESSAGES = 24, 8, 144


@pytest.fixture(scope="session")
def scores(demo_folder: Path, demo_runs: dict[str, Path]) -> Scores:
    return score_runs(demo_folder, list(demo_runs.values())).scores


def system(scores: Scores, name: str) -> SystemScores:
    return next(found for found in scores.systems if found.name == name)


def counts(scores: Scores, name: str) -> dict[str, tuple[int, int]]:
    return {
        metric.metric_id: (metric.count.numerator, metric.count.denominator)
        for metric in system(scores, name).metrics
        if metric.count is not None
    }


def values(scores: Scores, name: str) -> dict[str, float | None]:
    return {metric.metric_id: metric.value for metric in system(scores, name).metrics}


@pytest.mark.parametrize(
    "name", ["always-violation", "always-non-violation", "always-insufficient"]
)
def test_a_constant_system_is_right_as_often_as_its_label(scores: Scores, name: str) -> None:
    found = counts(scores, name)
    assert found["web_only.accuracy"] == (8, SITES)
    assert found["gated.accuracy"] == (0, SITES)
    assert found["web_only.set_consistency"] == (0, SETS)
    # One class of three is always named: precision 1/3, recall 1, F1 1/2, mean over three 1/6.
    assert values(scores, name)["web_only.macro_f1"] == pytest.approx(1 / 6)


def test_the_oracle_is_perfect(scores: Scores) -> None:
    found = counts(scores, "oracle")
    assert found["task1.entry_top1"] == (MESSAGES, MESSAGES)
    assert found["task1.full"] == (MESSAGES, MESSAGES)
    assert found["task1.cer"][0] == 0
    assert found["web_only.accuracy"] == found["gated.accuracy"] == (SITES, SITES)
    assert found["web_only.set_consistency"] == (SETS, SETS)
    assert found["composition.gate_loss"][0] == 0
    assert values(scores, "oracle")["web_only.macro_f1"] == 1.0
    assert values(scores, "oracle")["web_only.type_macro_f1"] == 1.0


def test_the_oracle_sees_and_cites_all_designed_evidence(scores: Scores) -> None:
    found = counts(scores, "oracle")
    for metric in ("evidence.sites_exposed", "evidence.exposure", "evidence.citation"):
        assert found[metric][0] == found[metric][1] > 0


def test_first_failures_sum_to_the_websites(scores: Scores) -> None:
    for found in scores.systems:
        assert found.attribution is not None
        assert sum(row.count.numerator for row in found.attribution.rows) == SITES


def test_scoring_is_the_same_twice_and_in_any_order(
    demo_folder: Path, demo_runs: dict[str, Path], scores: Scores
) -> None:
    again = score_runs(demo_folder, list(reversed(demo_runs.values()))).scores
    assert again.to_json() == scores.to_json()


def test_a_finished_run_is_left_as_it_is(demo_folder: Path, demo_runs: dict[str, Path]) -> None:
    run = demo_runs["oracle"]
    before = {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}
    stages = Stages(demo_folder, run, "oracle", Options(workers=2))
    for stage in (stages.restore, stages.investigate, stages.conclude):
        stage(lambda done, total: None)
    stages.judge("rules", lambda done, total: None)
    after = {path: path.read_bytes() for path in sorted(run.rglob("*")) if path.is_file()}
    assert after == before


def test_an_edited_trajectory_is_refused(
    demo_folder: Path, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    run = shutil.copytree(demo_runs["always-violation"], tmp_path / "run")
    path = next(iter(sorted((run / "investigation").glob("w*/trajectory.jsonl"))))
    path.write_bytes(path.read_bytes().replace(b'"stop"', b'"back"', 1))
    with pytest.raises(IntegrityError, match=r"trajectory\.jsonl"):
        score_runs(demo_folder, [run])


def test_real_runs_hold_as_submissions(demo_folder: Path, demo_runs: dict[str, Path]) -> None:
    for run in demo_runs.values():
        found = verify_submission(run, demo_folder)
        assert found.conclusions == found.trajectories == 24
        assert (found.missing_images, found.images > 0) == (0, True)


def test_a_run_of_another_bundle_is_refused(demo_runs: dict[str, Path], demo_copy: Path) -> None:
    manifest = json.loads((demo_copy / "manifest.json").read_text(encoding="utf-8"))
    manifest["tasks_sha256"] = "0" * 64
    (demo_copy / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(InputError, match="made for tasks"):
        score_runs(demo_copy, [demo_runs["oracle"]])


def test_every_stage_but_scoring_works_without_gold(demo_copy: Path, tmp_path: Path) -> None:
    shutil.rmtree(demo_copy / "evaluator_only")
    for name in ("rules", "random", "always-violation"):
        run = tmp_path / name
        stages = Stages(demo_copy, run, name, Options(workers=2, limit=2))
        stages.restore(lambda done, total: None)
        stages.investigate(lambda done, total: None)
        stages.conclude(lambda done, total: None)
        stages.judge("rules", lambda done, total: None)
        assert len(StageFolder(run / "conclusion").verified().files) == 2
    with pytest.raises(InputError, match="no gold"):
        Stages(demo_copy, tmp_path / "oracle", "oracle", Options()).restore(
            lambda done, total: None
        )


def test_a_partial_run_is_scored_only_when_told_how(
    demo_folder: Path, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    stages = Stages(demo_folder, run, "always-violation", Options(workers=2, limit=3))
    stages.restore(lambda done, total: None)
    stages.investigate(lambda done, total: None)
    stages.conclude(lambda done, total: None)
    with pytest.raises(InputError, match="case"):
        score_runs(demo_folder, [run])
    whole = score_runs(demo_folder, [run], incomplete=True).scores
    assert counts(whole, "always-violation")["web_only.accuracy"][1] == SITES
    part = score_runs(demo_folder, [run], subset=True).scores
    assert counts(part, "always-violation")["web_only.accuracy"][1] == 3


def test_killing_an_investigation_loses_and_doubles_nothing(
    demo_folder: Path, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    run = tmp_path / "run"
    command = [sys.executable, "-m", "riskchainbench.cli", "investigate", str(demo_folder)]
    command += [str(run), "--system", "always-violation"]
    for seconds in (3.0, 5.0):
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            child.wait(timeout=seconds)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    whole = StageFolder(demo_runs["always-violation"] / "investigation").verified()
    resumed = StageFolder(run / "investigation").verified()
    assert resumed.files.keys() == whole.files.keys()
    assert resumed.open_units == ()


def test_the_report_is_written_from_the_runs(
    demo_folder: Path, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    runs = list(demo_runs.values())
    scored = score_runs(demo_folder, runs)
    page = report_runs(scored, runs, tmp_path / "report", public=False, images="cited")
    text = page.read_text(encoding="utf-8")
    assert all(name in text for name in demo_runs)
    assert list((tmp_path / "report" / "images").glob("*.png"))
