"""Follow the records of a server as they grow, and report faults.

A fault is a wrong payment, or a card, hand or payment that occurs more or less often than chance explains.
The follower only reads. It is independent of the server: it runs in its own process, with its own
connection, and settles each round with the second settler.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Final, Literal

import msgspec

from houseway.audit.engine_resettlement import RoundData
from houseway.audit.entries import StoredEntry, link
from houseway.audit.record_header import apply_recorded, recorded_entry, recorded_table
from houseway.audit.second_settler_adapter import knows
from houseway.audit.store import Head, Store, StoreError, UnavailableError
from houseway.audit.streams import is_table
from houseway.auditor.frequencies import Frequencies, is_look
from houseway.auditor.payments import wrong_payments
from houseway.cards import UNSEEN, Card
from houseway.engine import events as e
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.engine.terms import Terms
from houseway.money import Share, dollars
from houseway.ranking import evaluator

SEVEN: Final = 7
SEAT: Final = "seat "
"""The beginning of a seat's name in the record."""


AlarmKind = Literal["payment", "frequency", "record"]


class Alarm(msgspec.Struct, frozen=True, omit_defaults=True):
    """A fault that the house must examine."""

    kind: AlarmKind
    stream: str
    message: str
    round: int = 0
    seq: int = 0
    """The number of the event that closed the round, or of the event that cannot be read."""


class AuditCounts(msgspec.Struct):
    """The work that the auditor has done so far."""

    events: int = 0
    rounds: int = 0
    settled: int = 0
    """The number of rounds that the second settler settled again."""
    by_engine: int = 0
    """The number of rounds that houseway itself settled again, because the second settler does not know the
    rulebook."""
    skipped: int = 0
    """The number of rounds that cannot be settled again, such as void rounds and rounds with cards that
    were never shown."""


class _TableReader:
    """The record of one table, and how far it has been read."""

    def __init__(self, stream: str) -> None:
        self.stream = stream
        self.head = Head.first(stream)
        self.table: Table | None = None
        self.state = State()
        self.round: RoundData | None = None
        self.cards: list[Card] = []
        """The cards dealt in this round, in the order of the deal."""
        self.first: list[Card] = []
        """The cards of the seat that was dealt to first."""
        self.first_place = ""
        """The name of that seat."""
        self.mispaid: dict[int, int] = {}
        """The cents paid to each seat by mistake and not corrected yet."""
        self.reported: dict[int, int] = {}
        """The part of `mispaid` that has been reported."""
        self.stopped = False
        """True if the record could not be read. It is then not read any further."""


class Auditor:
    """Reads all records of a store. Call `poll` at regular intervals."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._tables: dict[str, _TableReader] = {}
        self._frequencies: dict[tuple[str, int], Frequencies] = {}
        self.counts = AuditCounts()

    def poll(self) -> Iterator[Alarm]:
        """Read everything that was recorded since the last call, and yield an alarm for each fault.

        Raises UnavailableError if the database does not answer. The next call continues where this one
        stopped.
        """
        for stream in self._store.streams():
            if not is_table(stream):
                continue
            followed = self._tables.setdefault(stream, _TableReader(stream))
            if not followed.stopped:
                yield from self._read(followed)

    def _read(self, followed: _TableReader) -> Iterator[Alarm]:
        try:
            for stored in self._store.entries(followed.stream, followed.head.events):
                yield from self._take(followed, stored)
        except UnavailableError:
            raise
        except StoreError as error:
            followed.stopped = True
            seq = followed.head.events + 1
            yield Alarm("record", followed.stream, str(error), seq=seq)

    def _take(self, followed: _TableReader, stored: StoredEntry) -> Iterator[Alarm]:
        if link(followed.head.chain, stored.public) != stored.chain:
            raise StoreError(f"event {stored.seq} has been changed; run `houseway audit verify`")
        entry = recorded_entry(stored)
        if followed.table is None:
            followed.table = recorded_table(self._store, entry)
        for seq, event in enumerate(entry.events, stored.seq):
            before, followed.state = followed.state, apply_recorded(followed.state, event, seq)
            self.counts.events += 1
            yield from self._follow(followed, followed.table, event, before, seq)
        followed.head = Head(stored.last, stored.chain)

    def _follow(
        self, followed: _TableReader, table: Table, event: e.Event, before: State, seq: int
    ) -> Iterator[Alarm]:
        match event:
            case e.RoundOpened():
                followed.round = RoundData(table.book, table.terms.chosen)
                followed.cards, followed.first, followed.first_place = [], [], ""
            case e.CardsDealt():
                cards = (*event.face, *event.sealed)
                followed.cards += cards
                if event.to.startswith(SEAT):
                    followed.first_place = followed.first_place or event.to
                if event.to == followed.first_place:
                    followed.first += cards
            case e.MispaymentMade() | e.PaymentCorrected():
                followed.mispaid[event.seat] = followed.mispaid.get(event.seat, 0) + event.amount
        if followed.round is not None:
            followed.round.take(event, before)
        if isinstance(event, e.RoundClosed):
            yield from self._close(followed, table, seq)

    def _close(self, followed: _TableReader, table: Table, seq: int) -> Iterator[Alarm]:
        played, end = followed.round, followed.state
        followed.round = None
        self.counts.rounds += 1
        number = end.round.number
        data = played.data(end) if played is not None else None
        if played is None or data is None:
            self.counts.skipped += 1
        else:
            known = knows(table.book)
            self.counts.settled += known
            self.counts.by_engine += not known
            for sentence in wrong_payments(table.book, data, played.mispaid, end):
                yield Alarm("payment", followed.stream, sentence, number, seq)
        for seat, cents in followed.mispaid.items():
            if cents and cents != followed.reported.get(seat, 0):
                much = f"{dollars(abs(cents))} too {'much' if cents > 0 else 'little'}"
                sentence = f"seat {seat} was paid {much} by mistake, and it has not been corrected"
                yield Alarm("payment", followed.stream, sentence, number, seq)
            followed.reported[seat] = cents
        # Void rounds are not counted, because the reason for voiding may depend on the cards.
        if data is not None and followed.cards and UNSEEN not in followed.cards:
            yield from self._count(followed, table, seq)

    def _count(self, followed: _TableReader, table: Table, seq: int) -> Iterator[Alarm]:
        book, end = table.book, followed.state
        order, decks = book.ranking.order, book.ranking.decks
        key = (",".join(order), decks)
        if key not in self._frequencies:
            self._frequencies[key] = Frequencies(decks, _classes(order) if decks == 1 else None)
        counts = self._frequencies[key]
        # Only one hand per round is counted, because all hands share the board. It is chosen by its seat,
        # not by its cards.
        seven = (*followed.first[:2], *end.round.board)
        hand_class = None
        if decks == 1 and len(seven) == SEVEN:
            fast = evaluator(order, decks)
            hand_class = fast.name(fast.strength(seven))
        counts.add(followed.cards, hand_class)
        self._count_returns(counts, table, end)
        if is_look(counts.rounds):
            for sentence in counts.strange():
                yield Alarm("frequency", followed.stream, sentence, end.round.number, seq)

    def _count_returns(self, counts: Frequencies, table: Table, end: State) -> None:
        """Add one settled side bet of each kind, from the lowest seat.

        Only one is added, because all bets of a round share the board.
        """
        chosen: dict[str, e.WagerSettled] = {}
        for settled in end.round.settled:
            other = chosen.get(settled.wager)
            for_player = not (settled.for_dealer or settled.from_seat or settled.coupon)
            if for_player and settled.stake and (other is None or settled.seat < other.seat):
                chosen[settled.wager] = settled
        for wager, settled in chosen.items():
            exact = _exact_value(table.terms, wager)
            if exact is not None and not settled.cut:
                net = Fraction(settled.back - settled.stake, settled.stake)
                counts.add_return(f"{table.book.id} {wager}", net, *exact)


@cache
def _classes(order: tuple[str, ...]) -> dict[str, int]:
    from houseway.exact.hand_class_counts import class_counts

    return dict(zip(order, class_counts(order, SEVEN), strict=True))


def _exact_value(terms: Terms, wager: str) -> tuple[Fraction, Fraction] | None:
    """Return the exact mean and variance of a side bet on the player's own cards, or None for other
    wagers."""
    key = (terms.hash, tuple(sorted(terms.named_tables.items())), wager)
    if key not in _exact_values:
        _exact_values[key] = _compute_value(terms, wager)
    return _exact_values[key]


_exact_values: dict[tuple[str, tuple[tuple[str, str], ...], str], tuple[Fraction, Fraction] | None] = {}


def _compute_value(terms: Terms, wager: str) -> tuple[Fraction, Fraction] | None:
    from houseway.exact.pay_arrays import UnsolvableError
    from houseway.exact.wager_values import WagerValue, own_cases

    group = terms.groups[wager]
    paid_by_meter = any(outcome and isinstance(outcome.pays, Share) for outcome in terms.outcomes[wager])
    if group.against_dealer or group.on_whole_table or group.on_other_hands or paid_by_meter:
        return None
    try:
        value = WagerValue(terms.hash, wager, own_cases(terms, wager))
    except UnsolvableError:
        return None
    return value.value, value.variance
