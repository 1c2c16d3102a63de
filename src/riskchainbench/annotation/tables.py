"""The tables of a project's database, the same in SQLite and in PostgreSQL.

The ledger is the truth about what was said; `slots`, `drafts` and `visits` hold work under
way and may be lost without losing a judgment.
"""

from __future__ import annotations

import os
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

from riskchainbench.core.errors import InputError

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
    Column("id", Integer, primary_key=True, autoincrement=False),
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
ledger_head = Table(
    "ledger_head",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("sha256", String(64), nullable=False),
)


PASSWORD = "PGPASSWORD"
"""The environment variable that holds the database's password; it reaches no file."""


def engine_for(url: str, *, durable: bool = True) -> Engine:
    """Return an engine for `url`, whose writing transactions exclude each other.

    Without `durable` a power cut may cost the last transactions of an SQLite file.

    Raises:
        InputError: the address holds a password.
    """
    address = make_url(url)
    if address.password is not None:
        raise InputError(
            f"{address.render_as_string()}: leave the password out, since the address is kept in "
            f"the project's folder; put it into the environment variable {PASSWORD}"
        )
    if address.get_backend_name() != "sqlite":
        secret = os.environ.get(PASSWORD)
        return create_engine(
            address.set(password=secret) if secret else address, pool_pre_ping=True, **_POOL
        )
    engine = create_engine(address, **_POOL)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin if durable else _begin_quick)
    return engine


_POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 40}


def _prepare(connection: Any, _record: Any) -> None:
    # The driver begins transactions too late to exclude a second writer; we begin them.
    connection.isolation_level = None
    for setting in ("journal_mode=WAL", "busy_timeout=10000"):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Any) -> None:
    """Begin a transaction: one that reads, or one that writes, `lasting` through a power cut."""
    lasting = connection.get_execution_options().get("lasting")
    if lasting is None:
        connection.exec_driver_sql("BEGIN")
        return
    connection.exec_driver_sql(f"PRAGMA synchronous={'FULL' if lasting else 'NORMAL'}")
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin_quick(connection: Any) -> None:
    lasting = connection.get_execution_options().get("lasting")
    if lasting is not None:
        connection.exec_driver_sql("PRAGMA synchronous=OFF")
    connection.exec_driver_sql("BEGIN" if lasting is None else "BEGIN IMMEDIATE")
