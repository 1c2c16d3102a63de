"""The report as files: whole, deterministic, self-contained and safe."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting_files import PAYLOAD, hostile_report, tree, value_in
from reporting_world import World

from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.store import StorageError
from riskchainbench.reporting.browser_data import ImageChoice, write_cases
from riskchainbench.reporting.chunks import script
from riskchainbench.reporting.heat import heat_maps
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report
from riskchainbench.reporting.restorations import difference
from riskchainbench.reporting.strings import LANGUAGES
from riskchainbench.scoring.run import RunData


def test_each_heat_map_is_a_figure_with_the_page_s_numbers(world: World, tmp_path: Path) -> None:
    out = write_report(world, world, world.runs, world.scores, tmp_path / "a").parent
    assert world.scores is not None
    maps = heat_maps(world.scores)
    assert maps
    for each in maps:
        for language in LANGUAGES:
            svg = (out / "figures" / f"{each.key}.{language}.svg").read_text(encoding="utf-8")
            drawn = re.findall(r"<text [^>]*>([^<]*)</text>", svg)
            for row in each.rows:
                assert row.name in drawn
                for cell in row.cells:
                    assert ("–" if cell.value is None else f"{100 * cell.value:.0f}") in drawn
            for value in each.values:
                assert f"n = {value.units:,}" in drawn
    assert 'href="figures/strata-accuracy-form.en.svg"' in (out / "index.html").read_text()


@pytest.mark.parametrize("kind", ["bundle", "run", "stage"])
def test_no_report_is_written_into_a_bundle_or_run(world: World, tmp_path: Path, kind: str) -> None:
    frozen = tmp_path / "frozen"
    frozen.mkdir()
    (frozen / "manifest.json").write_text(json.dumps({"schema_version": f"{kind}/1"}))
    for out in (frozen, frozen / "report", frozen / "deep" / "report"):
        with pytest.raises(InputError, match="name a place outside of it"):
            write_report(world, world, world.runs, world.scores, out)
    assert [path.name for path in frozen.iterdir()] == ["manifest.json"]


def test_the_same_inputs_give_the_same_bytes(world: World, tmp_path: Path) -> None:
    first = write_report(world, world, world.runs, world.scores, tmp_path / "a")
    second = write_report(world, world, world.runs, world.scores, tmp_path / "b")

    assert tree(first.parent) == tree(second.parent)


def test_nothing_refers_to_the_network(world: World, tmp_path: Path) -> None:
    out = tmp_path / "r"
    page = write_report(world, world, world.runs, world.scores, out, languages=("en",)).read_text(
        "utf-8"
    )

    loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="([^"]*)"', page)
    assert loaded
    assert [path for path in loaded if not (tmp_path / "r" / path).is_file()] == []


def test_a_report_replaces_a_report_and_nothing_else(world: World, tmp_path: Path) -> None:
    out = tmp_path / "r"
    out.mkdir()
    write_report(world, world, [], world.scores, out, languages=("en",))
    write_report(world, world, [], world.scores, out, languages=("en",), public=True)
    assert "Public report" in (out / "index.html").read_text("utf-8")

    other = tmp_path / "thesis"
    other.mkdir()
    (other / "chapter.txt").write_text("mine", "utf-8")
    with pytest.raises(InputError, match="no report"):
        write_report(world, world, world.runs, world.scores, other)
    assert (other / "chapter.txt").read_text("utf-8") == "mine"


def test_an_unknown_language_is_refused(world: World, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="choose from en, zh"):
        write_report(world, world, world.runs, world.scores, tmp_path / "r", languages=("fr",))


def one_case(world: World) -> tuple[RunData, list[str]]:
    """The first run with one website of it, and its screenshots by step."""
    data = world.runs[0].data
    case_id = list(world.investigation_tasks)[3]
    trajectory = data.trajectory(case_id)
    assert trajectory is not None
    assert data.conclusions is not None
    shots = [step.observation.screenshot for step in trajectory.steps]
    kept = RunData(
        system=data.system,
        conclusions={case_id: data.conclusions[case_id]},
        trajectory={case_id: trajectory}.get,
    )
    return kept, [shot for shot in shots if shot is not None]


def test_only_cited_screenshots_are_copied_unless_asked(world: World, tmp_path: Path) -> None:
    data, shots = one_case(world)
    run = ReportRun(data, world.runs[0].images)

    def copied(choice: ImageChoice) -> set[str]:
        out = tmp_path / choice
        write_cases(world, world, [run], world.scores, out, images=choice)
        return {path.stem for path in out.rglob("*.png")}

    assert copied("none") == set()
    assert copied("cited") == {shots[0], shots[4]}
    assert copied("all") == set(shots)


def test_a_missing_or_changed_screenshot_is_refused_by_name(world: World, tmp_path: Path) -> None:
    data, shots = one_case(world)
    images = tmp_path / "images"
    shutil.copytree(world.runs[0].images, images)
    run = ReportRun(data, images)
    file = images / f"{shots[4]}.png"
    file.write_bytes(file.read_bytes() + b"\0")
    with pytest.raises(IntegrityError, match=f"{file}: .*changed"):
        write_cases(world, world, [run], world.scores, tmp_path / "a", images="cited")
    file.unlink()
    with pytest.raises(InputError, match=f"{file}: .*cannot be read"):
        write_cases(world, world, [run], world.scores, tmp_path / "b", images="cited")
    assert write_cases(world, world, [run], world.scores, tmp_path / "c", images="none")


def test_a_screenshot_that_cannot_be_written_names_its_target(world: World, tmp_path: Path) -> None:
    data, shots = one_case(world)
    run = ReportRun(data, world.runs[0].images)
    out = tmp_path / "out"
    out.mkdir()
    (out / "images").write_text("in the way", "utf-8")
    target = out / "images" / f"{min(shots[0], shots[4])}.png"
    with pytest.raises(StorageError, match=f"{target}: cannot be written"):
        write_cases(world, world, [run], world.scores, out, images="cited")


def test_page_and_model_text_cannot_leave_its_string(world: World, tmp_path: Path) -> None:
    out = hostile_report(world, tmp_path / "r")

    for path in [out / "index.html", *out.rglob("*.js"), *out.rglob("*.html")]:
        body = path.read_text("utf-8")
        if path.suffix == ".js" and path.parent.name == "cases":
            assert "<" not in body
            assert "\u2028" not in body
        assert "<script>boom" not in body
        assert "<img src=x" not in body


@given(st.dictionaries(st.text(), st.text() | st.sampled_from([PAYLOAD, "__proto__"])))
def test_any_json_survives_the_script_and_ends_it_never(value: dict[str, str]) -> None:
    body = script(PAYLOAD, value)

    assert not set("<>&\u2028\u2029") & set(body)
    assert value_in(body) == json.loads(json.dumps(value))


def test_a_difference_lists_what_was_lost_and_what_was_added() -> None:
    assert difference("打开网站", "扛开网") == [
        ["replace", "打", "扛"],
        ["equal", "开网", "开网"],
        ["delete", "站", ""],
    ]
