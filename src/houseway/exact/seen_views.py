"""What no pay table changes of the count with seen cards: how cards are told apart, hands ranked, flops."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import factorial

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, SUITS
from houseway.exact import counts
from houseway.exact.kernels import atoms, seen
from houseway.exact.kernels.boards import BoardView
from houseway.ranking import HandClass, evaluator

Numbers = NDArray[np.int64]
CARDS = np.arange(len(DECK)).reshape(atoms.RANKS, len(SUITS))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """What a card of each atom makes of a turn or a flop, -1 for nothing, and how many a deck has left."""

    grown: Numbers
    left: NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """Cards told apart in one way, by rank alone or as a suit sees them."""

    boards: BoardView
    gone: NDArray[np.int8]
    """How many cards of each atom a class holds."""
    thin_boards: NDArray[np.bool_]
    thin_turns: NDArray[np.bool_]
    """Those with which only two cards of the suit in one hand make a flush."""
    order: NDArray[np.int16]
    """How high each hand stands among those of its board."""
    place: NDArray[np.uint8]
    turns: Step
    flops: Step


@lru_cache(maxsize=2)
def views(order: tuple[HandClass, ...]) -> tuple[View, View]:
    """Cards seen by rank alone, and as a suit sees them."""
    plan = counts.layout()
    by = counts.strengths(evaluator(order, 1))
    turns = _cards(4, atoms.FLUSH_TURNS)
    by_rank = _view(
        plan.by_rank,
        (np.zeros(atoms.RANK_BOARDS, np.bool_), np.zeros(atoms.RANK_TURNS, np.bool_)),
        [
            Step(s.grown, (atoms.COPIES - s.used).astype(np.int8))
            for s in (plan.rank_turns, plan.rank_flops)
        ],
        by,
    )
    by_suit = _view(
        plan.flush,
        (plan.boards[:, 1] == 3, turns[:, 1] == 2),
        [_step(4, turns), _step(3, _cards(3, atoms.FLUSH_FLOPS))],
        by,
    )
    return by_rank, by_suit


def _view(boards: BoardView, thin: tuple[NDArray[np.bool_], NDArray[np.bool_]], steps: list[Step],
          by: tuple[Numbers, Numbers, Numbers]) -> View:  # fmt: skip
    every = np.arange(boards.copies.shape[1])[:, None]
    gone = (boards.first == every).astype(np.int8) + (boards.second == every)
    order = np.empty((len(boards.masks), len(boards.first)), np.int16)
    place = np.empty(order.shape, np.uint8)
    counts.spread(
        lambda a, b: seen.order_hands(a, b, boards, *by, order, place),
        len(order),
        os.cpu_count() or 1,
    )
    return View(boards, gone, *thin, order, place, *steps)


def _cards(size: int, number: int) -> Numbers:
    """All board cards of a size that leave a flush within reach, as a suit sees them."""
    found = np.empty((number, 4), np.int64)
    atoms.list_cards(size, size - 2, found)
    return found


def _step(size: int, cards: Numbers) -> Step:
    step = Step(np.empty((len(cards), atoms.ATOMS), np.int64), np.empty((len(cards), atoms.ATOMS), np.int8))
    seen.list_further(size, cards, step.grown, step.left)
    return step


@dataclass(frozen=True, slots=True, eq=False)
class Flops:
    """Flops that differ by more than the names of the suits nobody has seen a card of."""

    cards: Numbers
    """A bit for each card."""
    alike: Numbers
    by_rank: Numbers
    by_suit: Numbers


@cache
def flops(suits: int) -> Flops:
    """The flops beside seen cards of so many suits, which are the first ones."""
    three = np.array(list(combinations(range(len(DECK)), 3)), np.int64)
    sets = np.stack([((three % 4 == s) << three // 4).sum(axis=1) for s in range(len(SUITS))], axis=1)
    free = sets[:, suits:]
    listed = (free[:, :-1] >= free[:, 1:]).all(axis=1)
    same = (free[:, :-1] == free[:, 1:]).sum(axis=1)[listed]
    # Of two or three suits all that are the same stand side by side and change places among themselves.
    alike = factorial(len(SUITS) - suits) // np.array([factorial(n + 1) for n in range(3)])[same]
    by_rank = np.empty(len(alike), np.int64)
    by_suit = np.full((len(alike), len(SUITS)), atoms.FLUSH_FLOPS, np.int64)
    seen.list_flops(sets[listed], by_rank, by_suit)
    return Flops((np.int64(1) << three[listed]).sum(axis=1), alike, by_rank, by_suit)


@dataclass(frozen=True, slots=True, eq=False)
class Hands:
    """Hands in groups of the same two suits, by their ranks; a hand of one suit stands there once."""

    suits: Numbers
    pair: NDArray[np.uint8]
    """The pair of ranks at each place of a group."""
    cards: Numbers
    """A bit for each card; every bit where no hand is."""
    at: Numbers
    """The place of a hand by its two cards, the lower first."""


@cache
def hands() -> Hands:
    """The 1,326 hands."""
    suits = np.array(list(combinations_with_replacement(range(len(SUITS)), 2)), np.int64)
    rank, other = np.indices((atoms.RANKS, atoms.RANKS)).reshape(2, -1)
    one, two = CARDS[rank, suits[:, :1]], CARDS[other, suits[:, 1:]]
    cards = np.where((suits[:, :1] == suits[:, 1:]) & (rank >= other), -1, 1 << one | 1 << two)
    at = np.zeros((CARDS.size, CARDS.size), np.int64)
    held = cards.ravel() > 0
    at[np.minimum(one, two).ravel()[held], np.maximum(one, two).ravel()[held]] = np.flatnonzero(held)
    return Hands(suits, counts.pair_of(rank, other).astype(np.uint8), cards, at)
