"""Many systems: the file that names them, the runs below it, their status and an estimate."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from stub_fixtures import Stub
from typer.testing import CliRunner

from riskchainbench.cli.app import app
from riskchainbench.cli.asking import asking
from riskchainbench.cli.shared import progress
from riskchainbench.core.errors import InputError
from riskchainbench.investigation.ablations import Ablation
from riskchainbench.models.provider.prices import load_prices
from riskchainbench.models.provider.settings import Structured
from riskchainbench.pipeline.estimate import USUAL_TURNS, estimate
from riskchainbench.pipeline.evaluate import evaluate, repeat_of, repeated
from riskchainbench.pipeline.matrix import read_matrix, run_matrix
from riskchainbench.pipeline.options import Asking, Options
from riskchainbench.pipeline.stages import Stages
from riskchainbench.pipeline.status import status


def matrix(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "systems.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_matrix_names_systems_with_their_settings(tmp_path: Path) -> None:
    read = read_matrix(
        matrix(
            tmp_path,
            '[[system]]\nname = "rules"\n'
            '[[system]]\nname = "openai/gpt-4o"\nrepeats = 3\nmax_cost = 5\n'
            'settings = { temperature = 0.7, structured = "none" }\npace = { at_once = 2 }\n',
        )
    )
    assert [entry.place for entry in read.system] == ["rules", "openai--gpt-4o"]
    model = read.system[1]
    assert (model.settings.temperature, model.pace.at_once, model.repeats) == (0.7, 2, 3)
    assert model.settings.structured is Structured.NONE


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "system: Field required"),
        ('[[system]]\nname = "wizard"\n', "no system 'wizard'"),
        ('judge = "nosuch"\n[[system]]\nname = "rules"\n', "no judge 'nosuch'"),
        ('[[system]]\nname = "rules"\n' * 2, "share the folder rules"),
        ('[[system]]\nname = "rules"\ntemprature = 1\n', "temprature"),
        ('[[system]]\nname = "rules"\nfolder = "../up"\n', "folder"),
        ("[[system]\n", "not TOML"),
    ],
)
def test_a_wrong_matrix_is_told_so(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        read_matrix(matrix(tmp_path, text))


def test_repeats_have_folders_and_chances_of_their_own(tmp_path: Path) -> None:
    assert repeated(tmp_path, 1) == [tmp_path]
    assert [path.name for path in repeated(tmp_path, 2)] == ["repeat-1", "repeat-2"]
    second = repeat_of(Options(system_seed=5), 2)
    assert (second.repeat, second.system_seed) == (2, 6)


@pytest.mark.parametrize(
    ("there", "repeats", "words"),
    [("manifest.json", 2, "holds a single run"), ("repeat-1/manifest.json", 1, "holds the runs")],
)
def test_a_folder_holds_a_single_run_or_repeats_never_both(
    tmp_path: Path, there: str, repeats: int, words: str
) -> None:
    (tmp_path / there).parent.mkdir(exist_ok=True)
    (tmp_path / there).write_text("{}", encoding="utf-8")
    with pytest.raises(InputError, match=words):
        evaluate(tmp_path, tmp_path, "rules", Options(), progress, repeats=repeats)


def test_prices_that_cannot_be_read_are_told_before_anything_is_run(tmp_path: Path) -> None:
    options = Options(asking=Asking(prices=tmp_path / "nowhere.toml"))
    with pytest.raises(InputError, match=r"nowhere\.toml"):
        evaluate(tmp_path, tmp_path / "run", "rules", options, progress)
    assert not (tmp_path / "run").exists()


def test_status_names_judges_and_knows_a_stage_by_its_settings(
    demo_folder: Path, tmp_path: Path
) -> None:
    run = tmp_path / "run"
    Stages(demo_folder, run, "rules", Options()).restore(lambda done, total: None)
    for judge in ("rules", "openai--gpt-4o"):
        (run / "judging" / judge).mkdir(parents=True)
        shutil.copy(run / "restoration" / "settings.json", run / "judging" / judge)
    (run / "judging" / "openai--only-probed").mkdir()
    told = CliRunner().invoke(app, ["status", str(tmp_path)]).stdout
    assert "0… by openai/gpt-4o, 0… by rules" in told
    assert "only-probed" not in told


def test_status_is_read_from_the_disk(demo_folder: Path, tmp_path: Path) -> None:
    for name in ("rules", "random"):
        Stages(demo_folder, tmp_path / name, name, Options()).restore(lambda done, total: None)
    manifest = tmp_path / "random" / "restoration" / "manifest.json"
    manifest.unlink()
    random, rules = status(tmp_path, load_prices(None))
    assert rules.stages[0].told == "144/144"
    assert random.stages[0].told == "144…"
    assert rules.stages[1].told == "-"


def test_status_of_no_run_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no run"):
        status(tmp_path, load_prices(None))


def test_status_counts_tokens_and_leaves_an_unknown_cost_unknown(
    demo_folder: Path, tmp_path: Path, stub: Stub
) -> None:
    Stages(demo_folder, tmp_path / "run", stub.name, Options()).restore(lambda done, total: None)
    (found,) = status(tmp_path, load_prices(None))
    assert found.spending.calls == 144
    assert found.spending.input_tokens > 144 * 100
    assert found.spending.cached_tokens == 144 * 3
    assert found.spending.cost is None


def test_an_estimate_counts_calls_and_money_before_any_call(demo_folder: Path) -> None:
    found = estimate(demo_folder, "openai/gpt-4o", "rules", Options(), 2)
    restoration, investigation, conclusion = found.usual
    assert restoration.calls == 2 * 144
    assert investigation.calls == 2 * 24 * USUAL_TURNS
    assert conclusion.calls == 2 * 24
    assert all(stage.cost is not None and stage.cost > 0 for stage in found.usual)
    assert found.most[1].cost > found.usual[1].cost
    assert "cost unknown" in estimate(demo_folder, "ollama/x", "rules", Options(), 1).lines()[1]


def test_an_estimate_refuses_a_judge_that_is_none(demo_folder: Path) -> None:
    with pytest.raises(InputError, match="no judge 'nosuch'"):
        estimate(demo_folder, "rules", "nosuch", Options(), 1)


def test_an_estimate_of_a_built_in_system_counts_its_browsing_and_its_judge(
    demo_folder: Path,
) -> None:
    alone = estimate(demo_folder, "rules", "rules", Options(workers=1), 3)
    (browsed,) = alone.usual
    # 3 times 24 websites of 12 steps of one second.
    assert (browsed.stage, browsed.calls, browsed.hours) == ("investigation", 0, 0.24)
    judged = estimate(demo_folder, "rules", "openai/gpt-4o", Options(), 3).usual[-1]
    assert (judged.stage, judged.calls) == ("judging", 3 * 24)
    assert judged.cost is not None
    assert judged.cost > 0


def test_an_estimate_knows_what_is_left_out_or_drawn(demo_folder: Path) -> None:
    def tokens(**given: Any) -> list[int]:
        found = estimate(demo_folder, "openai/gpt-4o", "rules", Options(**given), 1)
        return [stage.input_tokens for stage in found.usual]

    whole = tokens()
    for ablation in (Ablation.CODEBOOK, Ablation.SCREENSHOT, Ablation.TEXT, Ablation.INTERACTION):
        less = tokens(ablations=frozenset({ablation}))
        assert less[0] == whole[0]
        assert less[1] < whole[1], ablation
        assert less[2] < whole[2], ablation
    assert tokens(ablations=frozenset({Ablation.INTERACTION}))[1] == 0
    drawn = tokens(image_input=True)
    assert drawn[0] != whole[0]
    assert drawn[1:] == whole[1:]


@pytest.mark.parametrize(
    ("pair", "words"),
    [
        ("temperature", "write it as NAME=VALUE"),
        ("heat=1", "no such setting; there are"),
        ("temperature=hot", "--set temperature"),
        ("at_once=0", "--set at_once"),
    ],
)
def test_a_wrong_setting_is_told_so(pair: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        asking([pair])


def test_settings_of_a_model_and_of_its_pace_are_told_apart() -> None:
    found = asking(["temperature=default", "at_once=3", "structured=json_object"])
    assert found.settings.temperature is None
    assert found.settings.structured is Structured.JSON_OBJECT
    assert found.pace.at_once == 3


def test_probe_says_what_it_found_and_fails_a_model_without_eyes(stub: Stub) -> None:
    run = CliRunner()
    good = run.invoke(app, ["probe", "--system", stub.name, "--json"])
    assert good.exit_code == 0
    assert json.loads(good.stdout)["sees_images"] is True
    stub.model.blind = True
    bad = run.invoke(app, ["probe", "--system", stub.name])
    assert bad.exit_code == 1
    assert "sees images: no" in bad.stdout


def test_a_matrix_is_estimated_and_keeps_its_settings_in_its_file(
    demo_folder: Path, tmp_path: Path
) -> None:
    file = matrix(tmp_path, '[[system]]\nname = "openai/gpt-4o"\nrepeats = 2\n')
    run = CliRunner()
    told = ["eval", str(demo_folder), str(tmp_path / "runs"), "--systems", str(file)]
    estimated = run.invoke(app, [*told, "--estimate", "--json"])
    assert json.loads(estimated.stdout)[0]["usual"][0]["calls"] == 2 * 144
    refused = run.invoke(app, [*told, "--repeat", "2"])
    assert isinstance(refused.exception, InputError)
    assert "--repeat: belongs into the file" in str(refused.exception)


def test_a_matrix_over_no_bundle_fails_before_any_system(tmp_path: Path) -> None:
    read = read_matrix(matrix(tmp_path, '[[system]]\nname = "rules"\n'))
    with pytest.raises(InputError):
        run_matrix(tmp_path / "none", tmp_path / "runs", read, Options(), progress)


def test_a_system_that_cannot_run_keeps_no_other_from_running(
    demo_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def only_restore(bundle, run, system, options, progress, judge) -> None:
        Stages(bundle, run, system, options).restore(lambda done, total: None)

    monkeypatch.setattr("riskchainbench.pipeline.matrix.run_stages", only_restore)
    read = read_matrix(
        matrix(tmp_path, '[[system]]\nname = "openai-api/absent/m"\n[[system]]\nname = "rules"\n')
    )
    absent, rules = run_matrix(demo_folder, tmp_path / "runs", read, Options(), progress)
    assert "ABSENT_BASE_URL" in absent.error
    assert rules.error == ""
    assert (rules.runs[0] / "restoration" / "manifest.json").exists()
