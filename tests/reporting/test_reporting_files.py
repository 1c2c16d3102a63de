"""The report as files: whole, deterministic, self-contained, safe, and silent about gold."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting_world import World

from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.failures import FailureClass, Owner
from riskchainbench.core.investigation import (
    ActionKind,
    ElementKind,
    Ending,
    EventKind,
    Observation,
    OutcomeStatus,
    Trajectory,
)
from riskchainbench.core.restoration import Intent, Surface
from riskchainbench.core.store import StorageError
from riskchainbench.reporting.browser_data import ImageChoice, write_cases
from riskchainbench.reporting.chunks import script
from riskchainbench.reporting.heat import heat_maps
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.report import write_report
from riskchainbench.reporting.restorations import difference
from riskchainbench.reporting.strings import LANGUAGES, all_strings
from riskchainbench.scoring.catalogue import CATALOGUE
from riskchainbench.scoring.outcomes import EvidenceOutcome, FirstFailure
from riskchainbench.scoring.records import Completeness, IntervalKind, WarningKey
from riskchainbench.scoring.run import RunData

MARKER = "GOLDMARKER7"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def value_in(body: str) -> object:
    """What the page is handed: the second argument of RCB.put, parsed twice."""
    found = re.fullmatch(r'RCB\.put\(("(?:[^"\\]|\\.)*"),("(?:[^"\\]|\\.)*")\);\n', body, re.DOTALL)
    assert found is not None
    return json.loads(json.loads(found[2]))


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
        with pytest.raises(InputError, match="name a folder outside of it"):
            write_report(world, world, world.runs, world.scores, out)
    assert [path.name for path in frozen.iterdir()] == ["manifest.json"]


def test_every_reason_that_scores_give_is_told_in_every_language() -> None:
    rooms = [resources.files(f"riskchainbench.{room}") for room in ("scoring", "statistics")]
    sources = [
        file.read_text("utf-8") for room in rooms for file in room.iterdir() if file.is_file()
    ]
    reasons = {found for source in sources for found in re.findall(r'[^"]"(no [^"{;]+)"', source)}
    reasons |= {f"no website has gold {decision}" for decision in Decision}

    assert len(reasons) > 20
    assert {each for each in reasons if f"said.{each}" not in all_strings()} == set()


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


def marked(world: World) -> World:
    """The world with a marker in every gold field that takes words, and in every answer."""
    copy = World(
        world.tasks_sha256,
        world.codebook,
        world.investigation_tasks,
        world.restoration_tasks,
        labels={
            key: each.but(codebook_version=MARKER, secondary_types=(MARKER,))
            for key, each in world.labels.items()
        },
        strata={
            key: each.but(
                contrast_set=MARKER,
                scenario=MARKER,
                brand_family=MARKER,
                form=MARKER,
                topic=MARKER,
                language=MARKER,
                front_end=MARKER,
            )
            for key, each in world.strata.items()
        },
        samples={
            key: each.but(
                variant=MARKER,
                session=MARKER,
                messages={"m1": MARKER},
                accepted={"m1": (MARKER,)},
                entry=f"{MARKER}.me.test",
                recipe=MARKER,
                operators=(MARKER,),
                severity=MARKER,
                entry_position=MARKER,
                length=MARKER,
                theme=MARKER,
                template=MARKER,
            )
            for key, each in world.samples.items()
        },
        traces={
            key: each.but(stages=tuple(s.but(operator=MARKER) for s in each.stages))
            for key, each in world.traces.items()
        },
    )
    systems = tuple(
        row.but(
            strata=tuple(each.but(value=MARKER) for each in row.strata),
            cases=tuple(each.but(gold_type=MARKER) for each in row.cases),
            open_cases=(MARKER,),
        )
        for row in world.scores.systems
    )
    copy.scores = world.scores.but(systems=systems)
    copy.runs = [with_answer(run) if run.data.system == "oracle" else run for run in world.runs]
    return copy


def with_answer(run: ReportRun) -> ReportRun:
    conclusions = {
        key: each.but(conclusion=each.conclusion.but(rationale=MARKER))
        for key, each in (run.data.conclusions or {}).items()
    }
    data = RunData(
        system=run.data.system,
        predictions=run.data.predictions,
        conclusions=conclusions,
        trajectory=run.data.trajectory,
    )
    return ReportRun(data, run.images)


def test_a_public_report_holds_no_gold_in_any_file(world: World, tmp_path: Path) -> None:
    held = marked(world)
    full = tree(
        write_report(
            held, held, held.runs, held.scores, tmp_path / "full", languages=("en",)
        ).parent
    )
    public = tree(
        write_report(held, held, held.runs, held.scores, tmp_path / "p", public=True).parent
    )

    assert any(MARKER.encode() in body for body in full.values())
    assert [name for name, body in public.items() if MARKER.encode() in body] == []


def test_a_public_report_says_nothing_of_one_case_but_what_the_system_did(
    world: World, tmp_path: Path
) -> None:
    out = tmp_path / "p"
    write_report(world, world, world.runs, world.scores, out, public=True, languages=("en",))

    index = value_in((out / "assets" / "index.js").read_text("utf-8"))

    assert [each["id"] for each in index["systems"]] == ["careful", "hasty", "always-violation"]
    assert {key for one in index["cases"] for key in one} == {"id"}
    assert {key for rows in index["rows"].values() for row in rows for key in row} <= set("kdtf")
    assert index["messages"] is None


def test_without_gold_the_report_is_public(world: World, tmp_path: Path) -> None:
    page = write_report(
        world, None, world.runs, world.scores, tmp_path / "p", languages=("en",)
    ).read_text("utf-8")

    assert "Public report" in page
    assert 'id="strata"' not in page


PAYLOAD = '</script><script>boom()</script><img src=x onerror=boom()>"\u2028\u2029&lt;\\'


def test_page_and_model_text_cannot_leave_its_string(world: World, tmp_path: Path) -> None:
    out = hostile_report(world, tmp_path / "r")

    for path in [out / "index.html", *out.rglob("*.js"), *out.rglob("*.html")]:
        body = path.read_text("utf-8")
        if path.suffix == ".js" and path.parent.name == "cases":
            assert "<" not in body
            assert "\u2028" not in body
        assert "<script>boom" not in body
        assert "<img src=x" not in body


def hostile_report(world: World, out: Path) -> Path:
    """A report whose page titles, texts, names, reasons and rationales are payloads."""

    def spoil(seen: Observation) -> Observation:
        return seen.but(
            title=PAYLOAD,
            text=PAYLOAD,
            elements=tuple(each.but(name=PAYLOAD, value=PAYLOAD) for each in seen.elements),
        )

    run = world.runs[0]
    case_id = next(iter(world.investigation_tasks))
    clean = run.data.trajectory(case_id)
    assert clean is not None
    steps = tuple(
        step.but(
            observation=spoil(step.observation),
            action=step.action.but(reason=PAYLOAD) if step.action else None,
        )
        for step in clean.steps
    )
    conclusion = run.data.conclusions[case_id]
    data = RunData(
        system=run.data.system,
        predictions=run.data.predictions,
        conclusions={
            case_id: conclusion.but(conclusion=conclusion.conclusion.but(rationale=PAYLOAD))
        },
        trajectory={case_id: Trajectory(steps=steps, end=clean.end)}.get,
    )
    first = world.scores.systems[0]
    names = {"row_id": PAYLOAD, "name": run.data.system}
    scores = world.scores.but(systems=(first.but(**names), *world.scores.systems[1:]))
    runs = [ReportRun(data, run.images)]
    return write_report(world, world, runs, scores, out, languages=("en",)).parent


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


def test_every_text_exists_in_both_languages_with_the_same_values() -> None:
    for key, texts in all_strings().items():
        assert set(texts) == set(LANGUAGES), key
        values = [sorted(re.findall(r"\{(\w+)\}", texts[language])) for language in LANGUAGES]
        assert values[0] == values[1], key


def test_every_text_that_a_script_asks_for_exists() -> None:
    data = Path(__file__).parents[2] / "src" / "riskchainbench" / "reporting" / "data"
    asked = {
        key
        for path in sorted(data.glob("*.js"))
        for key in re.findall(r'\btext\("([a-z_.]+)"[,)]', path.read_text("utf-8"))
    }

    assert len(asked) > 40
    assert sorted(asked - set(all_strings())) == []


@pytest.mark.parametrize(
    ("group", "names"),
    [
        ("action", ActionKind),
        ("element", ElementKind),
        ("ending", Ending),
        ("ending_name", Ending),
        ("event", EventKind),
        ("evidence_outcome", EvidenceOutcome),
        ("failure", FailureClass),
        ("intent", Intent),
        ("outcome", FirstFailure),
        ("owner", Owner),
        ("status", OutcomeStatus),
        ("surface", Surface),
        ("interval", IntervalKind),
        ("completeness", Completeness),
        ("column", [info.title_key for info in CATALOGUE]),
    ],
)
def test_every_name_of_a_closed_set_has_words(group: str, names: Iterable[str]) -> None:
    assert [name for name in names if f"{group}.{name}" not in all_strings()] == []


def test_every_warning_has_a_title_and_a_text() -> None:
    keys = {f"warning.{key}.{part}" for key in WarningKey for part in ("title", "text")}

    assert sorted(keys - set(all_strings())) == []
