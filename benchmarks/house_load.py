"""Measure how many tables a house can run: six seats each, all players on sockets, every act durable.

The house runs in one process and the players in another. A player waits one to three seconds (seeded)
before acting. The benchmark measures the time from a command until the last of the six seats gets the
update. For comparison, the same run measures a bare socket echo and bare commits. Set --tables and
--minutes; only runs of half an hour or more show how memory grows. With --servers, several servers
share one PostgreSQL, and each player connects to a random one, as through a simple load balancer. With
--direct, each player connects to the server that runs the table.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import psycopg
from served import Child, child, echo, echoes, enter, house, percentile, processor_seconds
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from houseway.audit.sql.sqlite import library
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.client import House
from houseway.client import messages as m
from houseway.server.limits import Limits
from record.servers import server as postgres_server

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
        """Note that a seat got an update."""
        self._updates.setdefault(seq, []).append(now)
        self._match()

    def answered(self, seq: int, sent: float) -> None:
        """Note that a command is on record as event `seq`."""
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


def table_of_six(urls: list[str], number: int) -> tuple[str, list[House]]:
    """Open a table at the first server and seat six people; return both."""
    people = [House(url) for url in urls]
    for seat, person in enumerate(people, 1):
        person.introduce(f"player {number}.{seat}")
    table = people[0].open_table(m.OpenTable(rulebook="uth-ma", clock=0, leave_out=("progressive",))).table
    for seat, person in enumerate(people, 1):
        person.command(table, {"type": "Sit", "seat": seat}, "sit")
    return table, people


async def start_tables(
    fleet: Fleet, tables: int, times: list[float], *, direct: bool
) -> dict[TableTimes, list[asyncio.Task[None]]]:
    """Open all tables; each plays as soon as its six players are seated."""
    tasks = {}
    rng = Random("load balancer")
    for number in range(tables):
        owner = fleet.servers[number % len(fleet.servers)].url
        urls = [owner] + [owner if direct else rng.choice(fleet.servers).url for _ in range(SEATS - 1)]
        table, people = await asyncio.to_thread(table_of_six, urls, number)
        at = TableTimes(table, times)
        sockets = [
            await enter(person, url, table, f"seat {seat}")
            for seat, (person, url) in enumerate(zip(people, urls, strict=True), 1)
        ]
        players = [Player(at, n, socket, Random(f"{number}/{n}")) for n, socket in enumerate(sockets, 1)]
        tasks[at] = [asyncio.create_task(player.play()) for player in players]
    return tasks


class Fleet:
    """The servers, and the PostgreSQL that they share (0 if they use SQLite)."""

    def __init__(self, servers: list[Child], postgres: int = 0) -> None:
        self.servers = servers
        self._postgres = postgres

    def seconds(self) -> tuple[float, float]:
        """The processor time of the servers and of PostgreSQL so far, in seconds."""
        database = processor_seconds(self._postgres, family=True) if self._postgres else 0.0
        return sum(served.seconds() for served in self.servers), database

    def memory(self) -> float:
        """The resident memory of all servers, in megabytes."""
        return sum(served.memory() for served in self.servers)


async def measure(fleet: Fleet, tables: int, minutes: float, *, direct: bool) -> None:
    times: list[float] = []
    tasks = await start_tables(fleet, tables, times, direct=direct)
    times.clear()
    before = sum(at.rounds for at in tasks)
    began, used = time.perf_counter(), fleet.seconds()
    own = resource.getrusage(resource.RUSAGE_SELF)
    samples: list[tuple[float, float]] = []

    async def watch() -> None:
        while True:
            await asyncio.sleep(1)
            samples.append((time.perf_counter() - began, fleet.memory()))

    watching = asyncio.create_task(watch())
    await asyncio.wait([task for of in tasks.values() for task in of], timeout=60 * minutes)
    watching.cancel()
    took = time.perf_counter() - began
    mine = resource.getrusage(resource.RUSAGE_SELF)
    rounds = sum(at.rounds for at in tasks) - before
    house_time, database_time = (now - then for now, then in zip(fleet.seconds(), used, strict=True))
    own_share = (mine.ru_utime + mine.ru_stime - own.ru_utime - own.ru_stime) / took
    warm = [sample for sample in samples if sample[0] > took * WARM]
    print(f"{tables} tables of {SEATS} seats for {took:.0f} s, {len(times) / took:.0f} commands a second")
    row("command to all seats, ms", f"p50 {percentile(times, 50):.1f}", f"p99 {percentile(times, 99):.1f}")
    row("rounds a second", f"{rounds / took:.1f}")
    row(
        "processor",
        f"house {house_time / took:.0%}",
        f"PostgreSQL {database_time / took:.0%}",
        f"players {own_share:.0%}",
    )
    row(
        "processor time a command, ms",
        f"house {1000 * house_time / len(times):.2f}",
        f"PostgreSQL {1000 * database_time / len(times):.2f}",
    )
    still = "" if warm[0][0] >= FILLED else ", caches still filling"
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


def sqlite_commits(folder: Path, seconds: float = 2) -> float:
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


def postgres_commits(url: str, seconds: float = 2) -> float:
    """The durable commits per second of bare PostgreSQL on one connection, a thousand bytes each."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE e (seq SERIAL PRIMARY KEY, body BYTEA)")
        began, count = time.perf_counter(), 0
        while time.perf_counter() - began < seconds:
            connection.execute("INSERT INTO e (body) VALUES (%s)", (bytes(1000),))
            count += 1
        return count / (time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--servers", type=int, default=0, help="servers that share one PostgreSQL")
    parser.add_argument("--direct", action="store_true", help="connect each player to the table's server")
    options = parser.parse_args()
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        where, postgres = str(folder / "house.db"), 0
        shared: tuple[str, ...] = ()
        if options.servers:
            database = stack.enter_context(postgres_server("max_connections=200"))
            where, postgres = database.database(), database.pid
            shared = (str(folder / "house.key"),)
        with ExitStack() as running:
            servers = [
                running.enter_context(child(house, where, LIMITS, *shared))
                for _ in range(max(1, options.servers))
            ]
            fleet = Fleet(servers, postgres)
            asyncio.run(measure(fleet, options.tables, options.minutes, direct=options.direct))
        verify_records(where)
        with child(echo) as bare:
            times = asyncio.run(echoes(bare.url.replace("http", "ws") + "/", 50, ECHOING))
        rate = f"{len(times) / ECHOING:.0f} a second"
        median, high = percentile(times, 50), percentile(times, 99)
        row("bare echo, 50 sockets, ms", f"p50 {median:.1f}", f"p99 {high:.1f}", rate)
        if options.servers:
            row("bare PostgreSQL, durable commits", f"{postgres_commits(database.database()):.0f} a second")
        else:
            row("bare SQLite, durable commits", f"{sqlite_commits(folder):.0f} a second")


if __name__ == "__main__":
    main()
