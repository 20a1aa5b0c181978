"""A round as the person at the terminal has seen it: the table's view, the own cards, the own salt."""

from __future__ import annotations

import msgspec

from houseway.engine.made_hands import hand_words
from houseway.engine.round_history import Faces, Place, SettledWager
from houseway.engine.table import Table
from houseway.engine.table_view import TableView


class SeenRound(msgspec.Struct, frozen=True):
    """One round, for one seat; 0 for a person who does not sit."""

    view: TableView
    you: int = 0
    own: tuple[Faces, ...] = ()
    """The player's own hands, once they could be looked at."""
    salt: str = ""
    """What the player put into the players' cut."""

    @property
    def dealer(self) -> Faces:
        """The dealer's hand, once it is turned up."""
        return self.view.dealer_keeps or self.view.dealer

    @property
    def hands(self) -> dict[Place, Faces]:
        """Hands that were turned up, and the player's own."""
        own = {(self.you, n): cards for n, cards in enumerate(self.own, 1) if cards}
        return own | {
            (number, n): hand.faces
            for number, seat in self.view.seats.items()
            for n, hand in seat.hands.items()
            if hand.faces
        }

    @property
    def lines(self) -> list[SettledWager]:
        """The settled wagers in their order."""
        return list(self.view.settled.values())

    def act(self, seat: int) -> str:
        """The last act of a seat, in a word or two."""
        sitting = self.view.seats.get(seat)
        return sitting.act if sitting is not None else ""

    def bets(self, seat: int) -> dict[str, int]:
        """Cents that a seat wagered in this round."""
        sitting = self.view.seats.get(seat)
        return sitting.bets if sitting is not None else {}

    def calls(self, table: Table, place: Place) -> str:
        """A hand in words, with as much of the board as is face up."""
        own = self.hands.get(place, ())
        return hand_words(table, own, self.view.board) if len(own) == 2 else ""

    def dealer_calls(self, table: Table) -> str:
        """The dealer's hand in words, and whether it qualifies."""
        hand = hand_words(table, self.dealer, self.view.board) if len(self.dealer) == 2 else ""
        says = {None: "", True: "qualifies", False: "does not qualify"}[self.view.qualifies]
        return ", ".join(part for part in (hand, "every hand is void" if self.view.void else says) if part)
