"""Ten awkward captured websites go the whole way from selection to report."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from random import Random

import pytest
from awkward_sites import write_all
from frozen_runs import write_frozen_run
from starlette.testclient import TestClient

from riskchainbench.annotation.simulate import Rates
from riskchainbench.bundle import Bundle, open_bundle, open_gold
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.record import Provenance
from riskchainbench.checks.bundle import website_findings
from riskchainbench.checks.proofs import Proof
from riskchainbench.cli.evaluate import evaluate
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import InputError
from riskchainbench.core.gold import LabelSource
from riskchainbench.pipeline.annotating import Wanted, fill, open_or_begin
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.check import audit, check
from riskchainbench.pipeline.evaluate import run_stages
from riskchainbench.pipeline.importing import import_captures, join
from riskchainbench.pipeline.labels import freeze
from riskchainbench.pipeline.options import Options
from riskchainbench.pipeline.reports import report_runs
from riskchainbench.pipeline.results import score_runs, write_scores
from riskchainbench.pipeline.select import select_pool
from riskchainbench.pipeline.systems import system_for
from riskchainbench.pipeline.verify import verify
from riskchainbench.sandbox.gallery_index import GalleryIndex

QUOTAS = """name = "ten"
websites = 10
whole_sets = false
family_max = 10
[exact]
language = {en = 8, ja = 1, zh-CN = 1}
"""


def quiet(*_: object) -> nullcontext[Callable[[int, int], None]]:
    return nullcontext(lambda *_: None)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twelve imported websites (``pool``) and a bundle of ten of them (``bundle``)."""
    root = tmp_path_factory.mktemp("path")
    (root / "captures").mkdir()
    captures = write_all(root / "captures")
    imported = import_captures(
        captures, root / "pool", ImportPolicy(), Provenance(basis="a test"), workers=2, tell=print
    )
    assert [row.outcome for row in imported.rows] == ["imported"] * 12
    (root / "quotas.toml").write_text(QUOTAS)
    build(root / "bundle", "demo", 5, pool=root / "pool", quotas=root / "quotas.toml")
    return root


@pytest.fixture(scope="module")
def labeled(made: Path) -> Path:
    """The bundle with labels of simulated annotators."""
    bundle = open_bundle(made / "bundle")
    project = open_or_begin(
        bundle, made / "project", Wanted(training=0, simulated=True, seed=1), time.time
    )
    fill(project, bundle, Rates())
    project.close()
    freeze(made / "project", made / "bundle", made / "labeled")
    return made / "labeled"


def test_imported_websites_are_selected_like_any_other(made: Path) -> None:
    chosen = select_pool(made / "pool", None, made / "quotas.toml", 3, made / "chosen.json")
    assert len(chosen.selected) == 10
    assert chosen.candidates == 12
    with pytest.raises(InputError, match="12 captured websites have none"):
        select_pool(made / "pool", "lite", None, 3, made / "chosen.json")


def test_a_bundle_of_captured_websites_says_what_it_lacks(made: Path) -> None:
    bundle = open_bundle(made / "bundle")
    assert bundle.manifest.label_source is LabelSource.NONE
    assert bundle.manifest.captured == 10
    verified = verify(made / "bundle")
    assert verified.gold
    assert [note.partition(":")[0] for note in verified.notes] == [
        "10 captured websites",
        "no labels",
    ]
    found = check(made / "bundle", browser=False, sample=None, workers=1, tell=lambda *_: None)
    assert (found.findings, found.websites, found.captured) == ((), 10, 10)
    gold = open_gold(bundle)
    assert (len(gold.labels), len(gold.strata)) == (0, 10)
    for refused in (
        gold.labeled,
        lambda: score_runs(made / "bundle", []),
        lambda: system_for(bundle, "oracle"),
    ):
        with pytest.raises(InputError, match="without labels from people nothing can be scored"):
            refused()
    with pytest.raises(InputError, match="no design to audit"):
        audit(made / "bundle")


def test_eval_says_at_the_start_that_nothing_will_be_scored(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise InputError("stopped")

    monkeypatch.setattr("riskchainbench.pipeline.evaluate.evaluate", stop)
    with pytest.raises(InputError, match="stopped"):
        evaluate(made / "bundle", made / "none", system="rules")
    assert "has no labels: all stages run, but scoring will be refused" in capsys.readouterr().err


def test_a_page_that_names_somebody_or_leads_outside_is_found(made: Path) -> None:
    bundle = open_bundle(made / "bundle")
    case = min(bundle.investigation_tasks)
    page = next((made / "bundle" / "websites" / case / "pages").iterdir())
    before = page.read_bytes()
    page.write_bytes(before + b"<p>Call 13912345678<img src=//cdn.invalid/x.png>")
    try:
        found = website_findings(Unchecked(bundle), open_gold(bundle), [case])
    finally:
        page.write_bytes(before)
    assert {finding.proof for finding in found} == {Proof.MASKED, Proof.CLOSED}


class Unchecked(Bundle):
    """A bundle whose files may have been changed."""

    def __init__(self, bundle: Bundle) -> None:
        super().__init__(bundle.folder, bundle.manifest)

    def checked(self, name: str) -> Path:
        return self.folder / name


def test_labels_in_a_table_are_people_s_and_need_no_components(made: Path, tmp_path: Path) -> None:
    rows = (made / "pool" / "strata.csv").read_text().splitlines()[1:]
    labels = "".join(f"{row.split(',')[0]},NON_VIOLATION,NONE\n" for row in rows)
    (tmp_path / "labels.csv").write_text(f"website,decision,violation_type\n{labels}")
    assert join(made / "pool", tmp_path / "labels.csv", tmp_path / "joined", None) == 12
    manifest = build(tmp_path / "bundle", "demo", 5, pool=tmp_path / "joined")
    assert manifest.label_source is LabelSource.HUMAN
    gold = open_gold(open_bundle(tmp_path / "bundle")).labeled()
    assert {label.source for label in gold.labels.values()} == {LabelSource.HUMAN}
    assert verify(tmp_path / "bundle").gold


def test_labels_given_in_the_workbench_make_the_same_tasks_scorable(
    made: Path, labeled: Path
) -> None:
    before, after = open_bundle(made / "bundle"), open_bundle(labeled)
    assert after.tasks_sha256 == before.tasks_sha256
    assert after.manifest.label_source is LabelSource.SIMULATED
    assert len(open_gold(after).labeled().labels) == 10
    assert verify(labeled).gold


def test_systems_rank_alike_or_not_on_two_bundles(
    demo_folder: Path, labeled: Path, tmp_path: Path
) -> None:
    # On the first bundle a > b > c, on the second a > c > b: two pairs agree, one does not.
    right = {"first": {"a": 8, "b": 5, "c": 2}, "second": {"a": 8, "b": 2, "c": 5}}
    for name, folder in (("first", labeled), ("second", demo_folder)):
        runs = []
        for system, count in right[name].items():
            runs.append(tmp_path / name / system)
            frozen(runs[-1], folder, system, count)
        write_scores(score_runs(folder, runs).scores, tmp_path / f"{name}.json")
    command = [sys.executable, "-m", "riskchainbench.cli", "compare-bundles", str(labeled)]
    scores = ["--scores", str(tmp_path / "first.json"), "--scores", str(tmp_path / "second.json")]
    done = subprocess.run(
        [*command, str(demo_folder), *scores, "--metric", "web_only.accuracy", "--json"],
        capture_output=True,
        check=True,
    )
    said = json.loads(done.stdout)
    (rank,) = said["ranks"]
    assert (rank["systems"], round(rank["tau"], 6)) == (3, round(1 / 3, 6))
    distances = {row["feature"]: row["distance"] for row in said["features"]}
    assert distances["pages"] >= 0.8  # five pages and fewer against many


def frozen(run: Path, folder: Path, system: str, count: int) -> None:
    """Write a run that decides the first `count` cases right and all others wrong."""
    bundle = open_bundle(folder)
    gold = open_gold(bundle)
    right = set(sorted(gold.labels)[:count])

    def decide(case: str) -> Decision:
        said = gold.labels[case].decision
        others = [decision for decision in Decision if decision is not said]
        return said if case in right else others[0]

    write_frozen_run(run, bundle, gold, system=system, decide=decide)


@pytest.mark.browser
@pytest.mark.timeout(600)
def test_ten_websites_go_the_whole_way(made: Path, labeled: Path) -> None:
    bundle, run = open_bundle(made / "bundle"), made / "run"
    index = TestClient(GalleryIndex(bundle.websites(), Random(1)), base_url="http://127.0.0.1:1")
    assert index.get("/").text.count("/site/") == 10
    run_stages(made / "bundle", run, "rules", Options(), quiet)
    with pytest.raises(InputError, match="10 of 10 websites are captured and have no label"):
        score_runs(made / "bundle", [run])
    scored = score_runs(labeled, [run])
    assert scored.scores.header.websites == 10
    page = report_runs(scored, [run], made / "report", public=False, images="none")
    assert "imulated annotators" in page.read_text(encoding="utf-8")
    assert not [each for each in scored.scores.header.label_sources if "designed" in each.key]
