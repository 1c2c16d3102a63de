"""A bundle: the same bytes for the same seed, nothing telling inside, damage named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from riskchainbench.bundle import Bundle, open_bundle, open_gold, verify_bundle
from riskchainbench.bundle.layout import CANARY, Visibility
from riskchainbench.core.decisions import Decision
from riskchainbench.core.errors import DriftError, InputError, IntegrityError
from riskchainbench.pipeline.build import build
from riskchainbench.pipeline.verify import verify

TASKS = "model_visible/restoration_tasks.jsonl"


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_equal_seeds_give_equal_bytes(demo_folder: Path, tmp_path: Path) -> None:
    build(tmp_path / "again", "demo", 7)
    assert tree(tmp_path / "again") == tree(demo_folder)


def test_other_seeds_share_no_entry_and_no_id(demo_bundle: Bundle, tmp_path: Path) -> None:
    build(tmp_path / "other", "demo", 8)
    other = open_bundle(tmp_path / "other")
    mine, theirs = open_gold(demo_bundle), open_gold(other)
    assert not set(mine.resolver) & set(theirs.resolver)
    assert not set(demo_bundle.restoration_tasks) & set(other.restoration_tasks)
    assert not set(demo_bundle.investigation_tasks) & set(other.investigation_tasks)


def test_building_again_does_nothing(demo_copy: Path) -> None:
    before = tree(demo_copy)
    build(demo_copy, "demo", 7)
    build(demo_copy, "demo")
    assert tree(demo_copy) == before
    with pytest.raises(DriftError, match="another seed"):
        build(demo_copy, "demo", 8)
    with pytest.raises(DriftError, match="preset demo"):
        build(demo_copy, "full", 7)


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="holds other files"):
        build(tmp_path, "demo", 7)
    assert tree(tmp_path) == {"mine.txt": b"mine"}


def test_a_fresh_seed_is_drawn_and_kept_private(tmp_path: Path) -> None:
    manifests = [build(tmp_path / name, "demo") for name in ("a", "b")]
    assert manifests[0].tasks_sha256 != manifests[1].tasks_sha256
    seed = open_gold(open_bundle(tmp_path / "a")).seed.seed
    public = b"".join(
        data
        for name, data in tree(tmp_path / "a").items()
        if not name.startswith("evaluator_only/")
    )
    assert seed.encode() not in public


def test_the_demo_verifies(demo_folder: Path) -> None:
    result = verify(demo_folder)
    assert (result.websites, result.messages, result.gold) == (24, 144, True)


def test_further_recipes_stand_beside_the_six(tmp_path: Path) -> None:
    build(tmp_path / "b", "demo", 7, recipes="all")
    assert verify(tmp_path / "b").messages > 144
    gold = open_gold(open_bundle(tmp_path / "b"))
    assert {"composite", "vertical", "hard"} <= {s.recipe for s in gold.samples.values()}
    with pytest.raises(DriftError, match="recipes all, not paper"):
        build(tmp_path / "b", "demo", 7)


@pytest.mark.parametrize(
    "name", [TASKS, "evaluator_only/labels.jsonl", "model_visible/codebook.json"]
)
def test_an_edited_file_is_named(demo_copy: Path, name: str) -> None:
    path = demo_copy / name
    data = path.read_bytes()
    path.write_bytes(data[:-2] + (b" }" if data[-2:] != b" }" else b"}}"))
    with pytest.raises(IntegrityError, match=name.replace(".", r"\.")):
        verify(demo_copy)


def test_a_truncated_file_is_named(demo_copy: Path) -> None:
    path = demo_copy / TASKS
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(IntegrityError, match=r"restoration_tasks\.jsonl: changed"):
        _ = open_bundle(demo_copy).restoration_tasks


def test_a_missing_page_is_named(demo_copy: Path) -> None:
    page = next(path for path in sorted((demo_copy / "websites").rglob("*.html")))
    page.unlink()
    with pytest.raises(InputError, match=page.name):
        verify(demo_copy)


def test_a_manifest_that_contradicts_itself_is_refused(demo_copy: Path) -> None:
    path = demo_copy / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["tasks_sha256"] = "0" * 64
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(IntegrityError, match="tasks_sha256"):
        verify(demo_copy)


def test_a_manifest_that_tells_of_another_origin_is_refused(demo_copy: Path) -> None:
    path = demo_copy / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**manifest, "preset": "full"}), encoding="utf-8")
    with pytest.raises(IntegrityError, match="another preset"):
        verify(demo_copy)
    path.write_text(json.dumps({**manifest, "seed_commitment": "0" * 64}), encoding="utf-8")
    with pytest.raises(IntegrityError, match="another seed"):
        verify(demo_copy)


def test_gold_cannot_be_passed_off_as_visible(demo_copy: Path) -> None:
    path = demo_copy / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    manifest["files"]["evaluator_only/labels.jsonl"]["visibility"] = "model_visible"
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(IntegrityError, match=r"labels\.jsonl"):
        verify(demo_copy)


def test_a_foreign_file_is_told_and_ignored(demo_copy: Path) -> None:
    (demo_copy / "websites" / "extra.html").write_text("x", encoding="utf-8")
    assert verify(demo_copy).foreign == ("websites/extra.html",)


def test_no_bundle_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not a bundle"):
        open_bundle(tmp_path)


def test_a_bundle_without_gold_opens_and_says_so(demo_copy: Path) -> None:
    shutil.rmtree(demo_copy / "evaluator_only")
    bundle = open_bundle(demo_copy)
    assert len(bundle.websites()) == 24
    assert verify_bundle(bundle).gold is False
    with pytest.raises(InputError, match="no gold"):
        open_gold(bundle)


def test_websites_hold_no_entry_no_id_and_no_label(demo_bundle: Bundle) -> None:
    gold = open_gold(demo_bundle)
    forbidden = [*gold.resolver, *gold.labels, *gold.samples, *demo_bundle.codebook.type_ids]
    forbidden += [decision.value for decision in Decision] + [CANARY]
    for name, data in tree(demo_bundle.folder / "websites").items():
        served = data.decode("utf-8", "replace")
        if not name.endswith("website.json"):
            assert not [word for word in forbidden if word in served], name


def test_messages_and_websites_are_paired_by_no_order(demo_bundle: Bundle) -> None:
    gold = open_gold(demo_bundle)
    by_sample = [gold.samples[sample_id].case_id for sample_id in sorted(gold.samples)]
    assert by_sample != sorted(by_sample)
    assert sorted(gold.primary_samples) == sorted(gold.labels)


def test_the_canary_stands_in_every_data_file(demo_bundle: Bundle) -> None:
    for name, entry in demo_bundle.manifest.files.items():
        text = (demo_bundle.folder / name).read_bytes().decode("utf-8", "replace")
        if entry.visibility is not Visibility.WEBSITE and not name.endswith("codebook.json"):
            assert CANARY in text, name


def test_sets_are_equal_before_the_first_observation(demo_bundle: Bundle) -> None:
    gold = open_gold(demo_bundle)
    tasks: dict[str, set[str]] = {}
    for case_id, task in demo_bundle.investigation_tasks.items():
        key = gold.strata[case_id].contrast_set
        tasks.setdefault(key, set()).add(task.but(case_id="x").to_json())
    assert all(len(found) == 1 for found in tasks.values())
