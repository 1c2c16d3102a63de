"""Frozen labels and what goes in and out of a project."""

from __future__ import annotations

import json

import pytest
from annotation_world import Clock, N, V

from riskchainbench.annotation.exchange import (
    import_csv,
    import_label_studio,
    to_csv,
    to_label_studio,
)
from riskchainbench.annotation.labels import freeze_labels
from riskchainbench.annotation.opening import create_project
from riskchainbench.annotation.settings import ProjectSettings
from riskchainbench.annotation.simulate import Rates, judgment_of, simulate
from riskchainbench.bundle import open_bundle, open_gold, verify_bundle
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource


@pytest.fixture
def filled(demo_bundle, tmp_path):
    """A simulated project over the demo bundle, complete."""
    settings = ProjectSettings(
        tasks_sha256=demo_bundle.tasks_sha256,
        codebook_sha256=demo_bundle.codebook.sha256,
        codebook_version=demo_bundle.codebook.version,
        cases=tuple(demo_bundle.investigation_tasks),
        seed="5",
        simulated=True,
    )
    project = create_project(tmp_path / "filled", settings, demo_bundle.codebook, Clock())
    gold = open_gold(demo_bundle)
    reference = {c: (x.decision, x.violation_type) for c, x in gold.labels.items()}
    simulate(project, reference, Rates())
    yield project
    project.close()


def test_frozen_labels_change_gold_and_no_task(filled, demo_bundle, tmp_path):
    manifest = freeze_labels(filled, demo_bundle, tmp_path / "relabeled")
    opened = open_bundle(tmp_path / "relabeled")
    assert verify_bundle(opened).foreign == ()
    assert manifest.tasks_sha256 == demo_bundle.tasks_sha256
    assert manifest.gold_sha256 != demo_bundle.manifest.gold_sha256
    gold = open_gold(opened)
    assert gold.label_source is LabelSource.SIMULATED
    resolutions = filled.standing().resolutions
    for case_id, label in gold.labels.items():
        assert (label.decision, label.violation_type) == (
            resolutions[case_id].decision,
            resolutions[case_id].violation_type,
        )
        assert label.source is LabelSource.SIMULATED
    hashes = {line.sha256 for line in filled.lines()}
    support = (tmp_path / "relabeled/evaluator_only/label_support.jsonl").read_text().splitlines()
    assert len(support) == 1 + len(gold.labels)
    assert all(set(json.loads(line)["judgments"]) <= hashes for line in support[1:])


def test_freezing_waits_for_every_website(demo_bundle, world, tmp_path):
    w = world(0, cases=tuple(demo_bundle.investigation_tasks))
    with pytest.raises(InputError, match="24 of 24 websites have no label yet"):
        freeze_labels(w.project, demo_bundle, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_an_existing_folder_is_not_written_over(filled, demo_bundle, demo_copy):
    with pytest.raises(InputError, match="exists already"):
        freeze_labels(filled, demo_bundle, demo_copy)


@pytest.mark.parametrize("form", ["csv", "label-studio"])
def test_what_is_exported_comes_in_again(filled, world, form):
    cases = filled.settings.cases
    w = world(0, cases=cases)
    if form == "csv":
        taken = import_csv(w.project, to_csv(filled), "labels.csv")
    else:
        text = json.dumps(to_label_studio(filled), ensure_ascii=False)
        taken = import_label_studio(w.project, text, "labels.json")
    files = filled.standing().files.values()
    assert taken == sum(2 + (file.third is not None) for file in files)
    for case_id, resolution in filled.standing().resolutions.items():
        if resolution.path != "coordinator":
            assert w.project.standing().resolutions[case_id].joint == resolution.joint
    w.project.store.verify()


def test_notes_that_look_like_formulas_stay_words(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    slot = w.project.next_slot("ann")
    judged = judgment_of(*N, w.project.codebook, note="=HYPERLINK(1)")
    w.project.submit("ann", slot.slot_id, judged)
    text = to_csv(w.project)
    assert ",'=HYPERLINK(1)," in text
    again = world(1)
    import_csv(again.project, text, "x.csv")
    file = again.project.standing().files["w000"]
    assert file.independent[0].judgment.judged.note == "=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("case_id,person\n", "line 1: no column decision, violation_type"),
        (
            "case_id,person,decision,violation_type\nw000,ann,MAYBE,NONE\n",
            "line 2: decision",
        ),
        ("case_id,person,decision,violation_type\nw000,ann,NON_VIOLATION,NONE\n", "line 2: pins"),
        (
            'case_id,person,decision,violation_type,pins\nw9,ann,NON_VIOLATION,NONE,"[{""anchor"":""BENIGN_SERVICE_CONSISTENCY""}]"\n',
            "line 2: case_id: w9 is not in this project",
        ),
        (
            "case_id,person,decision,violation_type,pins\nw000,ann,NON_VIOLATION,NONE,oops\n",
            "line 2",
        ),
        (
            f"case_id,person,decision,violation_type,pins\nw0,a,VIOLATION,X,{'[' * 100_000}\n",
            "line 2: RecursionError",
        ),
        (
            "case_id,person,decision,violation_type,seconds\nw0,a,NON_VIOLATION,NONE,nan\n",
            "line 2: .*nan is no time",
        ),
        (
            'case_id,person,decision,violation_type\n"w\n0",a,NON_VIOLATION,NONE\nw0,b,MAYBE,NONE\n',
            "line 4: decision",
        ),
        (f"case_id,person,decision,violation_type\nw0,{'a' * 140_000},V,X\n", "line 2: field"),
    ],
)
def test_a_broken_import_names_its_line_and_takes_nothing(world, text, message):
    w = world(1)
    with pytest.raises(InputError, match=message):
        import_csv(w.project, text, "labels.csv")
    assert w.project.lines() == []


def test_nobody_is_counted_twice_on_import(world):
    w = world(1)
    w.people("ann", "bob")
    w.project.plan()
    w.judge("ann", V)
    text = to_csv(w.project)
    with pytest.raises(InputError, match="ann has judged w000 already"):
        import_csv(w.project, text, "labels.csv")


@pytest.mark.parametrize("text", ["{", "[1]", '[{"data": {}, "annotations": [{}]}]', "[" * 100_000])
def test_what_is_no_export_is_refused(world, text):
    with pytest.raises(InputError, match="no Label Studio export"):
        import_label_studio(world(1).project, text, "labels.json")
