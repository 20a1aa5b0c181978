"""A round as the person at the terminal saw it: the table's view, and the person's cards and salt."""

from __future__ import annotations

import msgspec

from houseway.engine.made_hands import hand_words
from houseway.engine.round_history import Faces, Place, SettledWager
from houseway.engine.table import Table
from houseway.engine.table_view import TableView


class PlayerRound(msgspec.Struct, frozen=True):
    """One round seen from one seat; `you` is 0 if the person has no seat."""

    view: TableView
    you: int = 0
    own: tuple[Faces, ...] = ()
    """The player's own hands, once the player may look at them."""
    salt: str = ""
    """The player's salt: random digits that help to decide the cut."""

    @property
    def dealer(self) -> Faces:
        """The dealer's hand, once it is turned up."""
        return self.view.dealer_keeps or self.view.dealer

    @property
    def hands(self) -> dict[Place, Faces]:
        """The hands that were turned up, and the player's own."""
        own = {(self.you, n): cards for n, cards in enumerate(self.own, 1) if cards}
        return own | {
            (number, n): hand.faces
            for number, seat in self.view.seats.items()
            for n, hand in seat.hands.items()
            if hand.faces
        }

    @property
    def lines(self) -> list[SettledWager]:
        """The settled wagers in the order of settlement."""
        return list(self.view.settled.values())

    def act(self, seat: int) -> str:
        """Return the last act of a seat, such as "checked"."""
        seat_view = self.view.seats.get(seat)
        return seat_view.act if seat_view is not None else ""

    def bets(self, seat: int) -> dict[str, int]:
        """Return the cents that a seat wagered in this round."""
        seat_view = self.view.seats.get(seat)
        return seat_view.bets if seat_view is not None else {}

    def calls(self, table: Table, place: Place) -> str:
        """Return the name of a hand, made with the board cards that are face up."""
        own = self.hands.get(place, ())
        return hand_words(table, own, self.view.board) if len(own) == 2 else ""

    def dealer_hand_text(self, table: Table) -> str:
        """Return the name of the dealer's hand, and whether it qualifies."""
        hand = hand_words(table, self.dealer, self.view.board) if len(self.dealer) == 2 else ""
        verdict = {None: "", True: "qualifies", False: "does not qualify"}[self.view.qualifies]
        return ", ".join(filter(None, (hand, "every hand is void" if self.view.void else verdict)))
