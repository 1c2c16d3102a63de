"""One table of the exported data set: typed columns with descriptions, and plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from riskchainbench.core.hashing import canonical_json
from riskchainbench.core.record import Record


class Kind(StrEnum):
    """What a column holds; JSON is text for values whose shape varies by row."""

    TEXT = "text"
    TEXTS = "texts"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    JSON = "json"


SQL_TYPES = {
    Kind.TEXT: "VARCHAR",
    Kind.TEXTS: "VARCHAR[]",
    Kind.INTEGER: "BIGINT",
    Kind.NUMBER: "DOUBLE",
    Kind.FLAG: "BOOLEAN",
    Kind.JSON: "VARCHAR",
}
CROISSANT_TYPES = {
    Kind.TEXT: "sc:Text",
    Kind.TEXTS: "sc:Text",
    Kind.INTEGER: "sc:Integer",
    Kind.NUMBER: "sc:Float",
    Kind.FLAG: "sc:Boolean",
    Kind.JSON: "sc:Text",
}


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str
    kind: Kind
    about: str


@dataclass(frozen=True)
class DataTable:
    """One table; `gold` marks those that only the gold half of a bundle can fill."""

    name: str
    about: str
    columns: tuple[Column, ...]
    rows: Sequence[Mapping[str, Any]]
    gold: bool = False

    @property
    def path(self) -> str:
        """Where the table stands in the data set."""
        return f"data/{self.name}.parquet"


def record_rows(records: Iterable[Record], columns: Sequence[Column]) -> list[dict[str, Any]]:
    """Return the named fields of each record as plain values."""
    rows: list[dict[str, Any]] = []
    for record in records:
        plain = record.model_dump(mode="json")
        rows.append({column.name: _plain(plain[column.name], column.kind) for column in columns})
    return rows


def _plain(value: Any, kind: Kind) -> Any:
    return canonical_json(value) if kind is Kind.JSON else value
