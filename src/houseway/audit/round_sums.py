"""Check that the payments of a round add up. No hidden cards are needed for this."""

from __future__ import annotations

from houseway.engine import events as e
from houseway.engine.meters import MICRO
from houseway.engine.state import State, house_sums
from houseway.engine.table import Table
from houseway.money import MoneyError, Odds, dollars, payment


def wrong_sum(table: Table, before: State, event: e.Event) -> str | None:
    """Return a sentence that says what does not add up in a payment or in the closing of a round, or
    None."""
    match event:
        case e.WagerSettled(result="win") if event.odds and not event.coupon:
            return _wrong_payment(table, event)
        case e.RoundClosed():
            return _wrong_closing(before, event)
    return None


def _wrong_payment(table: Table, event: e.WagerSettled) -> str | None:
    try:
        odds = payment(event.odds or "")
    except MoneyError:
        return f"{event.odds!r} on {event.wager} at seat {event.seat} is not a valid payment"
    if not isinstance(odds, Odds):
        return None
    due = table.terms.plan.winnings(odds, event.stake)
    if event.won + event.cut == due:
        return None
    paid = f"{event.wager} at seat {event.seat} was paid {dollars(event.won + event.cut)}"
    return f"{event.odds} on {dollars(event.stake)} is {dollars(due)}; {paid}"


def _wrong_closing(before: State, event: e.RoundClosed) -> str | None:
    for number, net in event.net.items():
        seat = before.seats.get(number)
        gained = seat.chips - seat.started if seat is not None else 0
        # A player who left in the round may have paid back a payment of an earlier round.
        gained += before.round.departed.get(number, 0)
        if gained != net:
            actual = dollars(gained)
            return f"the net of seat {number} in round {event.number} is {actual}, not {dollars(net)}"
    now = house_sums(before)
    moved = {name: now[name] - held for name, held in before.round.before.items()}
    if moved != event.changes or sum(event.net.values()) * MICRO + sum(moved.values()):
        return f"the books of round {event.number} do not balance"
    return None
