"""The tables of a project's database, the same in SQLite and in PostgreSQL.

The ledger is the truth about what was said; `slots`, `drafts` and `visits` hold work under
way and may be lost without losing a judgment.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
)
from sqlalchemy.engine import make_url

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("role", String(16), nullable=False),
    Column("password", Text, nullable=False),
    Column("active", Boolean, nullable=False),
    Column("joined_at", Float, nullable=False),
)
sessions = Table(
    "sessions",
    metadata,
    Column("token_sha256", String(64), primary_key=True),
    Column("person", String(64), nullable=False),
    Column("csrf", String(64), nullable=False),
    Column("expires_at", Float, nullable=False),
)
slots = Table(
    "slots",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("case_id", String(64), nullable=False),
    Column("purpose", String(16), nullable=False),
    Column("owner", String(64)),
    Column("rank", Float, nullable=False),
    Column("started_at", Float),
    Column("lease_until", Float),
    Column("done", Integer),
    Index("slots_by_owner", "owner", "done"),
    Index("slots_by_case", "case_id"),
)
drafts = Table(
    "drafts",
    metadata,
    Column("person", String(64), primary_key=True),
    Column("slot", String(64), primary_key=True),
    Column("body", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("saved_at", Float, nullable=False),
)
visits = Table(
    "visits",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("person", String(64), nullable=False),
    Column("slot", String(64), nullable=False),
    Column("body", Text, nullable=False),
    Index("visits_by_slot", "person", "slot"),
)
ledger = Table(
    "ledger",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Float, nullable=False),
    Column("body", Text, nullable=False),
    Column("previous", String(64), nullable=False, unique=True),
    Column("sha256", String(64), nullable=False, unique=True),
)


def engine_for(url: str, *, durable: bool = True) -> Engine:
    """Return an engine for `url`, whose writing transactions exclude each other.

    Without `durable` a power cut may cost the last transactions of an SQLite file.
    """
    kind = make_url(url).get_backend_name()
    engine = create_engine(url, pool_pre_ping=kind != "sqlite", pool_size=20, max_overflow=20)
    if kind == "sqlite":
        event.listen(engine, "connect", _durable if durable else _quick)
        event.listen(engine, "begin", _begin_write)
    return engine


def _durable(connection: Any, _record: Any) -> None:
    _prepare(connection, "FULL")


def _quick(connection: Any, _record: Any) -> None:
    _prepare(connection, "OFF")


def _prepare(connection: Any, synchronous: str) -> None:
    # The driver begins transactions too late to exclude a second writer; we begin them.
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", f"synchronous={synchronous}", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {setting}")


def _begin_write(connection: Any) -> None:
    write = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
