"""Three servers that share one PostgreSQL, the faults that hit them, and a check of the record.

Players reconnect to any server, as if through a load balancer. They remember every message. At the end, all
messages and all leases are compared with the records.
"""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Literal
from urllib.parse import urlsplit

import psycopg

from houseway.audit.entries import read_entry
from houseway.audit.store import Store
from houseway.audit.store_factory import open_store
from houseway.audit.verify_house import verify_house
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from record.servers import Server as Database
from server.forking import Child, ForkedProcess
from server.killing import Data, LostError, Memory, Player, check_meter, public_events

Kind = Literal["kill", "stop", "cut"]
KINDS: tuple[Kind, ...] = ("kill", "stop", "cut")
PATIENCE = 60.0
"""Seconds within which a table must continue after a fault; later is a failure. The documents promise 10
seconds, which the long run requires; a busy machine takes longer."""
QUIET = 2.0
"""Seconds without a message after which a player pings the server, and seconds to wait for the reply."""
FEW_CHIPS = 20_000
RETRY = 0.8
"""Seconds before a player reconnects."""
LINK = "jackpot"
CHUNK = 64 * 1024


class DatabaseProxy:
    """A TCP proxy between one server and the database. While it is cut off, it passes nothing on."""

    def __init__(self, socket_file: Path) -> None:
        self._target = str(socket_file)
        self._connected = threading.Event()
        self._connected.set()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                threading.Thread(target=self._connect, args=[near], daemon=True).start()

    def _connect(self, near: socket.socket) -> None:
        self._connected.wait()
        with near, socket.socket(socket.AF_UNIX) as far, suppress(OSError):
            far.connect(self._target)
            back = threading.Thread(target=self._pass, args=[far, near], daemon=True)
            back.start()
            self._pass(near, far)
            back.join()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(CHUNK):
                self._connected.wait()
                target.sendall(data)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        self._connected.clear()

    def heal(self) -> None:
        self._connected.set()

    def close(self) -> None:
        self._connected.set()
        self._listening.close()


def _reserved_port() -> int:
    """Return a free port outside the range that the system gives to outgoing connections."""
    while True:
        port = SystemRandom().randrange(20_000, 32_000)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


class SharedProcess(ForkedProcess):
    """One of several servers in separate processes."""

    def __init__(self, folder: Path, name: str, database: str, key: Path) -> None:
        super().__init__(database)
        # A killed server gets its port again: no outgoing connection may have it in the meantime.
        self.port = _reserved_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.errors = folder / f"{name}.errors"
        address = f"127.0.0.1:{self.port}"
        self._more = ("--key", str(key), "--internal-address", address, "--behind-proxy", "127.0.0.1")

    def begin(self) -> Child:
        self.process = child = Child(self.errors, self.arguments())
        return child

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.process.pid, number)


class BalancedClient(House):
    """A client that a load balancer connects to any of the servers."""

    def __init__(self, urls: list[str], rng: Random) -> None:
        super().__init__(urls[0], seconds=3.0)
        self._urls = urls
        self._rng = rng
        self.move()

    def move(self) -> None:
        """Use another server that is ready, as a load balancer with health checks would."""
        for url in self._rng.sample(self._urls, len(self._urls)):
            self._netloc = urlsplit(url).netloc
            with suppress(OSError, http.client.HTTPException):
                probe = http.client.HTTPConnection(self._netloc, timeout=0.5)
                with closing(probe):
                    probe.request("GET", "/readyz")
                    if probe.getresponse().status == 200:
                        return


class ReconnectingPlayer(Player):
    """A player who reconnects to any server and sends the unanswered command again."""

    def __init__(self, house: BalancedClient, table: str, memory: Memory, rng: Random) -> None:
        super().__init__(house, table, memory, rng, feeds=True)
        self.house = house
        self._heard = time.monotonic()

    def send_again(self) -> None:
        """If a command was not answered, send it again. It must count once."""
        if self._unanswered is not None:
            self._send(*self._unanswered)

    def _do(self, command: Data) -> None:
        super()._do(command)
        assert self.at is not None
        if command["type"] == "Bet" and (self.at.view.yours.chips or 0) < FEW_CHIPS:
            # After a few hundred rounds the chips are gone. A player who sits down again gets new chips.
            super()._do({"type": "TakeBack", "seat": command["seat"]})
            super()._do({"type": "Leave", "seat": command["seat"]})
            raise HouseError("the player has left, and sits down again")

    def _drain(self, at: AtTable) -> None:
        before = at.seq
        super()._drain(at)
        if at.seq != before:
            self._heard = time.monotonic()
        if time.monotonic() > self._heard + QUIET:
            # A server that hangs does not answer; `next` raises TimeoutError.
            at.ask_pong()
            at.next(QUIET)
            self._heard = time.monotonic()


class Game(threading.Thread):
    """Plays one table until it is stopped."""

    def __init__(self, urls: list[str], table: str, rng: Random) -> None:
        super().__init__(daemon=True)
        self.memory = Memory()
        self.table = table
        self.error: Exception | None = None
        self.ended = threading.Event()
        self._rng = rng
        self.players = [
            ReconnectingPlayer(BalancedClient(urls, rng), table, self.memory, rng) for _ in range(2)
        ]

    def run(self) -> None:
        try:
            while not self.ended.is_set():
                with suppress(HouseError, TimeoutError), ExitStack() as sockets:
                    self._play(sockets)
                for player in self.players:
                    player.house.move()
                # All players have one address, which may open ten sockets a second at a server.
                self.ended.wait(RETRY)
        except Exception as error:  # shown by the checker
            self.error = error

    def _play(self, sockets: ExitStack) -> None:
        for player in self.players:
            sockets.enter_context(player.connect())
            player.send_again()
        while not self.ended.is_set():
            self._rng.choice(self.players).move()
            time.sleep(0.02)


@dataclass
class Cluster:
    """Three servers with their proxies to the database, their tables and their players."""

    database: str
    proxies: list[DatabaseProxy]
    servers: list[SharedProcess]
    games: dict[str, Game] = field(default_factory=dict)
    owners: dict[tuple[str, int], set[str]] = field(default_factory=dict)
    """The servers that owned each table under each fencing number, as far as `watch` saw."""
    times: dict[str, list[float]] = field(default_factory=dict)
    """For each kind of fault, the seconds until every table of the server was played elsewhere."""
    faults: list[str] = field(default_factory=list)
    """Each fault with its server and its time, to explain a failure."""
    _watching: threading.Event = field(default_factory=threading.Event)

    def open_tables(self, rulebooks: tuple[str, ...], rng: Random) -> None:
        urls = [server.url for server in self.servers]
        for n, book in enumerate(rulebooks):
            host = House(urls[n % len(urls)])
            host.introduce(f"host {rng.getrandbits(32):x}")
            link = LINK if book.startswith("uth") else ""
            table = host.open_table(m.OpenTable(rulebook=book, clock=0, link=link)).table
            self.games[table] = Game(urls, table, Random(f"{table} {rng.random()}"))

    # --- the database ---

    def ask(self, statement: str, *parameters: object) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.database, autocommit=True) as connection:
            return connection.execute(statement, parameters).fetchall()

    def watch(self) -> None:
        """Note the owner of each table repeatedly."""
        with psycopg.connect(self.database, autocommit=True) as connection:
            while not self._watching.wait(0.05):
                for stream, fence, server in connection.execute(
                    "SELECT stream, fence, server FROM leases WHERE server <> ''"
                ):
                    self.owners.setdefault((stream, fence), set()).add(server)

    def tables_of(self, server: SharedProcess) -> dict[str, int]:
        """Return the tables of a server with their fencing numbers."""
        address = f"127.0.0.1:{server.port}"
        owned = "SELECT stream, fence FROM leases JOIN servers ON id = server WHERE address = %s"
        return {stream: fence for stream, fence in self.ask(owned, address) if stream in self.games}

    def continued(self, table: str, fence: int) -> float | None:
        """Return when an entry was first written under a later lease; None if there is none."""
        first = self.ask(
            "SELECT public FROM entries WHERE stream = %s AND"
            " (convert_from(public, 'UTF8')::json ->> 'fence')::bigint > %s ORDER BY seq LIMIT 1",
            table,
            fence,
        )
        if not first:
            return None
        return datetime.fromisoformat(json.loads(first[0][0])["at"]).timestamp()

    # --- faults ---

    def hit(self, faults: Sequence[tuple[Kind, float]], rng: Random) -> None:
        """Start faults at different servers at once, and wait until their tables are played elsewhere.

        `faults` has the kind of each fault, and the least number of seconds that it lasts.
        """
        until = time.monotonic() + PATIENCE
        while not (loaded := [server for server in self.servers if self.tables_of(server)]):
            assert time.monotonic() < until, "no server owns a table"
            time.sleep(0.1)
        first = rng.choice(loaded)
        others = [server for server in self.servers if server is not first]
        chosen = [first, *rng.sample(others, len(faults) - 1)]
        tables = [self.tables_of(server) for server in chosen]
        began = time.time()
        with ExitStack() as ending:
            for (kind, _), server in zip(faults, chosen, strict=True):
                ending.callback(self._begin(kind, server))
                self.faults.append(f"{kind} {server.port} {time.strftime('%H:%M:%S')}")
            for (kind, _), owned in zip(faults, tables, strict=True):
                if owned:
                    slowest = max(self._wait(table, fence) for table, fence in owned.items())
                    self.times.setdefault(kind, []).append(slowest - began)
            time.sleep(max(0.0, began + max(seconds for _, seconds in faults) - time.time()))

    def _begin(self, kind: Kind, server: SharedProcess) -> Callable[[], object]:
        """Start a fault at a server, and return the function that ends it."""
        match kind:
            case "kill":
                server.kill()
                return server.start
            case "stop":
                server.signal(signal.SIGSTOP)
                return partial(server.signal, signal.SIGCONT)
            case "cut":
                proxy = self.proxies[self.servers.index(server)]
                proxy.cut()
                return proxy.heal

    def _wait(self, table: str, fence: int) -> float:
        until = time.monotonic() + PATIENCE
        while (at := self.continued(table, fence)) is None:
            if (error := self.games[table].error) is not None:
                raise error
            assert time.monotonic() < until, f"{table} was not continued: {self.logs()}"
            time.sleep(0.1)
        return at

    def logs(self) -> str:
        """Return the leases and the end of each server's log, to explain a failure."""
        ends = [server.errors.read_text(encoding="utf-8")[-2000:] for server in self.servers]
        leases = self.ask("SELECT stream, server, fence FROM leases")
        living = self.ask("SELECT id, address FROM servers WHERE expires_at > clock_timestamp()")
        return f"{leases} {living} {self.faults[-4:]}\n" + "\n".join(ends)

    # --- the end ---

    def stop_playing(self) -> None:
        for game in self.games.values():
            game.ended.set()
        for game in self.games.values():
            game.join(PATIENCE)
            if game.error is not None:
                raise game.error
        self._watching.set()

    def check(self) -> None:
        """Compare all messages and leases with the records."""
        for (stream, fence), servers in self.owners.items():
            if len(servers) != 1:
                raise LostError(f"{stream} had {len(servers)} owners under lease {fence}")
        with closing(open_store(self.database, read_only=True)) as store:
            for table, game in self.games.items():
                check_history(store, table, game.memory)
            check_meter(store, LINK, self.games)
            for report in verify_house(store):
                if report.faults:
                    raise LostError(f"{report.stream}: {report.faults[0]}")

    @property
    def report(self) -> str:
        """The seconds until play continued, for each kind of fault."""
        figures = (
            f"{kind}: {', '.join(f'{t:.1f}' for t in times)} s" for kind, times in self.times.items()
        )
        return "; ".join(figures)


def check_history(store: Store, table: str, memory: Memory) -> None:
    """Raise LostError unless the record is one history that contains every message to its players."""
    entries = [read_entry(stored) for stored in store.entries(table)]
    fences = [entry.fence for entry in entries]
    if fences != sorted(fences):
        raise LostError(f"{table} was written by two owners: its fencing numbers go down")
    keys = [entry.key for entry in entries if entry.key]
    if len(set(keys)) != len(keys):
        raise LostError(f"the record of {table} has a command twice")
    memory.compare(dict(public_events(entries)), {entry.key: entry.seq for entry in entries if entry.key})


@contextmanager
def cluster(database: Database, folder: Path, rulebooks: tuple[str, ...], rng: Random) -> Iterator[Cluster]:
    """Run three servers, each with its own proxy to the database, and start to play."""
    url = database.database()
    parts = urlsplit(url)
    proxies = [DatabaseProxy(database.socket_file) for _ in range(3)]
    servers = [
        SharedProcess(
            folder,
            f"server-{n}",
            f"postgresql://house@127.0.0.1:{proxy.port}{parts.path}",
            folder / "house.key",
        )
        for n, proxy in enumerate(proxies)
    ]
    made = Cluster(url, proxies, servers)
    try:
        for server in servers:
            server.start()
        made.open_tables(rulebooks, rng)
        threading.Thread(target=made.watch, daemon=True).start()
        for game in made.games.values():
            game.start()
        yield made
    finally:
        for game in made.games.values():
            game.ended.set()
        made._watching.set()
        for proxy in proxies:
            proxy.heal()
        ends: list[Callable[[], object]] = [
            server.kill for server in servers if server.process and server.process.poll() is None
        ]
        for end in ends:
            end()
        for proxy in proxies:
            proxy.close()
