"""Batch evaluation of seven-card hands, from one deck or six."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK
from houseway.exact.board_counts import rank_strengths, spread
from houseway.exact.kernels import seven_cards
from houseway.exact.kernels.atoms import RANKS
from houseway.exact.numbering import Integers, multiset_number, multisets, repeats
from houseway.ranking import HandClass, evaluator
from houseway.rules.rulebook import Ranking

LOW_BITS = 32
"""The number of bits of the random number that stands for a rank.

The sum of seven such numbers stays below the bits that count suits.
"""


ROW_BITS, SLOT_BITS = 13, 16
SUITED_ROW_BITS, SUITED_SLOT_BITS = 14, 17


class _Tables(NamedTuple):
    numbers: Integers
    ranks: seven_cards.StrengthTable
    suited: seven_cards.StrengthTable


def strengths(cards: NDArray[np.uint8], ranking: Ranking, *, threads: int = 1) -> NDArray[np.uint16]:
    """Return the strength of each row of seven cards. Higher beats lower; equal strengths tie.

    A card is its index in the deck: four times the rank (a two is 0) plus the suit. The function does not
    check that the decks have enough copies of each card.
    """
    if cards.ndim != 2 or cards.shape[1] != seven_cards.CARDS or cards.dtype != np.uint8:
        raise ValueError(
            f"hands must be rows of seven cards as uint8 (got shape {cards.shape}, {cards.dtype})"
        )
    if cards.size and cards.max() >= len(DECK):
        raise ValueError(f"card numbers must be 0 to {len(DECK) - 1} (got {cards.max()})")
    tables = _tables(ranking.order, ranking.decks)
    result = np.empty(len(cards), np.uint16)
    rows = np.ascontiguousarray(cards)
    spread(lambda a, b: seven_cards.read_sevens(a, b, rows, *tables, result), len(rows), threads)
    return result


@lru_cache(maxsize=4)
def _tables(order: tuple[HandClass, ...], decks: int) -> _Tables:
    by = evaluator(order, decks)
    held = _multisets(seven_cards.CARDS, 4 * decks)
    plain = rank_strengths(by, seven_cards.CARDS, decks)[multiset_number(held)]
    flushes = [_multisets(size, decks) for size in (5, 6, 7)]
    in_suit = np.array([by.strength([DECK[4 * n] for n in held]) for size in flushes for held in size])
    suits = np.int64(1) << (seven_cards.SUIT_SHIFT + 4 * np.arange(4))
    for seed in range(100):
        # Any random numbers will do if no two sums get the same slot. The seed is the attempt's number.
        ranks = np.random.Generator(np.random.PCG64(seed)).integers(0, 1 << LOW_BITS, RANKS, np.int64)
        by_rank, by_suit = _empty(ROW_BITS, SLOT_BITS), _empty(SUITED_ROW_BITS, SUITED_SLOT_BITS)
        suited = np.concatenate([ranks[size].sum(axis=1) for size in flushes])
        if seven_cards.displace(ranks[held].sum(axis=1), plain, by_rank) and seven_cards.displace(
            suited, in_suit, by_suit
        ):
            return _Tables((ranks[:, None] + suits).ravel(), by_rank, by_suit)
    raise RuntimeError("no collision-free table found in 100 attempts")


def _multisets(size: int, copies: int) -> Integers:
    """List the multisets of `size` ranks with at most `copies` of each rank."""
    held = multisets(size)
    return np.asarray(held[repeats(held).max(axis=1) < copies])


def _empty(row_bits: int, slot_bits: int) -> seven_cards.StrengthTable:
    return seven_cards.StrengthTable(
        np.zeros(1 << row_bits, np.int64), np.zeros(1 << slot_bits, np.uint16), row_bits
    )
