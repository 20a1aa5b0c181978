"""Records for tests: tables that play automatically, with seeded randomness."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

from msgspec.structs import replace

from houseway import __version__
from houseway.audit.archive import Archive, import_record
from houseway.audit.entries import RecordEntry, StoredEntry, compose, read_entry, read_public, start
from houseway.audit.memory_store import MemoryStore
from houseway.audit.record_header import NONCES, recorded_opening
from houseway.audit.signatures import Signer
from houseway.audit.store import Batch, Head, Store
from houseway.audit.verify import VerificationReport, verify
from houseway.cards import Card
from houseway.engine import commands as c
from houseway.engine import events as e
from houseway.engine.command_helpers import Answer
from houseway.engine.refusals import Refusal
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import read_terms
from houseway.live import LiveTable, TableServices
from houseway.live.table_shoes import ShoeSource
from houseway.rules.loader import load
from houseway.shoe import SeededEntropy, shoe_id
from random_play import Played, Rounds, random_terms

SIGNER = Signer(bytes(range(32)))


def ticking() -> Iterator[str]:
    """Yield times one second apart."""
    for tick in count():
        yield f"2026-11-15T{20 + tick // 3600 % 4:02d}:{tick // 60 % 60:02d}:{tick % 60:02d}Z"


def house(store: Store | None = None, seed: str = "house", every: int = 1000) -> TableServices:
    """Return table services with seeded randomness and a fixed clock."""
    clock = ticking()
    return TableServices(store or MemoryStore(), SIGNER, SeededEntropy(seed), lambda: next(clock), every)


class _LiveShoe:
    """The shoe of a live table, with the interface that the players of the test kit use."""

    seal = ""
    """The live table adds the seal itself."""

    def __init__(self, live: LiveTable) -> None:
        self._live = live

    @property
    def cards(self) -> tuple[Card, ...]:
        """The remaining cards of the deck in play."""
        shoe = self._live.shoes.of(self._live.state.playing.name)
        return shoe.peek(shoe.left) if shoe else ()

    def next(self, places: list[str]) -> tuple[Card, ...]:
        """Return the top cards."""
        return self.cards[: len(places)]

    def take(self, cards: tuple[Card, ...]) -> None:
        """Do nothing: the live table has already dealt them."""

    def choose_class(self, seats: list[int], order: tuple[str, ...]) -> None:
        """Do nothing: the cards are sealed."""


class Recorded(Rounds):
    """A table of the test kit whose commands go to a live table and are recorded."""

    rounds: list[Played]
    """The rounds played."""

    def __init__(
        self,
        house: TableServices,
        stream: str,
        rulebook: str,
        mode: str = "",
        *,
        maker: ShoeSource | None = None,
        keys: bool = True,
        **options: Any,
    ) -> None:
        self.house = house
        self.stream = stream
        self.maker = maker
        self.keys = count(1) if keys else None
        super().__init__(rulebook, mode, lasts=10**9, **options)

    def new_table(self) -> None:
        rng = self.rng
        self.given = random_terms(rng, self.book, self.mode) if self.terms is None else self.terms
        backs = ("red", "blue")[: Table(read_terms(self.book, self.given)[0]).decks] or ("red",)
        person = "person" if rng.random() < self.by_hand else "machine"
        opening = c.OpenTable(designated=(self.book.game,), backs=backs, dealer=person, examples=True)
        live = LiveTable.open(self.house, self.stream, self.book, self.given, opening, self.maker)
        assert not isinstance(live, Refusal), live
        self.live = live
        self.table, self.state = live.table, live.state
        self.shoe = _LiveShoe(live)  # type: ignore[assignment]
        self.record, self.sent = [], []
        self.round = Played(0, State(), self.given)
        self.played_here, self._wagered = 0, -1

    def send(self, command: c.Command) -> Answer:
        key = f"k{next(self.keys)}" if self.keys and self.rng.random() < 0.3 else ""
        answer = self.live.send(command, key)
        if isinstance(answer, Refusal):
            return answer
        for event, state in answer.walk():
            self.round.events.append(event)
            self.round.states.append(state)
            self.record.append(event)
        self.state = self.live.state
        return answer.events


def recorded(
    rulebook: str,
    mode: str = "",
    rounds: int = 5,
    *,
    at: TableServices | None = None,
    stream: str = "table:1",
    given: Mapping[str, Any] | None = None,
    **options: Any,
) -> Recorded:
    """Play `rounds` rounds and return the recorded table."""
    playing = Recorded(at or house(), stream, rulebook, mode, given=given, **options)
    playing.rounds = list(playing.play(rounds))
    return playing


def modes(rulebook: str) -> tuple[str, ...]:
    """Return the deal modes of a rulebook."""
    return load(rulebook).modes


def events_of(playing: Recorded, kind: type[e.Event]) -> list[e.Event]:
    """Return the recorded events of a kind."""
    return [event for event in playing.record if isinstance(event, kind)]


def copy_records(store: Store, *streams: str) -> MemoryStore:
    """Copy records to a new store, so that a test can tamper with them."""
    copy = MemoryStore()
    for stream in streams or store.streams():
        signed = store.head(stream)
        assert signed is not None
        entries = list(store.entries(stream))
        opening = recorded_opening(read_public(entries[0].public))
        text = store.text(opening.hash)
        assert text is not None
        shuffled = [
            event
            for entry in entries
            for event in read_public(entry.public).events
            if isinstance(event, e.DeckShuffled)
        ]
        names = [NONCES, *(shoe_id(stream, n, event.deck) for n, event in enumerate(shuffled, 1))]
        secrets = {name: value for name in names if (value := store.secret(stream, name)) is not None}
        first = Batch(entries=entries, signed=signed, texts={opening.hash: text}, secrets=secrets)
        copy.append(stream, Head.first(stream), first)
        for at in store.snapshots(stream):
            again = Batch(entries=(), signed=signed, snapshot=store.snapshot(stream, at))
            copy.append(stream, signed.head, again)
    return copy


def entries_of(store: MemoryStore, stream: str = "table:1") -> list[StoredEntry]:
    """Return the entries of a record, to be changed in place."""
    return store._records[stream].entries


def forged(
    store: MemoryStore, at: int, change: Callable[[RecordEntry], RecordEntry], stream: str = "table:1"
) -> MemoryStore:
    """Change the entry at index `at` as an insider with the signing key could: compute the chain again from there, and
    sign it."""
    entries = entries_of(store, stream)
    nonces = store.secret(stream, NONCES) or b""
    chain = entries[at - 1].chain if at else start(stream)
    for n in range(at, len(entries)):
        entry = read_entry(entries[n])
        entry = change(entry) if n == at else entry
        entries[n] = compose(chain, nonces, replace(entry, engine=__version__))
        chain = entries[n].chain
    resign(store, stream)
    return store


def resign(store: MemoryStore, stream: str = "table:1") -> None:
    """Sign a record again at its current end, and remove its snapshots."""
    last = entries_of(store, stream)[-1]
    store._records[stream].signed = SIGNER.head(stream, Head(last.last, last.chain))
    store._records[stream].snapshots.clear()


def stable_state(state: State) -> dict[str, Any]:
    """Return a table's state in a form that does not depend on engine internals: money, hands and cards."""
    return {
        "section": state.section,
        "rounds": state.rounds,
        "money": {
            "tips": state.tips,
            "house": state.house,
            "cage": state.cage,
            "meters": dict(state.meters),
            "reserves": dict(state.reserves),
        },
        "seats": {
            str(number): {
                "player": seat.player,
                "chips": seat.chips,
                "hands": [[list(map(str, hand.cards)), dict(hand.wagers)] for hand in seat.hands],
            }
            for number, seat in state.seats.items()
        },
        "board": list(map(str, state.round.board)),
        "dealer": list(map(str, state.round.dealer)),
        "decks": [[deck.name, deck.back, deck.stands, deck.used] for deck in state.decks],
        "rack": [[racked.what, racked.count, list(map(str, racked.cards))] for racked in state.rack],
    }


def state_hash(state: State) -> str:
    """Return the SHA-256 of a table's state."""
    text = json.dumps(stable_state(state), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def verify_and_import(archive: Archive, store: Store) -> VerificationReport:
    """Verify an exported record and import it into a store if it is sound."""
    report = verify(archive, archive.header.stream)
    if report.sound:
        import_record(store, archive)
    return report
