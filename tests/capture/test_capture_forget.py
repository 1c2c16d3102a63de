"""A website that is forgotten leaves nothing behind but ids, and what is left is told."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from captures import Sent, har

from riskchainbench.bundle import freeze_bundle
from riskchainbench.capture.entry import records
from riskchainbench.capture.joining import labeled_websites
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.record import Provenance
from riskchainbench.core.codebook import default_codebook
from riskchainbench.core.errors import InputError
from riskchainbench.messages.build import build_sessions
from riskchainbench.messages.sources import build_sources
from riskchainbench.pipeline.forget import forget
from riskchainbench.pipeline.importing import import_captures
from riskchainbench.websites.pool import read_candidates, read_pool, write_pool

OWN, SHARED, OTHER = "a" * 64, "b" * 64, "c" * 64


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """Everything that was made of two websites; the first one's ids in the pool and a bundle."""
    root = tmp_path_factory.mktemp("made")
    captures = [har(root / f"h{n}", [Sent("/", f"<p>Secret {n}".encode())]) for n in range(2)]
    policy, provenance = ImportPolicy(), Provenance()
    for capture in captures:  # one by one, which starts no worker
        import_captures(
            [capture], root / "pool", policy, provenance, workers=1, tell=lambda *_: None
        )
        capture.unlink()
    names = [record.pool_id for record in records(root / "pool")]
    labels = [f"{name},NON_VIOLATION,NONE\n" for name in names]
    (root / "labels.csv").write_text("website,decision,violation_type\n" + "".join(labels))
    codebook = default_codebook()
    built = labeled_websites(root / "pool", root / "labels.csv", codebook)
    write_pool(root / "joined", built, codebook)
    sessions = build_sessions(3, build_sources(3, len(built)))
    freeze_bundle(
        root / "bundle", sessions, built, codebook, seed=3, preset="captured", recipes="paper"
    )
    strata = (root / "bundle" / "evaluator_only" / "strata.jsonl").read_text().splitlines()
    cases = {row["contrast_set"]: row["case_id"] for row in map(json.loads, strata[1:])}
    case, other = cases[names[0]], cases[names[1]]
    a_run(root / "run", case, other)
    for report, named in (("report", case), ("other report", other)):
        (root / report / "assets").mkdir(parents=True)
        (root / report / "riskchain-report.txt").write_text("A report.")
        (root / report / "assets" / "index.js").write_text(f'cases = ["{named}"]')
    return root, names[0], case


def a_run(run: Path, case: str, other: str) -> None:
    shots = {case: (OWN, SHARED), other: (SHARED, OTHER)}
    for each, images in shots.items():
        visit = run / "investigation" / each
        visit.mkdir(parents=True)
        lines = [json.dumps({"observation": {"screenshot": image}}) for image in images]
        (visit / "trajectory.jsonl").write_text("\n".join(lines) + "\n")
        (run / "conclusion").mkdir(exist_ok=True)
        (run / "conclusion" / f"{each}.json").write_text("{}")
    (run / "images").mkdir()
    for image in (OWN, SHARED, OTHER):
        (run / "images" / f"{image}.png").write_bytes(b"png")
    (run / "judging" / "rules").mkdir(parents=True)
    judged = [json.dumps({"case_id": each}) for each in shots]
    (run / "judging" / "rules" / "judgments.jsonl").write_text("\n".join(judged) + "\n")
    (run / "scores.json").write_text(json.dumps({"cases": list(shots)}))
    (run / "investigation" / "manifest.json").write_text(json.dumps({"files": list(shots)}))


def test_nothing_but_ids_is_left(made: tuple[Path, str, str], tmp_path: Path) -> None:
    origin, name, case = made
    root = tmp_path / "r"
    shutil.copytree(origin, root)
    said = forget(name, root / "pool", [root])
    gone = {str(Path(path).relative_to(root)) for path in said.removed}
    assert gone == {
        f"pool/websites/{name}", f"pool/private/{name}.json",
        f"joined/websites/{name}", f"joined/private/{name}.json", f"bundle/websites/{case}",
        f"run/investigation/{case}", f"run/images/{OWN}.png", f"run/conclusion/{case}.json",
        "run/scores.json", "report",
    }  # fmt: skip
    assert set(said.broken) == {str(root / "bundle"), str(root / "run")}
    left = {str(Path(path).relative_to(root)) for path in said.left}
    assert left == {
        "bundle/manifest.json", "bundle/evaluator_only/resolver.json",
        "run/investigation/manifest.json",
    }  # fmt: skip
    texts = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    naming = {
        str(path.relative_to(root))
        for path, text in texts.items()
        if name.encode() in text or case.encode() in text
    }
    assert naming == left
    assert not [p for p in root.rglob("*.html") if b"Secret 0" in p.read_bytes()]


def test_a_pool_that_it_joined_stays_whole(made: tuple[Path, str, str], tmp_path: Path) -> None:
    origin, name, _ = made
    root = tmp_path / "r"
    shutil.copytree(origin, root)
    forget(name, root / "pool", [root / "joined"])
    assert len(read_pool(root / "joined", default_codebook())) == 1
    assert len(read_candidates(root / "joined")) == 1
    assert name not in (root / "pool" / "strata.csv").read_text()
    assert (root / "bundle" / "websites").exists()


def test_bundles_are_found_after_the_pool_forgot(
    made: tuple[Path, str, str], tmp_path: Path
) -> None:
    origin, name, case = made
    root = tmp_path / "r"
    shutil.copytree(origin, root)
    forget(name, root / "pool", [])
    said = forget(name, root / "pool", [root / "bundle"])
    assert str(root / "bundle" / "websites" / case) in said.removed
    with pytest.raises(InputError, match="holds no imported website"):
        forget(name, root / "pool", [root / "bundle"])


@pytest.mark.parametrize("name", ["../pool", "", "c*", "w123"])
def test_what_is_no_website_is_refused_and_nothing_is_touched(
    made: tuple[Path, str, str], name: str
) -> None:
    root, _, _ = made
    before = sorted(root.rglob("*"))
    with pytest.raises(InputError):
        forget(name, root / "pool", [root])
    assert sorted(root.rglob("*")) == before


def test_the_verb_says_what_it_cannot_reach(made: tuple[Path, str, str], tmp_path: Path) -> None:
    origin, name, _ = made
    root = tmp_path / "r"
    shutil.copytree(origin, root)
    command = [sys.executable, "-m", "riskchainbench.cli", "forget", name]
    options = ["--pool", str(root / "pool"), str(root)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True)
    assert "not reached: the capture itself" in done.stdout
    assert f"{root / 'bundle'}: held it" in done.stdout
