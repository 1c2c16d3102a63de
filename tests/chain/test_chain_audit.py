"""People rate the evidence of real trajectories, from the page to the scores of the run."""

from __future__ import annotations

import re
import shutil
import time
from pathlib import Path
from random import Random

import pytest
from starlette.testclient import TestClient

from riskchainbench.annotation.evidence_audit import build_audit, evidence_report
from riskchainbench.annotation.evidence_freeze import freeze_ratings
from riskchainbench.annotation.settings import ANNOTATOR
from riskchainbench.annotation.simulate import Rates
from riskchainbench.annotation.web.app import WorkbenchApp
from riskchainbench.annotation.web.bench import Workbench
from riskchainbench.annotation.web.frames import Frames
from riskchainbench.annotation.web.photographer import NoPhotographer
from riskchainbench.bundle import Bundle
from riskchainbench.judging.records import DIMENSIONS
from riskchainbench.pipeline.annotating import Wanted, annotate, open_or_begin
from riskchainbench.pipeline.results import score_runs

pytestmark = [pytest.mark.browser, pytest.mark.timeout(400)]

PASSWORD = "four eyes see more"
ITEMS = 8


def test_real_trajectories_are_rated_blind_and_frozen_into_their_runs(
    demo_folder: Path, demo_bundle: Bundle, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    runs = [tmp_path / "run-7f3a", tmp_path / "run-91c5"]
    for name, run in zip(("oracle", "always-violation"), runs, strict=True):
        shutil.copytree(demo_runs[name], run)
    wanted = Wanted(training=0, seed=4)
    project = open_or_begin(demo_bundle, tmp_path / "project", wanted, time.time)
    audit = build_audit(demo_bundle, runs, 4, ITEMS)
    frames = Frames({}, "localhost", Random(1), time.time, project.store.add_visit)
    app = WorkbenchApp(Workbench(project, frames, NoPhotographer(), audit=audit))
    named = [each for item in audit.items.values() for each in (item.case_id, item.run.name)]
    shots = 0
    for person, score in (("ann", 4), ("bob", 5)):
        project.add_person(person, ANNOTATOR, PASSWORD)
        client = TestClient(app, base_url="https://localhost")
        client.headers["sec-fetch-site"] = "same-origin"
        client.post("/signin", data={"name": person, "password": PASSWORD})
        for _ in range(ITEMS):
            page = client.get("/audit").text
            item = re.search(r'action="/audit/([0-9a-f]+)"', page)
            csrf = re.search(r'name="csrf" value="([0-9a-f]{64})"', page)
            assert item is not None
            assert csrf is not None
            assert not [
                each for each in (*named, "oracle", "always-", ".localhost") if each in page
            ]
            assert 'id="step-0"' in page
            for picture in set(re.findall(r'href="(/audit/\w+/images/\w+)"', page)):
                assert client.get(picture).headers["content-type"] == "image/png"
                shots += 1
            scores = {name: str(score) for name in DIMENSIONS}
            rated = client.post(f"/audit/{item[1]}", data={"csrf": csrf[1], **scores})
            assert rated.status_code == 200
        assert "you have rated them all" in client.get("/audit").text
    assert shots > ITEMS

    report = evidence_report(project, audit)
    assert (report.ratings, report.items) == (2 * ITEMS, ITEMS)
    assert {each.people_items for each in report.dimensions} == {ITEMS}
    assert {each.judge_items for each in report.dimensions} == {ITEMS}
    freeze_ratings(project, audit)
    project.close()
    found = score_runs(demo_folder, runs).scores
    judges = {each.judge for row in found.systems for each in row.judges}
    assert {"people, first rating", "people, second rating"} <= judges


def test_simulated_annotators_rate_the_evidence_of_a_run_that_is_named(
    demo_folder: Path, demo_bundle: Bundle, demo_runs: dict[str, Path], tmp_path: Path
) -> None:
    wanted = Wanted(training=0, seed=4, simulated=True)
    folder, runs, said = tmp_path / "project", [demo_runs["oracle"]], []
    annotate(
        demo_folder,
        folder,
        wanted,
        say=said.append,
        port=0,
        rates=Rates(),
        runs=runs,
        audit_size=4,
    )
    assert said[-1] == f"{folder}: evidence of 4 conclusions rated by them, too"
    project = open_or_begin(demo_bundle, folder, wanted, time.time)
    report = evidence_report(project, build_audit(demo_bundle, runs, 4, 4))
    project.close()
    assert (report.ratings, report.items) == (8, 4)
