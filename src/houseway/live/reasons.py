"""Why a wager was settled as it was, in a sentence made from what everyone has seen."""

from __future__ import annotations

from collections.abc import Sequence

from houseway.cards import RANK_WORDS, cards
from houseway.engine import events as e
from houseway.engine.round_history import Faces, RoundHistory, hand_words, made_hand
from houseway.engine.table import Table
from houseway.ranking import Hand, read
from houseway.rules.wagers import Row

FLOP = 3
"""Cards of the board that make five with a hand of two."""
NOT_QUALIFIED = "The dealer does not qualify"


class Reasons:
    """Gives the reasons at one table; an instance is a `Reason` of `engine.round_history`."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __call__(self, history: RoundHistory, event: e.WagerSettled) -> str:
        """Return why a wager was settled as it was."""
        wager = self._table.book.wagers[event.wager]
        looks = wager.looks
        if event.coupon:
            return "A coupon, paid as the wager it lies with"
        if looks == "showdown":
            return self._against_the_dealer(history, event, wager.pays)
        if looks == "others":
            return f"For the hand of seat {event.from_seat}"
        if looks == "table":
            paid = f"pays {event.odds}" if event.odds else "is not paid"
            return f"The highest hand at the table{self._highest(history)} {paid}"
        name = self._own_hand(history, event)
        if not name:
            return "Folded: the hand is not paid" if event.result == "lose" else "By the hand held"
        if event.result == "win":
            return f"{name} pays {event.odds}" if event.odds else f"{name} pays"
        return f"{name} is not paid" if event.result == "lose" else f"{name}: the wager comes back"

    def _against_the_dealer(self, history: RoundHistory, event: e.WagerSettled, rows: Sequence[Row]) -> str:
        pays_by_hand = _by_hand(rows)
        if history.acts.get(event.seat) == "folded":
            return "Folded"
        own = self._hand(history, history.hands.get((event.seat, event.hand), ()))
        dealer = self._hand(history, history.dealer)
        asks_for_it = any("dealer_qualifies" in row.when for row in rows)
        unqualified = event.result == "push" and history.qualifies is False and asks_for_it
        if own is None and unqualified:
            # Some procedures give it back before the hand is turned up.
            return NOT_QUALIFIED
        if own is None or dealer is None:
            return {"win": "Won", "push": "Comes back"}.get(event.result, "Lost")
        if own.key == dealer.key:
            return f"A tie: both have {own.words}"
        if own.key < dealer.key:
            beaten = _beats(dealer, own)
            return beaten if event.result == "lose" else f"{beaten}, but the dealer does not qualify"
        if unqualified:
            return NOT_QUALIFIED
        if pays_by_hand and event.result == "win":
            return f"A winning {own.name} pays {event.odds}"
        if pays_by_hand:
            return f"A winning {own.name} brings the wager back"
        won = _beats(own, dealer)
        return f"{won}: {event.odds}" if event.odds else won

    def _hand(self, history: RoundHistory, own: Faces) -> Hand | None:
        """Return two cards with the whole board as a hand."""
        if len(own) != 2 or len(history.board) != self._table.board_size:
            return None
        return made_hand(self._table, own, history.board)

    def _highest(self, history: RoundHistory) -> str:
        """Return whose hand is the highest of those turned up, and what it is."""
        turned = {"the dealer's": history.dealer}
        turned |= {f"seat {seat}'s": cards for (seat, _), cards in history.hands.items()}
        hands = {whose: hand for whose, cards in turned.items() if (hand := self._hand(history, cards))}
        if not hands:
            return ""
        whose = max(hands, key=lambda whose: hands[whose].key)
        return f", {whose} {hands[whose].words},"

    def _own_hand(self, history: RoundHistory, event: e.WagerSettled) -> str:
        """Return the hand a side bet depends on: of the first five cards if its pay table says so."""
        own = history.hands.get((event.seat, event.hand), ())
        if len(own) != 2:
            return ""
        if event.wager in self._table.terms.on_five:
            five = read(cards(" ".join((*own, *history.board[:FLOP]))), self._table.terms.order)
            return f"{_sentence(five.words)} in the first five cards"
        return _sentence(hand_words(self._table, own, history.board))


def _by_hand(rows: Sequence[Row]) -> bool:
    """True if a wager against the dealer pays by a table of hands."""
    return any(row.table or "hand" in row.when for row in rows)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]


def _beats(higher: Hand, lower: Hand) -> str:
    """Say that a hand beats another, and by which card if both have the same name."""
    said = f"{_sentence(higher.words)} beats {lower.words}"
    if higher.words != lower.words:
        return said
    one, other = next(pair for pair in zip(higher.ranks, lower.ranks, strict=True) if pair[0] != pair[1])
    return f"{said}, {RANK_WORDS[one]} against {RANK_WORDS[other]}"
