"""Measure how many entries and rounds per second each store writes, and how fast a long record reopens.

The same entries of real rounds are written to each store and to a bare database, which has one table and
commits each write durably. Store and bare database take turns on one core, and the best of several runs
counts. The last column is the ratio. The record of a million events is made once and kept in the folder for
temporary files. Run with `make bench`.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import psycopg

import houseway
from houseway.audit.memory_store import MemoryStore
from houseway.audit.signatures import Signer
from houseway.audit.sql.sqlite import SqliteStore, library
from houseway.audit.store import Batch, Head, Store
from houseway.audit.store_factory import open_store
from houseway.engine import commands as c
from houseway.engine.dealer_act import next_act
from houseway.engine.refusals import Refusal
from houseway.engine.turn_order import turn
from houseway.live import LiveTable, TableServices
from houseway.rules.loader import load
from houseway.shoe import SeededEntropy

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from record.servers import programs, server

SEATS = range(1, 7)
ROUNDS = 60
REPEATS = 3
LONG = 1_000_000
STREAM = "table:1"
SIGNER = Signer(bytes(32))


class BatchCollector(MemoryStore):
    """A store that collects the batches of a game, to write them later or as one batch."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[Head, Batch]] = []

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        self.batches.append((after, batch))

    def together(self) -> tuple[Head, Batch]:
        """Return all collected batches as one, and clear them."""
        batches = [batch for _, batch in self.batches]
        after, self.batches = self.batches[0][0], []
        return after, Batch(
            entries=tuple(entry for batch in batches for entry in batch.entries),
            signed=batches[-1].signed,
            texts={digest: text for batch in batches for digest, text in batch.texts.items()},
            secrets={name: value for batch in batches for name, value in batch.secrets.items()},
            snapshot=next((batch.snapshot for batch in reversed(batches) if batch.snapshot), None),
        )


def open_table(store: Store) -> LiveTable:
    """Open a table and seat all players."""
    book = load("uth-ma")
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    live = LiveTable.open(
        TableServices(store, SIGNER, SeededEntropy("benchmark")), STREAM, book, {}, opening
    )
    if isinstance(live, Refusal):
        raise SystemExit(live.message)
    for seat in SEATS:
        live.send(c.Sit(seat=seat, player=f"Player {seat}", chips=10**12))
    live.advance()
    return live


def play(live: LiveTable) -> None:
    """Play one round: every seat wagers, then plays at the first chance."""
    number = live.state.round.number
    while live.state.round.number == number:
        on_turn = turn(live.table, live.state)
        if on_turn is not None:
            live.send(c.Play(seat=on_turn[0], times=4))
        elif live.state.round.betting == "open":
            for seat in SEATS:
                live.send(c.Bet(seat=seat, wagers={"ante": 1000, "trips": 500}), key=f"{number} {seat}")
            live.act()
        elif next_act(live.table, live.state) is None or not live.advance():
            raise SystemExit("the table is stuck")


def rounds() -> tuple[list[tuple[Head, Batch]], list[tuple[Head, Batch]]]:
    """Play real rounds; return their batches, one per entry and one per round."""
    each, whole = BatchCollector(), BatchCollector()
    live = open_table(each)
    by_round: list[tuple[Head, Batch]] = []
    for _ in range(ROUNDS):
        start = len(each.batches) if by_round else 0
        play(live)
        whole.batches = each.batches[start:]
        by_round.append(whole.together())
    return each.batches, by_round


def rate(work: Callable[[Any], object], things: Sequence[Any]) -> float:
    """The calls per second."""
    start = time.perf_counter()
    for thing in things:
        work(thing)
    return len(things) / (time.perf_counter() - start)


def _append(store: Store, appended: tuple[Head, Batch]) -> None:
    store.append(STREAM, *appended)


def bare_sqlite(folder: Path) -> tuple[Callable[[Any], object], Callable[[], None]]:
    connection = library().connect(str(folder / "bare.db"), isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE e (seq INTEGER PRIMARY KEY, public BLOB, sealed BLOB, chain BLOB)")

    def put(appended: tuple[Head, Batch]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO e VALUES (?, ?, ?, ?)", _bytes(appended[1]))
        connection.execute("COMMIT")

    return put, connection.close


def bare_postgres(address: str) -> tuple[Callable[[Any], object], Callable[[], None]]:
    connection = psycopg.connect(address)
    connection.execute("CREATE TABLE e (seq BIGINT PRIMARY KEY, public BYTEA, sealed BYTEA, chain BYTEA)")
    connection.commit()

    def put(appended: tuple[Head, Batch]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO e VALUES (%s, %s, %s, %s)", _bytes(appended[1]))
        connection.commit()

    return put, connection.close


def _bytes(batch: Batch) -> list[tuple[int, bytes, bytes, bytes]]:
    return [(entry.seq, entry.public, entry.sealed, entry.chain) for entry in batch.entries]


def measure(kind: str, batches: Sequence[tuple[Head, Batch]]) -> tuple[float, float]:
    """The batches per second of a new store, and of the bare database."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if kind == "sqlite":
            where = str(folder / "record.db")
            put, close = bare_sqlite(folder)
        else:
            running = stack.enter_context(server())
            where = running.database()
            put, close = bare_postgres(running.database())
        stack.callback(close)
        store = stack.enter_context(closing(open_store(where)))
        return rate(partial(_append, store), batches), rate(put, batches)


def appends() -> None:
    each, by_round = rounds()
    events = each[-1][1].signed.head.events
    print(f"{ROUNDS} rounds of {len(SEATS)} seats, {len(each)} entries, {events} events; writes per second")
    print(f"{'':<36}{'store':>10}{'bare':>10}{'ratio':>9}")
    for name, batches in (("one entry at a time", each), ("one round at a time", by_round)):
        memory = rate(partial(_append, MemoryStore()), batches)
        print(f"{name + ', memory':<36}{memory:>10.0f}")
        for kind in ("sqlite", "postgresql"):
            if kind == "postgresql" and programs() is None:
                print("PostgreSQL is not installed")
                continue
            ours, bare = map(max, zip(*(measure(kind, batches) for _ in range(REPEATS)), strict=True))
            print(f"{name + ', ' + kind:<36}{ours:>10.0f}{bare:>10.0f}{ours / bare:>8.2f}x")


def _source() -> str:
    """A digest of the source, so that a changed program makes a new record."""
    digest = hashlib.sha256()
    for file in sorted(Path(houseway.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def long_record() -> Path:
    """The file of a record of a million events; made if it does not exist."""
    path = Path(tempfile.gettempdir()) / f"houseway-{_source()}-{LONG}.db"
    if path.exists():
        return path
    unfinished = path.with_suffix(".making")
    unfinished.unlink(missing_ok=True)
    start = time.perf_counter()
    with closing(SqliteStore(unfinished)) as store:
        collector = BatchCollector()
        live = open_table(collector)
        while live.head.events < LONG:
            play(live)
            if any(batch.snapshot for _, batch in collector.batches) or live.head.events >= LONG:
                store.append(STREAM, *collector.together())
    unfinished.rename(path)
    unfinished.with_name(f"{unfinished.name}.lock").unlink()
    print(f"made {path} in {time.perf_counter() - start:.0f} s")
    return path


RESUME = """
import sys, time
start = time.perf_counter()
from houseway.audit.store_factory import open_store
from houseway.audit.signatures import Signer
from houseway.engine.dealer_act import next_act
from houseway.live import LiveTable, TableServices
imported = time.perf_counter()
live = LiveTable.resume(TableServices(open_store(sys.argv[1]), Signer(bytes(32))), "table:1")
assert live.state.round.betting == "open" or next_act(live.table, live.state) is not None
print(live.head.events, imported - start, time.perf_counter() - imported)
"""


def playable() -> None:
    path = long_record()
    start = time.perf_counter()
    process = subprocess.run(
        [sys.executable, "-c", RESUME, path], capture_output=True, text=True, check=True
    )
    whole = time.perf_counter() - start
    events, imported, resumed = process.stdout.split()
    size = path.stat().st_size / 1e6
    print(f"a record of {int(events):,} events, {size:.0f} MB, resumed at its last snapshot")
    print(f"  playable after {float(resumed):.2f} s, imports {float(imported):.2f} s, in all {whole:.2f} s")


def main() -> None:
    appends()
    playable()


if __name__ == "__main__":
    main()
