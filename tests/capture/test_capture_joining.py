"""Imported websites join a pool once people have labeled them, and a benchmark from there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from captures import Sent, har

from riskchainbench.bundle import freeze_bundle, open_bundle
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
from riskchainbench.pipeline.likeness import compare_bundles, kendall_tau_b, ks_distance, pair_of
from riskchainbench.websites.pool import read_candidates, read_pool, write_pool


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten imported websites and a table of labels for them."""
    folder = tmp_path_factory.mktemp("ten")
    more = Sent("/b", b"<p>more")
    captures = [
        har(folder / f"h{n}", [Sent("/", f"<p>Site {n} <a href=/b>b</a>".encode()), more])
        for n in range(10)
    ]
    policy, provenance = ImportPolicy(), Provenance()
    import_captures(captures, folder / "p", policy, provenance, workers=1, tell=lambda *_: None)
    kind = default_codebook().type_ids[0]
    rows = [f"{r.pool_id},VIOLATION,{kind}" for r in records(folder / "p")]
    rows[0] = rows[0].replace(f"VIOLATION,{kind}", "NON_VIOLATION,NONE")
    (folder / "labels.csv").write_text("website,decision,violation_type\n" + "\n".join(rows) + "\n")
    return folder


def test_labeled_websites_are_a_pool_like_any_other(pool: Path, tmp_path: Path) -> None:
    codebook = default_codebook()
    built = labeled_websites(pool / "p", pool / "labels.csv", codebook)
    write_pool(tmp_path / "pool", built, codebook)
    assert read_pool(tmp_path / "pool", codebook) == built
    decisions = Counter(c.decision.value for c in read_candidates(tmp_path / "pool"))
    assert decisions == {"VIOLATION": 9, "NON_VIOLATION": 1}


def test_labeled_websites_are_frozen_and_forgotten(pool: Path, tmp_path: Path) -> None:
    codebook = default_codebook()
    built = labeled_websites(pool / "p", pool / "labels.csv", codebook)
    sessions = build_sessions(3, build_sources(3, len(built)))
    folder = tmp_path / "bundle"
    freeze_bundle(folder, sessions, built, codebook, seed=3, preset="captured", recipes="paper")
    assert len(open_bundle(folder).websites()) == 10
    same = compare_bundles(folder, folder)
    assert {row.distance for row in same.features} == {0.0}
    copy = tmp_path / "p"
    subprocess.run(["cp", "-r", str(pool / "p"), str(copy)], check=True)
    result = forget(built[0].pool_id, copy, [folder])
    assert result.broken == (str(folder),)
    assert len(list(folder.glob("websites/*"))) == 9


def test_the_verb_makes_a_pool_of_labeled_websites(pool: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "riskchainbench.cli", "join-captures", str(pool / "p")]
    options = ["--labels", str(pool / "labels.csv"), "--out", str(tmp_path / "new")]
    subprocess.run([*command, *options], check=True, capture_output=True)
    assert len(read_candidates(tmp_path / "new")) == 10


def test_a_website_without_a_label_is_named(pool: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("\n".join((pool / "labels.csv").read_text().splitlines()[:-1]) + "\n")
    with pytest.raises(InputError, match="cannot be scored without labels from people"):
        labeled_websites(pool / "p", labels, default_codebook())


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("x,MAYBE,NONE", "line 2: decision 'MAYBE' is none"),
        ("x,VIOLATION,NONE", "line 2: 'NONE' does not go with VIOLATION"),
        ("x,NON_VIOLATION,NONE\nx,NON_VIOLATION,NONE", "line 3: x is labeled twice"),
    ],
)
def test_a_wrong_label_is_named(pool: Path, tmp_path: Path, row: str, message: str) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text(f"website,decision,violation_type\n{row}\n")
    with pytest.raises(InputError, match=message):
        labeled_websites(pool / "p", labels, default_codebook())


def test_a_table_without_columns_and_a_pool_without_websites_are_named(
    pool: Path, tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("website,label\nx,VIOLATION\n")
    with pytest.raises(InputError, match="no column decision, violation_type in its first line"):
        labeled_websites(pool / "p", labels, default_codebook())
    with pytest.raises(InputError, match="holds no imported website"):
        labeled_websites(tmp_path, labels, default_codebook())


def test_distances_and_rank_correlations_by_hand() -> None:
    assert ks_distance([1, 2, 3, 4], [3, 4, 5, 6]) == 0.5
    assert kendall_tau_b([1, 2, 3], [1, 3, 2]) == pytest.approx(1 / 3)
    # Pairs: one tied on the left, two agree: 2 / sqrt(2 * 3).
    assert kendall_tau_b([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / 6**0.5)
    assert kendall_tau_b([1, 1], [1, 2]) is None


def test_scores_are_given_for_both_or_neither(tmp_path: Path) -> None:
    assert pair_of([]) is None
    with pytest.raises(InputError, match="of both bundles"):
        pair_of([tmp_path])


def test_the_verb_compares(demo_folder: Path) -> None:
    command = [sys.executable, "-m", "riskchainbench.cli", "compare-bundles"]
    done = subprocess.run(
        [*command, str(demo_folder), str(demo_folder), "--json"], capture_output=True, check=True
    )
    features = {row["feature"]: row["distance"] for row in json.loads(done.stdout)["features"]}
    assert features["characters a page"] == features["depth"] == 0.0
