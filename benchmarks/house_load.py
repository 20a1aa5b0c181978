"""Measure how many tables a house can run: six seats each, all players on sockets, every act durable.

The house runs in one process and the players in another. A player waits one to three seconds (seeded)
before acting. The benchmark measures the time from a command until the last of the six seats gets the
update. For comparison, the same run measures a bare socket echo and bare SQLite commits. Set --tables and
--minutes; memory growth shows after half an hour.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from served import Child, child, echo, echoes, enter, house, percentile
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from houseway.audit.sql.sqlite import library
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.client import House
from houseway.client import messages as m
from houseway.server.limits import Limits

SEATS: Final = 6
LIMITS: Final = Limits(handshakes=1e6, openings=1e6, requests=1e6, connections=10**6)
"""High limits, because all players come from one address."""
DECISIONS: Final = ("Check", "Play", "Fold")
UPDATES: Final = 100
"""The number of updates remembered for each table."""
ECHOING: Final = 5.0
WARM: Final = 1 / 3
"""The fraction of the run before memory is measured."""
FILLED: Final = 600
"""Seconds until all caches of the house are full; memory grows until then."""


class Waits(msgspec.Struct):
    why: str
    seats: tuple[int, ...] = ()


class Choice(msgspec.Struct):
    command: dict[str, Any]


class Yours(msgspec.Struct, frozen=True):
    choices: tuple[Choice, ...] | msgspec.UnsetType | None = msgspec.UNSET


class Patch(msgspec.Struct, frozen=True):
    yours: Yours = Yours()


class Update(msgspec.Struct):
    patch: Patch = Patch()


class View(msgspec.Struct):
    yours: Yours
    waits: Waits


class Frame(msgspec.Struct):
    """The part of a frame that a player reads."""

    type: str
    seq: int = 0
    key: str = ""
    updates: tuple[Update, ...] = ()
    waits: Waits | None = None
    view: View | None = None


frames: Final = msgspec.json.Decoder(Frame)


class TableTimes:
    """A table, and the time at which each seat got each update."""

    def __init__(self, name: str, times: list[float]) -> None:
        self.name = name
        self._times = times
        self._updates: dict[int, list[float]] = {}
        """The arrival times of each update, by its last event."""
        self._pending: list[tuple[int, float]] = []
        self.rounds = 0

    def updated(self, seq: int, now: float) -> None:
        """A seat got an update."""
        self._updates.setdefault(seq, []).append(now)
        self._match()

    def answered(self, seq: int, sent: float) -> None:
        """A command is on record as event `seq`."""
        self._pending.append((seq, sent))
        self._match()

    def _match(self) -> None:
        for command in tuple(self._pending):
            seq, sent = command
            update = min((last for last in self._updates if last >= seq), default=None)
            if update is not None and len(self._updates[update]) >= SEATS:
                self._times.append(self._updates[update][SEATS - 1] - sent)
                self._pending.remove(command)
        if len(self._updates) > UPDATES:
            # A reply may arrive after its update, so only old updates are forgotten.
            for last in sorted(self._updates)[: UPDATES // 2]:
                del self._updates[last]


class Player:
    """One seat, played over a socket."""

    def __init__(self, at: TableTimes, seat: int, socket: ClientConnection, rng: Random) -> None:
        self.at = at
        self._seat = seat
        self._socket = socket
        self._rng = rng
        self._sent: dict[str, float] = {}
        self._waits = Waits("")
        self._choices: tuple[Choice, ...] = ()
        self._acting: asyncio.Task[None] | None = None

    async def play(self) -> None:
        """Read and act until the house closes the socket."""
        with suppress(ConnectionClosed):
            async for text in self._socket:
                self._take(frames.decode(text), time.perf_counter())

    def _take(self, frame: Frame, now: float) -> None:
        if frame.type == "answered":
            self.at.answered(frame.seq, self._sent.pop(frame.key))
        elif frame.type == "told":
            self.at.updated(frame.seq, now)
        changed = [update.patch.yours for update in frame.updates]
        if frame.view is not None:
            self._waits = frame.view.waits
            changed = [frame.view.yours]
        for yours in changed:
            if yours.choices is not msgspec.UNSET:
                self._choices = yours.choices or ()
        self._waits = frame.waits or self._waits
        if self._seat in self._waits.seats and self._acting is None:
            self._acting = asyncio.create_task(self._act())

    async def _act(self) -> None:
        await asyncio.sleep(self._rng.uniform(1, 3))
        self._acting = None
        if self._seat not in self._waits.seats:
            return
        if self._waits.why == "decision":
            offered = [choice.command for choice in self._choices]
            await self._do(
                self._rng.choice([command for command in offered if command["type"] in DECISIONS])
            )
            return
        if self._waits.why == "bets":
            await self._do({"type": "Bet", "seat": self._seat, "wagers": {"ante": 500, "trips": 500}})
        elif self._seat == 1:
            self.at.rounds += 1
        await self._socket.send('{"type":"ready"}')

    async def _do(self, command: dict[str, Any]) -> None:
        key = f"{self._seat}.{self._rng.getrandbits(64):x}"
        self._sent[key] = time.perf_counter()
        await self._socket.send(
            msgspec.json.encode({"type": "do", "key": key, "command": command}).decode()
        )


def table_of_six(served: Child, number: int) -> tuple[str, list[House]]:
    """Open a table and seat six people; return both."""
    people = [House(served.url) for _ in range(SEATS)]
    for seat, person in enumerate(people, 1):
        person.introduce(f"player {number}.{seat}")
    table = people[0].open_table(m.OpenTable(rulebook="uth-ma", clock=0, leave_out=("progressive",))).table
    for seat, person in enumerate(people, 1):
        person.command(table, {"type": "Sit", "seat": seat}, "sit")
    return table, people


async def start_tables(
    served: Child, tables: int, times: list[float]
) -> dict[TableTimes, list[asyncio.Task[None]]]:
    """Open all tables; each plays as soon as its six players are seated."""
    tasks = {}
    for number in range(tables):
        table, people = await asyncio.to_thread(table_of_six, served, number)
        at = TableTimes(table, times)
        sockets = [
            await enter(person, served.url, table, f"seat {seat}") for seat, person in enumerate(people, 1)
        ]
        players = [Player(at, n, socket, Random(f"{number}/{n}")) for n, socket in enumerate(sockets, 1)]
        tasks[at] = [asyncio.create_task(player.play()) for player in players]
    return tasks


async def measure(served: Child, tables: int, minutes: float) -> None:
    times: list[float] = []
    tasks = await start_tables(served, tables, times)
    times.clear()
    before = sum(at.rounds for at in tasks)
    began, used = time.perf_counter(), served.seconds()
    own = resource.getrusage(resource.RUSAGE_SELF)
    samples: list[tuple[float, float]] = []

    async def watch() -> None:
        while True:
            await asyncio.sleep(1)
            samples.append((time.perf_counter() - began, served.memory()))

    watching = asyncio.create_task(watch())
    await asyncio.wait([task for of in tasks.values() for task in of], timeout=60 * minutes)
    watching.cancel()
    took = time.perf_counter() - began
    mine = resource.getrusage(resource.RUSAGE_SELF)
    rounds = sum(at.rounds for at in tasks) - before
    house_share = (served.seconds() - used) / took
    own_share = (mine.ru_utime + mine.ru_stime - own.ru_utime - own.ru_stime) / took
    warm = [sample for sample in samples if sample[0] > took * WARM]
    print(f"{tables} tables of {SEATS} seats for {took:.0f} s, {len(times) / took:.0f} commands a second")
    row("command to all seats, ms", f"p50 {percentile(times, 50):.1f}", f"p99 {percentile(times, 99):.1f}")
    row("rounds a second", f"{rounds / took:.1f}")
    row("processor", f"house {house_share:.0%}", f"players {own_share:.0%}")
    still = "" if warm[0][0] >= FILLED else ", still filling"
    row("memory of the house", f"{warm[-1][1]:.0f} MB", f"{slope(warm) / warm[0][1]:+.1%} an hour{still}")
    for of in tasks.values():
        for task in of:
            task.cancel()


def row(words: str, *figures: str) -> None:
    print(f"{words:<36}" + "".join(f"{figure:>20}" for figure in figures))


def slope(samples: Iterable[tuple[float, float]]) -> float:
    """The growth in megabytes per hour, by least squares."""
    points = list(samples)
    at, of = (sum(point[n] for point in points) / len(points) for n in (0, 1))
    over = sum((x - at) ** 2 for x, _ in points)
    return 3600 * sum((x - at) * (y - of) for x, y in points) / over if over else 0.0


def verify_records(where: str) -> None:
    """Verify every record, from its first event."""
    began, events, faults = time.perf_counter(), 0, []
    with closing(open_store(where, read_only=True)) as store:
        for stream in store.streams():
            report = verify(store, stream)
            events += report.events
            faults += list(report.faults)
    took = time.perf_counter() - began
    row("records verified", f"{events} events", f"{took:.0f} s", f"{len(faults)} faults")
    if faults:
        raise SystemExit(str(faults[0]))


def commits(folder: Path, seconds: float = 2) -> float:
    """The durable commits per second of bare SQLite, a thousand bytes each."""
    with closing(library().connect(str(folder / "bare.db"), isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE e (seq INTEGER PRIMARY KEY, body BLOB)")
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            connection.execute("INSERT INTO e (body) VALUES (?)", (bytes(1000),))
            count += 1
        return count / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3)
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with tempfile.TemporaryDirectory() as folder:
        where = str(Path(folder) / "house.db")
        with child(house, where, LIMITS) as served:
            asyncio.run(measure(served, options.tables, options.minutes))
        verify_records(where)
        with child(echo) as bare:
            times = asyncio.run(echoes(bare.url.replace("http", "ws") + "/", 50, ECHOING))
        rate = f"{len(times) / ECHOING:.0f} a second"
        median, high = percentile(times, 50), percentile(times, 99)
        row("bare echo, 50 sockets, ms", f"p50 {median:.1f}", f"p99 {high:.1f}", rate)
        row("bare SQLite, durable commits", f"{commits(Path(folder)):.0f} a second")


if __name__ == "__main__":
    main()
