"""Count the deals in which the highest hand at the table has each class, for each number of hands.

On a board, at most one suit can make a flush. With respect to that suit, a card is one of 26 kinds: one of
13 ranks, inside or outside the suit. That leaves 42,783 different boards. On each board, the pairs of kinds
that reach a class are the edges of a graph. Many boards have the same graph if ranks are ignored, so each
graph is counted once (see `matchings`). Every hand that is dealt counts, as if no player folded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, RANKS, SUITS
from houseway.exact import board_counts
from houseway.exact.matchings import Counts, allowed, dealt, forbidden, with_card
from houseway.exact.numbering import Integers, multisets, pair_of
from houseway.ranking import Evaluator, HandClass, evaluator

BOARD = 5
LEFT = len(DECK) - BOARD
BOARDS = comb(len(DECK), BOARD)
KINDS = 2 * len(RANKS)
"""The number of kinds: the ranks in the suit, then the ranks outside it. If no suit can make a flush, every
card is outside."""
RANK_BOARDS = tuple(map(tuple, multisets(BOARD).tolist()))
CHUNK = 4096
"""The number of boards that are processed together. Their graphs must fit in memory."""

Masks = NDArray[np.uint32]
"""Sets of kinds, as bit masks."""
MASK_BITS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """All boards, in groups. The boards of a group allow the same hands, apart from the names of suits."""

    suited: Integers
    """The ranks in the suit, as a bit mask."""
    ranks: Integers
    """The index of the five ranks in `RANK_BOARDS`."""
    copies: Integers
    """How many cards of each kind are left."""
    ways: Integers
    """The number of real boards in each group."""

    def part(self, start: int, stop: int) -> Boards:
        """A slice of the boards."""
        return Boards(*(each[start:stop] for each in (self.suited, self.ranks, self.copies, self.ways)))


@cache
def boards() -> Boards:
    """All boards."""
    plan = board_counts.layout()
    suited, low, high = plan.boards.T
    copies = plan.by_rank.copies.astype(np.int64)
    flushes = len(SUITS) * np.where(high < 0, np.where(low < 0, 1, 3), np.where(low == high, 3, 9))
    choices = np.array([comb(len(SUITS), cards) for cards in range(BOARD + 1)])
    ranked = choices[len(SUITS) - copies].prod(axis=1)
    ranked -= np.bincount(plan.flush.ranks, flushes, len(ranked)).astype(np.int64)
    plain = np.flatnonzero(ranked)
    outside = np.hstack([np.zeros_like(copies), copies])
    return Boards(
        np.concatenate([suited, np.zeros_like(plain)]),
        np.concatenate([plan.flush.ranks, plain]),
        np.concatenate([plan.flush.copies, outside[plain]]),
        np.concatenate([flushes, ranked[plain]]),
    )


def highest_counts(
    order: tuple[HandClass, ...], places: tuple[int, ...], most: int
) -> tuple[tuple[int, ...], ...]:
    """Count the deals whose highest hand is in each run of classes, for each number of hands up to `most`.

    A run is a group of adjacent classes. Runs are listed from the best class down. Each of `places` is the
    last class of a run; the last run has all the classes below them. A deal is a board and an unordered set
    of two-card hands.
    """
    below = _on_every_board(order, places, most)
    counts = []
    for hands in range(most + 1):
        edges = [BOARDS * dealt(LEFT, hands), *(lower[hands] for lower in below), 0]
        counts.append(tuple(upper - lower for upper, lower in pairwise(edges)))
    return tuple(counts)


@cache
def _on_every_board(order: tuple[HandClass, ...], places: tuple[int, ...], most: int) -> list[Counts]:
    return all_below(boards(), order, places, most)


def all_below(on: Boards, order: tuple[HandClass, ...], places: Sequence[int], most: int) -> list[Counts]:
    """For each place and each number of hands, count the deals in which no hand reaches the class at the
    place."""
    by = evaluator(order, 1)
    by_place: list[Counter[bytes]] = [Counter() for _ in places]
    for start in range(0, len(on.ways), CHUNK):
        part = on.part(start, start + CHUNK)
        reached, possible = _places(part, by), _possible(part.copies)
        for place, graphs in zip(places, by_place, strict=True):
            packed = _graphs(part.copies, possible, possible & _masks(reached <= place))
            for graph, ways in zip(packed, part.ways.tolist(), strict=True):
                graphs[graph] += ways
    return [_sum_graphs(graphs, most) for graphs in by_place]


def _sum_graphs(graphs: Counter[bytes], most: int) -> Counts:
    counted = [(ways, _count_graph(graph, most)) for graph, ways in graphs.items()]
    return tuple(
        sum(ways * allowed(by_hands, LEFT, hands) for ways, by_hands in counted)
        for hands in range(most + 1)
    )


def _places(on: Boards, by: Evaluator) -> NDArray[np.uint8]:
    """Return the hand class that each two kinds make on each board."""
    by_rank, by_suit = _places_of(by)
    bits = np.where(np.arange(KINDS) < len(RANKS), 1 << np.arange(KINDS) % len(RANKS), 0)
    suited = by_suit[on.suited[:, None, None] | bits[:, None] | bits]
    return np.asarray(np.minimum(by_rank[on.ranks], suited))


@cache
def _places_of(by: Evaluator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Return the class of every five ranks with two more kinds, and of every set of ranks in one suit."""
    ranked, suited, places = board_counts.strengths(by)
    placed = places.astype(np.uint8)
    ranks = np.arange(KINDS) % len(RANKS)
    # Hands with five cards of a rank also get a class. It is never used, because they cannot be dealt.
    return placed[ranked][:, pair_of(ranks[:, None], ranks)], placed[suited]


def _possible(copies: Integers) -> Masks:
    """Return, for each kind, the kinds that can be in the same hand."""
    there = copies > 0
    pairs = there[:, :, None] & there[:, None, :]
    pairs[:, np.arange(KINDS), np.arange(KINDS)] = copies > 1
    return _masks(pairs)


def _masks(flags: NDArray[np.bool_]) -> Masks:
    """Pack one flag per kind into a bit mask."""
    room = np.zeros((*flags.shape[:-1], MASK_BITS), np.bool_)  # Whole bytes are packed much faster.
    room[..., : flags.shape[-1]] = flags
    return np.packbits(room.reshape(-1), bitorder="little").view("<u4").reshape(flags.shape[:-1])


def _graphs(copies: Integers, possible: Masks, edges: Masks) -> list[bytes]:
    """Return each board's graph as bytes: first the number of cards joined to every other card, then the
    copies and edges of the other kinds that have edges, in a canonical order."""
    with_any = (copies > 0) & (edges == possible)
    edges = np.where(with_any, 0, edges & ~_masks(with_any)[:, None])
    packed_graphs = np.zeros((len(copies), 1 + KINDS + KINDS * MASK_BITS // 8), np.uint8)
    packed_graphs[:, 0] = (copies * with_any).sum(axis=1)
    with_edges = np.flatnonzero(edges.any(axis=1))  # Many boards have no edge, and most others have few.
    isolated = edges[with_edges] == 0
    most = KINDS - int(isolated.sum(axis=1).min(initial=KINDS))
    kinds = np.argsort(isolated, axis=1, kind="stable")[:, :most]
    joined = np.take_along_axis(edges[with_edges], kinds, axis=1)[:, :, None] >> kinds[:, None, :] & 1
    left = np.take_along_axis(np.where(isolated, 0, copies[with_edges]), kinds, axis=1)
    every = np.arange(most)
    shape = 2 * left + joined[:, every, every]
    for weight in (1 << 10, 1 << 24):
        # Any order gives correct counts. An order that depends only on the shape of the graph gives
        # equivalent boards the same graph, so fewer graphs must be counted.
        shape = shape + weight * np.einsum("bij,bj->bi", joined, shape)
    order = np.argsort(-shape, axis=1, kind="stable")
    packed_graphs[with_edges, 1 : most + 1] = np.take_along_axis(left, order, axis=1)
    joined = joined[np.arange(len(with_edges))[:, None, None], order[:, :, None], order[:, None, :]]
    packed = _masks(joined > 0).view(np.uint8)
    packed_graphs[with_edges, KINDS + 1 : KINDS + 1 + packed.shape[1]] = packed
    return [row.tobytes() for row in packed_graphs]


def _count_graph(graph: bytes, most: int) -> Counts:
    """Count the ways to deal hands that all reach the class on a board with this graph."""
    with_any, copies = graph[0], graph[1 : KINDS + 1]
    edges = np.frombuffer(graph, "<u4", offset=KINDS + 1).tolist()
    joined = tuple(tuple(kind for kind in range(KINDS) if edge >> kind & 1) for edge in edges)
    ways = forbidden(copies, joined, most)
    for cards in range(LEFT - with_any, LEFT):
        ways = with_card(ways, cards)
    return ways
