"""The exported data set: whole, typed, described, silent about gold unless asked."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from riskchainbench.bundle import Bundle, Gold, open_gold
from riskchainbench.bundle.layout import CANARY
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.hashing import sha256_bytes, sha256_file
from riskchainbench.core.record import Record
from riskchainbench.doors.huggingface.croissant import problems
from riskchainbench.doors.huggingface.export import export
from riskchainbench.doors.huggingface.tables import data_tables
from riskchainbench.pipeline.export import export_bundle

duckdb = pytest.importorskip("duckdb")
yaml = pytest.importorskip("yaml")

DATE = "2026-01-31"
MARKER = "GOLDMARKER7"


@pytest.fixture(scope="module")
def public(demo_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("export") / "public"
    export_bundle(demo_folder, out, DATE, with_gold=False)
    return out


def rows(path: Path) -> list[dict[str, Any]]:
    with duckdb.connect() as connection:
        found = connection.execute(f"SELECT * FROM read_parquet('{path}')")
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def metadata_of(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "croissant.json").read_text("utf-8"))
    return found


def test_every_message_and_website_file_is_there_as_it_was(
    public: Path, demo_bundle: Bundle
) -> None:
    messages = {row["sample_id"]: row for row in rows(public / "data" / "messages.parquet")}
    assert messages.keys() == demo_bundle.restoration_tasks.keys()
    for sample_id, task in demo_bundle.restoration_tasks.items():
        found = [each["content"] for each in json.loads(messages[sample_id]["messages"])]
        assert found == [message.content for message in task.messages]
    websites = rows(public / "data" / "websites.parquet")
    assert [row["case_id"] for row in websites] == list(demo_bundle.investigation_tasks)
    assert all(isinstance(row["scaffold"], list) and row["horizon"] == 30 for row in websites)
    files = rows(public / "data" / "website_files.parquet")
    named = {f"websites/{row['case_id']}/{row['path']}" for row in files}
    assert named == {name for name in demo_bundle.manifest.files if name.startswith("websites/")}
    text = [row for row in files if row["encoding"] == "utf-8"]
    assert text
    assert all(sha256_bytes(row["content"].encode()) == row["sha256"] for row in text)


def test_equal_bundles_give_equal_files(public: Path, demo_folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    export_bundle(demo_folder, again, DATE, with_gold=False)
    names = sorted(path.relative_to(public) for path in public.rglob("*") if path.is_file())
    assert names
    assert all((public / name).read_bytes() == (again / name).read_bytes() for name in names)


def test_the_card_tells_a_hub_where_every_table_stands(public: Path) -> None:
    card = (public / "README.md").read_text("utf-8")
    _, head, body = card.split("---\n", 2)
    told = yaml.safe_load(head)
    assert told["license"] == "cc-by-4.0"
    paths = [
        each["data_files"][0]["path"] for each in told["configs"] if len(each["data_files"]) == 1
    ]
    found = sorted(path.relative_to(public).as_posix() for path in public.glob("data/*"))
    assert sorted(paths) == found
    assert "holds **no gold**" in body
    assert CANARY in body


def test_metadata_describes_every_file_and_column_of_it(public: Path) -> None:
    metadata = metadata_of(public)
    assert problems(metadata) == []
    files = {file["@id"]: file for file in metadata["distribution"]}
    for name, file in files.items():
        assert file["sha256"] == sha256_file(public / name)
    for record_set in metadata["recordSet"]:
        path = f"data/{record_set['name']}.parquet"
        columns = [field["source"]["extract"]["column"] for field in record_set["field"]]
        assert columns == list(rows(public / path)[0])
        assert {field["source"]["fileObject"]["@id"] for field in record_set["field"]} == {path}


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"rai:dataBiases": []}, "rai:dataBiases: missing"),
        ({"citeAs": ""}, "citeAs: missing"),
        ({"datePublished": "soon"}, "datePublished: no date such as 2026-01-31"),
        ({"datePublished": "2026-02-30"}, "datePublished: no date such as 2026-01-31"),
        ({"conformsTo": ["http://mlcommons.org/croissant/1.0"]}, "conformsTo: lacks"),
        ({"distribution": []}, "distribution: missing"),
    ],
)
def test_metadata_that_lacks_something_is_found(
    public: Path, change: Mapping[str, Any], problem: str
) -> None:
    found = problems({**metadata_of(public), **change})
    assert any(each.startswith(problem) for each in found)


def test_a_field_of_no_file_and_a_file_without_hash_are_found(public: Path) -> None:
    metadata = metadata_of(public)
    metadata["recordSet"][0]["field"][0]["source"]["fileObject"]["@id"] = "data/none.parquet"
    metadata["distribution"][0]["sha256"] = "?"
    found = problems(metadata)
    assert any("names no file" in each for each in found)
    assert any("no SHA-256" in each for each in found)


def test_the_canary_stands_in_every_file(public: Path) -> None:
    for path in public.glob("data/*.parquet"):
        with duckdb.connect() as connection:
            found = connection.execute(f"SELECT value FROM parquet_kv_metadata('{path}')")
            assert [row[0].decode() for row in found.fetchall()] == [CANARY]
    assert CANARY in metadata_of(public)["description"]


def marked(value: Any) -> Any:
    """Return gold with a marker appended to every text in it, ids of units excepted."""
    if isinstance(value, Record):
        kept = {"case_id", "sample_id", "schema_version"}
        changes = {
            name: marked(part)
            for name, part in value.model_dump(mode="json").items()
            if name not in kept
        }
        return value.model_construct(**{**value.model_dump(mode="json"), **changes})
    if isinstance(value, Mapping):
        return {key: marked(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(marked(part) for part in value)
    return f"{value}{MARKER}" if isinstance(value, str) else value


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".parquet":
            yield path.stem, json.dumps(rows(path), ensure_ascii=False)
        elif path.is_file():
            yield path.name, path.read_text("utf-8")


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")
def test_no_gold_field_leaves_unless_asked_for(demo_bundle: Bundle, tmp_path: Path) -> None:
    gold = open_gold(demo_bundle)
    planted = Gold(**{each.name: marked(getattr(gold, each.name)) for each in fields(Gold)})
    export(demo_bundle, None, tmp_path / "public", DATE)
    assert [name for name, text in texts(tmp_path / "public") if MARKER in text] == []
    export(demo_bundle, planted, tmp_path / "full", DATE)
    leaked = {name for name, text in texts(tmp_path / "full") if MARKER in text}
    assert leaked == {"labels", "strata", "components", "sources", "traces"}
    assert "holds the gold" in (tmp_path / "full" / "README.md").read_text("utf-8")


def test_no_gold_value_that_is_private_stands_in_a_public_export(
    public: Path, demo_bundle: Bundle
) -> None:
    gold = open_gold(demo_bundle)
    private = {
        *(sample.session for sample in gold.samples.values()),
        *(stratum.contrast_set for stratum in gold.strata.values()),
        *(stratum.brand_family for stratum in gold.strata.values()),
        gold.seed.seed,
        gold.seed.salt,
        gold.gold_sha256,
    }
    every = "".join(text for name, text in texts(public) if name != "website_files")
    assert [each for each in sorted(private) if len(each) > 5 and each in every] == []


def test_a_bundle_without_gold_can_be_exported(demo_copy: Path, tmp_path: Path) -> None:
    shutil.rmtree(demo_copy / "evaluator_only")
    export_bundle(demo_copy, tmp_path / "out", DATE, with_gold=False)
    with pytest.raises(InputError, match="no gold"):
        export_bundle(demo_copy, tmp_path / "full", DATE, with_gold=True)


def test_a_changed_website_is_not_exported(demo_copy: Path, tmp_path: Path) -> None:
    page = next((demo_copy / "websites").rglob("*.html"))
    page.write_text(page.read_text("utf-8") + " ", "utf-8")
    with pytest.raises(IntegrityError, match="changed"):
        export_bundle(demo_copy, tmp_path / "out", DATE, with_gold=False)
    assert not (tmp_path / "out").exists()


def test_nothing_is_overwritten_and_a_date_is_a_date(
    public: Path, demo_folder: Path, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match="name a new folder"):
        export_bundle(demo_folder, public, DATE, with_gold=False)
    with pytest.raises(InputError, match="name a place outside of it"):
        export_bundle(demo_folder, demo_folder / "hub", DATE, with_gold=True)
    for date in ("soon", "2026-13-45", "2026-02-29", "20260131", "2026-1-31"):
        with pytest.raises(InputError, match=f"date {date}: no day of the calendar"):
            export_bundle(demo_folder, tmp_path / "x", date, with_gold=False)
    assert not (tmp_path / "x").exists()


def test_a_table_without_rows_keeps_its_columns(demo_bundle: Bundle, tmp_path: Path) -> None:
    gold = open_gold(demo_bundle)
    empty = Gold(**{each.name: getattr(gold, each.name) for each in fields(Gold)} | {"traces": {}})
    assert [len(t.rows) for t in data_tables(demo_bundle, empty) if t.name == "traces"] == [0]
    export(demo_bundle, empty, tmp_path / "out", DATE)
    with duckdb.connect() as connection:
        path = tmp_path / "out" / "data" / "traces.parquet"
        found = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{path}')").fetchall()
    assert [(row[0], row[1]) for row in found] == [("sample_id", "VARCHAR"), ("stages", "VARCHAR")]
