"""Helpers for one seat: its bets, whether its player has stood up, and the command for a play wager."""

from __future__ import annotations

from houseway.client.messages import View
from houseway.engine import commands as c


def on_layout(view: View, seat: int) -> tuple[dict[str, int], dict[str, int], int]:
    """Return the wagers, tips and coupon of a seat on the layout, in cents."""
    place = view.table.seats.get(seat)
    hand = place.hands[1] if place is not None else None
    return (hand.wagers, hand.tips, hand.coupon) if hand is not None else ({}, {}, 0)


def is_standing(view: View, seat: int) -> bool:
    """True if the player stands beside the seat, and so cannot bet."""
    place = view.table.seats.get(seat)
    return place is not None and not place.seated


def play_command(view: View, seat: int, times: int, tip: int | None = 0) -> c.Play:
    """Return the command for a play. If `tip` is None, the tip is the same multiple as the play."""
    if tip is None:
        # Without a tip on the ante every tip play is refused, and the refusal cites the clause.
        tip = on_layout(view, seat)[1].get("ante", 0) * times or 1
    return c.Play(seat=seat, times=times, tip=tip)
