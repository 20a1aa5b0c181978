"""Records in a PostgreSQL database."""

from __future__ import annotations

import os
from typing import Final

from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from houseway.audit.sql.sql_store import BY_ITSELF, SqlStore
from houseway.audit.store import StoreError, owned

WRITER: Final = int.from_bytes(b"houseway")
"""The advisory lock of the process that writes to a database."""

PATIENCE: Final = 3000
"""Milliseconds to wait for the lock: a writer that was killed holds it until the server has noticed."""


class PostgresStore(SqlStore):
    """Records in a database of its own. One process writes to it at a time; any number read."""

    BEGIN = "BEGIN"

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        try:
            address = make_url(url)
            engine = create_engine(
                address.set(drivername="postgresql+psycopg"),
                connect_args={"application_name": f"houseway {os.getpid()}", "client_encoding": "utf8"},
                **BY_ITSELF,
            )
        except ImportError as error:
            raise StoreError('PostgreSQL needs psycopg: pip install "houseway[postgres]"') from error
        except (ArgumentError, ValueError) as error:
            raise StoreError("no PostgreSQL address; write postgresql://user@host/database") from error
        super().__init__(engine, address.render_as_string(hide_password=True), read_only=read_only)

    def _settle(self, connection: Connection) -> str:
        def ask(words: str) -> str:
            return str(connection.exec_driver_sql(words).scalar())

        if (encoding := ask("SHOW server_encoding")) != "UTF8":
            raise StoreError(f"{self.where} keeps text as {encoding}; make it with ENCODING 'UTF8'")
        whole = f"PostgreSQL {ask('SHOW server_version')}"
        if self.read_only:
            return f"{whole}, for reading"
        if ask("SHOW fsync") != "on":
            raise StoreError(f"{self.where}: the server has fsync off and may lose wagers; set fsync = on")
        connection.exec_driver_sql("SET synchronous_commit = on")
        connection.exec_driver_sql(f"SET lock_timeout = {PATIENCE}")
        try:
            connection.exec_driver_sql(f"SELECT pg_advisory_lock({WRITER})")
        except OperationalError as error:
            raise owned(self._owner(connection), self.where) from error
        connection.exec_driver_sql("SET lock_timeout = 0")
        return f"{whole}, synchronous_commit on"

    def _owner(self, connection: Connection) -> str:
        who = connection.exec_driver_sql(
            "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
            " WHERE locktype = 'advisory' AND granted"
            f" AND classid = {WRITER >> 32} AND objid = {WRITER & 0xFFFFFFFF}"
        ).scalar()
        return f"process {who.removeprefix('houseway ')}" if who else "another process"
