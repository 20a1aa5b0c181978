"""Evaluate hands. The results are cached, because the dealer, the script and every viewer use them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from houseway.cards import UNSEEN, Card, card
from houseway.engine.hand_facts import FLOP
from houseway.engine.table import Table
from houseway.ranking import Hand, HandClass, read
from houseway.wording import with_article

READ: Final = "read"
FIRST_FIVE: Final = "first five"
"""The value of a step's rule `read` if a folded hand that is kept only for its progressive bet is read at
the flop. Without this value, as in older rulebooks, the hand is read from all seven cards."""


@lru_cache(maxsize=4096)
def read_hand(cards: tuple[Card, ...], order: tuple[HandClass, ...]) -> Hand:
    """Return the best hand of five to seven cards."""
    return read(cards, order)


def known_hand(cards: tuple[Card, ...], order: tuple[HandClass, ...]) -> Hand | None:
    """Return the best hand of five to seven cards; None for another number or if a card is unseen."""
    return read_hand(cards, order) if 5 <= len(cards) <= 7 and UNSEEN not in cards else None


def flop_reading(table: Table) -> int:
    """Return how many community cards count in a folded hand that is kept only for its progressive bet.

    Return 0 if the hand is read with the whole board. `HandTurned.community` has this number. The
    announcement, the script, the log and the judgement in training follow that event.
    """
    if "progressive" not in table.terms.on_five:
        return 0
    rules = (step.rules[READ] for step in table.steps.values() if READ in step.rules)
    return FLOP if any(rule.value == FIRST_FIVE for rule in rules) else 0


def words_with_article(hand: Hand) -> str:
    """Return a hand in words for use after "has": "a pair of sevens", "king high"."""
    takes_one = hand.name != "high card" and with_article(hand.name) != hand.name
    return f"a {hand.words}" if takes_one else hand.words


def made_hand(table: Table, own: Iterable[str], board: Iterable[str]) -> Hand | None:
    """Return the hand that cards make with the board; None if there are too few or a card is unseen."""
    seven = (*own, *board)
    return None if str(UNSEEN) in seven else known_hand(tuple(map(card, seven)), table.terms.order)


def hand_words(table: Table, own: Iterable[str], board: Iterable[str]) -> str:
    """Return the hand that cards make with the board, in a dealer's words; empty if it is not known."""
    hand = made_hand(table, own, board)
    return hand.words if hand is not None else ""
