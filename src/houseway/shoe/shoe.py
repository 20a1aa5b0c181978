"""The interface of every shoe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from houseway.cards import Card
from houseway.wording import several


class ShoeError(ValueError):
    """The shoe cannot do the operation."""


class Shoe(Protocol):
    """Shuffled cards that are cut and dealt."""

    @property
    def seal(self) -> str:
        """The root published before the first wager; empty for a shoe without a seal."""

    @property
    def size(self) -> int:
        """The number of cards in the full shoe."""

    @property
    def left(self) -> int:
        """The number of cards not yet dealt."""

    def cut(self, count: int) -> None:
        """Move `count` cards from the top to the bottom."""

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Make the players' cut of the remaining cards; without salts, nothing moves."""

    def peek(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Return the cards that the next `take` will deal, without dealing them."""

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """Deal the next cards. `place` names where they go; a typed shoe shows it to the person."""


def check_cut(count: int, left: int) -> None:
    """Raise ShoeError if a cut would leave one side empty."""
    if not 0 < count < left:
        raise ShoeError(f"a cut takes 1 to {left - 1} of the {left} cards in the shoe, not {count}")


def check_take(count: int, left: int) -> None:
    """Raise ShoeError if there are not enough cards to deal."""
    if not 0 <= count <= left:
        rest = several(left, "card is", "cards are")
        raise ShoeError(f"{rest} left in the shoe; {count} cannot be dealt")


class UnsealedShoe:
    """A shoe without a seal, and so without a players' cut."""

    seal: Final = ""

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Do nothing; raise ShoeError if there are salts, because no seal was published before them."""
        if salts:
            raise ShoeError("a shoe without a seal has no players' cut; do not add salts")
