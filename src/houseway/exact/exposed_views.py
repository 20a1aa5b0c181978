"""The parts of the analysis with exposed cards that do not depend on pay tables: the grouping of cards, the
order of hands by strength, and the list of flops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, SUITS
from houseway.exact import board_counts
from houseway.exact.flop_states import sets_of, suit_flops
from houseway.exact.kernels import atoms
from houseway.exact.kernels.boards import BoardView
from houseway.exact.kernels.exposed_hands import Flops, SuitedHands, order_hands
from houseway.exact.kernels.rivers import RiverStep
from houseway.exact.numbering import multiset_number, pair_of, subsets, suit_card_numbers, suit_cards
from houseway.ranking import HandClass, evaluator

CARDS = np.arange(len(DECK)).reshape(atoms.RANKS, len(SUITS))


@dataclass(frozen=True, slots=True, eq=False)
class ExposedView:
    """One grouping of cards: by rank alone, or by rank and one suit."""

    boards: BoardView
    gone: NDArray[np.int8]
    """How many cards of each atom are in each pair of atoms."""
    thin_boards: NDArray[np.bool_]
    thin_turns: NDArray[np.bool_]
    """True for boards and turns on which a flush needs two hole cards of the suit."""
    order: NDArray[np.int16]
    """The position of each hand when the hands on its board are sorted by strength."""
    place: NDArray[np.uint8]
    turns: RiverStep
    flops: RiverStep


@lru_cache(maxsize=2)
def views(order: tuple[HandClass, ...]) -> tuple[ExposedView, ExposedView]:
    """The views by rank alone and by rank and one suit."""
    plan = board_counts.layout()
    never = (np.zeros(atoms.RANK_BOARDS, np.bool_), np.zeros(atoms.RANK_TURNS, np.bool_))
    two_outside = (suit_cards(5)[:, 2] >= 0, suit_cards(4)[:, 2] >= 0)
    return (
        _view(order, plan.by_rank, never, plan.rank_turns, plan.rank_flops),
        _view(order, plan.flush, two_outside, _step(4), _step(3)),
    )


def _view(order: tuple[HandClass, ...], boards: BoardView,
          thin: tuple[NDArray[np.bool_], NDArray[np.bool_]], *steps: RiverStep) -> ExposedView:  # fmt: skip
    every = np.arange(boards.copies.shape[1])[:, None]
    gone = (boards.first == every).astype(np.int8) + (boards.second == every)
    high = np.empty((len(boards.masks), len(boards.first)), np.int16)
    place = np.empty(high.shape, np.uint8)
    by = board_counts.strengths(evaluator(order, 1))
    board_counts.spread(lambda a, b: order_hands(a, b, boards, by, high, place), len(high))
    return ExposedView(boards, gone, *thin, high, place, *steps)


def _step(size: int) -> RiverStep:
    """Return the step from `size` board cards to one more.

    The index is -1 if too few cards are in the suit.
    """
    number = suit_card_numbers(size + 1, -1)
    masks, low, high = suit_cards(size).T[:, :, None]
    ranks = np.arange(atoms.RANKS)
    inside = number[masks | 1 << ranks, low, high]
    none = np.where(suit_cards(size)[:, 1:] < 0, atoms.RANKS, suit_cards(size)[:, 1:])
    outside = np.sort(np.stack(np.broadcast_arrays(none[:, :1], none[:, 1:], ranks)), axis=0)
    further = np.where(outside[2] == atoms.RANKS, number[masks, outside[0], outside[1]], -1)
    left = atoms.COPIES_OUTSIDE - (low == ranks) - (high == ranks)
    return RiverStep(np.hstack([inside, further]), np.hstack([np.ones_like(left), left]))


@cache
def flops(suits: int) -> Flops:
    """List the flops for exposed cards that are all in the first `suits` suits."""
    three = subsets(3, len(DECK))
    free = sets_of(three)[:, suits:]
    listed = (np.diff(free) <= 0).all(axis=1)
    same = (np.diff(free) == 0).sum(axis=1)[listed]
    three = three[listed]
    # Two flops are equivalent if renaming the two or three free suits makes them equal.
    alike = factorial(len(SUITS) - suits) // np.array([factorial(n + 1) for n in range(3)])[same]
    cards = (np.int64(1) << three).sum(axis=1)
    return Flops(cards, alike, multiset_number(three // len(SUITS)), suit_flops(three))


@cache
def hands() -> SuitedHands:
    """Return the 1,326 two-card hands."""
    suits = np.array(list(combinations_with_replacement(range(len(SUITS)), 2)), np.int64)
    rank, other = np.indices((atoms.RANKS, atoms.RANKS)).reshape(2, -1)
    one, two = CARDS[rank, suits[:, :1]], CARDS[other, suits[:, 1:]]
    cards = np.where((suits[:, :1] == suits[:, 1:]) & (rank >= other), -1, 1 << one | 1 << two)
    at = np.zeros((CARDS.size, CARDS.size), np.int64)
    held = cards.ravel() > 0
    at[np.minimum(one, two).ravel()[held], np.maximum(one, two).ravel()[held]] = np.flatnonzero(held)
    return SuitedHands(suits, pair_of(rank, other).astype(np.uint8), cards, at)
