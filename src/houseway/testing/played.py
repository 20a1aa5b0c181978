"""A round that was played: its events, the states they led to, and the round as data for the cashier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from houseway.cards import Card, written
from houseway.engine import events as e
from houseway.engine.lines import Entry, Line
from houseway.engine.progressive import MICRO
from houseway.engine.state import State
from houseway.money import dollars


@dataclass(slots=True)
class Played:
    """A round as it was played: every event since the one before, with the state after it."""

    number: int
    start: State
    given: Mapping[str, Any]
    events: list[e.Event] = field(default_factory=list)
    states: list[State] = field(default_factory=list)

    @property
    def end(self) -> State:
        """The state after the last event."""
        return self.states[-1]

    def data(self) -> dict[str, Any] | None:
        """The round as the cashier's window takes it; None where it is void or was changed half way."""
        return as_data(self)


def lines(state: State) -> list[Line]:
    """What the round under way has settled, as `houseway settle` writes it."""
    return [_line(settled) for settled in state.round.settled]


def _line(settled: e.WagerSettled) -> Line:
    whose = (settled.from_seat, settled.from_hand) if settled.from_seat else None
    entry = Entry(
        settled.seat,
        settled.hand,
        settled.wager,
        settled.stake,
        settled.result,
        settled.back,
        settled.clause,
        settled.odds,
        settled.cut,
        settled.for_dealer,
        whose,
        settled.coupon,
    )
    return entry.line()


def _covered(state: State) -> bool:
    """Whether a wager counts the hands dealt, void ones included."""
    return any("cover_all" in hand.made for seat in state.seats.values() for hand in seat.hands)


def as_data(played: Played) -> dict[str, Any] | None:
    """The round as the cashier's window takes it; None where it is void or a hand left it half way."""
    end = played.end
    tips: dict[int, dict[str, int]] = {}
    coupons: dict[int, int] = {}
    shows: State | None = None
    four: dict[int, tuple[Card, ...]] = {}
    for n, event in enumerate(played.events):
        match event:
            case e.RoundVoided():
                return None
            case e.HandVoided() if shows is not None or _covered(end):
                return None
            case e.WagersPlaced():
                tips[event.seat] = dict(event.tips)
                coupons[event.seat] = event.coupon
            case e.PlayMade(tip=tip) if tip:
                tips[event.seat]["play"] = tip
            case e.HandSet() | e.HandSplit():
                before = played.states[n - 1].seats[event.seat]
                four.setdefault(event.seat, before.hands[0].cards)
            case e.WagerSettled() if shows is None:
                shows = played.states[n - 1]
            case _:
                pass
    shows = shows or end
    house = dict(played.given.get("house", {}))
    reserve = {name: dollars(micro // MICRO) for name, micro in shows.reserves.items()}
    if any(shows.reserves.values()):
        house["reserve"] = reserve
    else:
        house.pop("reserve", None)
    found: dict[str, Any] = {
        "rulebook": end.rulebook,
        **{key: value for key, value in played.given.items() if key != "limits"},
        "house": house,
        "board": written(end.round.board),
        "dealer": written(end.round.dealer),
    }
    if shows.meters:
        found["meters"] = {name: dollars(micro // MICRO) for name, micro in shows.meters.items()}
    if end.round.kept:
        found["dealer_keeps"] = written(end.round.kept)
    seats = []
    for number, seat in end.seats.items():
        first = seat.hands[0]
        if not first.cards or first.void:
            continue
        row: dict[str, Any] = {"seat": number, "player": seat.player}
        if number in four:
            row["cards"] = written(four[number])
            row["hands"] = [written(hand.cards) for hand in seat.hands]
            row["wager"] = [dollars(hand.made["wager"]) for hand in seat.hands]
            row["bonus"] = [dollars(hand.made.get("bonus", 0)) for hand in seat.hands]
        else:
            row["hole"] = written(first.cards)
            row |= {name: dollars(stake) for name, stake in first.made.items() if name != "play"}
            if "ante" in first.made:
                row["play"] = first.made.get("play", 0) // first.made["ante"]
            if tips.get(number):
                row["tips"] = {name: dollars(tip) for name, tip in tips[number].items()}
            if coupons.get(number):
                row["match_play"] = dollars(coupons[number])
        seats.append(row)
    found["seats"] = seats
    return found
