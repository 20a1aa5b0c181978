"""Cards, wagers and amounts in the words a player reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from houseway.cards import card
from houseway.engine.legal import Spot
from houseway.engine.refusals import Refusal
from houseway.money import spoken


def said(faces: Iterable[str]) -> str:
    """Cards as one says them, and as one writes them: "ace of hearts, king of clubs (Ah Kc)"."""
    listed = tuple(faces)
    return f"{', '.join(card(face).words for face in listed)} ({' '.join(listed)})"


def named(wager: str) -> str:
    """A wager as players call it."""
    return wager.replace("_", " ")


def exactly(amount: int) -> str:
    """Cents as dollars with both decimals: "$1,000.00"."""
    return f"{'-' if amount < 0 else ''}${abs(amount) // 100:,}.{abs(amount) % 100:02d}"


def signed(amount: int) -> str:
    """What a wager gained or lost: "+$15.00", "−$5.00", "$0.00"."""
    return ("+" if amount > 0 else "") + exactly(amount).replace("-", "−")


def stakes(wagers: Mapping[str, int]) -> str:
    """Wagers with their amounts: "ante $10, blind $10"."""
    return ", ".join(f"{named(name)} {spoken(amount)}" for name, amount in wagers.items())


def room(spot: Spot) -> str:
    """What a spot takes: "ante $5 to $100", "progressive $5"."""
    if spot.exact or spot.most is None:
        return f"{named(spot.wager)} {spoken(spot.least)}" + ("" if spot.exact else " or more")
    return f"{named(spot.wager)} {spoken(spot.least)} to {spoken(spot.most)}"


def sentence(refusal: Refusal) -> str:
    """A refusal as a person reads it, with its clause or, where no document speaks, its code."""
    return f"Not taken: {refusal.message}. [{refusal.clause or refusal.code}]"
