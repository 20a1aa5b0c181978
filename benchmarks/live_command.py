"""Measure the processor time of a message at a live table with six players, without a network.

The house runs in this process as an ASGI application. The benchmark takes the place of the web server: it
hands each message to the application and counts the processor time until all six seats have their updates.
Cards and decisions are seeded, so every repetition plays the same game. For each message, the fastest
repetition counts. The benchmark prints the mean by kind of message, for records in memory and in SQLite.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import secrets
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
import uvloop

from houseway.live.record_files import keep
from houseway.server.app import application
from houseway.server.house import HouseServer
from houseway.server.limits import Limits
from houseway.server.web_server import COLLECTOR
from houseway.shoe import Seeded

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from server.houses import NoSolver

SEATS: Final = 6
LIMITS: Final = Limits(commands=1e9, burst=10**9, handshakes=1e6, openings=1e6, requests=1e6)
PASSES: Final = 2
"""The number of passes of the event loop, after a message is answered, until every update has been sent."""
DECISIONS: Final = (
    ({"type": "Check"}, {"type": "Check"}, {"type": "Play", "times": 4}),
    ({"type": "Check"}, {"type": "Play", "times": 2}),
    ({"type": "Play", "times": 1}, {"type": "Fold"}),
)
"""The decisions to choose from before the flop, on the flop and on the river."""


class Client:
    """A client that calls the application directly, without a web server and a network."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._headers = [(b"host", b"127.0.0.1")]
        self._incoming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.answered = asyncio.Event()
        """Set while the application waits for the next message of this client."""
        self.sent: list[str] = []

    def _scope(self, kind: str, path: str) -> dict[str, Any]:
        client = ("127.0.0.1", 1)
        common = {"type": kind, "path": path, "raw_path": path.encode(), "query_string": b""}
        common |= {"headers": self._headers, "client": client, "scheme": kind}
        return {**common, "method": "POST", "root_path": ""}

    async def ask(self, path: str, body: object) -> Any:
        """Send a request and return the decoded reply."""
        text = bytearray()

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": msgspec.json.encode(body)}

        async def send(message: dict[str, Any]) -> None:
            text.extend(message.get("body", b""))

        await self._app(self._scope("http", path), receive, send)
        return msgspec.json.decode(bytes(text))

    async def introduce(self, handle: str) -> None:
        """Register under a handle."""
        reply = await self.ask("/api/session", {"handle": handle})
        self._headers.append((b"authorization", f"Bearer {reply['token']}".encode()))

    async def enter(self, table: str, role: str) -> None:
        """Open a socket at a table."""
        ticket = await self.ask("/api/tickets", {"table": table})
        self._incoming.put_nowait({"type": "websocket.connect"})
        self.say({"type": "enter", "ticket": ticket["ticket"], "table": table, "role": role})
        self.task = asyncio.create_task(
            self._app(self._scope("websocket", "/api/socket"), self._next, self._take)
        )

    async def _next(self) -> dict[str, Any]:
        if self._incoming.empty():
            self.answered.set()
        return await self._incoming.get()

    async def _take(self, message: dict[str, Any]) -> None:
        if "text" in message:
            self.sent.append(message["text"])

    def say(self, message: object) -> None:
        """Put a message on the socket."""
        text = msgspec.json.encode(message).decode()
        self.answered.clear()
        self._incoming.put_nowait({"type": "websocket.receive", "text": text})


class Waits(msgspec.Struct):
    why: str
    seats: tuple[int, ...] = ()


class View(msgspec.Struct):
    waits: Waits | None = None


class Frame(msgspec.Struct):
    """The part of a frame that a player reads."""

    waits: Waits | None = None
    view: View | None = None
    refused: tuple[Any, ...] = ()


frames: Final = msgspec.json.Decoder(Frame)


class Game:
    """A table of six players, and the processor time of their messages."""

    def __init__(self, house: HouseServer, players: list[Client], seed: int) -> None:
        self._house = house
        self._players = players
        self._rng = Random(seed)
        self._waits = Waits("")
        self._asked = dict.fromkeys(range(1, SEATS + 1), 0)
        """The number of decisions that each seat has made in this round."""
        self._number = 0
        self.times: list[tuple[str, float]] = []
        """The kind of each message, and its processor time in seconds."""

    async def settle(self, player: Client) -> None:
        """Wait until a player's message has been answered and every update has been sent."""
        await player.answered.wait()
        await self._house.threads.finish()
        for _ in range(PASSES):
            await asyncio.sleep(0)

    def read(self) -> None:
        """Read what was sent to the players."""
        for player in self._players:
            for text in player.sent:
                frame = frames.decode(text)
                if frame.refused:
                    raise SystemExit(text)
                waits = frame.view.waits if frame.view else frame.waits
                self._waits = waits or self._waits
            player.sent.clear()

    async def _send(self, seat: int, kind: str, message: dict[str, Any]) -> None:
        before = self._waits
        player = self._players[seat - 1]
        player.say(message)
        began = time.process_time()
        await self.settle(player)
        took = time.process_time() - began
        self.read()
        if kind in ("ready", "decision") and self._waits.why != before.why:
            kind = {"next": "last decision, showdown"}.get(self._waits.why, "last ready, deal")
        self.times.append((kind, took))

    async def _do(self, seat: int, kind: str, command: dict[str, Any]) -> None:
        self._number += 1
        command = {**command, "seat": seat}
        await self._send(seat, kind, {"type": "do", "key": f"{self._number}", "command": command})

    async def round(self) -> None:
        """Play one round."""
        why, self._asked = self._waits.why, dict.fromkeys(self._asked, 0)
        if why == "next":
            for seat in self._waits.seats:
                await self._send(seat, "next", {"type": "ready"})
        for seat in self._waits.seats:
            await self._do(seat, "bet", {"type": "Bet", "wagers": {"ante": 500, "trips": 500}})
        for seat in self._waits.seats:
            await self._send(seat, "ready", {"type": "ready"})
        while self._waits.why == "decision":
            seat = self._waits.seats[0]
            choices = DECISIONS[self._asked[seat]]
            self._asked[seat] += 1
            await self._do(seat, "decision", self._rng.choice(choices))


async def play(where: Path | None, rounds: int) -> list[tuple[str, float]]:
    """Play rounds at a new table and return the times of their messages."""
    store, signer = keep(where)
    serving = HouseServer(store, signer, limits=LIMITS, entropy=Seeded(1))
    serving.solver = NoSolver()
    app = application(serving)
    players = [Client(app) for _ in range(SEATS)]
    for seat, player in enumerate(players, 1):
        await player.introduce(f"player {seat}")
    order = {"rulebook": "uth-ma", "clock": 0, "leave_out": ["progressive"]}
    table = (await players[0].ask("/api/tables", order))["table"]
    for seat, player in enumerate(players, 1):
        command = {"type": "Sit", "seat": seat}
        await player.ask(f"/api/tables/{table}/commands", {"key": "sit", "command": command})
        await player.enter(table, f"seat {seat}")
    game = Game(serving, players, 1)
    await asyncio.sleep(0.1)
    game.read()
    await game.round()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR)
    game.times = []
    for _ in range(rounds):
        await game.round()
    for player in players:
        player.task.cancel()
    await asyncio.gather(*(player.task for player in players), return_exceptions=True)
    await serving.close()
    return game.times


def show(name: str, repeats: list[list[tuple[str, float]]]) -> None:
    """Print the mean time of each kind of message; for each message, the fastest repetition counts."""
    kinds: dict[str, list[float]] = defaultdict(list)
    for message in zip(*repeats, strict=True):
        (kind,) = {kind for kind, _ in message}
        kinds[kind].append(min(took for _, took in message))
    print(f"{name:<36}{'messages':>10}{'ms of processor':>18}")
    for kind, times in kinds.items():
        print(f"  {kind:<34}{len(times):>10}{1000 * sum(times) / len(times):>18.3f}")
    commands = sum(len(kinds[kind]) for kind in COMMANDS)
    each = sum(map(sum, kinds.values())) / commands
    print(f"  {'whole round, for each command':<34}{commands:>10}{1000 * each:>18.3f}")


COMMANDS: Final = ("bet", "decision", "last decision, showdown")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--store", choices=("memory", "sqlite", "both"), default="both")
    options = parser.parse_args()
    # The cards depend on the name of the table.
    secrets.token_hex = lambda nbytes=None: bytes(nbytes or 0).hex()
    if options.store != "sqlite":
        show("records in memory", [uvloop.run(play(None, options.rounds)) for _ in range(options.repeats)])
    if options.store != "memory":
        repeats = []
        for _ in range(options.repeats):
            with tempfile.TemporaryDirectory() as folder:
                repeats.append(uvloop.run(play(Path(folder) / "house.db", options.rounds)))
        show("records in a SQLite file", repeats)


if __name__ == "__main__":
    main()
