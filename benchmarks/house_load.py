"""Measure how many tables a house can run: six seats each, all players on sockets, every act durable.

The house runs in one process and the players in another. First, all tables are opened and all seats taken.
Then all tables start together. A player waits one to three seconds (seeded) before acting, and adds a salt
to the players' cut of each round, as browsers do. The benchmark measures the time from a command until the
last of the six seats gets the update. For comparison, the same run measures a bare socket echo and bare
commits. With --servers, several servers share one PostgreSQL, and each player connects to a random one, as
through a simple load balancer. With --sweep, every number of tables is measured with every number of
servers. docs/testing.md explains the figures.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import uvloop
from bare_costs import BareCommit, BareEcho, bare_echo, postgres_commit, sqlite_commit
from load_players import SEATS, THINKING, Counts, Player, seated_players
from load_results import (
    FILLED,
    HOUR,
    Costs,
    LoadResult,
    Memory,
    Verification,
    several_servers,
    show,
    show_table,
)
from served import Child, child, house, percentile, processor_seconds

from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.client import HouseError
from houseway.server.limits import Limits
from record.servers import server as postgres_server

LIMITS: Final = Limits(handshakes=1e6, openings=1e6, requests=1e6, connections=10**6)
"""High limits, because all players come from one address."""
OPENERS: Final = 4
"""The number of tables that are opened at the same time."""
STARTING: Final = THINKING[1] + 2
"""Seconds from the start of the tables to the beginning of the measurement."""
WARM: Final = 1 / 3
"""The fraction of the run before memory is measured."""
PROGRESS: Final = 10.0
"""Seconds between two lines of progress."""


class TooSlowError(Exception):
    """The tables could not be opened in time."""


class Fleet:
    """The servers, and the PostgreSQL that they share (0 if they use SQLite)."""

    def __init__(self, servers: list[Child], postgres: int = 0) -> None:
        self.servers = servers
        self._postgres = postgres

    def costs(self) -> Costs:
        """The processor time so far."""
        database = processor_seconds(self._postgres, family=True) if self._postgres else 0.0
        return Costs(sum(served.seconds() for served in self.servers), database, time.process_time())

    def memory(self) -> float:
        """The resident memory of all servers, in megabytes."""
        return sum(served.memory() for served in self.servers)


class Progress:
    """Lines on stderr, at most one every ten seconds."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._next = 0.0

    def say(self, text: str) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + PROGRESS
            sys.stderr.write(f"{self._name}: {text}\n")
            sys.stderr.flush()


class Options(msgspec.Struct, frozen=True):
    """The options that are the same for every number of tables."""

    seconds: float
    opening: float
    direct: bool
    salts: bool


async def open_tables(
    fleet: Fleet, tables: int, counts: Counts, options: Options, progress: Progress
) -> tuple[list[Player], float]:
    """Open all tables and seat all players; return the players, and the seconds that it took.

    Raises TooSlowError if it takes too long.
    """
    began, rng = time.perf_counter(), Random("load balancer")
    queue: list[tuple[int, list[str]]] = []
    for number in range(tables):
        owner = fleet.servers[number % len(fleet.servers)].url
        others = [owner if options.direct else rng.choice(fleet.servers).url for _ in range(SEATS - 1)]
        queue.append((number, [owner, *others]))
    queue.reverse()
    players: list[Player] = []
    reading: set[asyncio.Task[None]] = set()

    async def open_next() -> None:
        while queue:
            number, urls = queue.pop()
            seated = await seated_players(urls, number, counts, salts=options.salts)
            players.extend(seated)
            # A player who does not read would be disconnected.
            reading.update(asyncio.create_task(player.play()) for player in seated)
            took = time.perf_counter() - began
            progress.say(f"{len(players) // SEATS} of {tables} tables are open after {took:.0f} s")

    try:
        async with asyncio.timeout(options.opening), asyncio.TaskGroup() as openers:
            for _ in range(OPENERS):
                openers.create_task(open_next())
    except TimeoutError:
        opened = len(players) // SEATS
        raise TooSlowError(
            f"not measured: only {opened} of {tables} tables were open after {options.opening:.0f} s"
        ) from None
    return players, time.perf_counter() - began


async def measure(
    fleet: Fleet, tables: int, options: Options, progress: Progress
) -> Callable[[BareEcho, BareCommit, Verification], LoadResult]:
    """Open all tables, let them play, and return the result, which lacks only the other measurements."""
    counts = Counts()
    players, opening = await open_tables(fleet, tables, counts, options, progress)
    for player in players:
        player.begin()
    await asyncio.sleep(STARTING)
    counts.reset()
    began, used = time.perf_counter(), fleet.costs()
    samples: list[tuple[float, float]] = []
    while (took := time.perf_counter() - began) < options.seconds:
        samples.append((took, fleet.memory()))
        rate = len(counts.times) / max(took, 1)
        progress.say(f"{took:.0f} of {options.seconds:.0f} s, {rate:.0f} commands a second")
        await asyncio.sleep(min(1, options.seconds - took))
    costs, took = fleet.costs().since(used), time.perf_counter() - began
    samples.append((took, fleet.memory()))
    warm = [sample for sample in samples if sample[0] >= took * WARM]
    memory = Memory(
        warm[-1][1], slope(warm) / warm[0][1], warm[-1][0] - warm[0][0], filling=warm[0][0] < FILLED
    )
    times = percentile(counts.times, 50), percentile(counts.times, 99)
    return lambda echo, commit, verified: LoadResult(
        tables, len(fleet.servers), opening, took, times, len(counts.times), counts.rounds,
        counts.refused, counts.dropped, costs, memory, echo, commit, verified,
    )  # fmt: skip


def slope(samples: Iterable[tuple[float, float]]) -> float:
    """The growth in megabytes per hour, by least squares."""
    points = list(samples)
    at, of = (sum(point[n] for point in points) / len(points) for n in (0, 1))
    over = sum((x - at) ** 2 for x, _ in points)
    return HOUR * sum((x - at) * (y - of) for x, y in points) / over if over else 0.0


def verify_records(where: str, progress: Progress) -> Verification:
    """Verify every record, from its first event."""
    began, events, faults = time.perf_counter(), 0, []
    with closing(open_store(where, read_only=True)) as store:
        streams = store.streams()
        for number, stream in enumerate(streams):
            report = verify(store, stream)
            events += report.events
            faults += [f"{stream}: {fault}" for fault in report.faults]
            progress.say(f"{number + 1} of {len(streams)} records verified")
    return Verification(events, time.perf_counter() - began, tuple(faults))


def run(tables: int, servers: int, options: Options) -> LoadResult:
    """Measure some tables with some servers that share one PostgreSQL; 0 is one server with SQLite."""
    progress = Progress(f"{tables} tables, {several_servers(servers)}")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        where, postgres = str(folder / "house.db"), 0
        shared: tuple[str, ...] = ()
        echo = bare_echo()
        if servers:
            database = stack.enter_context(postgres_server("max_connections=200"))
            where, postgres = database.database(), database.pid
            shared = (str(folder / "house.key"),)
            commit = postgres_commit(database.database(), postgres)
        else:
            commit = sqlite_commit(folder)
        with ExitStack() as running:
            started = [
                running.enter_context(child(house, where, LIMITS, *shared)) for _ in range(max(1, servers))
            ]
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                result = runner.run(measure(Fleet(started, postgres), tables, options, progress))
        return result(echo, commit, verify_records(where, progress))


def sweep(counts: list[int], servers: list[int], options: Options) -> int:
    """Measure every number of tables with every number of servers; return the number of faulty records."""
    results: list[tuple[int, int, LoadResult | str]] = []
    faults = 0
    pairs = [(tables, number) for number in servers for tables in counts]
    try:
        for done, (tables, number) in enumerate(pairs):
            name = f"{tables} tables, {several_servers(number)}"
            sys.stderr.write(f"{done + 1} of {len(pairs)}: {name}\n")
            result: LoadResult | str
            try:
                result = run(tables, number, options)
                faults += len(result.verified.faults)
            except (TooSlowError, HouseError, OSError, ExceptionGroup) as error:
                result = str(error) if isinstance(error, TooSlowError) else f"failed: {_reason(error)}"
            results.append((tables, number, result))
    except KeyboardInterrupt:
        skipped = pairs[len(results) :]
        results += [(tables, number, "not measured: interrupted") for tables, number in skipped]
    show_table(results)
    return faults


def _reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return f"{type(error).__name__}: {error}"


def numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument(
        "--servers",
        type=numbers,
        default=[0],
        help="servers that share one PostgreSQL (0: one server with SQLite); several numbers with --sweep",
    )
    parser.add_argument("--direct", action="store_true", help="connect each player to the table's server")
    parser.add_argument("--no-salts", action="store_true", help="players add no salts to the cut")
    parser.add_argument(
        "--sweep", type=numbers, metavar="TABLES", help="numbers of tables, such as 200,500"
    )
    parser.add_argument(
        "--opening-minutes", type=float, default=10, help="the longest time to open all tables"
    )
    given = parser.parse_args()
    if not given.sweep and len(given.servers) > 1:
        parser.error("--servers takes several numbers only with --sweep")
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    signal.signal(signal.SIGTERM, interrupt)
    options = Options(
        60 * given.minutes, 60 * given.opening_minutes, direct=given.direct, salts=not given.no_salts
    )
    if given.sweep:
        raise SystemExit(1 if sweep(given.sweep, given.servers, options) else 0)
    try:
        result = run(given.tables, given.servers[0], options)
    except TooSlowError as error:
        raise SystemExit(str(error)) from None
    except KeyboardInterrupt:
        raise SystemExit("interrupted: nothing was measured") from None
    show(result, given.servers[0])
    raise SystemExit(1 if result.verified.faults else 0)


if __name__ == "__main__":
    main()
