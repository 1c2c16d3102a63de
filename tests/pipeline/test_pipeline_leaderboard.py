"""The leaderboard: boards by protocol, rows by system and settings, and no forged run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from frozen_runs import INVESTIGATION, PROTOCOL, MakeRun, always, edit

from riskchainbench.bundle import Bundle
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.stage import StageFolder
from riskchainbench.pipeline.leaderboard import leaderboard


def boards_of(page: Path) -> list[tuple[str, set[str]]]:
    data = json.loads((page.parent / "leaderboard.json").read_text("utf-8"))
    return [(each["kind"], {row["system"] for row in each["rows"]}) for each in data]


def test_equal_protocols_share_boards_whatever_the_order(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    runs = [make_run("a"), make_run("b", system="model-b", decide=always(Decision.NON_VIOLATION))]
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


def test_two_bundles_of_the_same_tasks_are_refused(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    relabeled = shutil.copytree(demo_folder, tmp_path / "relabeled")
    with pytest.raises(InputError, match="relabeled: a bundle of the same tasks is named already"):
        leaderboard([make_run("a")], [demo_folder, relabeled], tmp_path / "site")


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
    assert families[0] == {"task1"}
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


def test_settings_of_a_system_are_rows_and_settings_of_the_protocol_are_boards(
    make_run: MakeRun, demo_folder: Path, tmp_path: Path
) -> None:
    runs = [
        make_run(f"t{at}-{language}", system_settings={"temperature": at}, language=language)
        for at in (0, 1)
        for language in ("en", "zh-CN")
    ]
    boards = boards_of(leaderboard(runs, [demo_folder], tmp_path / "site"))
    rows = {"model-a (temperature=0)", "model-a (temperature=1)"}
    kinds = ("restoration", "investigation", "composition")
    assert boards == [(kind, rows) for kind in kinds for _ in ("en", "zh-CN")]
