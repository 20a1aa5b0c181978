"""Records in a PostgreSQL database."""

from __future__ import annotations

import os
from typing import Final

from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from houseway.audit.sql.sql_store import AUTOCOMMIT, SqlStore
from houseway.audit.store import StoreError, owned_error

WRITER: Final = int.from_bytes(b"houseway")
"""The advisory lock that the writing process holds."""

PATIENCE: Final = 3000
"""Milliseconds to wait for the lock: a killed writer holds it until the server notices."""


class PostgresStore(SqlStore):
    """Records in a PostgreSQL database. One process writes at a time; any number can read."""

    BEGIN = "BEGIN"
    BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        try:
            address = make_url(url)
            engine = create_engine(
                address.set(drivername="postgresql+psycopg"),
                connect_args={"application_name": f"houseway {os.getpid()}", "client_encoding": "utf8"},
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
        connection.exec_driver_sql(f"SET lock_timeout = {PATIENCE}")
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_lock({WRITER})")
        except OperationalError as error:
            raise owned_error(self._owner(connection), self.where) from error
        connection.exec_driver_sql("SET lock_timeout = 0")
        return f"{version}, synchronous_commit on"

    def _owner(self, connection: Connection) -> str:
        name = connection.exec_driver_sql(
            "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
            " WHERE locktype = 'advisory' AND granted"
            f" AND classid = {WRITER >> 32} AND objid = {WRITER & 0xFFFFFFFF}"
        ).scalar()
        return f"process {name.removeprefix('houseway ')}" if name else "another process"
