"""What a table asks of a shoe, whichever it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Protocol

from houseway.cards import Card
from houseway.wording import several


class ShoeError(ValueError):
    """Something a shoe cannot do."""


class Shoe(Protocol):
    """Shuffled cards that are cut and dealt."""

    @property
    def seal(self) -> str:
        """The root told before the first wager; empty for a shoe without a seal."""

    @property
    def size(self) -> int:
        """The cards of the full shoe."""

    @property
    def left(self) -> int:
        """The cards not yet dealt."""

    def cut(self, count: int) -> None:
        """Cut: so many off the top go to the bottom."""

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Make the players' cut over what is left; without salts nothing moves."""

    def peek(self, count: int, place: str = "") -> tuple[Card, ...]:
        """The cards the next `take` gives, which stay where they are until then."""

    def take(self, count: int, place: str = "") -> tuple[Card, ...]:
        """The next cards; a shoe that a person deals from tells the person the place they go to."""


def check_cut(count: int, left: int) -> None:
    """Refuse a cut that leaves nothing on one side."""
    if not 0 < count < left:
        raise ShoeError(f"a cut takes 1 to {left - 1} of the {left} cards in the shoe, not {count}")


def check_take(count: int, left: int) -> None:
    """Refuse to deal more cards than there are."""
    if not 0 <= count <= left:
        there = several(left, "card is", "cards are")
        raise ShoeError(f"{there} left in the shoe; {count} cannot be dealt")


class Unsealed:
    """A shoe without a seal, which has no players' cut."""

    seal: Final = ""

    def permute(self, salts: Mapping[int, bytes]) -> None:
        """Nothing moves; salts are refused, because no seal was told before them."""
        if salts:
            raise ShoeError("a shoe without a seal has no players' cut; take no salts for it")
