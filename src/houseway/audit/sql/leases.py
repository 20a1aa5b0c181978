"""Leases in PostgreSQL: if several servers share a database, each table is owned by one of them.

A server renews its own row every second. When the row expires by the database's clock, any other server may
take the tables of that server. Taking a table increments the table's fencing number. A server can write to
a table only with the current number, so a server that was paused and then wakes up can no longer write.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from secrets import token_hex
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

import msgspec

from houseway.audit.store import StoreError

if TYPE_CHECKING:
    from houseway.audit.sql.postgres import PostgresStore

SECONDS: Final = 6.0
"""Seconds after which a server that has not renewed its row loses its tables."""
CHANNEL: Final = "houseway"
"""The channel on which servers notify each other."""
LEASES_CHANGED: Final = "leases"
"""The notification that a table has another owner, or none."""
EXPIRY: Final = "clock_timestamp() + make_interval(secs => %(seconds)s)"
ALIVE: Final = "EXISTS (SELECT FROM servers WHERE id = leases.server AND expires_at > clock_timestamp())"

_RENEW: Final = (
    f"INSERT INTO servers (id, address, expires_at) VALUES (%(server)s, %(address)s, {EXPIRY})"
    " ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at"
)
_LEASES: Final = (
    "SELECT stream, server, fence, COALESCE(address, ''), COALESCE(expires_at > clock_timestamp(), false)"
    " FROM leases LEFT JOIN servers ON servers.id = leases.server WHERE ended_at IS NULL"
)
_ADD: Final = (
    "INSERT INTO leases (stream, server, fence) VALUES (%(stream)s, %(server)s, %(fence)s)"
    " ON CONFLICT DO NOTHING RETURNING fence"
)
_LOCK: Final = "SELECT FROM leases WHERE stream = %(stream)s FOR UPDATE"
_TAKE: Final = (
    "UPDATE leases SET server = %(server)s, fence = fence + 1"
    f" WHERE stream = %(stream)s AND ended_at IS NULL AND NOT {ALIVE} RETURNING fence"
)
_END: Final = (
    "UPDATE leases SET ended_at = clock_timestamp(), server = '', card = COALESCE(%(card)s, card)"
    " WHERE stream = %(stream)s AND server = %(server)s"
)
_SHOW: Final = "UPDATE leases SET card = %(card)s WHERE stream = %(stream)s AND server = %(server)s"
_CARDS: Final = "SELECT stream, card FROM leases WHERE card IS NOT NULL AND ended_at IS"
_FREE_HOSTS: Final = (
    "DELETE FROM table_hosts WHERE NOT EXISTS"
    " (SELECT FROM leases WHERE leases.stream = table_hosts.stream AND ended_at IS NULL)"
)
_RECORDED: Final = (
    "SELECT COALESCE(max((convert_from(public, 'UTF8')::json ->> 'fence')::bigint), 0)"
    " FROM entries WHERE stream = %(stream)s"
)


class Lease(msgspec.Struct, frozen=True):
    """The owner of a table, as the database has it."""

    stream: str
    server: str
    """The id of the owner; empty if the table has never had an owner."""
    fence: int
    address: str
    """The address at which other servers reach the owner."""
    alive: bool
    """True if the owner has renewed its row in time."""


class Leases:
    """The leases of all servers, as one of these servers uses them.

    `renew` and `wait` use a connection of their own, so a slow write to a record does not delay them. They
    must be called from one thread. The other methods can be called from any thread.
    """

    def __init__(self, store: PostgresStore, address: str, seconds: float = SECONDS) -> None:
        self.server = token_hex(8)
        """The id of this server. It is new at each start."""
        self.address = address
        self.seconds = seconds
        self._store = store
        self._connection: Any = None

    # --- every second ---

    def renew(self, cards: Mapping[str, bytes] = MappingProxyType({})) -> list[Lease]:
        """Renew this server's row. Return the lease of every table that is not closed.

        `cards` has new lobby cards for this server's tables, by table. All servers show them.
        """
        connection = self._connected()
        row = {"server": self.server, "address": self.address, "seconds": self.seconds}
        with self._store.answering(connection):
            try:
                cursor = connection.cursor()
                cursor.execute(_RENEW, row)
                for stream, card in cards.items():
                    cursor.execute(_SHOW, {"stream": stream, "server": self.server, "card": card})
                cursor.execute(_LEASES)
                return [Lease(*lease) for lease in cursor.fetchall()]
            except BaseException:
                self._disconnect()
                raise

    def wait(self, seconds: float) -> list[str]:
        """Wait up to this many seconds for notifications from other servers. Return the notifications."""
        connection = self._connected()
        with self._store.answering(connection, seconds):
            try:
                waiting = connection.notifies(timeout=seconds, stop_after=1)
                return [notice.payload for notice in waiting]
            except BaseException:
                self._disconnect()
                raise

    def _connected(self) -> Any:
        if self._connection is None:
            connection = self._store.own_connection()
            with self._store.answering(connection):
                try:
                    cursor = connection.cursor()
                    # If a crash of the database undoes a renewal, the next one follows a second later.
                    cursor.execute("SET synchronous_commit = off")
                    cursor.execute(f"LISTEN {CHANNEL}")
                except BaseException:
                    connection.close()
                    raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    # --- tables ---

    def add(self, stream: str) -> int:
        """Make this server the owner of a table that is about to be opened. Return the fencing number."""
        rows = self._run(_ADD, stream=stream, server=self.server, fence=1)
        if not rows:
            raise StoreError(f"{stream} already has a lease; open the table under another name")
        return int(rows[0][0])

    def add_missing(self, streams: Iterable[str]) -> None:
        """Add a lease without an owner for each table that has no lease.

        Such a table was opened when the house had only one server.
        """
        self._run("DELETE FROM servers WHERE expires_at < clock_timestamp() - interval '1 hour'")
        known = {stream for (stream,) in self._run("SELECT stream FROM leases")}
        for stream in set(streams) - known:
            # A restored or imported record may already have fencing numbers.
            ((fence,),) = self._run(_RECORDED, stream=stream)
            self._run(_ADD, stream=stream, server="", fence=fence + 1)
        # Stop counting tables that have no lease. An open table always has one: it gets the lease before it
        # is counted for its host, and keeps it until it is no longer counted.
        self._run(_FREE_HOSTS)

    def take(self, stream: str) -> int:
        """Make this server the owner of a table whose owner is gone.

        Return the fencing number, or 0 if the table has an owner.
        """
        # Another server may take the table while this server waits for the lock. So the row is locked by a
        # separate statement; the statement after it sees the changes of the other server.
        taking = {"stream": stream, "server": self.server}
        rows = self._store.run(_LOCK, _TAKE, parameters=taking)
        return int(rows[0][0]) if rows else 0

    def end(self, stream: str, card: bytes | None = None) -> None:
        """End the lease of a closed table. `card` is the last lobby card of the table."""
        self._run(_END, stream=stream, server=self.server, card=card)

    def cards(self, closed: int) -> dict[str, bytes]:
        """Return the lobby cards of all open tables of the house, and of the last `closed` closed
        tables."""
        ended = f"{_CARDS} NOT NULL ORDER BY ended_at DESC LIMIT %(closed)s"
        return {**dict(self._run(f"{_CARDS} NULL")), **dict(self._run(ended, closed=closed))}

    def lease(self, stream: str) -> Lease | None:
        """Return the lease of a table, or None if the table is closed or does not exist."""
        rows = self._run(f"{_LEASES} AND stream = %(stream)s", stream=stream)
        return Lease(*rows[0]) if rows else None

    def notify(self, notice: str) -> None:
        """Send a notification to all servers."""
        self._run("SELECT pg_notify(%(channel)s, %(notice)s)", channel=CHANNEL, notice=notice)

    def leave(self) -> None:
        """Give up all tables of this server at once."""
        self._run("DELETE FROM servers WHERE id = %(server)s", server=self.server)
        self.notify(LEASES_CHANGED)

    def close(self) -> None:
        """Close all connections."""
        self._disconnect()
        self._store.close()

    def _run(self, statement: str, **parameters: Any) -> list[tuple[Any, ...]]:
        return self._store.run(statement, parameters=parameters)
