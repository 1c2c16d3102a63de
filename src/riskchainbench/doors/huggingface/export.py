"""Exports a bundle into a folder that can be pushed to a hub as it stands."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

from riskchainbench.bundle import Bundle
from riskchainbench.core.errors import InputError, IntegrityError
from riskchainbench.core.frozen import refuse_inside_frozen
from riskchainbench.core.hashing import sha256_file
from riskchainbench.core.store import write_atomic
from riskchainbench.core.text import is_day
from riskchainbench.doors.huggingface.about import File, about
from riskchainbench.doors.huggingface.card import card
from riskchainbench.doors.huggingface.croissant import croissant, problems
from riskchainbench.doors.huggingface.parquet import engine, write_parquet
from riskchainbench.doors.huggingface.table import DataTable
from riskchainbench.doors.huggingface.tables import GoldHalf, data_tables

CARD = "README.md"
METADATA = "croissant.json"


def export(bundle: Bundle, gold: GoldHalf | None, out: Path, date: str) -> tuple[File, ...]:
    """Write Parquet, the data card and Croissant metadata into the new folder `out`.

    Args:
        bundle: the benchmark.
        gold: its gold half, only where the export is to hold it.
        out: a folder that does not exist or is empty.
        date: the day of publication, as YYYY-MM-DD.

    Raises:
        InputError: `out` holds something or lies in a bundle or run, the date is none, or DuckDB
            is not installed.
        IntegrityError: a file of the bundle was changed.
    """
    refuse_inside_frozen(out)
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise InputError(f"{out}: holds something; name a new folder")
    if not is_day(date):
        raise InputError(f"date {date}: no day of the calendar; write it as 2026-01-31")
    engine()
    out.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(dir=out.parent, prefix=".export-"))
    try:
        files = _write(bundle, data_tables(bundle, gold), work, date)
        work.chmod(0o755)
        if out.exists():
            out.rmdir()
        work.replace(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return files


def _write(bundle: Bundle, tables: tuple[DataTable, ...], out: Path, date: str) -> tuple[File, ...]:
    files: dict[str, File] = {}
    for table in tables:
        path = out / table.path
        write_parquet(table, path, bundle.manifest.canary)
        size = path.stat().st_size
        files[table.name] = File(table.path, sha256_file(path), size, len(table.rows))
    words = about(bundle.manifest, date)
    metadata = croissant(words, tables, files)
    wrong = problems(metadata)
    if wrong:
        raise IntegrityError(f"{METADATA}: {wrong[0]}")
    text = json.dumps(metadata, ensure_ascii=False, indent=2) + "\n"
    write_atomic(out / METADATA, text.encode("utf-8"))
    write_atomic(out / CARD, card(words, tables, files).encode("utf-8"))
    return tuple(files.values())
