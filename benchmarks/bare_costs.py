"""The cost of the two things that every command needs: a message over a socket, and a durable write."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
import psycopg
from served import child, echo, echoes, percentile, processor_seconds

from houseway.audit.sql.sqlite import library

SOCKETS: Final = 50
ECHOING: Final = 5.0
COMMITTING: Final = 2.0
BODY: Final = bytes(1000)


class BareEcho(msgspec.Struct, frozen=True):
    """A server that echoes each message over a WebSocket."""

    p50: float
    p99: float
    rate: float
    """Echoes per second, over all sockets."""
    milliseconds: float
    """The server's processor time for one echo."""


class BareCommit(msgspec.Struct, frozen=True):
    """A database that stores a thousand bytes in each transaction."""

    rate: float
    """Durable commits per second, one after the other."""
    milliseconds: float
    """The processor time of one commit: in the client and, with PostgreSQL, in the database server."""


def bare_echo(seconds: float = ECHOING) -> BareEcho:
    with child(echo) as bare:
        before = bare.seconds()
        times = asyncio.run(echoes(bare.url.replace("http", "ws") + "/", SOCKETS, seconds))
        used = bare.seconds() - before
    return BareEcho(
        percentile(times, 50), percentile(times, 99), len(times) / seconds, 1000 * used / len(times)
    )


def sqlite_commit(folder: Path, seconds: float = COMMITTING) -> BareCommit:
    """Measure SQLite with the settings of the house."""
    with closing(library().connect(str(folder / "bare.db"), isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS e (seq INTEGER PRIMARY KEY, body BLOB)")
        return _commits(
            lambda: connection.execute("INSERT INTO e (body) VALUES (?)", (BODY,)),
            time.process_time,
            seconds,
        )


def postgres_commit(url: str, postgres: int, seconds: float = COMMITTING) -> BareCommit:
    """Measure PostgreSQL on one connection; `postgres` is the server's process id."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE e (seq SERIAL PRIMARY KEY, body BYTEA)")
        return _commits(
            lambda: connection.execute("INSERT INTO e (body) VALUES (%s)", (BODY,)),
            lambda: time.process_time() + processor_seconds(postgres, family=True),
            seconds,
        )


def _commits(
    commit: Callable[[], object], processor_time: Callable[[], float], seconds: float
) -> BareCommit:
    used, began, count = processor_time(), time.perf_counter(), 0
    while (took := time.perf_counter() - began) < seconds:
        commit()
        count += 1
    return BareCommit(count / took, 1000 * (processor_time() - used) / count)
