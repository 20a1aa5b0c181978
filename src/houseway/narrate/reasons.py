"""Explain a wager's result in a sentence that uses only cards everyone has seen."""

from __future__ import annotations

from houseway.cards import card
from houseway.engine import events as e
from houseway.engine.made_hands import made_hand
from houseway.engine.round_history import Faces, RoundHistory
from houseway.engine.table import Table
from houseway.ranking import Hand, read
from houseway.rules.fact_groups.base import HAND, Payment
from houseway.rules.odds_words import odds_text, wording

FLOP = 3
"""The number of cards on the flop."""
QUALIFIES = "dealer_qualifies"
"""The name of the fact that says whether the dealer qualifies."""


class Reasons:
    """Explains the results at one table. An instance is a `Reason` (see `engine.round_history`)."""

    def __init__(self, table: Table) -> None:
        self._table = table
        wagers = table.book.wagers.items()
        self._by_qualifying = {name: any(QUALIFIES in row.when for row in w.pays) for name, w in wagers}
        """True for each wager that depends on whether the dealer qualifies."""
        self._by_hand = {name: any(row.table or HAND in row.when for row in w.pays) for name, w in wagers}
        """True for each wager that pays by the player's hand."""

    def __call__(self, history: RoundHistory, event: e.WagerSettled) -> str:
        """Return the reason for a wager's result."""
        if event.coupon:
            return "A coupon, paid like the wager it is placed with"
        return self._table.terms.groups[event.wager].reason(self._settled(history, event))

    def _settled(self, history: RoundHistory, event: e.WagerSettled) -> Payment:
        """Return the settled wager with the cards that are face up."""
        terms, wager = self._table.terms, event.wager
        own = history.hands.get((event.seat, event.hand), ())
        hole = tuple(map(card, own)) if len(own) == 2 else ()
        flop = tuple(map(card, history.board[:FLOP]))
        early = hole and terms.reads_first_five(wager)
        return Payment(
            event.result,
            odds_text(event.odds, wording(self._table.book)) or None,
            event.from_seat,
            folded=history.acts.get(event.seat) == "folded",
            hole=hole,
            flop=flop,
            own=self._hand(history, own),
            dealer=self._hand(history, history.dealer),
            unqualified=history.qualifies is False and self._by_qualifying[wager],
            pays_by_hand=self._by_hand[wager],
            first_five=read((*hole, *flop), terms.order) if early else None,
            highest=lambda: self._highest(history),
        )

    def _highest(self, history: RoundHistory) -> tuple[str, Hand] | None:
        """Return the owner of the highest hand that was turned up, and the hand."""
        turned = {"the dealer's": history.dealer}
        turned |= {f"seat {seat}'s": faces for (seat, _), faces in history.hands.items()}
        hands = [(whose, hand) for whose, faces in turned.items() if (hand := self._hand(history, faces))]
        return max(hands, key=lambda shown: shown[1].key, default=None)

    def _hand(self, history: RoundHistory, faces: Faces) -> Hand | None:
        """Return the hand that two cards make with the board; None until the board is complete."""
        if len(faces) != 2 or len(history.board) != self._table.board_size:
            return None
        return made_hand(self._table, faces, history.board)
