"""A simulated world: a house, its tables and clients, and the faults that its seed selects."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import logging
import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace

from houseway.client import messages as m
from houseway.engine.terms import read_terms
from houseway.live.default_terms import offering
from houseway.rules.loader import load, rulebook_ids
from houseway.rules.rulebook import Rulebook
from houseway.server import house
from server.calling import Reply, http
from simulated_world.clients import MANNERS, Client, Floor, Player
from simulated_world.faults import Faults
from simulated_world.histories import History
from simulated_world.invariants import Invariants
from simulated_world.server_process import ServerProcess, WallClock
from simulated_world.simulated_disk import SimulatedDisk
from simulated_world.simulated_loop import SimulatedLoop, in_process
from simulated_world.simulated_network import Arrivals, DisconnectedError, SimulatedSocket

SEATS = 6
FEW, MANY = 3, 50
"""Rounds of a seed under faults; each table plays at least one more without faults."""
LONGEST = (1800.0, 120.0)
"""The most simulated seconds of the part with faults: a fixed time, and the time added for each round."""
STILL = 3.0
"""The simulated seconds in which clients only read, before their views are compared with the server's."""
STUCK = 1800.0
"""The simulated seconds, without faults, in which every table must finish a round."""
REPLY_SECONDS = 15.0
"""Seconds for which a client waits for a reply over HTTP."""
LATE_TABLE = 0.3
"""The chance that another table is opened while the faults happen."""
HOUR = 3600.0
LOOK_EVERY = 4.0
"""Seconds between two reads of the revocations. No client revokes anything; at the server's own rate, these
reads would be half of all calls to the store."""


def rounds_of(seed: int) -> int:
    """Return how many rounds a seed plays under faults: a few, and 50 in every hundredth seed."""
    return MANY if seed % 100 == 99 else FEW


@dataclass(frozen=True)
class Outcome:
    """The result of one seed."""

    seed: str
    violations: list[str]
    happened: Counter[str]
    """How often each fault happened, and how often each other event happened that the tests require."""
    rounds: int
    digest: str
    """A digest of everything on disk: the same seed gives the same digest."""
    trace: list[str] = field(repr=False)
    rates: str = field(repr=False)


def simulate(seed: int | str, rounds: int, *, show: Callable[[str], None] | None = None) -> Outcome:
    """Run one seed until this many rounds are on record; `show` prints the trace as it happens."""
    loop = SimulatedLoop()
    world = World(loop, str(seed), rounds, show)
    loop.set_exception_handler(world.unhandled)
    looking = patch.object(house, "LOOK_EVERY", LOOK_EVERY)
    with seeded_secrets(str(seed)), collected_at_the_end(), looking:
        try:
            loop.run_until_complete(world.run())
        finally:
            loop.close()
    return world.outcome()


@contextmanager
def collected_at_the_end() -> Iterator[None]:
    """Collect garbage only at the end of the block, so that a task with an unread error is always noticed."""
    gc.disable()
    try:
        yield
        gc.collect()
    finally:
        gc.enable()


def table_order(rng: Random, book: Rulebook, link: str) -> m.OpenTable:
    """Return a table with random settings; the tables of a linked meter have the same progressive."""
    bots = tuple(
        m.SeatedBot(style=rng.choice(("practical", "beginner", "random")))
        for _ in range(rng.choice((0, 0, 1, 2)))
    )
    order = m.OpenTable(
        rulebook=book.id,
        mode=rng.choice(book.modes),
        clock=rng.choice((0, 10, 30)),
        pace=rng.choice(("brisk", "normal")),
        link=link,
        bots=bots,
    )
    several = [name for name, table in book.tables.get("progressive", {}).items() if len(table.meters) > 1]
    for name in several:
        # A share of some percent, divided among several meters, leaves millionths of a cent.
        house = {"feed": 17, "reserve_feed": 5}
        metered = replace(order, tables={"progressive": name}, house=house)
        given = offering(book, order.mode, metered.tables, {}, house) | {"house": house}
        if not read_terms(book, given)[1]:
            return metered
    return order


@contextmanager
def seeded_secrets(seed: str) -> Iterator[None]:
    """Draw the server's tokens, names and personal keys from the seed inside the block."""
    rng, saved = Random(f"{seed}/secrets"), (secrets.token_hex, secrets.token_urlsafe, os.urandom)
    log = logging.getLogger("houseway")
    level = log.level
    log.setLevel(logging.CRITICAL)

    def token(nbytes: int | None = None) -> str:
        return rng.randbytes(nbytes or 16).hex()

    secrets.token_hex = secrets.token_urlsafe = token
    os.urandom = rng.randbytes
    try:
        yield
    finally:
        secrets.token_hex, secrets.token_urlsafe, os.urandom = saved
        log.setLevel(level)


class World:
    """A house with its clients, on one simulated machine and network."""

    def __init__(
        self, loop: SimulatedLoop, seed: str, rounds: int, show: Callable[[str], None] | None
    ) -> None:
        self._loop = loop
        self._seed = seed
        self._rounds = rounds
        self._show = show
        self._rng = Random(f"{seed}/world")
        self.trace: list[str] = []
        self.faults = Faults(seed, loop.time, self.note)
        self.disk = SimulatedDisk(self.faults, Random(f"{seed}/disk"))
        self.wall = WallClock(loop)
        self.invariants = Invariants(self.disk.kept)
        self._process: ServerProcess | None = None
        self._processes = 0
        self._restarting = False
        self._connections = 0
        self._arrivals = Arrivals(self.faults)
        self._clients: list[Client] = []
        self._tasks: list[asyncio.Task[Any]] = []
        self._streams: list[str] = []

    def note(self, sentence: str) -> None:
        """Add a line to the trace."""
        line = f"{self._loop.time():10.3f}  {sentence}"
        self.trace.append(line)
        if self._show is not None:
            self._show(line)

    def unhandled(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Note an exception that no code handled."""
        self._violation(
            f"unhandled: {context.get('message')}: {context.get('exception')!r} {context.get('future', '')!r}"
        )

    def _violation(self, sentence: str) -> None:
        self.note(f"VIOLATION: {sentence}")
        self.invariants.violations.append(sentence)

    def outcome(self) -> Outcome:
        """Return the result."""
        digest = hashlib.sha256()
        kept = self.disk.kept
        for stream in kept.streams():
            for stored in kept.everything(stream):
                digest.update(stored.public + stored.sealed + stored.chain)
        for name, body in kept.kept().items():
            digest.update(name.encode() + body)
        return Outcome(
            self._seed, self.invariants.violations, self.faults.happened + self.invariants.covered, self.invariants.rounds(),
            digest.hexdigest(), self.trace, self.faults.rates(),
        )  # fmt: skip

    # --- the run ---

    async def run(self) -> None:
        """Open the tables, play under faults, play on without faults, close, and check everything."""
        await self._start_process()
        await self._open_tables()
        for client in self._clients:
            self._task(client.live())
        self.faults.stopped = False
        for fault in (self._cut, self._pause_client, self._pause_server, self._crash, self._jump_clock):
            self._task(self._repeat(*fault()))
        for switch in ("full", "gone", "slow"):
            self._task(self._disk_trouble(switch))
        if self._rng.random() < LATE_TABLE:
            self._task(self._open_late_table())
        await self._until_rounds()
        await self._calm_down()
        await self._finish()

    @property
    def _holds(self) -> bool:
        """True as long as there is no violation; the first violation ends the run."""
        return not self.invariants.violations

    def _task(self, steps: Any) -> None:
        self._tasks.append(self._loop.create_task(steps))

    async def _until_rounds(self) -> None:
        """Wait until enough rounds are on record."""
        until = self._loop.time() + LONGEST[0] + LONGEST[1] * self._rounds
        while self.invariants.rounds() < self._rounds and self._loop.time() < until and self._holds:
            await asyncio.sleep(1)

    async def _calm_down(self) -> None:
        """End all faults, and check that every table still finishes a round."""
        self.faults.stopped = True
        self.disk.full = self.disk.gone = self.disk.slow = False
        for task in self._tasks[len(self._clients) :]:
            task.cancel()
        self.note("the faults end")
        before, since = self.invariants.rounds_by_table(), self._loop.time()
        waiting = set(self._streams)
        while waiting and self._loop.time() < since + STUCK and self._holds:
            await asyncio.sleep(2)
            now = self.invariants.rounds_by_table()
            waiting = {stream for stream in waiting if now[stream] == before[stream]}
        for stream in sorted(waiting) if self._holds else ():
            self._violation(f"{stream} finished no round in {STUCK:.0f} seconds without faults")
        self.note("the players leave")

    async def _finish(self) -> None:
        for client in self._clients:
            client.still = True
        await asyncio.sleep(STILL)
        if self._process is not None and self._holds:
            self.invariants.compare_views(self._process.house, self._clients)
        for task in self._tasks:
            task.cancel()
        await asyncio.wait(self._tasks)
        for task in self._tasks:
            if not task.cancelled() and task.exception() is not None:
                self._violation(f"a client failed: {task.exception()!r}")
        process = self._process
        if process is None:
            self._violation("the server did not start again")
            return
        if not self._holds:
            await self._kill(process)
            return
        for left in await process.close():
            self._violation(f"a task is left after the server closed: {left}")
            await self._kill(process)
        for problem in self.invariants.check([client.history for client in self._clients]):
            self._violation(problem)

    # --- processes ---

    async def _start_process(self) -> None:
        while True:
            self._processes += 1
            process = ServerProcess(
                self._loop, self.disk, self.wall, self._seed, self._processes, self._died
            )
            if await process.start():
                self._process = process
                self.note(f"process {process.number} is ready")
                return
            self.note(f"process {process.number} could not start")
            await self._kill(process)
            await asyncio.sleep(2)

    def _died(self) -> None:
        """Start a new process after the current process was killed while it wrote."""
        if self._process is not None:
            self._task_outside(self._restart())

    def _task_outside(self, steps: Any) -> None:
        self._loop.create_task(steps, context=in_process(0))

    async def _restart(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        self.note(f"process {process.number} is killed")
        await self._kill(process)
        await asyncio.sleep(Random(f"{self._seed}/{process.number}").uniform(0.2, 5))
        await self._start_process()

    async def _kill(self, process: ServerProcess) -> None:
        if not await process.kill():
            self._violation(f"tasks of process {process.number} cannot be cancelled")

    # --- faults at random times ---

    async def _repeat(self, kind: str, happen: Callable[[], None]) -> None:
        while (seconds := self.faults.wait(kind)) is not None:
            await asyncio.sleep(seconds)
            happen()

    def _cut(self) -> tuple[str, Callable[[], None]]:
        rng = Random(f"{self._seed}/cut")

        def cut() -> None:
            client = rng.choice(self._clients)
            if client.socket is not None:
                self.faults.note("disconnect")
                client.socket.cut()

        return "disconnect", cut

    def _pause_client(self) -> tuple[str, Callable[[], None]]:
        rng = Random(f"{self._seed}/pause")

        def pause() -> None:
            self.faults.note("client paused")
            rng.choice(self._clients).paused_until = self._loop.time() + rng.uniform(5, 90)

        return "client paused", pause

    def _pause_server(self) -> tuple[str, Callable[[], None]]:
        rng = Random(f"{self._seed}/stop")

        def pause() -> None:
            self.faults.note("server paused")
            self._loop.jump(rng.choice((0.5, 3.0, 20.0, 100.0)))

        return "server paused", pause

    def _crash(self) -> tuple[str, Callable[[], None]]:
        def crash() -> None:
            if self._process is not None:
                self.faults.note("crash")
                self._task_outside(self._restart())

        return "crash", crash

    def _jump_clock(self) -> tuple[str, Callable[[], None]]:
        rng = Random(f"{self._seed}/clock")

        def jump() -> None:
            self.faults.note("clock jump")
            seconds = rng.uniform(-HOUR, HOUR)
            self.invariants.clock_jumped(back=seconds < 0)
            self.wall.jump(seconds)

        return "clock jump", jump

    async def _disk_trouble(self, switch: str) -> None:
        """Repeatedly make the disk full, unreachable or slow for a while."""
        kind = {"full": "disk full", "gone": "disk gone", "slow": "slow disk"}[switch]
        rng = Random(f"{self._seed}/{switch}")
        while (seconds := self.faults.wait(kind)) is not None:
            await asyncio.sleep(seconds)
            setattr(self.disk, switch, True)
            self.note(f"the disk is {switch}")
            await asyncio.sleep(rng.uniform(1, 20))
            setattr(self.disk, switch, False)
            self.note(f"the disk is not {switch} any more")

    # --- the network ---

    def command_sent_twice(self, rng: Random) -> bool:
        return self.faults.happens("command sent twice", rng)

    async def connect(self, client: str, stream: str) -> SimulatedSocket:
        """Open a socket to the current process."""
        process = self._process
        if process is None or process.app is None:
            raise DisconnectedError
        self._connections += 1

        def check(text: str) -> None:
            if process.alive:
                self._sent(client, stream, text)

        seed = f"{self._seed}/{client}/{self._connections}"
        socket = SimulatedSocket(self._loop, self.faults, seed, self._arrivals, check)
        process.sockets.append(socket)
        serve = process.app(socket.scope("127.0.0.1"), socket.to_server, socket.from_server)
        task = self._loop.create_task(self._served(serve), context=in_process(process.number))
        task.add_done_callback(lambda _: process.sockets.remove(socket))
        return socket

    async def _served(self, serve: Any) -> None:
        try:
            await serve
        except Exception as error:
            self._violation(f"a socket failed: {error!r}")

    def _sent(self, client: str, stream: str, text: str) -> None:
        """Check a message at the moment when the server sends it."""
        if self._show is not None:
            self.note(f"to {client}: {text[:160]}")
        if problem := self.invariants.early(client, stream, text):
            self._violation(problem)

    async def request(self, client: Client, method: str, path: str, body: bytes = b"") -> Reply:
        """Send an HTTP request to the current process."""
        rng = client.rng
        await asyncio.sleep(rng.uniform(0.001, 0.03))
        process = self._process
        if process is None or process.app is None or self.faults.happens("request lost", rng):
            await asyncio.sleep(rng.uniform(0.1, 1))
            raise DisconnectedError
        call = http(process.app, method, path, token=client.token, body=body)
        task = self._loop.create_task(call, context=in_process(process.number))
        await asyncio.wait((task,), timeout=REPLY_SECONDS)
        if not task.done() or task.cancelled() or not process.alive:
            raise DisconnectedError
        try:
            reply = task.result()
        except Exception as error:
            self._violation(f"a request failed: {method} {path}: {error!r}")
            raise DisconnectedError from error
        if path.endswith("/commands"):
            self._sent(client.name, client.stream, reply.body.decode())
        if self.faults.happens("reply lost", rng):
            raise DisconnectedError
        await asyncio.sleep(rng.uniform(0.001, 0.03))
        return reply

    # --- tables ---

    async def _open_tables(self) -> None:
        """Open one table, or two with a linked meter, and introduce their players."""
        rng, books = self._rng, rulebook_ids()
        rulebook = books[int(self._seed) % len(books)] if self._seed.isdecimal() else rng.choice(books)
        book = load(rulebook)
        host = self._host = Floor(self, "host", self._seed, History("host"))
        await host.introduce()
        linked = "progressive" in book.tables and rng.random() < 0.4
        for number in range(2 if linked else 1):
            order = table_order(rng, book, "simulated" if linked else "")
            reply = await host.ask("POST", "/api/tables", order)
            if reply.status != 201:
                self._violation(f"the table was refused: {reply.body!r}")
                return
            card = msgspec.json.decode(reply.body, type=m.TableCard)
            self._streams.append(card.table)
            self.note(
                f"table {card.table}: {rulebook}, {order.mode}, clock {order.clock}, {len(order.bots)} bots"
            )
            free = [place.seat for place in card.seats if not place.player][:SEATS]
            for n, seat in enumerate(free):
                # The first two players are honest. A table without honest players could wait forever.
                manners = "honest" if n < 2 else rng.choice(MANNERS)
                await self._introduce(f"player {number}.{seat}", card.table, seat, manners)
        if rng.random() < 0.3:
            host.stream, host.role = self._streams[0], "floor"
            host.history.stream = host.stream
            self._clients.append(host)

    async def _open_late_table(self) -> None:
        """Open a table at which only a bot plays, to test the opening under faults."""
        await asyncio.sleep(self._rng.uniform(1, 60))
        with suppress(DisconnectedError):
            await self._host.ask(
                "POST", "/api/tables", m.OpenTable(rulebook="uth-ma", bots=(m.SeatedBot(),))
            )
            self.faults.happened["table opened under faults"] += 1

    async def _introduce(self, name: str, stream: str, seat: int, manners: str) -> None:
        player = Player(self, name, self._seed, History(name, stream), seat, manners)
        player.stream = stream
        await player.introduce()
        self.note(f"{name} is {manners}, at {stream}")
        self._clients.append(player)
