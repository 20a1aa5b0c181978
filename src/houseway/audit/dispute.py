"""A report on a disputed round: its hands, rebuilt from the discard rack, and the amounts paid and due for
each wager."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

import msgspec

from houseway.audit.engine_resettlement import RoundData, settle_again
from houseway.audit.record_header import apply_recorded, read_record
from houseway.audit.roles import SURVEILLANCE
from houseway.audit.round_proofs import proofs
from houseway.audit.store import Store, StoreError
from houseway.cards import Card
from houseway.engine import events as e
from houseway.engine.command_helpers import hand_name
from houseway.engine.made_hands import hand_words
from houseway.engine.rack import PileRecord, RackRecord, rebuild
from houseway.engine.round_history import RoundHistory, remember
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import Cents, spoken
from houseway.narrate.reasons import Reasons
from houseway.rules.odds_words import wording

Place = tuple[int, int, str]
"""A wager's seat, hand and name."""
VOID: Final = "the round was void, so its wagers were returned"
IRREGULAR: Final = "an irregularity in the round makes it impossible to settle it again"


class RackedHand(msgspec.Struct, frozen=True, omit_defaults=True):
    """The cards of one place (a hand, the board, the burn cards or the stub), in the order of the rack."""

    place: str
    """"seat 3", "seat 3 hand 2" after a split, "dealer", "board", "burn" or "stub"."""
    cards: tuple[str, ...]
    """Empty for the stub, because nobody has seen its cards."""
    count: int
    reads: str = ""
    """The hand as a dealer announces it."""
    differs: bool = False
    """True if the cards in the rack are not the cards that were dealt to this place."""


class DisputedWager(msgspec.Struct, frozen=True, omit_defaults=True):
    """A wager of the round, with the amount paid and the amount due in cents."""

    seat: int
    hand: int
    wager: str
    stake: int
    result: str
    paid: int
    """The net result that was paid, including mistakes and corrections."""
    due: int | None
    """The net result if the round is settled again, or None if it cannot be settled again."""
    difference: int
    """The amount that the house still owes the player; negative if the player was paid too much."""
    clause: str | None = None
    odds: str = ""
    reason: str = ""
    for_dealer: bool = False


class DisputedSeat(msgspec.Struct, frozen=True):
    """The totals of one seat, in cents."""

    seat: int
    player: str
    paid: int
    due: int | None
    difference: int


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """Everything that the floor needs to decide a dispute about a closed round."""

    stream: str
    number: int
    at: str
    """The time at which the round was opened."""
    title: str
    rulebook: str
    hands: tuple[RackedHand, ...]
    """The hands in the order of the rack, bottom first."""
    wagers: tuple[DisputedWager, ...]
    """The wagers in the order of settlement."""
    seats: tuple[DisputedSeat, ...]
    difference: int
    """The sum of all differences without their signs; 0 if every payment was right."""
    seal: str = ""
    """The seal of the shuffled cards, published before the first wager."""
    proved: int = 0
    """The number of cards that match the seal."""
    notes: tuple[str, ...] = ()
    """The checks that were not possible, and why."""
    odds_wording: str = ""
    """The rulebook's option for the wording of odds; empty if it has none."""


def dispute(store: Store, stream: str, number: int | None = None) -> Dispute:
    """Return the report on a closed round, by default the last one. Raises StoreError if there is none.

    The report has every card of the round, including folded hands.
    """
    table, entries = read_record(store, stream)
    round_ = _DisputedRound(table)
    chosen: _DisputedRound | None = None
    last_closed = 0
    events = (
        (stored, entry, seq, event)
        for stored, entry in entries
        for seq, event in enumerate(entry.events, stored.seq)
    )
    for stored, entry, seq, event in events:
        if isinstance(event, e.RoundOpened):
            if chosen is not None and number is not None and not chosen.mispaid:
                break
            round_ = round_.next(entry.at)
        if entry.seal and not stored.sealed and not round_.closed:
            round_.whole = False
        round_.take(event, seq)
        if chosen is not None and chosen is not round_:
            chosen.correct(event)
        if round_.closed:
            last_closed = round_.number
        if round_.closed and number in (None, round_.number):
            chosen = round_
    if chosen is None:
        raise StoreError(_missing(round_, number, last_closed))
    if not chosen.whole:
        wrong = f"this record does not have the hidden cards of round {chosen.number}"
        raise StoreError(f"{wrong}; use the house's own record or an export for surveillance")
    return chosen.dispute(store, stream)


def _missing(last: _DisputedRound, number: int | None, last_closed: int) -> str:
    """Return why there is no report on a round."""
    if number and number == last.number and not last.closed:
        return f"round {number} is still being played; open the dispute when it is closed"
    if number is None or not last_closed:
        return "no round on this record is closed yet"
    return f"there is no closed round {number}: the last closed round is round {last_closed}"


class _DisputedRound:
    """Collects a round event by event."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._at = ""
        self._rack = RackRecord()
        self._state = State()
        self._data = RoundData(table.book, table.terms.chosen)
        self._history = RoundHistory()
        self._reason = Reasons(table)
        self._mistakes: dict[Place, int] = defaultdict(int)
        self._rulings: dict[Place, int] = defaultdict(int)
        """The cents that a supervisor's ruling added to each payment. They count as due."""
        self.whole = True
        """False if hidden cards of the round are missing from the record."""
        self._void = False
        self._end: State | None = None
        """The state when the round closed."""
        self._piles: tuple[PileRecord, ...] = ()
        """The piles in the rack when the round closed."""

    def next(self, at: str) -> _DisputedRound:
        """Return the next round of the record; `at` is the time when it was opened."""
        round_ = _DisputedRound(self._table)
        round_._at, round_._rack, round_._state = at, self._rack, self._state
        return round_

    @property
    def number(self) -> int:
        """The number of the round."""
        return self._state.round.number

    @property
    def closed(self) -> bool:
        """True if the round is closed."""
        return self._end is not None

    @property
    def mispaid(self) -> bool:
        """True if a mistake in a payment has not been corrected."""
        return any(self._mistakes.values())

    def take(self, event: e.Event, seq: int) -> None:
        """Apply the next event."""
        if not self.closed:
            self._void = self._void or isinstance(event, e.RoundVoided)
            self._data.take(event, self._state)
            self._history = remember(self._history, event, self._reason)
        if isinstance(event, e.MispaymentMade | e.PaymentCorrected):
            ruled = isinstance(event, e.PaymentCorrected) and event.ruled
            corrections = self._rulings if ruled else self._mistakes
            corrections[event.seat, event.hand, event.wager] += event.amount
        self._state = apply_recorded(self._state, event, seq)
        self._rack.take(event, self._state)
        if isinstance(event, e.RoundClosed):
            self._end, self._piles = self._state, tuple(self._rack.piles)

    def correct(self, event: e.Event) -> None:
        """Apply an event of a later round. It may correct a payment of this round."""
        if isinstance(event, e.PaymentCorrected) and not event.ruled:
            place = event.seat, event.hand, event.wager
            if self._mistakes.get(place):
                self._mistakes[place] += event.amount

    def dispute(self, store: Store, stream: str) -> Dispute:
        """Return the report. Call this after the last event."""
        assert self._end is not None
        notes: list[str] = []
        hands = tuple(self._hands(self._end, notes))
        wagers = tuple(self._wagers(self._end, notes))
        proved, seal = 0, self._end.round.seal
        try:
            proved = len(proofs(store, stream, self.number, SURVEILLANCE)["cards"])
        except StoreError as error:
            notes.append(f"the cards were not compared with the seal: {error}")
        seats = tuple(self._seats(self._end, wagers))
        difference = sum(abs(wager.difference) for wager in wagers)
        return Dispute(
            stream,
            self.number,
            self._at,
            self._table.book.title,
            self._table.book.id,
            hands,
            wagers,
            seats,
            difference,
            seal,
            proved,
            tuple(notes),
            wording(self._table.book) or "",
        )

    def _hands(self, end: State, notes: list[str]) -> Iterator[RackedHand]:
        """Yield the cards of each place, in the order of the rack."""
        rack = [card for pile in end.rack for card in pile.cards or (None,) * pile.count]
        try:
            places = rebuild(rack, self._piles, end.round.number)
        except ValueError as error:
            notes.append(f"the hands cannot be rebuilt from the rack: {error}")
            return
        dealt = dict(_dealt(end))
        board = tuple(map(str, end.round.board))
        for place, racked in places.items():
            cards = tuple(str(card) for card in racked if card is not None)
            own = place in dealt and place != "board" and len(cards) == 2
            reads = hand_words(self._table, cards, board) if own else ""
            differs = place in dealt and sorted(cards) != sorted(map(str, dealt[place]))
            yield RackedHand(place, cards, len(racked), reads, differs)

    def _wagers(self, end: State, notes: list[str]) -> Iterator[DisputedWager]:
        """Yield every settled wager with the amount paid and the amount due."""
        due = self._due(end, notes)
        reasons = iter(self._history.settled.values())
        mistakes, rulings = dict(self._mistakes), dict(self._rulings)
        for line in end.round.settled:
            reason = next(reasons)
            key = line.seat, line.hand, line.wager
            ruled = 0 if line.for_dealer else rulings.pop(key, 0)
            paid = line.back - line.stake + ruled + (0 if line.for_dealer else mistakes.pop(key, 0))
            owed = due[(*key, line.for_dealer)] if due is not None else None
            right = None if due is None else ruled + (owed.pop(0) if owed else 0)
            yield DisputedWager(
                line.seat,
                line.hand,
                line.wager,
                line.stake,
                line.result,
                paid,
                right,
                right - paid if right is not None else 0,
                line.clause,
                line.odds or "",
                reason.reason,
                line.for_dealer,
            )
        for (seat, hand, wager), amount in rulings.items():
            right = None if due is None else amount
            yield DisputedWager(seat, hand, wager, 0, "ruling", amount, right, 0, reason=_ruling(amount))

    def _due(self, end: State, notes: list[str]) -> dict[tuple[int, int, str, bool], list[int]] | None:
        """Return the net results due for each wager, or None if the round cannot be settled again."""
        data = self._data.data(end)
        if data is None:
            notes.append(VOID if self._void else IRREGULAR)
            return None
        again = settle_again(self._table.book, data, end.unoffered)
        if isinstance(again, str):
            notes.append(again)
            return None
        due: dict[tuple[int, int, str, bool], list[int]] = defaultdict(list)
        for line in again.lines:
            due[line.seat, line.hand, line.wager, bool(line.for_whom)].append(int(Fraction(line.net) * 100))
        return due

    def _seats(self, end: State, wagers: tuple[DisputedWager, ...]) -> Iterator[DisputedSeat]:
        for number, seat in end.seats.items():
            own = [wager for wager in wagers if wager.seat == number and not wager.for_dealer]
            if own:
                paid, difference = sum(w.paid for w in own), sum(w.difference for w in own)
                due = None if any(w.due is None for w in own) else paid + difference
                yield DisputedSeat(number, seat.player, paid, due, difference)


def _ruling(cents: int) -> str:
    """Return a sentence about a supervisor's ruling."""
    if cents < 0:
        return f"A supervisor ruled that the player returns {spoken(Cents(-cents))}"
    return f"A supervisor ruled that the house pays {spoken(Cents(cents))}"


def _dealt(end: State) -> Iterator[tuple[str, tuple[Card, ...]]]:
    """Yield the cards that each place had at the end of the round."""
    yield "board", end.round.board
    yield "dealer", end.round.kept or end.round.dealer
    for number, seat in end.seats.items():
        for n, hand in enumerate(seat.hands, 1):
            if hand.cards:
                yield hand_name(number, n, len(seat.hands)), hand.cards
