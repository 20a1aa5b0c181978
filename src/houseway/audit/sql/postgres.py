"""Records in a PostgreSQL database."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from houseway.audit.sql.sql_store import AUTOCOMMIT, SqlStore
from houseway.audit.sql.watchdog import Watchdog
from houseway.audit.store import StoreError, owned_error

WRITER: Final = int.from_bytes(b"houseway")
"""The advisory lock that the writing process holds."""

PATIENCE: Final = 3000
"""Milliseconds to wait for the lock: a killed writer holds it until the server notices."""
RETAKE: Final = 1000
"""Milliseconds to wait for the lock after the connection was lost; it is tried again every second."""
ANSWERS: Final = 2
"""Seconds for the server to answer a writer; its own limit on a statement is the same."""


class PostgresStore(SqlStore):
    """Records in a PostgreSQL database. One process writes at a time; any number can read."""

    BEGIN = "BEGIN"
    BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    FENCED = " FOR SHARE"

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self._watchdog = Watchdog()
        arguments = {"application_name": f"houseway {os.getpid()}", "client_encoding": "utf8"}
        if not read_only:
            arguments["connect_timeout"] = str(ANSWERS)
        try:
            address = make_url(url)
            engine = create_engine(
                address.set(drivername="postgresql+psycopg"),
                connect_args=arguments,
                **AUTOCOMMIT,
            )
        except ImportError as error:
            raise StoreError('PostgreSQL needs psycopg: pip install "houseway[postgres]"') from error
        except (ArgumentError, ValueError) as error:
            raise StoreError("not a PostgreSQL address; use postgresql://user@host/database") from error
        super().__init__(engine, address.render_as_string(hide_password=True), read_only=read_only)

    def _settle(self, connection: Connection) -> str:
        def query(sql: str) -> str:
            return str(connection.exec_driver_sql(sql).scalar())

        if (encoding := query("SHOW server_encoding")) != "UTF8":
            raise StoreError(f"{self.where} stores text as {encoding}; create it with ENCODING 'UTF8'")
        version = f"PostgreSQL {query('SHOW server_version')}"
        if self.read_only:
            return f"{version}, for reading"
        if query("SHOW fsync") != "on":
            raise StoreError(f"{self.where}: the server has fsync off and may lose wagers; set fsync = on")
        connection.exec_driver_sql("SET synchronous_commit = on")
        patience = PATIENCE if self._generation is None else RETAKE
        connection.exec_driver_sql(f"SET lock_timeout = {patience}")
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_lock({WRITER})")
        except OperationalError as error:
            raise owned_error(self._owner(connection), self.where) from error
        connection.exec_driver_sql(f"SET lock_timeout = {RETAKE}")
        connection.exec_driver_sql(f"SET statement_timeout = {1000 * ANSWERS}")
        return f"{version}, synchronous_commit on"

    @contextmanager
    def _watched(self, connection: Any) -> Iterator[None]:
        if self.read_only:
            yield
            return
        # The first wait for the lock may take longer.
        seconds = ANSWERS if self._generation is not None else ANSWERS + PATIENCE / 1000
        pooled: Any = connection.connection if isinstance(connection, Connection) else connection
        try:
            handle = pooled.driver_connection.fileno()
        except self._driver.Error:
            # The connection is closed already; the next call opens another.
            if connection is self._writer:
                self._disconnect()
            raise
        with self._watchdog.limit(handle, seconds):
            yield

    def close(self) -> None:
        # A call under way would otherwise hold the connection for as long as the server is silent.
        self._watchdog.close()
        super().close()

    def _owner(self, connection: Connection) -> str:
        name = connection.exec_driver_sql(
            "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
            " WHERE locktype = 'advisory' AND granted"
            f" AND classid = {WRITER >> 32} AND objid = {WRITER & 0xFFFFFFFF}"
        ).scalar()
        return f"process {name.removeprefix('houseway ')}" if name else "another process"
