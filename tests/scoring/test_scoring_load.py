"""Reading a run's folder: what is whole is read, everything else is refused by name."""

from dataclasses import replace

import pytest
from scoring_world import TASKS_SHA256, N, U, V, benchmark, run

from riskchainbench.core.conclusion import ConclusionRecord
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.hashing import sha256_bytes, sha256_text
from riskchainbench.core.stage import RunManifest, StageFolder, StageSettings
from riskchainbench.core.store import jsonl_bytes, write_json
from riskchainbench.judging.records import DimensionScore, JudgeScores, JudgmentRecord
from riskchainbench.scoring.load import load_run
from riskchainbench.scoring.records import Completeness, WarningKey
from riskchainbench.scoring.score import Options, score

FOUR = DimensionScore(score=4)


def begin(folder, stage, **inputs):
    found = StageFolder(folder)
    found.begin(StageSettings(stage=stage, tasks_sha256=TASKS_SHA256, inputs=inputs, settings={}))
    return found


def judgment(case, record):
    return JudgmentRecord(
        case_id=case,
        trajectory_sha256=record.trajectory_sha256,
        conclusion_sha256=sha256_text(record.conclusion.to_json()),
        scores=JudgeScores(
            faithfulness=FOUR, sufficiency=FOUR, completeness=FOUR, consistency=FOUR
        ),
    )


def write_run(folder, made, *, open_cases=(), conclusions=None):
    """Write a run as the stages do; `conclusions` are used as they are if given."""
    write_json(
        folder / "manifest.json",
        RunManifest(system=made.system, tasks_sha256=TASKS_SHA256, version="0"),
    )
    predictions = jsonl_bytes(made.predictions[key] for key in sorted(made.predictions))
    begin(folder / Stage.RESTORATION, Stage.RESTORATION).freeze(
        Stage.RESTORATION, {"predictions.jsonl": predictions}, units=len(made.predictions)
    )
    trajectories = {
        f"{case}/trajectory.jsonl": jsonl_bytes([*seen.steps, seen.end])
        for case in made.conclusions
        if (seen := made.trajectory(case)) is not None
    }
    begin(
        folder / Stage.INVESTIGATION,
        Stage.INVESTIGATION,
        predictions=sha256_bytes(predictions),
    ).freeze(Stage.INVESTIGATION, trajectories, units=len(trajectories))
    records = conclusions or {
        f"{case}.json": record.but(
            trajectory_sha256=sha256_bytes(trajectories[f"{case}/trajectory.jsonl"])
        )
        for case, record in made.conclusions.items()
    }
    begin(folder / Stage.CONCLUSION, Stage.CONCLUSION).freeze(
        Stage.CONCLUSION,
        {name: record.to_json().encode() for name, record in records.items()},
        units=len(records),
        open_units=open_cases,
    )
    begin(folder / Stage.JUDGING / "rules", Stage.JUDGING).freeze(
        Stage.JUDGING,
        {
            "judgments.jsonl": jsonl_bytes(
                judgment(record.case_id, record)
                for _, record in sorted(records.items())
                if record.conclusion is not None
            )
        },
        units=len(records),
        notes={"judge": "rules", "title": "rules (computed)", "deterministic": True},
    )
    return folder


@pytest.fixture
def bundle_and_gold():
    return benchmark([V, N, U])


@pytest.fixture
def folder(tmp_path, bundle_and_gold):
    _, gold = bundle_and_gold
    return write_run(tmp_path / "run", run(gold, [V, N, None], gates=[True, False, True]))


def test_a_frozen_run_scores_as_it_would_in_memory(folder, bundle_and_gold):
    bundle, gold = bundle_and_gold
    loaded = load_run(folder, bundle)
    row = score(bundle, gold, [loaded], Options(draws=20)).systems[0]
    assert row.metric("web_only.accuracy").count.numerator == 2
    assert row.metric("gated.accuracy").count.numerator == 1
    assert row.judges[0].judge == "rules (computed)"
    assert row.judges[0].deterministic
    assert (row.judges[0].coverage.numerator, row.judges[0].coverage.denominator) == (2, 2)
    assert loaded.trajectory("c0000").steps[0].observation.text == "a page"
    assert loaded.trajectory("c9999") is None


def test_a_run_of_other_tasks_is_refused(folder, bundle_and_gold):
    bundle, _ = bundle_and_gold
    bundle.tasks_sha256 = "8" * 64
    with pytest.raises(InputError, match="made for tasks 111111111111"):
        load_run(folder, bundle)


def test_a_folder_without_a_run_is_refused(tmp_path, bundle_and_gold):
    with pytest.raises(InputError, match="not a run"):
        load_run(tmp_path, bundle_and_gold[0])


@pytest.mark.parametrize(
    "name",
    [
        "restoration/predictions.jsonl",
        "investigation/c0001/trajectory.jsonl",
        "conclusion/c0001.json",
        "judging/rules/judgments.jsonl",
    ],
)
def test_a_frozen_file_that_was_changed_or_lost_is_named(folder, bundle_and_gold, name):
    path = folder / name
    path.write_bytes(path.read_bytes() + b" ")
    with pytest.raises(IntegrityError, match=path.name):
        load_run(folder, bundle_and_gold[0])
    path.unlink()
    with pytest.raises(IntegrityError, match=path.name):
        load_run(folder, bundle_and_gold[0])


@pytest.mark.parametrize("stage", ["restoration", "investigation", "conclusion"])
def test_a_stage_that_is_still_going_is_refused(folder, bundle_and_gold, stage):
    (folder / stage / "manifest.json").unlink()
    with pytest.raises(InputError, match=f"{stage}: this stage is still going"):
        load_run(folder, bundle_and_gold[0])


def test_a_run_without_a_conclusion_stage_is_sent_there(folder, bundle_and_gold):
    for path in (folder / "conclusion").iterdir():
        path.unlink()
    with pytest.raises(InputError, match="not concluded"):
        load_run(folder, bundle_and_gold[0])


def test_a_sample_predicted_twice_is_refused_by_name(tmp_path, bundle_and_gold):
    bundle, gold = bundle_and_gold
    made = run(gold, [V, N, U], gates=[True] * 3)
    first = made.predictions["m00000"]
    twice = {**made.predictions, "again": first}
    folder = write_run(tmp_path / "run", made.__class__(**{**made.__dict__, "predictions": twice}))
    with pytest.raises(InputError, match="sample m00000 stands here twice"):
        load_run(folder, bundle)


def test_ten_conclusions_of_one_case_are_refused_by_name(tmp_path, bundle_and_gold):
    bundle, gold = bundle_and_gold
    made = run(gold, [V, N, U], gates=[True] * 3)
    seen = made.trajectory("c0000")
    basis = sha256_bytes(jsonl_bytes([*seen.steps, seen.end]))
    one = made.conclusions["c0000"].but(trajectory_sha256=basis)
    folder = write_run(
        tmp_path / "run", made, conclusions={f"c{n:04d}.json": one for n in range(10)}
    )
    with pytest.raises(InputError, match="case c0000 stands here twice"):
        load_run(folder, bundle)


def test_a_conclusion_from_another_trajectory_is_refused(tmp_path, bundle_and_gold):
    bundle, gold = bundle_and_gold
    made = run(gold, [V, N, U], gates=[True] * 3)
    folder = write_run(
        tmp_path / "run", made, conclusions={"c0000.json": made.conclusions["c0000"]}
    )
    with pytest.raises(
        IntegrityError, match="another trajectory than the frozen one of case c0000"
    ):
        load_run(folder, bundle)


def test_a_judgment_of_another_conclusion_is_refused(folder, bundle_and_gold):
    stage = StageFolder(folder / Stage.CONCLUSION)
    files = {}
    for name in stage.manifest().files:
        record = ConclusionRecord.model_validate_json((stage.folder / name).read_text())
        if record.case_id == "c0000":
            record = record.but(conclusion=record.conclusion.but(rationale="another"))
        files[name] = record.to_json().encode()
    stage.freeze(Stage.CONCLUSION, files, units=3)
    with pytest.raises(IntegrityError, match="judged another conclusion of case c0000"):
        load_run(folder, bundle_and_gold[0])


def test_open_cases_are_refused_unless_the_run_is_scored_as_incomplete(tmp_path, bundle_and_gold):
    bundle, gold = bundle_and_gold
    made = run(gold, [V, N, U], gates=[True] * 3)
    conclusions = {case: made.conclusions[case] for case in ("c0000", "c0002")}
    partial = made.__class__(**{**made.__dict__, "conclusions": conclusions})
    folder = write_run(tmp_path / "run", partial, open_cases=("c0001",))
    with pytest.raises(InputError, match="case c0001 has no outcome"):
        score(bundle, gold, [load_run(folder, bundle)], Options(draws=20))
    incomplete = score(bundle, gold, [load_run(folder, bundle, incomplete=True)], Options(draws=20))
    assert incomplete.header.completeness is Completeness.INCOMPLETE
    assert incomplete.systems[0].metric("web_only.accuracy").count.denominator == 3
    subset = score(bundle, gold, [load_run(folder, bundle, subset=True)], Options(draws=20))
    assert (subset.header.websites, subset.header.all_websites) == (2, 3)
    with pytest.raises(InputError, match="exclude each other"):
        load_run(folder, bundle, incomplete=True, subset=True)


def test_cases_not_run_are_told_from_those_that_failures_left_open(tmp_path, bundle_and_gold):
    bundle, gold = bundle_and_gold
    made = run(gold, [V, N, U], gates=[True] * 3)
    partial = replace(made, conclusions={"c0000": made.conclusions["c0000"]})
    folder = write_run(tmp_path / "run", partial, open_cases=("c0001", "c0002"))

    def told():
        found = score(bundle, gold, [load_run(folder, bundle, subset=True)], Options(draws=20))
        return {
            each.key: each.detail
            for each in found.warnings
            if each.key in (WarningKey.OPEN_CASES, WarningKey.NOT_RUN)
        }

    assert told() == {WarningKey.NOT_RUN: "2"}
    broken = Failure(failure_class=FailureClass.BROWSER_LAUNCH, stage=Stage.CONCLUSION)
    StageFolder(folder / Stage.CONCLUSION).note_system_failure("c0001", broken)
    assert told() == {WarningKey.OPEN_CASES: "1", WarningKey.NOT_RUN: "1"}


def test_a_run_restored_after_its_investigation_began_has_no_gated_view(folder, bundle_and_gold):
    bundle, gold = bundle_and_gold
    settings = folder / Stage.INVESTIGATION / "settings.json"
    settings.unlink()
    begin(folder / Stage.INVESTIGATION, Stage.INVESTIGATION, predictions=None)
    row = score(bundle, gold, [load_run(folder, bundle)], Options(draws=20)).systems[0]
    assert "before any prediction was frozen" in row.gated_missing
