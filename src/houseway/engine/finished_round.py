"""A finished round: the board, the dealer's cards, and each player's hands and stakes."""

from __future__ import annotations

import msgspec

from houseway.cards import Card

STANDING, FOLDED, HELD = 0, 1, 2


class PlayerHand(msgspec.Struct, frozen=True, gc=False):
    """A player's hand, with its stakes."""

    seat: int
    number: int
    """1, or 2 for the second hand of a split."""
    player: str | int
    """The player's name, or the seat number if no name was given."""
    cards: tuple[Card, ...]
    stakes: dict[str, int]
    """Cents by wager, in the rulebook's order; only wagers that were made."""
    folded: bool = False
    tips: dict[str, int] = {}
    """Cents staked for the dealer, by wager."""
    coupon: int = 0
    """The face value of a match play coupon on the ante, in cents."""


class FinishedRound(msgspec.Struct, frozen=True):
    """A finished round that is legal under its terms."""

    board: tuple[Card, ...]
    dealer: tuple[Card, ...]
    """The two cards that the dealer plays."""
    hands: tuple[PlayerHand, ...]
    """Ordered by seat from the dealer's left, then by hand number."""
    meters: dict[str, int]
    """Cents on each meter when the awards were made; a meter left out was at its seed."""
    house_way: tuple[Card, ...] | None = None
    """The two cards that the house way keeps, if the dealer kept others."""
