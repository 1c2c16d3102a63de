"""The tables of a project's database, the same in SQLite and in PostgreSQL.

The ledger is the truth about what was said; `slots`, `drafts` and `visits` hold work under
way and may be lost without losing a judgment.
"""

from __future__ import annotations

import os
from pathlib import Path
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


def engine_for(url: str) -> Engine:
    """Return an engine for `url`, whose writing transactions exclude each other.

    Raises:
        InputError: the address holds a password, or is that of another database system.
    """
    address = make_url(url)
    if address.password is not None:
        raise InputError(
            f"{address.render_as_string()}: leave the password out, since the address is kept in "
            f"the project's folder; put it into the environment variable {PASSWORD}"
        )
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise InputError(f"{address}: write postgresql+pg8000://USER@HOST/NAME, or leave it out")
    if address.get_backend_name() != "sqlite":
        secret = os.environ.get(PASSWORD)
        return create_engine(
            address.set(password=secret) if secret else address, pool_pre_ping=True, **_POOL
        )
    engine = create_engine(address, **_POOL)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


_POOL: dict[str, Any] = {"pool_size": 20, "max_overflow": 40}


def _prepare(connection: Any, _record: Any) -> None:
    # The driver begins transactions too late to exclude a second writer; we begin them. A
    # commit does not wait for the disk: `wait_for_disk` does, once others may write again.
    connection.isolation_level = None
    settings = ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=8000")
    for setting in (*settings, "busy_timeout=10000"):
        connection.execute(f"PRAGMA {setting}")


def _begin(connection: Any) -> None:
    write = connection.get_execution_options().get("write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


MUCH = 4 * 1024 * 1024
"""Bytes of an SQLite log after which it is folded into its database."""


def wait_for_disk(engine: Engine) -> None:
    """Wait until everything that was committed would survive a power cut.

    PostgreSQL sees to that itself. For SQLite it is what ``synchronous=FULL`` does within the
    transaction, where it would keep all other writers waiting.
    """
    if engine.dialect.name != "sqlite":
        return
    log = Path(f"{engine.url.database}-wal")
    try:
        file = os.open(log, os.O_RDONLY)
    except FileNotFoundError:
        return
    try:
        os.fsync(file)
        large = os.fstat(file).st_size > MUCH
    finally:
        os.close(file)
    if large:
        raw = engine.raw_connection()
        try:
            raw.cursor().execute("PRAGMA wal_checkpoint(PASSIVE)")
        finally:
            raw.close()
