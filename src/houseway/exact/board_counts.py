"""What no pay table changes: how boards are numbered, and every hand on them against the dealer's."""

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
from houseway.exact.kernels.boards import BoardView, Met, Strengths
from houseway.exact.kernels.rivers import RiverStep
from houseway.exact.kernels.suits import Sight
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
"""Shares of a piece of work for each thread: small enough that none waits long for another."""


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The numbering of boards, turns and flops."""

    boards: Integers
    """The set in the suit, low and high outside it of each board with three or more of a suit."""
    sights: tuple[Sight, ...]
    """How a suit sees cards with two, with one and with none of them outside it."""
    rank_turns: RiverStep
    rank_flops: RiverStep
    """Cards seen by rank alone."""
    held: NDArray[np.int32]
    """How many cards of each rank a pair of ranks holds."""
    by_rank: BoardView
    flush: BoardView
    """Boards by rank alone, and those with three or more of a suit as the suit sees them."""


def spread(work: Callable[[int, int], T], size: int, threads: int = CORES) -> list[T]:
    """Do work over `range(size)` in chunks on some threads; what each chunk gave, in order."""
    if threads == 1:
        return [work(0, size)]
    edges = [size * n // (CHUNKS * threads) for n in range(CHUNKS * threads + 1)]
    return list(_pool(threads, os.getpid()).map(work, edges, edges[1:]))


def spread_rooms(work: Callable[[R, int, int], T], rooms: Sequence[R], size: int) -> list[T]:
    """The same with a thread for each room; no two threads work in one room at a time."""
    free = list(rooms)

    def in_a_room(start: int, stop: int) -> T:
        room = free.pop()
        found = work(room, start, stop)
        free.append(room)
        return found

    return spread(in_a_room, size, len(rooms))


def spread_sum(work: Callable[[int, int, Integers], object], size: int, threads: int,
               shape: int | tuple[int, ...]) -> Integers:  # fmt: skip
    """The same for work that adds to an array: the sum of what all chunks added."""

    def added(start: int, stop: int) -> Integers:
        sums = np.zeros(shape, np.int64)
        work(start, stop, sums)
        return sums

    return np.asarray(np.sum(spread(added, size, threads), axis=0))


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    """Threads kept for the next piece of work; a forked process, having none of them, starts its own."""
    return ThreadPoolExecutor(threads, f"exact-{process}")


@cache
def layout() -> Layout:
    """The numbering; the same for every game."""
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
    return Layout(on_board, _sights(flush), turns, flops, held, by_rank, flush)


def _view(masks: Integers, copies: Integers, ranks: Integers) -> BoardView:
    kinds = copies.shape[1]
    first, second = multisets(2, kinds).T.copy()
    # By rank alone no card is in a suit.
    inside = np.where(np.arange(kinds) < kinds - atoms.RANKS, 1 << np.arange(kinds), 0)
    pair = pair_of(first % atoms.RANKS, second % atoms.RANKS).astype(np.uint8)
    held = inside[first] | inside[second]
    return BoardView(masks, copies.astype(np.int8), ranks, held, first, second, pair)


def _sights(flush: BoardView) -> tuple[Sight, ...]:
    number = np.zeros(1 << atoms.RANKS, np.int64)
    sets = [rank_sets(size) for size in range(6)]
    for masks in sets:
        number[masks] = np.arange(len(masks))
    out = np.arange(atoms.RANKS)[:, None] + atoms.RANKS
    gone = (flush.first == out).astype(np.int32) + (flush.second == out)
    first_board = first_flop = 0
    found = []
    for cards in (2, 1, 0):
        outside = outside_ranks(cards)
        boards, turns, flops = (sets[size - cards] for size in (5, 4, 3))
        found.append(Sight(outside, boards, turns, flops, number, first_board, first_flop, flush.ranks,
                           flush.pair, gone))  # fmt: skip
        first_board += len(outside) * len(boards)
        first_flop += len(outside) * len(flops)
    return tuple(found)


def _used(ranks: Integers) -> Integers:
    return np.asarray((ranks[:, :, None] == np.arange(atoms.RANKS)).sum(axis=1))


@lru_cache(maxsize=2)
def cells(order: tuple[HandClass, ...], qualifier: int) -> tuple[Met, Met]:
    """The cells of boards seen by rank alone, and of boards that hold three or more of a suit."""
    by = strengths(evaluator(order, 1))
    least = least_of(by.places, qualifier)

    def fill(view: BoardView) -> Met:
        kinds = (np.int16, np.int16, np.int16, np.uint8, np.uint16)
        met = Met(*(np.zeros((len(view.masks), len(view.first)), kind) for kind in kinds))
        spread(lambda a, b: boards.fill_boards(a, b, view, by, least, met), len(view.masks))
        return met

    return fill(layout().by_rank), fill(layout().flush)


def least_of(places: Integers, qualifier: int) -> int:
    """The least strength of a class or a better one; places go down the order as strengths go up."""
    return int(np.argmax(places <= qualifier))


@lru_cache(maxsize=2)
def strengths(by: Evaluator) -> Strengths:
    """The evaluator's strengths as arrays, for one deck."""
    suited = np.zeros(1 << atoms.RANKS, np.int64)
    hearts = [c for c in DECK if c.suit == 2]
    for size in (5, 6, 7):
        for held in combinations(hearts, size):
            suited[sum([1 << c.rank for c in held])] = by.strength(held)
    places = np.frombuffer(by.places, np.uint8).astype(np.int64)
    return Strengths(rank_strengths(by, 7)[with_pair(5)], suited, places)


@lru_cache(maxsize=8)
def rank_strengths(by: Evaluator, size: int, decks: int = 1) -> Integers:
    """The strength of each multiset of ranks of a size; 0 where a rank comes too often."""
    held = multisets(size)
    real = repeats(held).max(axis=1) < atoms.COPIES * decks
    sums = np.where(real, COUNTERS[held].sum(axis=1), 0).tolist()
    return np.array([by.of_sum(total, ()) if total else 0 for total in sums])


def board_places(view: BoardView, by: Evaluator) -> Integers:
    """The class of each board's five cards by themselves."""
    _, suited, places = strengths(by)
    return np.asarray(places[np.maximum(rank_strengths(by, 5)[view.ranks], suited[view.masks])])


@lru_cache(maxsize=2)
def first_five(order: tuple[HandClass, ...]) -> Integers:
    """The class of hole cards with flop in each state after the flop."""
    plan, by = states(), evaluator(order, 1)
    _, suited, places = strengths(by)
    found = rank_strengths(by, 5)[with_pair(3)].ravel()[plan.base]
    # The suits of a flop are numbered from the one that holds most: five of a suit are of the first.
    one_suit = plan.by_suit[plan.cards[:, 0], 1] == 0
    flush = np.flatnonzero(one_suit & (plan.cards[:, 1:] % atoms.SUITS == 0).all(axis=1))
    held = (1 << plan.cards[flush, 1:].astype(np.int64) // atoms.SUITS).sum(axis=1)
    found[flush] = np.maximum(found[flush], suited[plan.by_suit[plan.cards[flush, 0], 0] | held])
    return np.asarray(places[found])
