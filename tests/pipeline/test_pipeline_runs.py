"""Runs as folders: reruns, two judges, submissions and the leaderboard, without a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from frozen_runs import INVESTIGATION, PNG, PROTOCOL, always, write_frozen_run

from riskchainbench.browser import isolation
from riskchainbench.browser.launch import Confinement
from riskchainbench.browser.settings import BrowserSettings
from riskchainbench.bundle import Bundle, Gold, open_gold
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError, IntegrityError, RiskChainError
from riskchainbench.core.hashing import sha256_bytes, sha256_file
from riskchainbench.core.stage import StageFolder
from riskchainbench.investigation.episode import Rules
from riskchainbench.models.registry import make_system
from riskchainbench.pipeline import investigating
from riskchainbench.pipeline.investigating import investigate_bundle
from riskchainbench.pipeline.leaderboard import leaderboard
from riskchainbench.pipeline.results import score_runs
from riskchainbench.pipeline.verify_run import verify_submission
from riskchainbench.scoring.records import Scores

V, N, U = Decision.VIOLATION, Decision.NON_VIOLATION, Decision.INSUFFICIENT_EVIDENCE
ACCURACY = "web_only.accuracy"
SETTINGS = BrowserSettings(binary=Path("/none"), version="1.0")

MakeRun = Callable[..., Path]


@pytest.fixture(scope="session")
def gold(demo_bundle: Bundle) -> Gold:
    return open_gold(demo_bundle)


@pytest.fixture
def make_run(demo_bundle: Bundle, gold: Gold, tmp_path: Path) -> MakeRun:
    def make(name: str, **changes: object) -> Path:
        return write_frozen_run(tmp_path / name, demo_bundle, gold, **changes)  # type: ignore[arg-type]

    return make


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


def test_two_judges_of_a_run_are_compared(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run", judges={"rules": 4, "other": 3})
    scores = score_runs(demo_folder, [run]).scores
    assert [judge.judge for judge in scores.systems[0].judges] == ["other", "rules"]
    assert {(each.first, each.second) for each in scores.judge_agreement} == {("other", "rules")}
    units = {each.units for each in scores.judge_agreement}
    assert units == {scores.header.websites}
    # Constant raters: expected disagreement is whatever the two constants differ by.
    assert all(each.quadratic_kappa == 0 for each in scores.judge_agreement)


def test_prices_and_prevalence_reach_the_scores(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(
        '[[price]]\nmodel = "model-a"\ninput = 1.0\noutput = 10.0\n'
        'date = "2026-01-01"\nsource = "invented"\n',
        encoding="utf-8",
    )
    run = make_run("run")
    scores = score_runs(demo_folder, [run], prevalence=0.01, prices=prices).scores
    cost = next(
        each
        for each in scores.systems[0].distributions
        if each.distribution_id == "trajectory.cost"
    )
    # 1,000 tokens in at 1 and 100 out at 10, a million each.
    assert cost.mean == pytest.approx(0.002)
    precision = scores.systems[0].metric("web_only.precision_at_prevalence")
    assert precision is not None
    assert precision.value == pytest.approx(0.01)


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


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def reseal(stage: Path) -> None:
    """Make a stage's manifest fit files that were changed, as a forger would."""
    path = stage / "manifest.json"
    manifest = json.loads(path.read_text("utf-8"))
    manifest["files"] = {name: sha256_file(stage / name) for name in manifest["files"]}
    path.write_text(json.dumps(manifest), "utf-8")


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
    assert (found.missing_images, found.notes) == (1, ("1 screenshots are not in the folder",))


def test_predictions_frozen_anew_are_noted(make_run: MakeRun, demo_folder: Path) -> None:
    run = make_run("run")
    path = run / "restoration" / "predictions.jsonl"
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), "utf-8")
    reseal(run / "restoration")
    assert any("no gated view" in note for note in verify_submission(run, demo_folder).notes)


def boards_of(page: Path) -> list[tuple[str, set[str]]]:
    data = json.loads((page.parent / "leaderboard.json").read_text("utf-8"))
    return [(each["kind"], {row["system"] for row in each["rows"]}) for each in data]


def test_equal_protocols_share_boards_whatever_the_order(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    runs = [make_run("a"), make_run("b", system="model-b", decide=always(N))]
    page = leaderboard(runs, [demo_folder], tmp_path / "site")
    both = {"model-a", "model-b"}
    kinds = ("restoration", "investigation", "composition")
    assert boards_of(page) == [(kind, both) for kind in kinds]
    again = leaderboard(runs[::-1], [demo_folder], tmp_path / "again")
    assert page.read_bytes() == again.read_bytes()


@pytest.mark.parametrize(
    ("change", "together"),
    [
        ({"restoration": {**PROTOCOL, "prompt_sha256": "x" * 64}}, {"investigation"}),
        ({"restoration": {**PROTOCOL, "repairs": 0}}, {"investigation"}),
        ({"investigation": {**INVESTIGATION, "prompts_sha256": "x" * 64}}, {"restoration"}),
        ({"investigation": {**INVESTIGATION, "count_provider_time": False}}, {"restoration"}),
        ({"investigation": {**INVESTIGATION, "ablations": "text"}}, {"restoration"}),
    ],
)
def test_another_prompt_or_clock_is_another_board(
    make_run: MakeRun,
    demo_folder: Path,
    tmp_path: Path,
    change: dict[str, object],
    together: set[str],
) -> None:
    runs = [make_run("a"), make_run("b", system="model-b", **change)]
    page = leaderboard(runs, [demo_folder], tmp_path / "site")
    both = {"model-a", "model-b"}
    assert {kind for kind, systems in boards_of(page) if systems == both} == together
    alone = [kind for kind, systems in boards_of(page) if systems != both]
    assert sorted(alone) == sorted(
        2 * [k for k in ("restoration", "investigation", "composition") if k not in together]
    )


def test_other_tasks_are_another_board_and_need_their_bundle(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    run = make_run("a")
    other = shutil.copytree(demo_folder, tmp_path / "other")
    manifest = json.loads((other / "manifest.json").read_text("utf-8"))
    manifest["tasks_sha256"] = "e" * 64
    (other / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    second = make_run("b", system="model-b", tasks_sha256="e" * 64)
    with pytest.raises(InputError, match="name their bundle"):
        leaderboard([run, second], [demo_folder], tmp_path / "site")
    page = leaderboard([run, second], [demo_folder, other], tmp_path / "site")
    assert [len(systems) for _, systems in boards_of(page)] == [1] * 6


def test_a_board_holds_metrics_of_its_own_task_alone_and_no_case(
    make_run: MakeRun, demo_folder: Path, demo_bundle: Bundle, tmp_path: Path
) -> None:
    page = leaderboard([make_run("a")], [demo_folder], tmp_path / "site")
    data = json.loads((page.parent / "leaderboard.json").read_text("utf-8"))
    families = [
        {
            metric["metric_id"].partition(".")[0]
            for row in board["rows"]
            for metric in row["metrics"]
        }
        for board in data
    ]
    assert families[0] == {"task1", "calibration"}
    assert "task1" not in families[1]
    assert "gated" not in families[1]
    assert {"gated", "composition"} <= families[2]
    every = "".join(
        path.read_text("utf-8") for path in sorted(page.parent.rglob("*")) if path.is_file()
    )
    ids = {*demo_bundle.investigation_tasks, *demo_bundle.restoration_tasks}
    assert [each for each in sorted(ids) if each in every] == []


def test_a_forged_run_does_not_reach_a_board(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    run = make_run("run")
    first = sorted(StageFolder(run / "investigation").manifest().files)[0]
    edit(run / "investigation" / first, "harbor office", "harbor casino")
    with pytest.raises(IntegrityError):
        leaderboard([run], [demo_folder], tmp_path / "site")
    assert not (tmp_path / "site").exists()


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
