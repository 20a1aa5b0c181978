"""A round as it lay on the table: the board, the dealer's cards and each player's hands."""

from __future__ import annotations

import msgspec

from houseway.cards import Card

STANDING, FOLDED, HELD = 0, 1, 2


class PlayerHand(msgspec.Struct, frozen=True, gc=False):
    """One hand of one player, with what was staked on it."""

    seat: int
    number: int
    """1, or 2 for the second hand of a split."""
    player: str | int
    """Who holds it: a name, or the seat itself where none was given."""
    cards: tuple[Card, ...]
    stakes: dict[str, int]
    """Cents by wager, in the order they stand in the rulebook; a wager not made is not there."""
    folded: bool = False
    tips: dict[str, int] = {}
    """Cents staked for the dealer, by wager."""
    coupon: int = 0
    """The face of a match play coupon on the ante."""


class FinishedRound(msgspec.Struct, frozen=True):
    """A finished round, read and found to be possible under its terms."""

    board: tuple[Card, ...]
    dealer: tuple[Card, ...]
    """The two cards the dealer plays."""
    hands: tuple[PlayerHand, ...]
    """In the order of seats from the dealer's left, then of a seat's hands."""
    meters: dict[str, int]
    """What each meter showed when awards were made; one left out stood at its seed."""
    house_way: tuple[Card, ...] | None = None
    """What the house way would have kept, where the dealer kept something else."""
