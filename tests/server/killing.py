"""Players on a server that is killed repeatedly, who remember every message they received."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from random import Random
from threading import Timer
from typing import Any

import msgspec

from houseway.audit.entries import read_entry
from houseway.audit.ledgers import read_ledger_entry
from houseway.audit.store import Store
from houseway.audit.store_factory import open_store
from houseway.audit.verify_house import verify_house
from houseway.client import AtTable, House, HouseError
from houseway.client import messages as m
from houseway.engine import events as e
from houseway.engine.codec import encode_card, hide
from houseway.engine.meters import MICRO
from server.houses import Process

Data = dict[str, Any]
DECISIONS = ("Check", "Play", "Fold", "Keep", "Split")
AWAIT = 5.0


class LostError(AssertionError):
    """An acknowledged or sent event is missing from the record, or differs from it."""


class Memory:
    """All messages that the players of one table received, including those before restarts of the server."""

    def __init__(self) -> None:
        self.acknowledged: dict[str, int] = {}
        """The first event of each command, by its key on record."""
        self.events: dict[int, Data] = {}
        self.cards: dict[tuple[int, int], tuple[tuple[str, ...], ...]] = {}
        """The cards each player was dealt, by round and seat."""

    def remember(self, at: AtTable) -> None:
        """Remember the messages a socket has received."""
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
        """Compare the messages with the record."""
        for seq, event in self.events.items():
            if recorded.get(seq) != event:
                raise LostError(f"event {seq} was sent as {event}, but the record has {recorded.get(seq)}")
        for key, seq in self.acknowledged.items():
            if keys.get(key) != seq:
                raise LostError(
                    f"{key} was acknowledged as event {seq}, but the record has {keys.get(key)}"
                )


class Player:
    """A seated player who makes random legal choices and resends unanswered commands."""

    def __init__(self, house: House, table: str, memory: Memory, rng: Random, *, feeds: bool) -> None:
        self._house = house
        self._feeds = feeds
        self._table = table
        self._memory = memory
        self._rng = rng
        self._keys = 0
        self._handle = f"player {rng.getrandbits(32):x}"
        self._unanswered: tuple[str, Data] | None = None
        house.introduce(self._handle)
        self.at: AtTable | None = None

    def connect(self) -> AtTable:
        """Take the seat, or return to it."""
        before = self.at
        known = None if before is None else before.seq
        self.at = at = self._house.sit(self._table)
        if before is not None and at.seq == known:
            # No event happened in between, so the view must be unchanged.
            was, now = before.view, at.view
            if (was.table, was.yours) != (now.table, now.yours):
                raise LostError(f"{self._table} changed after event {known}: {now}, was {was}")
        self._memory.remember(at)
        return at

    def resend(self, on_record: set[str]) -> None:
        """Resend the unanswered command; if it is on record, the server must say so."""
        if self._unanswered is None:
            return
        key, command = self._unanswered
        known = f"{self._handle}/{key}" in on_record
        answer = self._send(key, command)
        if isinstance(answer, m.Answered) and answer.repeated != known:
            raise LostError(f"{key} is {'' if known else 'not '}on record; the answer was {answer}")
        if known and isinstance(answer, m.Rejected):
            raise LostError(f"{key} is on record and was refused: {answer}")

    def move(self) -> None:
        """Act if the table is waiting for this seat."""
        at = self.at
        assert at is not None
        self._drain(at)
        waits, yours = at.view.waits, at.view.yours
        if yours.seat not in waits.seats and waits.why != "players":
            return
        if waits.why in ("bets", "players"):
            spot = next(spot for spot in yours.spots if not spot.beside)
            amount = spot.least * self._rng.randint(1, 2)
            fed = {
                one.wager: one.least for one in yours.spots if one.wager == "progressive" and self._feeds
            }
            self._do({"type": "Bet", "seat": yours.seat, "wagers": {spot.wager: amount, **fed}})
        if waits.why == "decision":
            decisions = [one.command for one in yours.choices if one.command["type"] in DECISIONS]
            self._do(self._rng.choice(decisions))
        else:
            at.ready()

    def _do(self, command: Data) -> None:
        self._keys += 1
        self._send(f"{self._keys}", command)

    def _send(self, key: str, command: Data) -> m.Answered | m.Rejected:
        assert self.at is not None
        self._unanswered = key, command
        sent = self.at.do(command, key)
        while True:
            message = self.at.next(AWAIT)
            self._memory.remember(self.at)
            if isinstance(message, m.Answered | m.Rejected) and message.key == sent:
                break
        self._unanswered = None
        if isinstance(message, m.Answered):
            self._memory.acknowledged[f"{self._handle}/{key}"] = message.seq
        return message

    def _drain(self, at: AtTable) -> None:
        with suppress(TimeoutError):
            while True:
                at.next(0.001)
                self._memory.remember(at)


class PlayedServer:
    """A server in a separate process, with its tables and players."""

    def __init__(self, process: Process, rulebooks: tuple[str, ...], rng: Random, link: str = "") -> None:
        self.process = process
        self._link = link
        self._rng = rng
        self.tables: dict[str, Memory] = {}
        self._players: list[Player] = []
        process.start()
        for book in rulebooks:
            host = House(process.url)
            host.introduce(f"host {rng.getrandbits(32):x}")
            table = host.open_table(m.OpenTable(rulebook=book, clock=0, link=link)).table
            self.tables[table] = Memory()
            for _ in range(2):
                person = House(process.url)
                self._players.append(Player(person, table, self.tables[table], rng, feeds=bool(link)))
        self._on_record: set[str] = set()
        self.contributions = 0
        """The number of contributions to the linked meter and awards from it so far."""

    def play_until_killed(self, seconds: float) -> None:
        """Play until the server is killed, then check the record."""
        ending = Timer(seconds, self.process.kill)
        with ExitStack() as sockets:
            ending.start()
            # The server may die at any point.
            with suppress(HouseError, TimeoutError):
                self._connect(sockets)
                while True:
                    self._rng.choice(self._players).move()
        ending.join()
        self.check()

    def _connect(self, sockets: ExitStack) -> None:
        for player in self._players:
            sockets.enter_context(player.connect())
            player.resend(self._on_record)

    def play_rounds(self, rounds: int) -> None:
        """Play `rounds` rounds at every table without killing the server."""
        with ExitStack() as sockets:
            self._connect(sockets)
            until = {table: self.closed(table) + rounds for table in self.tables}
            while any(self.closed(table) < count for table, count in until.items()):
                for player in self._players:
                    player.move()

    def cards(self) -> list[m.TableCard]:
        """Return the tables as the lobby of the restarted server lists them."""
        self.process.start()
        house = House(self.process.url)
        house.introduce("Visitor")
        cards = [card for card in house.tables() if card.table in self.tables]
        self.process.kill()
        return cards

    def closed(self, table: str) -> int:
        """Return how many rounds the players saw close."""
        return sum(event["type"] == "RoundClosed" for event in self.tables[table].events.values())

    def check(self) -> None:
        """Compare every message with the record, and verify the record."""
        self._on_record = set()
        with closing(open_store(self.process.db, read_only=True)) as store:
            for table, memory in self.tables.items():
                entries = [read_entry(stored) for stored in store.entries(table)]
                keys = {entry.key: entry.seq for entry in entries if entry.key}
                memory.compare(dict(public_events(entries)), keys)
                self._on_record |= set(keys)
            for report in verify_house(store):
                if report.faults:
                    raise LostError(f"{report.stream}: {report.faults[0]}")
            if self._link:
                self.contributions = check_meter(store, self._link, self.tables)


def check_meter(store: Store, link: str, tables: Iterable[str]) -> int:
    """Add up all contributions and awards on record; return their number.

    Raises LostError if the linked meter's sum or number of entries differs.
    """
    meter = [read_ledger_entry(s.public).events[0] for s in store.entries(f"meter:{link}")]
    due, moves = meter[0].balances["main"], 0
    for table in tables:
        for event in (event for s in store.entries(table) for event in read_entry(s).events):
            if isinstance(event, e.MeterFed):
                due, moves = due + event.meters["main"], moves + 1
            elif isinstance(event, e.WagerSettled) and event.meter:
                due, moves = due + (event.seeded - event.awarded) * MICRO + event.released, moves + 1
    if (meter[-1].balances["main"], len(meter) - 1) != (due, moves):
        raise LostError(f"the meter has {meter[-1]} after {len(meter) - 1} moves, not {due} after {moves}")
    return moves


def public_events(entries: list[Any]) -> Iterator[tuple[int, Data]]:
    """Yield the public part of each event with its number."""
    for entry in entries:
        for number, event in enumerate(entry.events, entry.seq):
            # Encoded as JSON and decoded again, as a client receives it.
            text = msgspec.json.encode(hide(event)[0], enc_hook=encode_card)
            yield number, msgspec.json.decode(text)
