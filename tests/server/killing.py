"""People who play at a house that is killed again and again, and who remember all they were told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from random import Random
from threading import Timer
from typing import Any

import msgspec

from houseway.audit.entries import read_entry
from houseway.audit.store_factory import open_store
from houseway.audit.verify import verify
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.engine.codec import apart, card_out
from server.houses import Process

Data = dict[str, Any]
DECISIONS = ("Check", "Play", "Fold", "Keep", "Split")
AWAIT = 5.0


class LostError(AssertionError):
    """Something that was acknowledged or told is not on record, or is another."""


class Memory:
    """What everybody at one table was told, over all the lives of the house."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        """The first event of each command, by its key on record."""
        self.events: dict[int, Data] = {}
        self.cards: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {}
        """The own cards, by round and seat, as far as they were dealt."""

    def hear(self, at: AtTable) -> None:
        """Take in what a socket shows now."""
        for update in (step.update for step in at.steps):
            if update.event and self.events.setdefault(update.seq, update.event) != update.event:
                raise LostError(f"event {update.seq} was {self.events[update.seq]}, now {update.event}")
        yours, number = at.view.yours, at.view.table.round
        if yours.cards:
            had = self.cards.get((number, yours.seat), ())
            if any(cards not in yours.cards for cards in had if len(cards) == len(yours.cards[0])):
                raise LostError(f"seat {yours.seat} had {had} in round {number}, now {yours.cards}")
            self.cards[number, yours.seat] = yours.cards

    def compare(self, recorded: dict[int, Data], keys: dict[str, int]) -> None:
        """Hold what was told against the record."""
        for seq, event in self.events.items():
            if recorded.get(seq) != event:
                raise LostError(f"event {seq} was told as {event}, on record is {recorded.get(seq)}")
        for key, seq in self.acknowledged.items():
            if keys.get(key) != seq:
                raise LostError(f"{key} was acknowledged as event {seq}, on record is {keys.get(key)}")


class Player:
    """Somebody at a seat who plays whatever is allowed, and asks again when no answer came."""

    def __init__(self, house: House, table: str, memory: Memory, rng: Random) -> None:
        self._house = house
        self._table = table
        self._memory = memory
        self._rng = rng
        self._keys = 0
        self._handle = f"player {rng.getrandbits(32):x}"
        self._unanswered: tuple[str, Data] | None = None
        house.introduce(self._handle)
        self.at: AtTable | None = None

    def come(self) -> AtTable:
        """Come to the own seat, or back to it; what was asked and not answered is asked again."""
        before = self.at
        known = None if before is None else before.seq
        self.at = at = self._house.sit(self._table)
        if before is not None and at.seq == known:
            # Nothing happened meanwhile: the table lies as it lay.
            was, now = before.view, at.view
            if (was.table, was.yours) != (now.table, now.yours):
                raise LostError(f"{self._table} lies otherwise after event {known}: {now}, and not {was}")
        self._memory.hear(at)
        return at

    def ask_again(self, on_record: set[str]) -> None:
        """Send again what was never answered; where it stands on record the house says so."""
        if self._unanswered is None:
            return
        key, command = self._unanswered
        known = f"{self._handle}/{key}" in on_record
        answer = self._ask(key, command)
        if isinstance(answer, m.Answered) and answer.repeated != known:
            raise LostError(f"{key} is {'' if known else 'not '}on record; the answer was {answer}")
        if known and isinstance(answer, m.NotTaken):
            raise LostError(f"{key} is on record and was refused: {answer}")

    def move(self) -> None:
        """Do what the table waits for, if it waits for this seat."""
        at = self.at
        assert at is not None
        self._drain(at)
        waits, yours = at.view.waits, at.view.yours
        if yours.seat not in waits.seats and waits.why != "players":
            return
        if waits.why in ("bets", "players"):
            spot = next(spot for spot in yours.spots if not spot.beside)
            amount = spot.least * self._rng.randint(1, 2)
            self._do({"type": "Bet", "seat": yours.seat, "wagers": {spot.wager: amount}})
        if waits.why == "decision":
            found = [one.command for one in yours.choices if one.command["type"] in DECISIONS]
            self._do(self._rng.choice(found))
        else:
            at.ready()

    def _do(self, command: Data) -> None:
        self._keys += 1
        self._ask(f"{self._keys}", command)

    def _ask(self, key: str, command: Data) -> m.Answered | m.NotTaken:
        assert self.at is not None
        self._unanswered = key, command
        sent = self.at.do(command, key)
        while True:
            message = self.at.next(AWAIT)
            self._memory.hear(self.at)
            if isinstance(message, m.Answered | m.NotTaken) and message.key == sent:
                break
        self._unanswered = None
        if isinstance(message, m.Answered):
            self._memory.acknowledged[f"{self._handle}/{key}"] = message.seq
        return message

    def _drain(self, at: AtTable) -> None:
        with suppress(TimeoutError):
            while True:
                at.next(0.001)
                self._memory.hear(at)


class Town:
    """A house in a process of its own, its tables and all who play there."""

    def __init__(self, process: Process, rulebooks: tuple[str, ...], rng: Random) -> None:
        self.process = process
        self._rng = rng
        self.tables: dict[str, Memory] = {}
        self._players: list[Player] = []
        process.start()
        for book in rulebooks:
            host = House(process.url)
            host.introduce(f"host {rng.getrandbits(32):x}")
            table = host.open_table(m.OpenTable(rulebook=book, clock=0)).table
            self.tables[table] = Memory()
            for _ in range(2):
                self._players.append(Player(House(process.url), table, self.tables[table], rng))
        self._on_record: set[str] = set()

    def live_and_die(self, seconds: float) -> None:
        """Let everybody play until the house is killed, and look at what it left behind."""
        ending = Timer(seconds, self.process.kill)
        with ExitStack() as sockets:
            ending.start()
            # The house may be gone at any word.
            with suppress(HouseError, TimeoutError):
                self._come(sockets)
                while True:
                    self._rng.choice(self._players).move()
        ending.join()
        self.look()

    def _come(self, sockets: ExitStack) -> None:
        for player in self._players:
            sockets.enter_context(player.come())
            player.ask_again(self._on_record)

    def play_rounds(self, rounds: int) -> None:
        """Play so many rounds at every table, the house left in peace."""
        with ExitStack() as sockets:
            self._come(sockets)
            until = {table: self.closed(table) + rounds for table in self.tables}
            while any(self.closed(table) < count for table, count in until.items()):
                for player in self._players:
                    player.move()

    def closed(self, table: str) -> int:
        """The rounds that were told to be over."""
        return sum(event["type"] == "RoundClosed" for event in self.tables[table].events.values())

    def look(self) -> None:
        """Hold everything told against the record, and verify that."""
        self._on_record = set()
        with closing(open_store(self.process.db, read_only=True)) as store:
            for table, memory in self.tables.items():
                entries = [read_entry(stored) for stored in store.entries(table)]
                keys = {entry.key: entry.seq for entry in entries if entry.key}
                memory.compare(dict(_told(entries)), keys)
                self._on_record |= set(keys)
                faults = verify(store, table).faults
                if faults:
                    raise LostError(f"{table}: {faults[0]}")


def _told(entries: list[Any]) -> Iterator[tuple[int, Data]]:
    """Events by number, as everybody may see them."""
    for entry in entries:
        for number, event in enumerate(entry.events, entry.seq):
            # Through JSON and back, as a client has it.
            text = msgspec.json.encode(apart(event)[0], enc_hook=card_out)
            yield number, msgspec.json.decode(text)
