"""Files that survive: torn lines, full disks, edits after the freeze."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from riskchainbench.core.errors import DriftError, InputError, IntegrityError
from riskchainbench.core.failures import Failure, FailureClass, Stage
from riskchainbench.core.restoration import Usage
from riskchainbench.core.stage import RunManifest, StageFolder, StageSettings, open_run
from riskchainbench.core.store import (
    Images,
    Log,
    StorageError,
    jsonl_bytes,
    read_json,
    read_jsonl,
    write_atomic,
    write_json,
)

RUN = RunManifest(system="rules", tasks_sha256="a" * 64, version="0")
SETTINGS = StageSettings(
    stage="restoration", tasks_sha256="a" * 64, inputs={}, settings={"repairs": 2}
)


def test_a_torn_last_line_is_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log(path)
    log.append({"n": 1})
    log.append({"n": 2})
    path.write_bytes(path.read_bytes()[:-4])
    again = Log(path)
    again.append({"n": 3})
    assert list(again) == [{"n": 1}, {"n": 3}]


def test_a_broken_line_elsewhere_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"n":1}\n{"n":\n{"n":3}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"log\.jsonl: line 2"):
        list(Log(path))


def test_unicode_line_separators_do_not_split_a_record(tmp_path: Path) -> None:
    log = Log(tmp_path / "log.jsonl")
    log.append({"text": "a\u2028b\x85c"})
    assert list(log) == [{"text": "a\u2028b\x85c"}]


def test_a_full_disk_leaves_what_was_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = Log(tmp_path / "log.jsonl")
    log.append({"n": 1})

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(StorageError, match="No space left"):
            log.append({"n": 2})
        with pytest.raises(StorageError, match="No space left"):
            write_atomic(tmp_path / "frozen", b"new")
    assert list(log) == [{"n": 1}]
    assert not (tmp_path / "frozen").exists()
    assert list(tmp_path.glob(".writing-*")) == []


def test_a_cut_off_frozen_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "usage.jsonl"
    path.write_bytes(jsonl_bytes([Usage(calls=1), Usage(calls=2)])[:-3])
    with pytest.raises(InputError, match="line 2 is cut off"):
        read_jsonl(path, Usage)


def test_a_wrong_field_is_named(tmp_path: Path) -> None:
    path = tmp_path / "usage.json"
    path.write_text('{"calls": "many"}', encoding="utf-8")
    with pytest.raises(InputError, match=r"usage\.json: calls"):
        read_json(path, Usage)


def test_an_image_is_stored_once_and_checked(tmp_path: Path) -> None:
    images = Images(tmp_path)
    sha256 = images.put(b"png")
    assert images.put(b"png") == sha256
    assert images.get(sha256) == b"png"
    images.path(sha256).write_bytes(b"other")
    with pytest.raises(IntegrityError, match="changed"):
        images.get(sha256)


def test_a_run_made_for_other_tasks_is_refused(tmp_path: Path) -> None:
    open_run(tmp_path, RUN)
    open_run(tmp_path, RUN)
    with pytest.raises(DriftError, match="another run folder"):
        open_run(tmp_path, RUN.but(tasks_sha256="b" * 64))
    with pytest.raises(DriftError, match="belongs to rules"):
        open_run(tmp_path, RUN.but(system="random"))


def test_a_stage_is_not_resumed_under_other_settings(tmp_path: Path) -> None:
    stage = StageFolder(tmp_path)
    stage.begin(SETTINGS)
    stage.begin(SETTINGS)
    with pytest.raises(DriftError, match="repairs: 2 then, 0 now"):
        stage.begin(SETTINGS.but(settings={"repairs": 0}))


def test_a_frozen_file_that_was_edited_is_named(tmp_path: Path) -> None:
    stage = StageFolder(tmp_path)
    stage.freeze("restoration", {"a.jsonl": b"1\n"}, units=1)
    assert stage.verified().files.keys() == {"a.jsonl"}
    (tmp_path / "a.jsonl").write_bytes(b"2\n")
    with pytest.raises(IntegrityError, match=r"a\.jsonl: changed"):
        stage.verified()


def test_open_units_keep_a_stage_incomplete(tmp_path: Path) -> None:
    stage = StageFolder(tmp_path)
    stage.freeze("restoration", {}, units=2, open_units=("m1",))
    assert stage.frozen
    assert not stage.complete


def test_json_is_the_same_for_the_same_record(tmp_path: Path) -> None:
    write_json(tmp_path / "a", RUN)
    write_json(tmp_path / "b", RunManifest.model_validate_json(RUN.to_json()))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_the_last_system_failure_of_an_open_unit_is_kept(tmp_path: Path) -> None:
    stage = StageFolder(tmp_path)
    for unit, detail in (("m1", "first"), ("m2", "gone"), ("m1", "last")):
        failure = Failure(
            failure_class=FailureClass.PROVIDER_ERROR, stage=Stage.RESTORATION, detail=detail
        )
        stage.note_system_failure(unit, failure)
    stage.freeze("restoration", {}, units=3, open_units=("m1", "m3"))
    assert {unit: f.detail for unit, f in stage.system_failures().items()} == {"m1": "last"}
