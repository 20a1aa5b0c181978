"""What no pay table changes: every hand on every board against the dealer's, and the states of the flop."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK
from houseway.exact.kernels import atoms, boards, flops
from houseway.exact.kernels.boards import BoardView, Met
from houseway.exact.kernels.suits import Sight
from houseway.ranking import Evaluator, HandClass, evaluator

T = TypeVar("T")

CHUNKS = 8
"""Shares of a piece of work for each thread: small enough that none waits long for another."""
FLOPS = 1_755
STATES = 1_286_792
COUNTERS = np.int64(1) << 3 * np.arange(atoms.RANKS)
"""A rank as the evaluator adds it up."""


@dataclass(frozen=True, slots=True, eq=False)
class ByRank:
    """Cards of a number seen by rank alone: how many of each rank, and what one rank more makes."""

    used: NDArray[np.int64]
    grown: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The numbering of boards, turns and flops, and of the states after the flop."""

    boards: NDArray[np.int64]
    sights: tuple[Sight, Sight, Sight]
    """How a suit sees cards with two, with one and with none of them outside it."""
    rank_boards: NDArray[np.int64]
    rank_turns: ByRank
    rank_flops: ByRank
    held: NDArray[np.int32]
    """How many cards of each rank a pair of ranks holds."""
    by_rank: BoardView
    flush: BoardView
    """Boards by rank alone, and those with three or more of a suit as the suit sees them."""
    base: NDArray[np.int32]
    suits: NDArray[np.int32]
    start: NDArray[np.uint8]
    weight: NDArray[np.int8]
    cards: NDArray[np.int16]
    """Of each state the flop's number and the two cards in the hole."""
    by_suit: NDArray[np.int64]
    """The suit-distinct flops as a set of ranks for each suit."""


def spread(work: Callable[[int, int], T], size: int, threads: int) -> list[T]:
    """Do work over `range(size)` in chunks on some threads; what each chunk gave, in order."""
    if threads == 1:
        return [work(0, size)]
    edges = [size * n // (CHUNKS * threads) for n in range(CHUNKS * threads + 1)]
    return list(_pool(threads, os.getpid()).map(work, edges, edges[1:]))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Threads kept for the next piece of work; a forked process, having none of them, starts its own."""
    return ThreadPoolExecutor(threads, f"exact-{process}")


@cache
def layout() -> Layout:
    """The numbering; the same for every game."""
    on_board = np.empty((atoms.FLUSH_BOARDS, 4), np.int64)
    atoms.list_cards(5, 3, on_board)
    rank_board = np.empty(atoms.FLUSH_BOARDS, np.int64)
    atoms.list_rank_boards(on_board, rank_board)
    masks, _, low, high = on_board.T
    ranks = np.arange(atoms.RANKS)
    inside = 1 - (masks[:, None] >> ranks & 1)
    outside = atoms.COPIES_OUTSIDE - (low[:, None] == ranks) - (high[:, None] == ranks)
    flush = _view(masks.copy(), np.hstack([inside, outside]), rank_board)
    rank_copies = atoms.COPIES - _used(multisets(5))
    every_board = np.arange(atoms.RANK_BOARDS)
    by_rank = _view(np.zeros_like(every_board), rank_copies, every_board)
    out = ranks[:, None] + atoms.RANKS
    gone = (flush.first == out).astype(np.int32) + (flush.second == out)
    by_suit = np.empty((FLOPS, 4), np.int64)
    flops.list_flops(by_suit)
    base = np.empty(STATES, np.int32)
    suits = np.empty((STATES, 3), np.int32)
    start = np.empty(STATES, np.uint8)
    weight = np.empty(STATES, np.int8)
    cards = np.empty((STATES, 3), np.int16)
    flops.list_states(by_suit, base, suits, start, weight, cards)
    return Layout(
        on_board,
        _sights(rank_board, flush.pair, gone),
        multisets(5),
        _by_rank(4),
        _by_rank(3),
        _used(multisets(2)).T.astype(np.int32),
        by_rank,
        flush,
        base,
        suits,
        start,
        weight,
        cards,
        by_suit,
    )


def _view(masks: NDArray[np.int64], copies: NDArray[np.int64], ranks: NDArray[np.int64]) -> BoardView:
    kinds = copies.shape[1]
    first, second = multisets(2, kinds).T.copy()
    # By rank alone no card is in a suit.
    inside = np.where(np.arange(kinds) < kinds - atoms.RANKS, 1 << np.arange(kinds), 0)
    pair = pair_of(first % atoms.RANKS, second % atoms.RANKS).astype(np.uint8)
    held = inside[first] | inside[second]
    return BoardView(masks, copies.astype(np.int8), ranks, held, first, second, pair)


def _sights(rank_board: NDArray[np.int64], rank_pair: NDArray[np.uint8],
            gone: NDArray[np.int32]) -> tuple[Sight, Sight, Sight]:  # fmt: skip
    number = np.empty(1 << atoms.RANKS, np.int64)
    atoms.list_sets(number)
    size = np.array([mask.bit_count() for mask in range(len(number))])
    masks = [np.flatnonzero(size == n) for n in range(6)]
    sets = [found[np.argsort(number[found])] for found in masks]
    single = np.column_stack([np.arange(atoms.RANKS), np.full(atoms.RANKS, -1)])
    first_board = first_flop = 0
    found = []
    for cards, outside in ((2, multisets(2)), (1, single), (0, np.array([[-1, -1]]))):
        boards, turns, flops = (sets[n - cards] for n in (5, 4, 3))
        found.append(Sight(outside, boards, turns, flops, number, first_board, first_flop, rank_board,
                           rank_pair, gone))  # fmt: skip
        first_board += len(outside) * len(boards)
        first_flop += len(outside) * len(flops)
    two, one, none = found
    return two, one, none


def multisets(size: int, kinds: int = atoms.RANKS) -> NDArray[np.int64]:
    """Every multiset of a size, of ranks or of other kinds, in the order of their numbers."""
    found = sorted(combinations_with_replacement(range(kinds), size), key=lambda held: held[::-1])
    return np.array(found, np.int64)


def pair_of(one: NDArray[np.int64], other: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of unordered pairs of ranks, atoms or cards; the two may be the same."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(high * (high + 1) // 2 + low)


def _used(ranks: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.asarray((ranks[:, :, None] == np.arange(atoms.RANKS)).sum(axis=1))


def _by_rank(size: int) -> ByRank:
    ranks = multisets(size)
    grown = np.empty((len(ranks), atoms.RANKS), np.int64)
    atoms.list_grown(ranks, grown)
    return ByRank(_used(ranks), grown)


@lru_cache(maxsize=2)
def cells(order: tuple[HandClass, ...], qualifier: int) -> tuple[Met, Met]:
    """The cells of boards seen by rank alone, and of boards that hold three or more of a suit."""
    ranked, suited, places = strengths(evaluator(order, 1))
    least = least_of(places, qualifier)

    def fill(view: BoardView) -> Met:
        kinds = (np.int16, np.int16, np.int16, np.uint8, np.uint16)
        met = Met(*(np.zeros((len(view.masks), len(view.first)), kind) for kind in kinds))
        spread(
            lambda a, b: boards.fill_boards(a, b, view, ranked, suited, places, least, met),
            len(view.masks),
            os.cpu_count() or 1,
        )
        return met

    plan = layout()
    return fill(plan.by_rank), fill(plan.flush)


def least_of(places: NDArray[np.int64], qualifier: int) -> int:
    """The least strength of a class or a better one; places go down the order as strengths go up."""
    return int(np.argmax(places <= qualifier))


@lru_cache(maxsize=2)
def strengths(by: Evaluator) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The evaluator's strengths as arrays: rank board by pair, set of one suit's ranks, and the places."""
    board, pair = (COUNTERS[multisets(size)].sum(axis=1) for size in (5, 2))
    sums, where = np.unique(board[:, None] + pair, return_inverse=True)
    # A rank that comes more than four times sets a counter no real hand sets.
    real = ((sums[:, None] >> 3 * np.arange(atoms.RANKS) & 7) <= atoms.COPIES).all(axis=1)
    totals = np.where(real, sums, 0).tolist()
    found = np.array([by.of_sum(total, ()) if total else 0 for total in totals])
    suited = np.zeros(1 << atoms.RANKS, np.int64)
    hearts = [c for c in DECK if c.suit == 2]
    for size in (5, 6, 7):
        for held in combinations(hearts, size):
            suited[sum([1 << c.rank for c in held])] = by.strength(held)
    places = np.frombuffer(by.places, np.uint8).astype(np.int64)
    return found[where].reshape(len(board), len(pair)), suited, places


@lru_cache(maxsize=2)
def alone(by: Evaluator) -> NDArray[np.int64]:
    """The strength of each board seen by rank alone, without a hand; five of one rank are no board."""
    ranks = multisets(5)
    sums = COUNTERS[ranks].sum(axis=1)
    real = ranks.min(axis=1) < ranks.max(axis=1)
    return np.array([by.of_sum(total, ()) for total in np.where(real, sums, sums[1]).tolist()])


@lru_cache(maxsize=2)
def first_five(order: tuple[HandClass, ...]) -> NDArray[np.int64]:
    """The class of hole cards with flop in each state after the flop."""
    plan, by = layout(), evaluator(order, 1)
    _, suited, places = strengths(by)
    flop, pair, five = (COUNTERS[multisets(size)].sum(axis=1) for size in (3, 2, 5))
    known = np.argsort(five)
    numbers = known[np.searchsorted(five[known], flop[:, None] + pair)]
    found = alone(by)[numbers].ravel()[plan.base]
    # The suits of a flop are numbered from the one that holds most: five of a suit are of the first.
    one_suit = plan.by_suit[plan.cards[:, 0], 1] == 0
    flush = np.flatnonzero(one_suit & (plan.cards[:, 1:] % atoms.SUITS == 0).all(axis=1))
    held = (1 << plan.cards[flush, 1:].astype(np.int64) // atoms.SUITS).sum(axis=1)
    found[flush] = np.maximum(found[flush], suited[plan.by_suit[plan.cards[flush, 0], 0] | held])
    return np.asarray(places[found])
