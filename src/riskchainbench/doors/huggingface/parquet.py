"""Writes a table as Parquet through DuckDB, with the canary in the file's own metadata."""

from __future__ import annotations

import tempfile
from pathlib import Path
from types import ModuleType

from riskchainbench.core.errors import InputError
from riskchainbench.core.hashing import canonical_json
from riskchainbench.doors.huggingface.table import SQL_TYPES, DataTable

_LARGEST_ROW = 256 * 2**20


def engine() -> ModuleType:
    """Return DuckDB.

    Raises:
        InputError: it is not installed.
    """
    try:
        import duckdb
    except ImportError as error:
        raise InputError(
            "export needs DuckDB; install the extra: pip install riskchainbench[export]"
        ) from error
    found: ModuleType = duckdb
    return found


def write_parquet(table: DataTable, path: Path, canary: str) -> None:
    """Write `table` to `path`; equal rows give equal bytes under one version of DuckDB."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = ", ".join(
        f"{_quoted(column.name)}: {_quoted(SQL_TYPES[column.kind])}" for column in table.columns
    )
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".jsonl", newline="\n") as file:
        file.writelines(canonical_json(dict(row)) + "\n" for row in table.rows)
        file.flush()
        with engine().connect(":memory:", config={"threads": 1}) as connection:
            connection.execute(
                f"COPY (SELECT * FROM read_json({_quoted(file.name)}, "
                f"format='newline_delimited', columns={{{columns}}}, "
                f"maximum_object_size={_LARGEST_ROW})) TO {_quoted(str(path))} "
                f"(FORMAT parquet, COMPRESSION zstd, KV_METADATA {{canary: {_quoted(canary)}}})"
            )


def _quoted(text: str) -> str:
    escaped = text.replace("'", "''")
    return f"'{escaped}'"
