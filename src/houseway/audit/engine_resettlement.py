"""Settle a recorded round again with the engine, and compare the result with the table's settlement."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec.structs import replace

from houseway.cards import UNSEEN, Card, codes
from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.engine.settle import settle
from houseway.engine.settle_json import read_round
from houseway.engine.settlement import Settlement, SettlementLine, settlement_line
from houseway.engine.state import Hand, Seat, State
from houseway.engine.terms import read_terms
from houseway.money import dollars
from houseway.rules.rulebook import Rulebook

IGNORED_REFUSALS = frozenset({"below-minimum", "above-maximum"})
"""The codes of refusals to ignore.

The floor may have allowed a wager outside the limits, or may have changed the minimum since.
"""


class RoundData:
    """Collects a round event by event, and returns it in the format of `settle`."""

    def __init__(self, book: Rulebook, chosen: Mapping[str, Any]) -> None:
        """`chosen` has the settings that the house chose when it opened the table."""
        self._book = book
        self._chosen = chosen
        self._comparable = True
        self._bets: dict[int, Hand] = {}
        """The hand of each seat before its first wager was settled, with its tips and its coupon."""
        self._four: dict[int, tuple[Card, ...]] = {}
        self._settling: State | None = None
        """The state before the first wager of the round was settled."""
        self._metered: State | None = None
        """The state before the first award was keyed or the first wager was settled, with the meters as
        they were last read."""
        self._voided = False
        self._put_under: set[int] = set()
        """Seats whose folded cards were put under the trips bet, unseen."""
        self.mispaid: dict[int, int] = {}
        """The cents paid to each seat by mistake, minus corrections."""

    def take(self, event: e.Event, before: State) -> None:
        """Apply an event; `before` is the state of the table before it."""
        match event:
            case e.RoundVoided():
                self._comparable = False
            case e.HandVoided():
                self._voided = True
                # After a split, the other hand of the seat stays in play if one hand is void.
                alone = len(before.seats[event.seat].hands) == 1
                self._comparable = self._comparable and self._settling is None and alone
            case e.HandSet() | e.HandSplit():
                self._four.setdefault(event.seat, before.seats[event.seat].hands[0].cards)
            case e.FoldSeen(held=True):
                self._put_under.add(event.seat)
            case e.WagerSettled():
                # If the trips bet loses, the folded cards were held for it by mistake: the rules settle a
                # losing trips bet earlier.
                mistaken = event.seat in self._put_under and (event.wager, event.result) == (
                    "trips",
                    "lose",
                )
                self._comparable = self._comparable and not mistaken
                self._settling = self._settling or before
                self._metered = self._metered or before
                self._bets.setdefault(event.seat, before.seats[event.seat].hands[0])
            case e.AwardKeyed():
                self._metered = self._metered or before
            case e.MetersSynced() if self._metered is not None:
                # Awards are paid from the meters as they were last read. If the meters were read again
                # between two awards, the round cannot be settled again in one step.
                paid = any(s.meter for s in before.round.settled) or bool(before.round.awards)
                self._comparable = self._comparable and not paid
                self._metered = replace(self._metered, meters=event.meters, reserves=event.reserves)
            case e.MispaymentMade() | e.PaymentCorrected():
                self.mispaid[event.seat] = self.mispaid.get(event.seat, 0) + event.amount

    def data(self, end: State) -> dict[str, Any] | None:
        """Return the closed round in the format of `settle`, or None if it cannot be settled again.

        It cannot be settled again in these cases: the round or every hand in it is void; a hand was voided
        after settling began, after a split, or in a round with a Cover All wager; cards were held by
        mistake or were never seen; the meters were read again between two awards.
        """
        covered = any("cover_all" in hand.made for seat in end.seats.values() for hand in seat.hands)
        if not self._comparable or (self._voided and covered):
            return None
        played = {
            n: seat for n, seat in end.seats.items() if seat.hands[0].cards and not seat.hands[0].void
        }
        hands = (*self._four.values(), *(hand.cards for seat in played.values() for hand in seat.hands))
        unseen = any(UNSEEN in cards for cards in hands)
        if not played or unseen:
            return None
        metered = self._metered or end
        data: dict[str, Any] = {
            "rulebook": end.rulebook,
            **self._chosen,
            "house": self._house(metered),
            "board": codes(end.round.board),
            "dealer": codes(end.round.dealer),
            "seats": [self._seat(number, seat) for number, seat in played.items()],
        }
        if end.minima:
            data["limits"] = self._limits(end.minima)
        if metered.meters:
            data["meters"] = {name: dollars(micro // MICRO) for name, micro in metered.meters.items()}
        if end.round.kept:
            data["dealer_keeps"] = codes(end.round.kept)
        return data

    def _limits(self, minima: Mapping[str, int]) -> dict[str, Any]:
        """Return the limits in force. A wager that must equal another wager has none."""
        limits = {wager: dict(pair) for wager, pair in self._chosen.get("limits", {}).items()}
        for wager, low in minima.items():
            if self._book.wagers[wager].equals is None:
                limits.setdefault(wager, {})["min"] = dollars(low)
        return limits

    def _house(self, metered: State) -> dict[str, Any]:
        house = {name: value for name, value in self._chosen.get("house", {}).items() if name != "reserve"}
        if any(metered.reserves.values()):
            house["reserve"] = {name: dollars(micro // MICRO) for name, micro in metered.reserves.items()}
        return house

    def _seat(self, number: int, seat: Seat) -> dict[str, Any]:
        first = seat.hands[0]
        row: dict[str, Any] = {"seat": number, "player": seat.player}
        if number in self._four:
            row["cards"] = codes(self._four[number])
            row["hands"] = [codes(hand.cards) for hand in seat.hands]
            row["wager"] = [dollars(hand.made["wager"]) for hand in seat.hands]
            row["bonus"] = [dollars(hand.made.get("bonus", 0)) for hand in seat.hands]
        else:
            row["hole"] = codes(first.cards)
            row |= {name: dollars(stake) for name, stake in first.made.items() if name != "play"}
        if "ante" in first.made:
            row["play"] = first.made.get("play", 0) // first.made["ante"]
        elif first.folded:
            row["play"] = 0
        bets = self._bets.get(number, first)
        if bets.tips:
            row["tips"] = {name: dollars(tip) for name, tip in bets.tips.items()}
        if bets.coupon:
            row["match_play"] = dollars(bets.coupon)
        return row


def settle_again(book: Rulebook, data: dict[str, Any], unoffered: Collection[str]) -> Settlement | str:
    """Settle a round again. Return the settlement, or a sentence that says why it fails.

    `unoffered` has the wagers that the table does not offer.
    """
    terms, refused = read_terms(book, data)
    played, problems = read_round(data, terms)
    refused += [refusal for refusal in problems if refusal.code not in IGNORED_REFUSALS]
    if refused:
        return f"settling the round again fails: {refused[0].message}"
    return settle(terms, played, unoffered=unoffered)


def on_record(end: State, mispaid: Mapping[int, int]) -> tuple[list[SettlementLine], dict[int, str]]:
    """Return the settled wagers of a closed round, and the net result of each seat without mispayments."""
    nets = {n: dollars(seat.chips - seat.started - mispaid.get(n, 0)) for n, seat in end.seats.items()}
    return [settlement_line(wager) for wager in end.round.settled], nets


def difference(book: Rulebook, data: dict[str, Any], mispaid: Mapping[int, int], end: State) -> str | None:
    """Return a sentence that says how a second settlement differs from the table's, or None."""
    again = settle_again(book, data, end.unoffered)
    if isinstance(again, str):
        return again
    lines, nets = on_record(end, mispaid)
    for ours, theirs in zip(lines, again.lines, strict=False):
        if ours != theirs:
            return f"the record has {_summary(ours)}; settled again: {_summary(theirs)}"
    if len(lines) != len(again.lines):
        return f"{len(lines)} wagers were settled on record, {len(again.lines)} when settled again"
    shows = {name: dollars(micro // MICRO) for name, micro in end.meters.items()}
    if again.meters and shows != again.meters:
        return f"the meters show {shows} on record, {again.meters} when settled again"
    for seat in again.seats:
        if nets[seat.seat] != seat.net:
            return f"seat {seat.seat} nets {nets[seat.seat]} on record, {seat.net} when settled again"
    return None


def _summary(line: SettlementLine) -> str:
    return f"{line.wager} at seat {line.seat}: {line.result}, {line.net}, {line.clause}"
