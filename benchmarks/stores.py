"""How many entries and rounds a second each store keeps, and how fast a long record is playable again.

The same entries, of real rounds, go through each store and into the bare database: one table, one durable
commit each. One core, one run, in turn, the best of some; the last column is the ratio. The record of a
million events is made once and kept in the folder for temporary files. Run with `make bench`.
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
from houseway.shoe import Seeded

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from record.servers import programs, server

SEATS = range(1, 7)
ROUNDS = 60
TURNS = 3
LONG = 1_000_000
STREAM = "table:1"
SIGNER = Signer(bytes(32))


class Gathering(MemoryStore):
    """Keeps the batches of a game, a round's together where one wants them so."""

    def __init__(self) -> None:
        super().__init__()
        self.batches: list[tuple[Head, Batch]] = []

    def append(self, stream: str, after: Head, batch: Batch) -> None:
        self.batches.append((after, batch))

    def together(self) -> tuple[Head, Batch]:
        """All that was gathered, as one batch."""
        batches = [batch for _, batch in self.batches]
        after, self.batches = self.batches[0][0], []
        return after, Batch(
            entries=tuple(entry for batch in batches for entry in batch.entries),
            signed=batches[-1].signed,
            texts={digest: text for batch in batches for digest, text in batch.texts.items()},
            secrets={name: value for batch in batches for name, value in batch.secrets.items()},
            snapshot=next((batch.snapshot for batch in reversed(batches) if batch.snapshot), None),
        )


def opened(store: Store) -> LiveTable:
    """A table with all its seats taken."""
    book = load("uth-ma")
    opening = c.OpenTable(designated=(book.game,), backs=("red",), examples=True)
    live = LiveTable.open(TableServices(store, SIGNER, Seeded("benchmark")), STREAM, book, {}, opening)
    if isinstance(live, Refusal):
        raise SystemExit(live.message)
    live.advance()
    for seat in SEATS:
        live.send(c.Sit(seat=seat, player=f"Player {seat}", chips=10**12))
    return live


def play(live: LiveTable) -> None:
    """One round: everybody wagers and plays at once."""
    number = live.state.round.number
    while live.state.round.number == number:
        asked = turn(live.table, live.state)
        if asked is not None:
            live.send(c.Play(seat=asked[0], times=4))
        elif live.state.round.betting == "open":
            for seat in SEATS:
                live.send(c.Bet(seat=seat, wagers={"ante": 1000, "trips": 500}), key=f"{number} {seat}")
            live.act()
        elif next_act(live.table, live.state) is None or not live.advance():
            raise SystemExit("the table does not go on")


def rounds() -> tuple[list[tuple[Head, Batch]], list[tuple[Head, Batch]]]:
    """Real rounds, entry by entry and round by round."""
    each, whole = Gathering(), Gathering()
    live = opened(each)
    by_round: list[tuple[Head, Batch]] = []
    for _ in range(ROUNDS):
        start = len(each.batches) if by_round else 0
        play(live)
        whole.batches = each.batches[start:]
        by_round.append(whole.together())
    return each.batches, by_round


def rate(work: Callable[[Any], object], things: Sequence[Any]) -> float:
    """How many a second."""
    start = time.perf_counter()
    for thing in things:
        work(thing)
    return len(things) / (time.perf_counter() - start)


def _append(store: Store, one: tuple[Head, Batch]) -> None:
    store.append(STREAM, *one)


def bare_sqlite(folder: Path) -> tuple[Callable[[Any], object], Callable[[], None]]:
    connection = library().connect(str(folder / "bare.db"), isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE e (seq INTEGER PRIMARY KEY, public BLOB, sealed BLOB, chain BLOB)")

    def put(one: tuple[Head, Batch]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO e VALUES (?, ?, ?, ?)", _bytes(one[1]))
        connection.execute("COMMIT")

    return put, connection.close


def bare_postgres(address: str) -> tuple[Callable[[Any], object], Callable[[], None]]:
    connection = psycopg.connect(address)
    connection.execute("CREATE TABLE e (seq BIGINT PRIMARY KEY, public BYTEA, sealed BYTEA, chain BYTEA)")
    connection.commit()

    def put(one: tuple[Head, Batch]) -> None:
        with connection.cursor() as cursor:
            cursor.executemany("INSERT INTO e VALUES (%s, %s, %s, %s)", _bytes(one[1]))
        connection.commit()

    return put, connection.close


def _bytes(batch: Batch) -> list[tuple[int, bytes, bytes, bytes]]:
    return [(entry.seq, entry.public, entry.sealed, entry.chain) for entry in batch.entries]


def measured(kind: str, batches: Sequence[tuple[Head, Batch]]) -> tuple[float, float]:
    """How many a second a new store keeps, and the bare database."""
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
    print(f"{ROUNDS} rounds of {len(SEATS)} seats, {len(each)} entries, {events} events; a second, durably")
    print(f"{'':<36}{'store':>10}{'bare':>10}{'ratio':>9}")
    for words, batches in (("entries, each by itself", each), ("rounds, each by itself", by_round)):
        memory = rate(partial(_append, MemoryStore()), batches)
        print(f"{words + ', memory':<36}{memory:>10.0f}")
        for kind in ("sqlite", "postgresql"):
            if kind == "postgresql" and programs() is None:
                print("PostgreSQL is not on this machine")
                continue
            ours, bare = map(max, zip(*(measured(kind, batches) for _ in range(TURNS)), strict=True))
            print(f"{words + ', ' + kind:<36}{ours:>10.0f}{bare:>10.0f}{ours / bare:>8.2f}x")


def _source() -> str:
    """What the code says that wrote a record; another writes another."""
    digest = hashlib.sha256()
    for file in sorted(Path(houseway.__file__).parent.rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def long_record() -> Path:
    """The file of a record of a million events, made where it is not there yet."""
    path = Path(tempfile.gettempdir()) / f"houseway-{_source()}-{LONG}.db"
    if path.exists():
        return path
    making = path.with_suffix(".making")
    making.unlink(missing_ok=True)
    start = time.perf_counter()
    with closing(SqliteStore(making)) as store:
        gathering = Gathering()
        live = opened(gathering)
        while live.head.events < LONG:
            play(live)
            if any(batch.snapshot for _, batch in gathering.batches) or live.head.events >= LONG:
                store.append(STREAM, *gathering.together())
    making.rename(path)
    making.with_name(f"{making.name}.lock").unlink()
    print(f"made {path} in {time.perf_counter() - start:.0f} s")
    return path


TAKE_UP = """
import sys, time
start = time.perf_counter()
from houseway.audit.store_factory import open_store
from houseway.audit.signatures import Signer
from houseway.engine.dealer_act import next_act
from houseway.live import House, LiveTable
imported = time.perf_counter()
live = LiveTable.resume(House(open_store(sys.argv[1]), Signer(bytes(32))), "table:1")
assert live.state.round.betting == "open" or next_act(live.table, live.state) is not None
print(live.head.events, imported - start, time.perf_counter() - imported)
"""


def playable() -> None:
    path = long_record()
    start = time.perf_counter()
    said = subprocess.run([sys.executable, "-c", TAKE_UP, path], capture_output=True, text=True, check=True)
    whole = time.perf_counter() - start
    events, imported, taken = said.stdout.split()
    size = path.stat().st_size / 1e6
    print(f"a record of {int(events):,} events, {size:.0f} MB, taken up at its last snapshot: playable in")
    print(f"  {float(taken):.2f} s, imports {float(imported):.2f} s, the whole process {whole:.2f} s")


def main() -> None:
    appends()
    playable()


if __name__ == "__main__":
    main()
