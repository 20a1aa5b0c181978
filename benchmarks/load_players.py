"""Players for load tests: they sit at tables, wait like people, and act over sockets as browsers do."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec
from served import enter
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from houseway.client import House, HouseError
from houseway.client import messages as m
from houseway.engine.players_cut import commitment

SEATS: Final = 6
DECISIONS: Final = ("Check", "Play", "Fold")
UPDATES: Final = 100
"""The number of updates remembered for each table."""
THINKING: Final = (1.0, 3.0)
"""The shortest and the longest time that a player waits before acting, in seconds."""


class Waits(msgspec.Struct):
    why: str
    seats: tuple[int, ...] = ()


class Choice(msgspec.Struct):
    command: dict[str, Any]


class Yours(msgspec.Struct, frozen=True):
    """The changed fields of the viewer's own part; a removed field is None."""

    choices: tuple[Choice, ...] | msgspec.UnsetType | None = msgspec.UNSET
    commit_due: bool | msgspec.UnsetType | None = msgspec.UNSET
    openings: dict[int, str | None] | msgspec.UnsetType | None = msgspec.UNSET


class Table(msgspec.Struct, frozen=True):
    """The changed fields of the table."""

    seal: str | msgspec.UnsetType | None = msgspec.UNSET
    betting: str | msgspec.UnsetType | None = msgspec.UNSET


class Patch(msgspec.Struct, frozen=True):
    yours: Yours = Yours()
    table: Table = Table()


class Update(msgspec.Struct):
    patch: Patch = Patch()


class View(msgspec.Struct):
    yours: Yours
    table: Table
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


class Counts:
    """The work of all players since the last reset."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self.times: list[float] = []
        """For each command, the seconds until the last of the six seats had its update."""
        self.refused = 0
        """Commands that the house refused."""
        self.dropped = 0
        """Sockets that the house closed."""
        self.rounds = 0


class TableTimes:
    """A table, and the time at which each seat got each update."""

    def __init__(self, name: str, counts: Counts) -> None:
        self.name = name
        self.counts = counts
        self._updates: dict[int, list[float]] = {}
        """The arrival times of each update, by its last event."""
        self._pending: list[tuple[int, float]] = []

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
                self.counts.times.append(self._updates[update][SEATS - 1] - sent)
                self._pending.remove(command)
        if len(self._updates) > UPDATES:
            # A reply may arrive after its update, so only old updates are forgotten.
            for last in sorted(self._updates)[: UPDATES // 2]:
                del self._updates[last]


class Player:
    """One seat, played over a socket. It only reads until `begin`."""

    def __init__(
        self, at: TableTimes, seat: int, person: House, url: str, rng: Random, *, salts: bool
    ) -> None:
        self.at = at
        self._seat = seat
        self._person = person
        self._url = url
        self._rng = rng
        self._adds_salts = salts
        self._socket: ClientConnection
        self._begun = False
        self._leaving = False
        self._sent: dict[str, tuple[str, float]] = {}
        """The kind of each unanswered command, and the time at which it was sent, by key."""
        self._acting: asyncio.Task[None] | None = None
        self._sending: set[asyncio.Task[None]] = set()
        self._forget_view()

    def _forget_view(self) -> None:
        self._waits = Waits("")
        self._choices: tuple[Choice, ...] = ()
        self._seal = self._betting = ""
        self._commit_due = False
        self._openings: dict[int, str] = {}
        self._salts: dict[str, str] = {}
        """The salts of this round, by commitment."""
        self._opened: set[str] = set()

    async def connect(self) -> None:
        self._socket = await enter(self._person, self._url, self.at.name, f"seat {self._seat}")

    async def play(self) -> None:
        """Read and act until the house closes the socket."""
        while True:
            with suppress(ConnectionClosed):
                async for text in self._socket:
                    self._take(frames.decode(text), time.perf_counter())
            if not self._leaving:
                self.at.counts.dropped += 1
                return
            with suppress(HouseError, OSError):
                await self._sit_down_again()

    def begin(self) -> None:
        """Start to act, after a random part of the longest thinking time."""
        self._start(self._begin())

    async def _begin(self) -> None:
        await asyncio.sleep(self._rng.uniform(0, THINKING[1]))
        self._begun = True
        self._see()

    # --- messages ---

    def _take(self, frame: Frame, now: float) -> None:
        if frame.type == "answered":
            self.at.answered(frame.seq, self._sent.pop(frame.key)[1])
        elif frame.type == "refused":
            self._refused(frame.key)
        elif frame.type == "told":
            self.at.updated(frame.seq, now)
        for update in frame.updates:
            self._change(update.patch.yours, update.patch.table)
        if frame.view is not None:
            self._forget_view()
            self._waits = frame.view.waits
            self._change(frame.view.yours, frame.view.table)
        self._waits = frame.waits or self._waits
        self._see()

    def _change(self, yours: Yours, table: Table) -> None:
        if table.seal is not msgspec.UNSET and (table.seal or "") != self._seal:
            self._seal = table.seal or ""
            self._salts, self._opened = {}, set()
        if table.betting is not msgspec.UNSET:
            self._betting = table.betting or ""
        if yours.choices is not msgspec.UNSET:
            self._choices = yours.choices or ()
        if yours.commit_due is not msgspec.UNSET:
            self._commit_due = bool(yours.commit_due)
        if yours.openings is None:
            self._openings = {}
        elif yours.openings is not msgspec.UNSET:
            merged = {**self._openings, **yours.openings}
            self._openings = {seat: committed for seat, committed in merged.items() if committed}

    def _refused(self, key: str) -> None:
        kind, _ = self._sent.pop(key, ("", 0.0))
        self.at.counts.refused += 1
        if kind == "Bet":
            # The chips are gone. A player who sits down again gets new chips.
            self._leaving = True
            self._start(self._socket.close())

    # --- acts ---

    def _see(self) -> None:
        """Do what the table waits for."""
        if not self._begun:
            return
        if self._adds_salts:
            self._add_salts()
        if self._seat in self._waits.seats and self._acting is None:
            self._acting = asyncio.create_task(self._act())

    def _add_salts(self) -> None:
        """Commit to a salt while betting is open, and open it once betting is closed."""
        if self._commit_due and not self._salts:
            salt = f"{self._rng.getrandbits(128):032x}"
            committed = commitment(self._seal, self._seat, salt)
            self._salts[committed] = salt
            self._start(self._do({"type": "CommitSalt", "seat": self._seat, "commitment": committed}))
        committed = self._openings.get(self._seat, "")
        if self._betting == "closed" and committed in self._salts and committed not in self._opened:
            self._opened.add(committed)
            self._start(self._do({"type": "OpenSalt", "seat": self._seat, "salt": self._salts[committed]}))

    async def _act(self) -> None:
        await asyncio.sleep(self._rng.uniform(*THINKING))
        self._acting = None
        if self._seat not in self._waits.seats:
            return
        with suppress(ConnectionClosed):
            if self._waits.why == "decision":
                offered = [choice.command for choice in self._choices]
                await self._do(
                    self._rng.choice([command for command in offered if command["type"] in DECISIONS])
                )
                return
            if self._waits.why == "bets":
                await self._do({"type": "Bet", "seat": self._seat, "wagers": {"ante": 500, "trips": 500}})
            elif self._seat == 1:
                self.at.counts.rounds += 1
            await self._socket.send('{"type":"ready"}')

    async def _do(self, command: dict[str, Any]) -> None:
        key = f"{self._seat}.{self._rng.getrandbits(64):x}"
        self._sent[key] = command["type"], time.perf_counter()
        with suppress(ConnectionClosed):
            await self._socket.send(
                msgspec.json.encode({"type": "do", "key": key, "command": command}).decode()
            )

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _sit_down_again(self) -> None:
        for command in ({"type": "Leave", "seat": self._seat}, {"type": "Sit", "seat": self._seat}):
            key = f"{command['type']} {self._rng.getrandbits(64):x}"
            await asyncio.to_thread(self._person.command, self.at.name, command, key)
        await self.connect()
        self._leaving = False


def table_of_six(urls: list[str], number: int) -> tuple[str, list[House]]:
    """Open a table at the first server and seat six people; return both."""
    people = [House(url) for url in urls]
    for seat, person in enumerate(people, 1):
        person.introduce(f"player {number}.{seat}")
    table = people[0].open_table(m.OpenTable(rulebook="uth-ma", clock=0, leave_out=("progressive",))).table
    for seat, person in enumerate(people, 1):
        person.command(table, {"type": "Sit", "seat": seat}, "sit")
    return table, people


async def seated_players(urls: list[str], number: int, counts: Counts, *, salts: bool) -> list[Player]:
    """Open a table with six connected players, who do not act yet."""
    table, people = await asyncio.to_thread(table_of_six, urls, number)
    at = TableTimes(table, counts)
    players = [
        Player(at, seat, person, url, Random(f"{number}/{seat}"), salts=salts)
        for seat, (person, url) in enumerate(zip(people, urls, strict=True), 1)
    ]
    for player in players:
        await player.connect()
    return players
