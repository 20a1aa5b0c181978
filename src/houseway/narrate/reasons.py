"""Why a wager was settled as it was, in a sentence made from what everyone has seen."""

from __future__ import annotations

from houseway.cards import Card, cards
from houseway.engine import events as e
from houseway.engine.made_hands import made_hand
from houseway.engine.round_history import Faces, RoundHistory
from houseway.engine.table import Table
from houseway.ranking import Hand, read
from houseway.rules.fact_groups.base import HAND

FLOP = 3
"""Cards of the board that make five with a hand of two."""


class Reasons:
    """Gives the reasons at one table; an instance is a `Reason` of `engine.round_history`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __call__(self, history: RoundHistory, event: e.WagerSettled) -> str:
        """Return why a wager was settled as it was."""
        if event.coupon:
            return "A coupon, paid as the wager it lies with"
        return self._table.terms.groups[event.wager].reason(SettledCards(self._table, history, event))


class SettledCards:
    """A settled wager with the cards that decided it, as far as they are face up."""

    def __init__(self, table: Table, history: RoundHistory, event: e.WagerSettled) -> None:
        self._table = table
        self._history = history
        self._wager = table.book.wagers[event.wager]
        self._faces = history.hands.get((event.seat, event.hand), ())
        self.result, self.odds, self.from_seat = event.result, event.odds, event.from_seat
        self.folded = history.acts.get(event.seat) == "folded"

    @property
    def hole(self) -> tuple[Card, ...]:
        """The player's two cards, or none if they are face down."""
        return cards(" ".join(self._faces)) if len(self._faces) == 2 else ()

    @property
    def flop(self) -> tuple[Card, ...]:
        """The first three cards of the board."""
        return cards(" ".join(self._history.board[:FLOP]))

    @property
    def own(self) -> Hand | None:
        """The player's best five of all seven cards."""
        return self._hand(self._faces)

    @property
    def dealer(self) -> Hand | None:
        """The dealer's best five."""
        return self._hand(self._history.dealer)

    @property
    def unqualified(self) -> bool:
        """True if the dealer does not qualify and a row of the wager depends on it."""
        depends = any("dealer_qualifies" in row.when for row in self._wager.pays)
        return depends and self._history.qualifies is False

    @property
    def pays_by_hand(self) -> bool:
        """True if a win is paid by a table of hands."""
        return any(row.table or HAND in row.when for row in self._wager.pays)

    @property
    def first_five(self) -> Hand | None:
        """The hole cards with the flop, if the wager's pay table reads those alone."""
        terms = self._table.terms
        if not terms.reads_first_five(self._wager.name):
            return None
        return read((*self.hole, *self.flop), terms.order)

    @property
    def highest(self) -> tuple[str, Hand] | None:
        """The highest of the hands turned up, and whose it is."""
        turned = {"the dealer's": self._history.dealer}
        turned |= {f"seat {seat}'s": faces for (seat, _), faces in self._history.hands.items()}
        hands = [(whose, hand) for whose, faces in turned.items() if (hand := self._hand(faces))]
        return max(hands, key=lambda shown: shown[1].key, default=None)

    def _hand(self, faces: Faces) -> Hand | None:
        """Two cards with the whole board."""
        if len(faces) != 2 or len(self._history.board) != self._table.board_size:
            return None
        return made_hand(self._table, faces, self._history.board)
