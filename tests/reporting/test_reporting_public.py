"""What a public report leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from reporting_files import tree, value_in
from reporting_world import World

from riskchainbench.core.errors import InputError
from riskchainbench.reporting import figures
from riskchainbench.reporting.inputs import ReportRun
from riskchainbench.reporting.plots import plots
from riskchainbench.reporting.report import write_report
from riskchainbench.scoring.records import Completeness, Curve, CurvePoint
from riskchainbench.scoring.run import RunData

MARKER = "GOLDMARKER7"


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


@pytest.mark.parametrize(
    ("answers", "fewest", "units"),
    [(100, 0, range(1, 101)), (100, 30, [40, 70, 100]), (59, 30, None), (12, 30, None)],
)
def test_no_point_of_a_public_curve_tells_of_a_few_answers(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    answers: int,
    fewest: int,
    units: Sequence[int] | None,
) -> None:
    points = tuple(CurvePoint(x=n / answers, y=0.5, units=n) for n in range(1, answers + 1))
    curve = Curve(
        curve_id="conclusion.risk_coverage",
        title_key="risk_coverage",
        x_key="coverage",
        y_key="risk",
        points=points,
    )
    systems = tuple(row.but(curves=(curve,)) for row in world.scores.systems)
    drawn: list[figures.Line] = []
    monkeypatch.setattr(figures, "curves", lambda lines, *_: drawn.extend(lines) or "<svg>")
    plots(world.scores.but(systems=systems), ("en",), fewest)
    shares = None if units is None else [n / answers for n in units]
    assert [[x for x, _ in line.points] for line in drawn] == ([shares] * 4 if shares else [])


def test_a_public_report_of_a_few_websites_of_a_bundle_is_refused(
    world: World, tmp_path: Path
) -> None:
    few = {"completeness": Completeness.SUBSET, "websites": 1}
    part = world.scores.but(header=world.scores.header.but(**few))
    with pytest.raises(InputError, match="1 of 12 websites would tell of single ones"):
        write_report(world, world, world.runs, part, tmp_path / "p", public=True)
    assert write_report(world, world, world.runs, part, tmp_path / "full").exists()


def test_without_gold_the_report_is_public(world: World, tmp_path: Path) -> None:
    page = write_report(
        world, None, world.runs, world.scores, tmp_path / "p", languages=("en",)
    ).read_text("utf-8")

    assert "Public report" in page
    assert 'id="strata"' not in page
