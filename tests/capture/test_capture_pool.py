"""Captures are imported many at once, resumed, corrected and forgotten."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from captures import Sent, har, mhtml, wacz, warc

from riskchainbench.capture.compiler import Compiled
from riskchainbench.capture.entry import forget, records, write_strata
from riskchainbench.capture.policy import ImportPolicy
from riskchainbench.capture.record import PageLikeness, Provenance
from riskchainbench.core.errors import InputError
from riskchainbench.pipeline.importing import ImportResult, import_captures, settings_of
from riskchainbench.websites.files import read_website

PAGES = (
    Sent(
        "/",
        b"<!DOCTYPE html><html lang=en><title>t</title><h1>Daily news</h1>"
        b"<p>News report by the editor</p><a href=/b>b</a>",
    ),
    Sent("/b", b"<p>More news"),
)  # fmt: skip


def imported(pool: Path, *captures: Path) -> ImportResult:
    policy, provenance = ImportPolicy(), Provenance()
    return import_captures(captures, pool, policy, provenance, workers=1, tell=quiet)


def quiet(done: int, total: int) -> None:
    assert done <= total


def test_many_captures_one_of_them_broken(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_bytes(b"PK\x03\x04no")
    captures = [
        warc(tmp_path / "a", PAGES),
        har(tmp_path / "b", PAGES),
        broken,
        mhtml(tmp_path / "c", PAGES),
    ]
    pool = tmp_path / "pool"
    result = import_captures(
        captures, pool, ImportPolicy(), Provenance(basis="own"), workers=2, tell=quiet
    )
    assert [row.outcome for row in result.rows] == ["imported", "imported", "failed", "imported"]
    assert result.rows[2].trouble == "malformed"
    assert len({row.website for row in result.rows}) == 4
    for record in records(pool):
        assert record.provenance.basis == "own"
        loaded = read_website(pool / "websites" / record.pool_id)
        assert len(loaded.website.pages) == record.counts.pages
    again = import_captures(
        captures, pool, ImportPolicy(), Provenance(basis="own"), workers=1, tell=quiet
    )
    assert [row.outcome for row in again.rows] == ["there already"] * 2 + [
        "failed",
        "there already",
    ]


def test_nothing_outside_the_pool_is_written(tmp_path: Path) -> None:
    path = wacz(tmp_path / "x", PAGES)
    before = {p for p in tmp_path.rglob("*") if "pool" not in p.parts}
    imported(tmp_path / "pool", path)
    assert {p for p in tmp_path.rglob("*") if "pool" not in p.parts} - {tmp_path / "pool"} == before


def test_a_capture_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    path = warc(tmp_path / "x", PAGES)
    result = import_captures(
        [path], tmp_path / "pool", ImportPolicy(), Provenance(), workers=1, tell=quiet,
        time_limit=1e-4,
    )  # fmt: skip
    assert result.rows[0].trouble == "took too long"
    assert not list((tmp_path / "pool").glob("websites/*"))


def test_other_settings_compile_anew(tmp_path: Path) -> None:
    path, pool = warc(tmp_path / "x", PAGES), tmp_path / "pool"
    for names in ((), ("editor",)):
        import_captures(
            [path], pool, ImportPolicy(names=names), Provenance(), workers=1, tell=quiet
        )
    (record,) = records(pool)
    assert record.masked == {"name": 1}


def test_corrected_strata_outlive_the_next_import(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    imported(pool, warc(tmp_path / "a", PAGES))
    table = pool / "strata.csv"
    rows = list(csv.DictReader(table.open()))
    assert (rows[0]["topic"], rows[0]["language"], rows[0]["depth"]) == ("news", "en", "2")
    table.write_text(table.read_text().replace("news", "sports"))
    imported(pool, har(tmp_path / "b", PAGES))
    assert sorted(row["topic"] for row in csv.DictReader(table.open())) == ["news", "sports"]


def test_a_wrong_cell_is_named(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    imported(pool, warc(tmp_path / "a", PAGES))
    table = pool / "strata.csv"
    table.write_text(table.read_text().replace(",False,2,", ",False,deep,"))
    with pytest.raises(InputError, match=r"strata\.csv: line 2: depth"):
        write_strata(pool)


def test_websites_of_one_host_share_a_family_that_tells_no_host(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    captures = [warc(tmp_path / "a", PAGES), har(tmp_path / "b", PAGES)]
    imported(pool, *captures)
    families = {record.strata.host_family for record in records(pool)}
    assert len(families) == 1
    assert "shop" not in families.pop()


def test_no_original_stands_in_the_pool(tmp_path: Path) -> None:
    page = b"<title>Shop.test</title><p>Call 13800138000 at http://SHOP.test/ or ann@real-mail.com"
    pool = tmp_path / "pool"
    imported(pool, warc(tmp_path / "a", [Sent("/", page)]))
    everything = b"".join(p.read_bytes().lower() for p in pool.rglob("*") if p.is_file())
    for original in (b"shop.test", b"13800138000", b"real-mail"):
        assert original not in everything


def test_a_website_is_forgotten_everywhere(tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    imported(pool, warc(tmp_path / "a", PAGES))
    (record,) = records(pool)
    forget(pool, record.pool_id)
    assert record.pool_id not in "".join(str(p) for p in pool.rglob("*"))
    assert record.pool_id not in (pool / "strata.csv").read_text()
    with pytest.raises(InputError, match="holds no imported website"):
        forget(pool, record.pool_id)


@pytest.mark.parametrize("name", ["../x", "c../../x", "w0", ""])
def test_only_an_id_can_be_forgotten(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        forget(tmp_path, name)


def test_options_that_cannot_be_are_named(tmp_path: Path) -> None:
    common = {"names": None, "basis": "", "terms": "", "mobile": False}
    with pytest.raises(InputError, match="--scripts run: choose one of keep, freeze, drop"):
        settings_of(scripts="run", delete_by="", **common)  # type: ignore[arg-type]
    for day in ("soon", "2027-02-31"):
        with pytest.raises(InputError, match=f"--delete-by {day}: no day of the calendar"):
            settings_of(scripts="drop", delete_by=day, **common)  # type: ignore[arg-type]


def test_the_verb_prints_a_table_and_fails_where_a_capture_failed(tmp_path: Path) -> None:
    good = warc(tmp_path / "good", PAGES)
    bad = tmp_path / "bad"
    bad.write_bytes(b"\0\1")
    command = [sys.executable, "-m", "riskchainbench.cli", "import", str(good), str(bad)]
    done = subprocess.run(
        [*command, "--out", str(tmp_path / "pool"), "--json"], capture_output=True, check=False
    )
    assert done.returncode == 1
    rows = json.loads(done.stdout)["rows"]
    assert [(row["outcome"], row["trouble"]) for row in rows] == [
        ("imported", ""),
        ("failed", "unknown format"),
    ]


def test_pages_that_look_unlike_are_flagged_for_a_person(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def measured(path: Path, compiled: Compiled, *_: object) -> tuple[PageLikeness, ...]:
        pages = sorted(compiled.urls)
        return tuple(
            PageLikeness(page_id=page, text_overlap=text, image_similarity=1.0)
            for page, text in zip(pages, (1.0, 0.3), strict=True)
        )

    monkeypatch.setattr("riskchainbench.capture.likeness.measure", measured)
    (row,) = import_captures(
        [har(tmp_path / "x", PAGES)],
        tmp_path / "pool",
        ImportPolicy(),
        Provenance(),
        workers=1,
        tell=lambda *_: None,
        likeness=True,
    ).rows
    (warning,) = row.warnings
    assert "looks unlike its capture: text 0.30, image 1.00" in warning
    (record,) = records(tmp_path / "pool")
    assert len(record.likeness) == 2
