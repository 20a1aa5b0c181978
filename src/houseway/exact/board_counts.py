"""For each player hand on each board: the number of dealer hands that it beats and ties, as counted by
`exact/kernels/boards.py`. These counts do not depend on pay tables. The module also numbers the boards, and
spreads work over threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import combinations
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms, boards
from houseway.exact.kernels.boards import BoardView, Matchups, Strengths
from houseway.exact.kernels.rivers import RiverStep
from houseway.exact.kernels.suits import SuitView
from houseway.exact.numbering import (
    COUNTERS,
    Integers,
    grown,
    multiset_number,
    multisets,
    outside_ranks,
    pair_of,
    rank_sets,
    repeats,
    suit_cards,
    with_pair,
)
from houseway.ranking import Evaluator, HandClass, evaluator

R = TypeVar("R")
T = TypeVar("T")

CORES = os.cpu_count() or 1
CHUNKS = 8
"""The number of chunks of work per thread. With several chunks, threads finish at about the same time."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The indices of boards, turns and flops."""

    boards: Integers
    """For each board with three or more cards of a suit: the ranks in the suit (a bit mask), and the ranks
    of up to two cards outside it."""
    suit_views: tuple[SuitView, ...]
    """The views of boards with two, one and no cards outside the suit."""
    rank_turns: RiverStep
    rank_flops: RiverStep
    """The steps from turn to board and from flop to turn, by rank alone."""
    held: NDArray[np.int32]
    """How many cards of each rank are in each pair of ranks."""
    by_rank: BoardView
    flush: BoardView
    """Boards by rank alone, and boards with three or more cards of a suit."""


def spread(work: Callable[[int, int], T], size: int, threads: int = CORES) -> list[T]:
    """Run `work` over `range(size)` in chunks on several threads; return the results in order."""
    if threads == 1:
        return [work(0, size)]
    edges = [size * n // (CHUNKS * threads) for n in range(CHUNKS * threads + 1)]
    return list(_pool(threads, os.getpid()).map(work, edges, edges[1:]))


def spread_buffers(work: Callable[[R, int, int], T], buffers: Sequence[R], size: int) -> list[T]:
    """Like `spread`, with one thread for each buffer. `work` gets a buffer that no other thread uses."""
    free = list(buffers)

    def with_buffer(start: int, stop: int) -> T:
        buffer = free.pop()
        result = work(buffer, start, stop)
        free.append(buffer)
        return result

    return spread(with_buffer, size, len(buffers))


def spread_sum(work: Callable[[int, int, Integers], object], size: int, threads: int,
               shape: int | tuple[int, ...]) -> Integers:  # fmt: skip
    """Like `spread`, for work that adds to an array. Return the sum of the arrays of all chunks."""

    def add(start: int, stop: int) -> Integers:
        sums = np.zeros(shape, np.int64)
        work(start, stop, sums)
        return sums

    return np.asarray(np.sum(spread(add, size, threads), axis=0))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Return a cached thread pool. A forked process gets a pool of its own."""
    return ThreadPoolExecutor(threads, f"exact-{process}")


@cache
def layout() -> Layout:
    """Return the indices of boards, turns and flops, which are the same for every game."""
    on_board = suit_cards(5)
    masks, low, high = on_board.T[:, :, None]
    ranks = np.arange(atoms.RANKS)
    inside = 1 - (masks >> ranks & 1)
    outside = atoms.COPIES_OUTSIDE - (low == ranks) - (high == ranks)
    used = atoms.COPIES - inside - outside
    shown = np.repeat(np.tile(ranks, len(used)), used.ravel()).reshape(-1, 5)
    flush = _view(on_board[:, 0].copy(), np.hstack([inside, outside]), multiset_number(shown))
    every_board = np.arange(atoms.RANK_BOARDS)
    by_rank = _view(np.zeros_like(every_board), atoms.COPIES - _used(multisets(5)), every_board)
    turns, flops = (RiverStep(grown(held), atoms.COPIES - _used(held)) for held in map(multisets, (4, 3)))
    held = _used(multisets(2)).T.astype(np.int32)
    return Layout(on_board, _suit_views(flush), turns, flops, held, by_rank, flush)


def _view(masks: Integers, copies: Integers, ranks: Integers) -> BoardView:
    kinds = copies.shape[1]
    first, second = multisets(2, kinds).T.copy()
    # If only ranks count, no card is in the suit.
    inside = np.where(np.arange(kinds) < kinds - atoms.RANKS, 1 << np.arange(kinds), 0)
    pair = pair_of(first % atoms.RANKS, second % atoms.RANKS).astype(np.uint8)
    held = inside[first] | inside[second]
    return BoardView(masks, copies.astype(np.int8), ranks, held, first, second, pair)


def _suit_views(flush: BoardView) -> tuple[SuitView, ...]:
    number = np.zeros(1 << atoms.RANKS, np.int64)
    sets = [rank_sets(size) for size in range(6)]
    for masks in sets:
        number[masks] = np.arange(len(masks))
    out = np.arange(atoms.RANKS)[:, None] + atoms.RANKS
    gone = (flush.first == out).astype(np.int32) + (flush.second == out)
    first_board = first_flop = 0
    views = []
    for cards in (2, 1, 0):
        outside = outside_ranks(cards)
        boards, turns, flops = (sets[size - cards] for size in (5, 4, 3))
        views.append(SuitView(outside, boards, turns, flops, number, first_board, first_flop, flush.ranks,
                           flush.pair, gone))  # fmt: skip
        first_board += len(outside) * len(boards)
        first_flop += len(outside) * len(flops)
    return tuple(views)


def _used(ranks: Integers) -> Integers:
    return np.asarray((ranks[:, :, None] == np.arange(atoms.RANKS)).sum(axis=1))


@lru_cache(maxsize=2)
def cells(order: tuple[HandClass, ...], qualifier: int) -> tuple[Matchups, Matchups]:
    """Return the matchups on rank boards, and on boards with three or more cards of a suit."""
    by = strengths(evaluator(order, 1))
    least = least_of(by.places, qualifier)

    def fill(view: BoardView) -> Matchups:
        kinds = (np.int16, np.int16, np.int16, np.uint8, np.uint16)
        matchups = Matchups(*(np.zeros((len(view.masks), len(view.first)), kind) for kind in kinds))
        spread(lambda a, b: boards.fill_boards(a, b, view, by, least, matchups), len(view.masks))
        return matchups

    return fill(layout().by_rank), fill(layout().flush)


def least_of(places: Integers, qualifier: int) -> int:
    """Return the lowest strength that qualifies. The stronger a hand, the lower the place of its class."""
    return int(np.argmax(places <= qualifier))


@lru_cache(maxsize=2)
def strengths(by: Evaluator) -> Strengths:
    """Return the evaluator's strengths as arrays, for one deck."""
    suited = np.zeros(1 << atoms.RANKS, np.int64)
    hearts = [c for c in DECK if c.suit == 2]
    for size in (5, 6, 7):
        for held in combinations(hearts, size):
            suited[sum([1 << c.rank for c in held])] = by.strength(held)
    places = np.frombuffer(by.places, np.uint8).astype(np.int64)
    return Strengths(rank_strengths(by, 7)[with_pair(5)], suited, places)


@lru_cache(maxsize=8)
def rank_strengths(by: Evaluator, size: int, decks: int = 1) -> Integers:
    """Return the strength of each multiset of `size` ranks, or 0 if the decks do not contain it."""
    held = multisets(size)
    real = repeats(held).max(axis=1) < atoms.COPIES * decks
    sums = np.where(real, COUNTERS[held].sum(axis=1), 0).tolist()
    return np.array([by.of_sum(total, ()) if total else 0 for total in sums])


def board_places(view: BoardView, by: Evaluator) -> Integers:
    """Return the hand class of the five cards of each board."""
    _, suited, places = strengths(by)
    return np.asarray(places[np.maximum(rank_strengths(by, 5)[view.ranks], suited[view.masks])])


@lru_cache(maxsize=2)
def first_five(order: tuple[HandClass, ...]) -> Integers:
    """Return the class that hole cards and flop make in each state after the flop."""
    plan, by = states(), evaluator(order, 1)
    _, suited, places = strengths(by)
    strength = rank_strengths(by, 5)[with_pair(3)].ravel()[plan.base]
    # If all flop cards have the same suit, it is suit 0. Only this suit can have five cards.
    on_flop = plan.flop_ranks_by_suit
    one_suit = on_flop[plan.cards[:, 0], 1] == 0
    flush = np.flatnonzero(one_suit & (plan.cards[:, 1:] % atoms.SUITS == 0).all(axis=1))
    held = (1 << plan.cards[flush, 1:].astype(np.int64) // atoms.SUITS).sum(axis=1)
    strength[flush] = np.maximum(strength[flush], suited[on_flop[plan.cards[flush, 0], 0] | held])
    return np.asarray(places[strength])
