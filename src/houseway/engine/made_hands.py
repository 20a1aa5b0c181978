"""Evaluate hands, with a cache because the dealer, the script and every viewer need the same hands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from houseway.cards import Card, card
from houseway.engine.table import Table
from houseway.ranking import Hand, HandClass, read
from houseway.wording import with_article


@lru_cache(maxsize=4096)
def read_hand(cards: tuple[Card, ...], order: tuple[HandClass, ...]) -> Hand:
    """Return the best hand of five to seven cards."""
    return read(cards, order)


def words_with_article(hand: Hand) -> str:
    """Return a hand in words for use after "has": "a pair of sevens", "king high"."""
    takes_one = hand.name != "high card" and with_article(hand.name) != hand.name
    return f"a {hand.words}" if takes_one else hand.words


def made_hand(table: Table, own: Iterable[str], board: Iterable[str]) -> Hand | None:
    """Return the hand that cards make with the board, or None if there are too few."""
    seven = (*own, *board)
    return read_hand(tuple(map(card, seven)), table.terms.order) if 5 <= len(seven) <= 7 else None


def hand_words(table: Table, own: Iterable[str], board: Iterable[str]) -> str:
    """Return the hand that cards make with the board, in a dealer's words; empty if there are too few."""
    hand = made_hand(table, own, board)
    return hand.words if hand is not None else ""
