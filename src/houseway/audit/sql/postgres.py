"""Records in a PostgreSQL database."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from typing import Any, Final

from sqlalchemy import Connection, create_engine, make_url
from sqlalchemy.exc import ArgumentError, OperationalError

from houseway.audit.sql.migrate import VERSION, reached_migration
from houseway.audit.sql.sql_store import AUTOCOMMIT, Append, SqlStore
from houseway.audit.sql.watchdog import Watchdog
from houseway.audit.store import LeaseLostError, StoreBusyError, StoreError, owned_error
from houseway.audit.streams import is_table

WRITER: Final = int.from_bytes(b"houseway")
"""The number of the advisory lock of the writing process. Servers that share a database share the lock."""

PATIENCE: Final = 3000
"""Milliseconds to wait for the lock. If a writer was killed, the database releases its lock only later."""
RETAKE: Final = 1000
"""Milliseconds to wait for the lock after the connection was lost. Further attempts follow every second."""
ANSWERS: Final = 2
"""Seconds within which the database must answer a writer. The limit for a statement is the same."""
SHARING: Final = {
    # If a server stops in the middle of a transaction, the database must release the server's locks.
    "idle_in_transaction_session_timeout": 1000 * ANSWERS - 500,
    # The same if the server's machine or network is gone.
    "tcp_keepalives_idle": 2,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 3,
    # A call that the client no longer waits for must not change anything later.
    "lock_timeout": RETAKE,
}
"""Settings of each connection to a shared database."""


class PostgresStore(SqlStore):
    """Records in a PostgreSQL database. One process writes at a time; any number can read.

    With `shared`, all servers of a house write at the same time, each to the tables that it has leased
    (`leases.py`). While they run, no process can become the only writer.
    """

    BEGIN = "BEGIN"
    BEGIN_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    FENCED = " FOR SHARE"

    def __init__(self, url: str, *, read_only: bool = False, shared: bool = False) -> None:
        self._watchdog = Watchdog()
        self.shared = shared
        arguments = {"application_name": f"houseway {os.getpid()}", "client_encoding": "utf8"}
        if not read_only:
            arguments["connect_timeout"] = str(ANSWERS)
        try:
            address = make_url(url)
            if shared:
                # Sent with the first message, so that they need no extra round trip.
                settings = " ".join(f"-c {name}={value}" for name, value in SHARING.items())
                arguments["options"] = f"{address.query.get('options', '')} {settings}".strip()
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

    def _open(self) -> None:
        if self.shared:
            self._upgrade_alone()
        super()._open()

    def _upgrade_alone(self) -> None:
        """If the database has an older schema, upgrade it as the only writer."""
        with self._engine.connect() as connection:
            reached = reached_migration(connection, self.where)
        if reached == VERSION:
            return
        try:
            PostgresStore(self._engine.url.render_as_string(hide_password=False)).close()
        except StoreBusyError:
            # Another server may have upgraded it in the meantime.
            with self._engine.connect() as connection:
                if reached_migration(connection, self.where) != VERSION:
                    raise

    def _prepare(self, cursor: Any, reached: str) -> None:
        if not self.shared:
            super()._prepare(cursor, reached)

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
            lock = "pg_advisory_lock_shared" if self.shared else "pg_advisory_lock"
            connection.exec_driver_sql(f"SELECT {lock}({WRITER})")
        except OperationalError as error:
            raise owned_error(self._owner(connection), self.where) from error
        connection.exec_driver_sql(f"SET lock_timeout = {RETAKE}")
        connection.exec_driver_sql(f"SET statement_timeout = {1000 * ANSWERS}")
        return f"{version}, synchronous_commit on"

    # --- shared by servers ---

    def _groups(self, together: Sequence[Append]) -> list[Sequence[Append]]:
        if not self.shared:
            return super()._groups(together)
        # A batch for several streams locks the ledgers that it changes in the order of their names, then
        # the house log. If a transaction had several such batches, two transactions could deadlock.
        alone = [[one] for one in together if len(one.parts) > 1]
        grouped = [one for one in together if len(one.parts) == 1]
        return [grouped, *alone] if grouped else [*alone]

    def _require_lease(self, cursor: Any, stream: str, fence: int) -> None:
        # Ledgers and the house log belong to all servers. If another server was first, the write is
        # repeated.
        if not self.shared or not is_table(stream):
            return
        cursor.execute(self._sql["fence"] + self.FENCED, {"stream": stream})
        row = cursor.fetchone()
        if row is None or row[0] != fence:
            sentence = "another server owns this table" if row else "no server owns this table"
            raise LeaseLostError(f"{stream}: {sentence}; repeat the request; it is then sent to the owner")

    def own_connection(self) -> Any:
        """Return a new connection of the driver. It does not belong to the pool."""
        self._require_open()
        with self._store_errors():
            pooled = self._engine.raw_connection()
            connection = pooled.driver_connection
            pooled.detach()
            return connection

    @contextmanager
    def answering(self, connection: Any, seconds: float = 0) -> Iterator[None]:
        """Turn database errors into StoreError. Break the connection if there is no answer in time.

        `seconds` is the time that the call in the block may wait by itself.
        """
        with self._store_errors():
            handle = connection.fileno()
            with self._watchdog.limit(handle, ANSWERS + seconds):
                yield

    def _insert(self, cursor: Any, rows: Sequence[Mapping[str, Any]]) -> None:
        if not self.shared:
            super()._insert(cursor, rows)
            return
        # The driver sends `executemany` as a pipeline. If the connection breaks in the middle of a
        # pipeline, the database waits for the rest without a limit, and keeps the locks.
        for row in rows:
            cursor.execute(self._sql["new entry"], row)

    def run(self, *statements: str, parameters: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """Run statements about leases in one transaction. Return the rows of the last statement."""
        self._require_open()
        with self._store_errors(), closing(self._engine.raw_connection()) as connection:
            try:
                with self._watched(connection):
                    cursor = connection.cursor()
                    cursor.execute("BEGIN")
                    for statement in statements:
                        cursor.execute(statement, parameters)
                    rows = list(cursor.fetchall()) if cursor.description else []
                    cursor.execute("COMMIT")
                    return rows
            except self._driver.Error:
                connection.invalidate()
                raise

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
            # The connection is already closed. The next call opens a new one.
            if connection is self._writer:
                self._disconnect()
            raise
        with self._watchdog.limit(handle, seconds):
            yield

    def close(self) -> None:
        # Otherwise, a call under way would hold the connection for as long as the database does not answer.
        self._watchdog.close()
        super().close()

    def _owner(self, connection: Connection) -> str:
        name = connection.exec_driver_sql(
            "SELECT application_name FROM pg_stat_activity JOIN pg_locks USING (pid)"
            " WHERE locktype = 'advisory' AND granted"
            f" AND classid = {WRITER >> 32} AND objid = {WRITER & 0xFFFFFFFF}"
        ).scalar()
        return f"process {name.removeprefix('houseway ')}" if name else "another process"
