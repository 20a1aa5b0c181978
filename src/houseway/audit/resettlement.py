"""A round on record settled a second time, by the cashier's window instead of the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.engine.settle import settle
from houseway.engine.settle_json import read_round
from houseway.engine.settlement import SettlementLine, settlement_line
from houseway.engine.state import Hand, Seat, State
from houseway.engine.terms import read_terms
from houseway.money import dollars
from houseway.rules.rulebook import Rulebook

LET_PASS = frozenset({"below-minimum", "above-maximum"})
"""What the floor may let a player do, and what may no longer be so once it has changed a minimum."""


class RoundData:
    """A round gathered event by event, to be told as the cashier's window takes it."""

    def __init__(self, book: Rulebook, given: Mapping[str, Any]) -> None:
        """`given` is what the house chose when it opened the table."""
        self._book = book
        self._given = given
        self._comparable = True
        self._bets: dict[int, Hand] = {}
        """The hand of each seat before its first wager was settled, with its tips and its coupon."""
        self._four: dict[int, tuple[Card, ...]] = {}
        self._shows: State | None = None
        """The table before its first wager was settled."""
        self._voided = False
        self.handed: dict[int, int] = {}
        """Cents handed over by mistake or put right, by seat."""

    def take(self, event: e.Event, before: State) -> None:
        """Follow an event; `before` is the table before it."""
        match event:
            case e.RoundVoided():
                self._comparable = False
            case e.HandVoided():
                self._voided = True
                self._comparable = self._comparable and self._shows is None
            case e.HandSet() | e.HandSplit():
                self._four.setdefault(event.seat, before.seats[event.seat].hands[0].cards)
            case e.WagerSettled():
                self._shows = self._shows or before
                self._bets.setdefault(event.seat, before.seats[event.seat].hands[0])
            case e.MispaymentMade() | e.PaymentCorrected():
                self.handed[event.seat] = self.handed.get(event.seat, 0) + event.amount

    def data(self, end: State) -> dict[str, Any] | None:
        """The closed round as data; None where it is void, or a hand left it half way."""
        covered = any("cover_all" in hand.made for seat in end.seats.values() for hand in seat.hands)
        if not self._comparable or (self._voided and covered):
            return None
        played = {
            n: seat for n, seat in end.seats.items() if seat.hands[0].cards and not seat.hands[0].void
        }
        if not played:
            return None
        shows = self._shows or end
        found: dict[str, Any] = {
            "rulebook": end.rulebook,
            **self._given,
            "house": self._house(shows),
            "board": written(end.round.board),
            "dealer": written(end.round.dealer),
            "seats": [self._seat(number, seat) for number, seat in played.items()],
        }
        if end.minima:
            found["limits"] = self._limits(end.minima)
        if shows.meters:
            found["meters"] = {name: dollars(micro // MICRO) for name, micro in shows.meters.items()}
        if end.round.kept:
            found["dealer_keeps"] = written(end.round.kept)
        return found

    def _limits(self, minima: Mapping[str, int]) -> dict[str, Any]:
        """The limits in force. One that must equal another's wager has none of its own."""
        limits = {wager: dict(pair) for wager, pair in self._given.get("limits", {}).items()}
        for wager, low in minima.items():
            if self._book.wagers[wager].equals is None:
                limits.setdefault(wager, {})["min"] = dollars(low)
        return limits

    def _house(self, shows: State) -> dict[str, Any]:
        house = {name: value for name, value in self._given.get("house", {}).items() if name != "reserve"}
        if any(shows.reserves.values()):
            house["reserve"] = {name: dollars(micro // MICRO) for name, micro in shows.reserves.items()}
        return house

    def _seat(self, number: int, seat: Seat) -> dict[str, Any]:
        first = seat.hands[0]
        row: dict[str, Any] = {"seat": number, "player": seat.player}
        if number in self._four:
            row["cards"] = written(self._four[number])
            row["hands"] = [written(hand.cards) for hand in seat.hands]
            row["wager"] = [dollars(hand.made["wager"]) for hand in seat.hands]
            row["bonus"] = [dollars(hand.made.get("bonus", 0)) for hand in seat.hands]
            return row
        row["hole"] = written(first.cards)
        row |= {name: dollars(stake) for name, stake in first.made.items() if name != "play"}
        if "ante" in first.made:
            row["play"] = first.made.get("play", 0) // first.made["ante"]
        bets = self._bets.get(number, first)
        if bets.tips:
            row["tips"] = {name: dollars(tip) for name, tip in bets.tips.items()}
        if bets.coupon:
            row["match_play"] = dollars(bets.coupon)
        return row


def disagreement(book: Rulebook, data: dict[str, Any], handed: Mapping[int, int], end: State) -> str | None:
    """Where the window settles a closed round otherwise than the table did."""
    closed = {n: s.chips - s.started for n, s in end.seats.items()}
    terms, refused = read_terms(book, data)
    played, found = read_round(data, terms)
    refused += [refusal for refusal in found if refusal.code not in LET_PASS]
    if refused:
        return f"settled by itself the round is refused: {refused[0].message}"
    again = settle(terms, played)
    lines = [settlement_line(wager) for wager in end.round.settled]
    for ours, theirs in zip(lines, again.lines, strict=False):
        if ours != theirs:
            return f"{_told(ours)} on record; {_told(theirs)} settled by itself"
    if len(lines) != len(again.lines):
        return f"{len(lines)} wagers are settled on record, {len(again.lines)} settled by itself"
    shows = {name: dollars(micro // MICRO) for name, micro in end.meters.items()}
    if again.meters and shows != again.meters:
        return f"the meters show {shows} on record, {again.meters} settled by itself"
    for seat in again.seats:
        net = dollars(closed[seat.seat] - handed.get(seat.seat, 0))
        if net != seat.net:
            return f"seat {seat.seat} comes to {net} on record, to {seat.net} settled by itself"
    return None


def _told(line: SettlementLine) -> str:
    return f"{line.wager} at seat {line.seat}: {line.result}, {line.net}, {line.clause}"
