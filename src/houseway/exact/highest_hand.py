"""The highest hand at a table: how often it is of each class, by how many hands are dealt.

Seen from the one suit that can make a flush a card is its rank, in the suit or outside it: 26 kinds, and
42,783 boards that differ in them. On a board the pairs that reach a class are lines between kinds. Many
boards show the same picture of lines once kinds are put in an order that does not look at ranks; each
picture is counted once (`matchings`). Every hand dealt counts, as where nobody folds.
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
"""Ranks in the suit, then ranks outside it; where no suit can make a flush every card lies outside."""
RANK_BOARDS = tuple(map(tuple, multisets(BOARD).tolist()))
CHUNK = 4096
"""Boards looked at together: few enough that their pictures stay small in memory."""

Masks = NDArray[np.uint32]
"""Kinds as bits."""
MASK_BITS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Boards:
    """Boards that differ in what two more cards can make of them."""

    suited: Integers
    """The ranks in the suit, as bits."""
    ranks: Integers
    """The number of the five ranks in `RANK_BOARDS`."""
    copies: Integers
    """How many cards of each kind are left."""
    ways: Integers
    """How many boards of real cards each one stands for."""

    def part(self, start: int, stop: int) -> Boards:
        """Some of them."""
        return Boards(*(each[start:stop] for each in (self.suited, self.ranks, self.copies, self.ways)))


@cache
def boards() -> Boards:
    """Every board there is."""
    plan = board_counts.layout()
    suited, low, high = plan.boards.T
    copies = plan.by_rank.copies.astype(np.int64)
    flushes = len(SUITS) * np.where(high < 0, np.where(low < 0, 1, 3), np.where(low == high, 3, 9))
    choices = np.array([comb(len(SUITS), taken) for taken in range(BOARD + 1)])
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
    """For each number of hands up to `most` the deals whose highest hand lies in each run of classes.

    A run ends with each of `places`, from the best class down, and a last one holds what is below them.
    A deal is a board and hands of two cards, hands in no order.
    """
    below = _on_every_board(order, places, most)
    found = []
    for hands in range(most + 1):
        edges = [BOARDS * dealt(LEFT, hands), *(lower[hands] for lower in below), 0]
        found.append(tuple(upper - lower for upper, lower in pairwise(edges)))
    return tuple(found)


@cache
def _on_every_board(order: tuple[HandClass, ...], places: tuple[int, ...], most: int) -> list[Counts]:
    return all_below(boards(), order, places, most)


def all_below(on: Boards, order: tuple[HandClass, ...], places: Sequence[int], most: int) -> list[Counts]:
    """For each place the deals on some boards, by number of hands, in which none reaches its class."""
    by = evaluator(order, 1)
    seen: list[Counter[bytes]] = [Counter() for _ in places]
    for start in range(0, len(on.ways), CHUNK):
        part = on.part(start, start + CHUNK)
        reached, possible = _places(part, by), _possible(part.copies)
        for place, pictures in zip(places, seen, strict=True):
            drawn = _pictures(part.copies, possible, possible & _masks(reached <= place))
            for picture, ways in zip(drawn, part.ways.tolist(), strict=True):
                pictures[picture] += ways
    return [_summed(pictures, most) for pictures in seen]


def _summed(pictures: Counter[bytes], most: int) -> Counts:
    counted = [(ways, _counted(picture, most)) for picture, ways in pictures.items()]
    return tuple(
        sum(ways * allowed(by_hands, LEFT, hands) for ways, by_hands in counted)
        for hands in range(most + 1)
    )


def _places(on: Boards, by: Evaluator) -> NDArray[np.uint8]:
    """The place of what each two kinds make of each board."""
    by_rank, by_suit = _places_of(by)
    bits = np.where(np.arange(KINDS) < len(RANKS), 1 << np.arange(KINDS) % len(RANKS), 0)
    suited = by_suit[on.suited[:, None, None] | bits[:, None] | bits]
    return np.asarray(np.minimum(by_rank[on.ranks], suited))


@cache
def _places_of(by: Evaluator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The place of five ranks with two kinds more, and of a set of ranks in one suit."""
    ranked, suited, places = board_counts.strengths(by)
    placed = places.astype(np.uint8)
    ranks = np.arange(KINDS) % len(RANKS)
    # Five of a rank cannot be dealt: no copy of it is left, and the place is never asked for.
    return placed[ranked][:, pair_of(ranks[:, None], ranks)], placed[suited]


def _possible(copies: Integers) -> Masks:
    """The kinds of which a hand may hold one beside a card of each kind."""
    there = copies > 0
    pairs = there[:, :, None] & there[:, None, :]
    pairs[:, np.arange(KINDS), np.arange(KINDS)] = copies > 1
    return _masks(pairs)


def _masks(flags: NDArray[np.bool_]) -> Masks:
    """Flags of every kind as bits."""
    room = np.zeros((*flags.shape[:-1], MASK_BITS), np.bool_)  # Whole bytes are packed much faster.
    room[..., : flags.shape[-1]] = flags
    return np.packbits(room.reshape(-1), bitorder="little").view("<u4").reshape(flags.shape[:-1])


def _pictures(copies: Integers, possible: Masks, lines: Masks) -> list[bytes]:
    """Each board's lines as bytes: how many cards have one to every other, then the copies of the kinds
    that have lines among themselves and those lines, in an order by how they are joined."""
    with_any = (copies > 0) & (lines == possible)
    lines = np.where(with_any, 0, lines & ~_masks(with_any)[:, None])
    found = np.zeros((len(copies), 1 + KINDS + KINDS * MASK_BITS // 8), np.uint8)
    found[:, 0] = (copies * with_any).sum(axis=1)
    drawn = np.flatnonzero(lines.any(axis=1))  # Many boards show no line at all, most others few.
    bare = lines[drawn] == 0
    most = KINDS - int(bare.sum(axis=1).min(initial=KINDS))
    kinds = np.argsort(bare, axis=1, kind="stable")[:, :most]
    joined = np.take_along_axis(lines[drawn], kinds, axis=1)[:, :, None] >> kinds[:, None, :] & 1
    left = np.take_along_axis(np.where(bare, 0, copies[drawn]), kinds, axis=1)
    every = np.arange(most)
    shape = 2 * left + joined[:, every, every]
    for weight in (1 << 10, 1 << 24):
        # Any order is right; one that alike kinds share on most boards leaves few pictures to count.
        shape = shape + weight * np.einsum("bij,bj->bi", joined, shape)
    order = np.argsort(-shape, axis=1, kind="stable")
    found[drawn, 1 : most + 1] = np.take_along_axis(left, order, axis=1)
    joined = joined[np.arange(len(drawn))[:, None, None], order[:, :, None], order[:, None, :]]
    packed = _masks(joined > 0).view(np.uint8)
    found[drawn, KINDS + 1 : KINDS + 1 + packed.shape[1]] = packed
    return [row.tobytes() for row in found]


def _counted(picture: bytes, most: int) -> Counts:
    """The ways to deal hands that all reach the class, on a board with this picture."""
    with_any, copies = picture[0], picture[1 : KINDS + 1]
    lines = np.frombuffer(picture, "<u4", offset=KINDS + 1).tolist()
    joined = tuple(tuple(kind for kind in range(KINDS) if line >> kind & 1) for line in lines)
    ways = forbidden(copies, joined, most)
    for cards in range(LEFT - with_any, LEFT):
        ways = with_card(ways, cards)
    return ways
