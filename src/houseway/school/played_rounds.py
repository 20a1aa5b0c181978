"""The rounds that a seat played: its decisions and, once a round is closed, its wagers' results.

A `RoundFollower` reads them from the events of a table, in order: from a record, from a hand history, or
from a table that is running.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from msgspec import structs

from houseway.cards import UNSEEN, Card
from houseway.engine import events as e
from houseway.engine.evolve import evolve
from houseway.engine.state import State
from houseway.engine.table import Table
from houseway.money import Odds, payment
from houseway.school.player_decisions import FOUR_CARDS, Decision, decision_of, setting_name


@dataclass(frozen=True, slots=True)
class WagerResult:
    """A settled wager, in cents."""

    wager: str
    hand: int
    stake: int
    net: int
    limits: Fraction = Fraction(0)
    """The part of `net` that payout limits and rounding to coins made; the odds alone give the rest."""
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """The end of a round for one seat: what became visible, and the money."""

    board: tuple[Card, ...]
    """The community cards that were face up at the end."""
    dealer: tuple[Card, ...]
    """The dealer's cards, if they were turned up; in Texas Shootout, the two that the dealer kept."""
    wagers: tuple[WagerResult, ...]
    net: int
    """The seat's whole result in cents, with tips, coupons and corrected payments."""
    void: bool = False
    """True if the round or the seat's hand was void."""
    hands: int = 1
    """The number of hands dealt to players."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A round as one seat played it."""

    number: int
    seat: int
    stake: int
    """Cents of the ante, or of the primary wager in Texas Shootout; 0 if the seat had none."""
    decisions: tuple[Decision, ...] = ()
    outcome: RoundOutcome | None = None
    """None while the round is running, and if it is not known."""
    player: str = ""
    at: str = ""
    """The time of the round, if it is known."""


class RoundFollower:
    """Follows the events of one table and collects every seat's rounds."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._number = 0
        self._at = ""
        self._decisions: dict[int, list[Decision]] = {}
        self._settled: dict[int, list[e.WagerSettled]] = {}
        self._void: set[int] = set()
        self._turned: dict[int, tuple[Card, ...]] = {}
        self._board: tuple[Card, ...] = ()
        self._dealer: tuple[Card, ...] = ()
        """The community cards and the dealer's cards as they were turned up."""

    def take(self, before: State, event: e.Event, at: str = "") -> tuple[PlayedRound, ...]:
        """Read one event; return the rounds that it closed, one for each seat that was dealt in."""
        before = self._with_turned(before)
        match event:
            case e.RoundOpened():
                self._number, self._at = event.number, at
                self._decisions, self._settled, self._void, self._turned = {}, {}, set(), {}
                self._board = self._dealer = ()
            case e.BoardTurned():
                self._board += event.face
            case e.DealerRevealed():
                self._dealer = event.face
            case e.HandTurned() if event.hand == 1:
                self._turned[event.seat] = event.face
            case e.WagerSettled() if not event.for_dealer:
                self._settled.setdefault(event.seat, []).append(event)
            case e.WagerRestored() if not event.for_dealer:
                self._restore(event)
            case e.HandVoided():
                self._void.add(event.seat)
            case e.RoundClosed():
                return tuple(
                    self._closed(before, event, number)
                    for number in before.round.players
                    if number in before.seats
                )
            case _:
                found = decision_of(self.table, before, event)
                if found is not None:
                    self._add(*found, event)
        return ()

    def running(self, state: State, seat: int) -> PlayedRound:
        """Return a seat's round so far, without the outcome."""
        there = state.seats.get(seat)
        stake = there.hands[0].made.get(self.table.entry_wager, 0) if there else 0
        decisions = tuple(self._decisions.get(seat, ()))
        return PlayedRound(
            self._number, seat, stake, decisions, None, there.player if there else "", self._at
        )

    def _with_turned(self, state: State) -> State:
        """Fill in cards that are face up but whose deal is not known, as in an export."""
        now, changed = state.round, dict[str, Any]()
        if len(now.board) < now.up or UNSEEN in now.board[: now.up]:
            changed = {"board": self._board, "up": len(self._board)}
        if now.revealed and not now.kept and (not now.dealer or UNSEEN in now.dealer):
            changed["dealer"] = self._dealer
        return structs.replace(state, round=structs.replace(now, **changed)) if changed else state

    def _add(self, seat: int, decision: Decision, event: e.Event) -> None:
        made = self._decisions.setdefault(seat, [])
        if isinstance(event, e.HandSet | e.HandSplit) and made and made[-1].choices:
            # The hand was set before. The last setting counts, chosen from the same four cards.
            hands = (event.face,) if isinstance(event, e.HandSet) else (event.first, event.second)
            first = made.pop()
            decision = replace(first, choice=setting_name(first.hole, hands), by=decision.by)
        if decision.choice in decision.choices:
            made.append(decision)

    def _restore(self, event: e.WagerRestored) -> None:
        settled = self._settled.get(event.seat, [])
        for line in reversed(settled):
            if (line.hand, line.wager) == (event.hand, event.wager):
                settled.remove(line)
                return

    def _closed(self, before: State, event: e.RoundClosed, number: int) -> PlayedRound:
        seat, round_ = before.seats[number], before.round
        cards = self._turned.get(number, seat.hands[0].cards)
        decisions = tuple(_with_cards(d, cards) for d in self._decisions.get(number, ()))
        outcome = RoundOutcome(
            round_.board[: round_.up],
            round_.kept or (round_.dealer if round_.revealed else ()),
            tuple(wager_result(line) for line in self._settled.get(number, ())),
            event.net.get(number, 0),
            bool(round_.void) or number in self._void or any(hand.void for hand in seat.hands),
            sum(len(before.seats[n].hands) for n in round_.players if n in before.seats),
        )
        stake = seat.hands[0].made.get(self.table.entry_wager, 0)
        return PlayedRound(self._number, number, stake, decisions, outcome, seat.player, self._at)


def played_rounds(
    table: Table, events: Iterable[tuple[e.Event, str]], state: State | None = None
) -> Iterator[PlayedRound]:
    """Yield the rounds of every seat from a table's events, each with its time."""
    follower, now = RoundFollower(table), state or State()
    for event, at in events:
        yield from follower.take(now, event, at)
        now = evolve(now, event)


def _with_cards(decision: Decision, held: tuple[Card, ...]) -> Decision:
    """Fill in hole cards that became known only after the decision: at a real table, or in an export."""
    filled = replace(decision, hole=held)
    return filled if filled.known and not decision.known and decision.street != FOUR_CARDS else decision


def wager_result(line: e.WagerSettled) -> WagerResult:
    """Return a wager's result, with the part that limits and rounding made."""
    limits = Fraction(0)
    if line.result == "win" and line.odds is not None and not line.meter:
        odds = _odds(line.odds)
        if odds is not None:
            limits = line.won - odds.ratio * line.stake
    return WagerResult(line.wager, line.hand, line.stake, line.back - line.stake, limits, line.clause)


def _odds(text: str) -> Odds | None:
    try:
        pays = payment(text)
    except ValueError:
        return None
    return pays if isinstance(pays, Odds) else None
