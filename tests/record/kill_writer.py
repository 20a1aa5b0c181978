"""A process that forks writers and kills them.

It reads one JSON order per line. For each it forks a child that resumes the table and plays until it is
killed: by the child at a named moment, or by this process after a while. The child prints each command it sends
and each acknowledgement, one per line, unbuffered; the last line of an order is "dead". Forking a process that
has everything imported makes a kill cheap.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from typing import Any

import msgspec

from houseway.audit.memory_store import MemoryStore
from houseway.audit.sql.postgres import PostgresStore
from houseway.audit.sql.sql_store import SqlStore
from houseway.audit.sql.sqlite import SqliteStore
from houseway.audit.store import Batch, Head
from houseway.engine.codec import encode_command, read_command
from houseway.live import Accepted

from .kill_script import house, next_command, resume_or_open

MOMENTS = ("before", "uncommitted", "committed", "acknowledged")
"""The moments: before the append; appended but not committed; committed but not acknowledged; acknowledged but
not broadcast."""


class Order(msgspec.Struct, frozen=True):
    """Instructions for one child: what it does and when it is killed."""

    where: str
    moment: str = ""
    """The moment of an append at which the child kills itself; if empty, the parent kills it."""
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
    """Planted fault: acknowledges a batch at once, but commits it only with the next one."""

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
    for line in sys.stdin:
        run_writer(msgspec.json.decode(line, type=Order))
