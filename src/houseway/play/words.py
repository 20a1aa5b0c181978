"""Wagers and amounts in the words a player reads."""

from __future__ import annotations

from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.money import exactly, spoken


def named(wager: str) -> str:
    """A wager as players call it."""
    return wager.replace("_", " ")


def signed(amount: int) -> str:
    """What a wager gained or lost: "+$15.00", "−$5.00", "$0.00"."""
    return ("+" if amount > 0 else "") + exactly(amount).replace("-", "−")


def room(spot: Spot) -> str:
    """What a spot takes: "ante $5 to $100", "progressive $5"."""
    if spot.exact or spot.most is None:
        return f"{named(spot.wager)} {spoken(spot.least)}" + ("" if spot.exact else " or more")
    return f"{named(spot.wager)} {spoken(spot.least)} to {spoken(spot.most)}"


def sentence(refusal: Refusal) -> str:
    """A refusal as a person reads it, with its clause or, where no document speaks, its code."""
    return f"Not taken: {refusal.message}. [{refusal.clause or refusal.code}]"
