"""A process that begets writers and sees them die.

It reads an order a line, as JSON; for each it forks a child that takes the table up and plays on until it is
killed: by itself at a named moment, or by this process after a while. What the child sends and what it is
told goes to the output, line by line, unbuffered; the last line of an order is "dead". Forking a process that
has everything imported makes a death cheap.
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
from houseway.engine.codec import read_command, written
from houseway.live import Accepted

from .kill_script import house, next_command, taken_up

MOMENTS = ("before", "uncommitted", "committed", "acknowledged")
"""Before append; appended, not committed; committed, not acknowledged; acknowledged, not broadcast."""


class Order(msgspec.Struct, frozen=True):
    """What a child is to do and how it is to die."""

    where: str
    moment: str = ""
    """At which moment of which append; without one it is killed from outside."""
    at: int = 1
    seconds: float = 0
    """How long it lives, counted from its birth or from when it plays."""
    plays: bool = False
    key: str = ""
    """A command sent earlier whose answer never came: it is sent again first."""
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
    """Planted: acknowledges first and commits with the next batch."""

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
    """Planted: now and then a batch is not committed at all."""

    def _commit(self, cursor: Any) -> None:
        if self.appends % 3 == 2:
            cursor.execute("ROLLBACK")
        else:
            super()._commit(cursor)


FAULTS: dict[str, Any] = {"": Doomed, "hasty": Hasty, "forgetful": Forgetful}


def opened(order: Order) -> Doomed:
    kept = PostgresStore if order.where.startswith("postgresql:") else SqliteStore
    store: Doomed = type("DoomedStore", (FAULTS[order.fault], kept), {"order": order})(order.where)
    return store


def say(*words: object) -> None:
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def play(order: Order, ready: int) -> None:
    store = opened(order)
    live = taken_up(house(store))
    os.write(ready, b".")
    again = (order.key, read_command(order.command)) if order.key else None
    while True:
        key, command = again or (f"after-{live.head.events}", next_command(live))
        again = None
        say("sends", key, written(command).decode())
        told = live.send(command, key)
        assert isinstance(told, Accepted), told.message
        say("told", key, told.seq + len(told.events) - 1, live.head.chain.hex(), told.repeated)
        if store.is_now("acknowledged"):
            die()


def beget(order: Order) -> None:
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
    # A table played once, so that every child finds rulebook and encoders ready.
    warm = taken_up(house(MemoryStore()))
    for _ in range(50):
        warm.send(next_command(warm))
    for line in sys.stdin:
        beget(msgspec.json.decode(line, type=Order))
