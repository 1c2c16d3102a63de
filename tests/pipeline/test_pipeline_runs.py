"""Runs as folders: reruns, two judges, and submissions, without a browser."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from frozen_runs import INVESTIGATION, PNG, MakeRun, always, edit, reseal

from riskchainbench.browser import isolation
from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.bundle import Bundle, Gold
from riskchainbench.cli.shared import progress
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError, IntegrityError, RiskChainError
from riskchainbench.core.hashing import sha256_bytes
from riskchainbench.core.stage import StageFolder
from riskchainbench.investigation.episode import Rules
from riskchainbench.models.registry import make_system
from riskchainbench.pipeline import investigating
from riskchainbench.pipeline.evaluate import evaluate
from riskchainbench.pipeline.investigating import investigate_bundle
from riskchainbench.pipeline.options import Asking, Options
from riskchainbench.pipeline.results import SCORES, score_runs, write_scores
from riskchainbench.pipeline.verify_run import verify_submission
from riskchainbench.scoring.records import Scores, WarningKey

V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE
ACCURACY = "web_only.accuracy"
SETTINGS = BrowserSettings(binary=Path("/none"), version="1.0")


def test_repeats_are_told_by_their_manifest_and_their_spread_is_given(
    make_run: MakeRun, demo_folder: Path, gold: Gold
) -> None:
    labels = gold.labels
    deciding = (always(V), lambda case: labels[case].decision, always(N))
    runs = [
        make_run(f"r{number}", repeat=number, decide=decide)
        for number, decide in enumerate(deciding, start=1)
    ]
    scores = score_runs(demo_folder, runs).scores
    assert [row.row_id for row in scores.systems] == ["model-a#1", "model-a#2", "model-a#3"]
    found = next(each for each in scores.reruns if each.metric_id == ACCURACY)
    shares = [
        sum(label.decision is decision for label in labels.values()) / len(labels)
        for decision in (V, N)
    ]
    # One run is right throughout, two as often as their constant's label.
    mean = (shares[0] + 1 + shares[1]) / 3
    gaps = [shares[0] - mean, 1 - mean, shares[1] - mean]
    assert found.runs == 3
    assert found.mean == pytest.approx(mean)
    assert found.between_run_sd == pytest.approx((sum(gap**2 for gap in gaps) / 2) ** 0.5)
    # Sets hold each decision once, so only the luck of a run gives the interval a width.
    assert found.interval.low == pytest.approx(min(shares))
    assert found.interval.high > mean


def test_runs_under_two_prompts_are_two_systems_and_no_repeats(
    make_run: MakeRun, demo_folder: Path
) -> None:
    runs = [
        make_run(f"{language}{repeat}", language=language, repeat=repeat)
        for language, repeat in (("en", 1), ("zh-CN", 1), ("zh-CN", 2))
    ]
    scores = score_runs(demo_folder, runs).scores
    other = "model-a (prompt_language=zh-CN)"
    rows = ["model-a (prompt_language=en)", f"{other}#1", f"{other}#2"]
    assert [row.row_id for row in scores.systems] == rows
    assert {each.system for each in scores.reruns} == {other}


def test_a_prompt_that_was_reworded_is_told_by_its_hash(
    make_run: MakeRun, demo_folder: Path
) -> None:
    prompts = {"a": "a" * 64, "b": "b" * 64}
    runs = [
        make_run(name, investigation={**INVESTIGATION, "prompts_sha256": prompt})
        for name, prompt in prompts.items()
    ]
    rows = [row.row_id for row in score_runs(demo_folder, runs).scores.systems]
    assert rows == ["model-a (prompts_sha256=aaaaaaaa)", "model-a (prompts_sha256=bbbbbbbb)"]


def test_two_judges_of_a_run_are_compared(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run", judges={"rules": 4, "other": 3})
    scores = score_runs(demo_folder, [run]).scores
    assert [judge.judge for judge in scores.systems[0].judges] == ["other", "rules"]
    assert {(each.first, each.second) for each in scores.judge_agreement} == {("other", "rules")}
    units = {each.units for each in scores.judge_agreement}
    assert units == {scores.header.websites}
    # Constant raters: expected disagreement is whatever the two constants differ by.
    assert all(each.quadratic_kappa == 0 for each in scores.judge_agreement)


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    """One price: 1 for a million tokens in, 10 for a million out."""
    path = tmp_path / "prices.toml"
    path.write_text(
        '[[price]]\nmodel = "model-a"\ninput = 1.0\noutput = 10.0\n'
        'date = "2026-01-01"\nsource = "invented"\n',
        encoding="utf-8",
    )
    return path


def cost_of_a_trajectory(scores: Scores) -> float | None:
    found = scores.systems[0].distributions
    return next(each for each in found if each.distribution_id == "trajectory.cost").mean


def test_prices_and_prevalence_reach_the_scores(
    make_run: MakeRun, demo_folder: Path, prices: Path
) -> None:
    run = make_run("run")
    scores = score_runs(demo_folder, [run], prevalence=0.01, prices=prices).scores
    # 1,000 tokens in at 1 and 100 out at 10, a million each.
    assert cost_of_a_trajectory(scores) == pytest.approx(0.002)
    precision = scores.systems[0].metric("web_only.precision_at_prevalence")
    assert precision is not None
    assert precision.value == pytest.approx(0.01)


def test_an_evaluation_is_scored_with_its_own_prices(
    make_run: MakeRun, demo_folder: Path, prices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = make_run("run")
    monkeypatch.setattr("riskchainbench.pipeline.evaluate.run_stages", lambda *_: None)
    options = Options(asking=Asking(prices=prices))
    scores = evaluate(demo_folder, run, "model-a", options, progress)
    assert cost_of_a_trajectory(scores) == pytest.approx(0.002)


def test_exploratory_metrics_are_compared_on_request_without_correction(
    make_run: MakeRun, demo_folder: Path
) -> None:
    runs = [make_run("a"), make_run("b", system="model-b", decide=always(N))]
    plain = score_runs(demo_folder, runs).scores
    asked = score_runs(demo_folder, runs, compared=["web_only.coverage"]).scores
    added = [each for each in asked.comparisons if each not in plain.comparisons]
    assert [(each.metric_id, each.p_holm) for each in added] == [("web_only.coverage", None)]
    with pytest.raises(InputError, match=r"web_only\.macro_f1: only plain rates"):
        score_runs(demo_folder, runs, compared=["web_only.macro_f1"])
    with pytest.raises(InputError, match="no_such"):
        score_runs(demo_folder, runs, compared=["no_such"])


def test_a_whole_run_is_verified(make_run: MakeRun, demo_folder: Path, gold: Gold) -> None:
    run = make_run("run", judges={"rules": 4})
    found = verify_submission(run, demo_folder)
    cases = len(gold.labels)
    assert (found.predictions, found.trajectories) == (len(gold.samples), cases)
    assert (found.conclusions, found.judgments, found.images) == (cases, cases, 1)
    assert found.notes == ()
    assert verify_submission(run, None) == found


def test_a_forged_step_breaks_the_chain_even_if_hashes_were_made_to_fit(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run")
    stage = run / "investigation"
    first = sorted(StageFolder(stage).manifest().files)[0]
    edit(stage / first, "harbor office", "harbor casino")
    with pytest.raises(IntegrityError, match="changed after it was frozen"):
        verify_submission(run, demo_folder)
    reseal(stage)
    with pytest.raises(IntegrityError, match="step 0 was changed after it was recorded"):
        verify_submission(run, demo_folder)


def test_a_citation_that_does_not_resolve_is_found_with_the_bundle(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run")
    stage = run / "conclusion"
    first = sorted(StageFolder(stage).manifest().files)[0]
    edit(stage / first, "harbor office", "harbor casino")
    reseal(stage)
    with pytest.raises(IntegrityError, match="quote is not in the text"):
        verify_submission(run, demo_folder)


def test_judgments_of_other_conclusions_are_found(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run", judges={"rules": 4})
    stage = run / "conclusion"
    first = sorted(StageFolder(stage).manifest().files)[0]
    edit(stage / first, "as shown", "as was shown")
    reseal(stage)
    with pytest.raises(IntegrityError, match="judged on another conclusion"):
        verify_submission(run, demo_folder)


def test_a_stage_begun_for_other_tasks_is_found(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run")
    path = run / "conclusion" / "settings.json"
    settings = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**settings, "tasks_sha256": "0" * 64}), "utf-8")
    with pytest.raises(IntegrityError, match="begun for other tasks"):
        verify_submission(run, demo_folder)


def test_a_changed_screenshot_is_found_and_a_missing_one_noted(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run")
    picture = run / "images" / f"{sha256_bytes(PNG)}.png"
    picture.write_bytes(b"another")
    with pytest.raises(IntegrityError, match="screenshot was changed"):
        verify_submission(run, demo_folder)
    picture.unlink()
    found = verify_submission(run, demo_folder)
    assert found.missing_images == 1
    assert found.notes == ("screenshots that are not in the folder: 1",)


def test_predictions_frozen_anew_are_noted(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run")
    path = run / "restoration" / "predictions.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), "utf-8")
    reseal(run / "restoration")
    assert any("no gated view" in note for note in verify_submission(run, demo_folder).notes)


def test_a_unit_that_was_dropped_is_noted_by_name_with_the_bundle(
    make_run: MakeRun, demo_folder: Path, gold: Gold
) -> None:
    run = make_run("run")
    path = run / "restoration" / "predictions.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-2]), "utf-8")
    reseal(run / "restoration")
    first, _ = sorted(gold.samples)[-2:]
    wanted = f"units without an outcome that are not named as open: {first} and 1 more"
    assert any(note.endswith(wanted) for note in verify_submission(run, demo_folder).notes)


def test_a_type_that_the_codebook_lacks_is_found_with_the_bundle(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run")
    stage = run / "conclusion"
    first = sorted(StageFolder(stage).manifest().files)[0]
    concluded = json.loads((stage / first).read_text("utf-8"))["conclusion"]
    edit(stage / first, concluded["violation_type"], "SPACE_PIRACY")
    reseal(stage)
    with pytest.raises(IntegrityError, match="knows no type SPACE_PIRACY"):
        verify_submission(run, demo_folder)


def test_a_judge_that_has_not_finished_is_left_out_and_told(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run", judges={"rules": 4, "other": 3})
    (run / "judging" / "other" / "manifest.json").unlink()
    scores = score_runs(demo_folder, [run]).scores
    assert [judge.judge for judge in scores.systems[0].judges] == ["rules"]
    told = [w.detail for w in scores.warnings if w.key is WarningKey.UNFINISHED_JUDGE]
    assert told == ["other"]
    assert "judge other has not finished" in verify_submission(run, demo_folder).notes


def test_scores_go_into_no_frozen_folder_but_where_a_run_has_its_own(
    make_run: MakeRun, demo_folder: Path
) -> None:
    run = make_run("run")
    scores = score_runs(demo_folder, [run]).scores
    for place in (run / "manifest.json", run / "more" / "s.json", demo_folder / "s.json"):
        with pytest.raises(InputError, match="name a place outside of it"):
            write_scores(scores, place, [run])
    write_scores(scores, run / SCORES, [run])
    verify_submission(run, demo_folder)


def test_scoring_loads_neither_a_browser_nor_what_draws_figures() -> None:
    code = (
        "import sys, riskchainbench.pipeline.results, riskchainbench.reporting.score_tables\n"
        "print(sorted({'playwright', 'matplotlib', 'browsergym'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_scores_of_runs_read_back_are_the_same(make_run: MakeRun, demo_folder: Path) -> None:
    scores = score_runs(demo_folder, [make_run("a")]).scores
    assert Scores.model_validate_json(scores.to_json()) == scores


async def test_captured_scripts_need_chromiums_own_sandbox_or_leave(
    demo_bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sealed(settings: BrowserSettings) -> None:
        loose = Confinement(user="nobody", chromium_sandbox=False, network_namespace=True)
        isolation._sealed[settings] = loose

    monkeypatch.setattr(investigating, "browser_settings", lambda: SETTINGS)
    monkeypatch.setattr(investigating, "require_sealed", sealed)
    monkeypatch.setattr(investigating, "browsing", _never)
    captured = Bundle(demo_bundle.folder, demo_bundle.manifest.but(captured=1))
    for bundle, unconfined, error in (
        (captured, False, RiskChainError),
        (captured, True, _WentOnError),
        (demo_bundle, False, _WentOnError),
    ):
        with pytest.raises(error):
            await investigate_bundle(
                bundle,
                tmp_path,
                make_system("rules"),
                Rules(language="en"),
                workers=1,
                cases=None,
                limit=1,
                unconfined=unconfined,
                update=lambda done, total: None,
            )


class _WentOnError(Exception):
    """The investigation would have begun."""


def _never(*_: object) -> None:
    raise _WentOnError
