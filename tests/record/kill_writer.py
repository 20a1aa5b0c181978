"""A process that forks writers and kills them.

It reads one JSON order per line. For each order, it forks a child that resumes the table and plays until it is
killed. The child kills itself at a named moment, or this process kills it after a while. The child prints each
command that it sends and each acknowledgement, one per line, unbuffered. The last line of an order is "dead".
Everything is imported before the fork, so that starting a child is fast.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import create_engine

from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql.postgres import PostgresStore
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.store import Batch, Head
from houseway.engine.codec import encode_command, read_command
from houseway.live import Accepted

from .kill_script import house, next_command, resume_or_open

MOMENTS = ("before", "uncommitted", "committed", "acknowledged")
"""The moments at which a child can be killed: before the append; when the batch is appended but not committed;
committed but not acknowledged; acknowledged but not broadcast."""


class Order(msgspec.Struct, frozen=True):
    """The instructions for one child, and when it is killed."""

    where: str
    moment: str = ""
    """The moment of an append at which the child kills itself. If it is empty, the parent kills the child."""
    at: int = 1
    seconds: float = 0
    """The seconds that the child runs, counted from the fork or from its first command."""
    plays: bool = False
    key: str = ""
    """The key of an unanswered command, which is resent first."""
    command: str = ""
    fault: str = ""
    """A bug planted in the store."""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


class Doomed(SqlStore):
    """A store whose process is killed at one moment of one append."""

    order: Order
    appends = 0

    def is_now(self, moment: str) -> bool:
        return self.order.moment == moment and self.appends == self.order.at

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        self.appends += 1
        if self.is_now("before"):
            die()
        super().append(stream, after, batch)
        if self.is_now("committed"):
            die()

    def _commit(self, cursor: Any) -> None:
        if self.is_now("uncommitted"):
            die()
        super()._commit(cursor)


class Hasty(Doomed):
    """Planted fault: acknowledges a batch at once, but commits it only together with the next batch."""

    owed = False

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        if self.owed:
            self._writing().connection.cursor().execute("COMMIT")
        super().append(stream, after, batch)

    def _commit(self, cursor: Any) -> None:
        self.owed = self.appends > 0
        if not self.owed:
            super()._commit(cursor)


class Forgetful(Doomed):
    """Planted fault: never commits some batches."""

    def _commit(self, cursor: Any) -> None:
        if self.appends % 3 == 2:
            cursor.execute("ROLLBACK")
        else:
            super()._commit(cursor)


FAULTS: dict[str, Any] = {"": Doomed, "hasty": Hasty, "forgetful": Forgetful}


def open_doomed(order: Order) -> Doomed:
    base = PostgresStore if order.where.startswith("postgresql:") else SqliteStore
    store: Doomed = type("DoomedStore", (FAULTS[order.fault], base), {"order": order})(order.where)
    return store


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def play(order: Order, ready: int) -> None:
    store = open_doomed(order)
    live = resume_or_open(house(store))
    os.write(ready, b".")
    again = (order.key, read_command(order.command)) if order.key else None
    while True:
        key, command = again or (f"after-{live.head.events}", next_command(live))
        again = None
        say("sends", key, encode_command(command).decode())
        answer = live.send(command, key)
        assert isinstance(answer, Accepted), answer.message
        say(
            "acknowledged", key, answer.seq + len(answer.events) - 1, live.head.chain.hex(), answer.repeated
        )
        if store.is_now("acknowledged"):
            die()


def run_writer(order: Order) -> None:
    wait, ready = os.pipe()
    child = os.fork()
    if not child:
        try:
            play(order, ready)
        except BaseException:
            say("failed", repr(traceback.format_exc()))
        finally:
            os._exit(1)
    os.close(ready)
    if not order.moment:
        if order.plays:
            os.read(wait, 1)
        time.sleep(order.seconds)
        os.kill(child, signal.SIGKILL)
    os.close(wait)
    os.waitpid(child, 0)
    say("dead")


if __name__ == "__main__":
    # Play a table once so that every child inherits warm rulebook and encoder caches.
    warm = resume_or_open(house(MemoryStore()))
    for _ in range(50):
        warm.send(next_command(warm))
    # An engine imports its driver; otherwise every child would import it again.
    with suppress(ImportError):
        create_engine("postgresql+psycopg://")
    # A child's garbage collector would touch, and so copy, every object of this process.
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        run_writer(msgspec.json.decode(line, type=Order))
