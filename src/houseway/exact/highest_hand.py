"""The highest hand at a table: how often it is of each class, by how many hands are dealt.

Seen from the one suit that can make a flush a card is its rank, in the suit or outside it: 26 kinds, and
42,783 boards that differ in them. On a board the pairs that reach a class are lines between kinds. Many
boards show the same picture of lines once kinds are put in an order that does not look at ranks; each
picture is counted once (`matchings`). Every hand dealt counts, as where nobody folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, RANKS, SUITS
from houseway.exact.classes import FLUSH, OTHER_SUITS, rank_sum, suitings
from houseway.exact.matchings import Counts, allowed, dealt, forbidden, with_card
from houseway.ranking import Evaluator, HandClass, evaluator

BOARD = 5
LEFT = len(DECK) - BOARD
BOARDS = comb(len(DECK), BOARD)
KINDS = 2 * len(RANKS)
"""Ranks in the suit, then ranks outside it; where no suit can make a flush every card lies outside."""
EVERY_RANK = range(len(RANKS))
RANK_BOARDS = tuple(combinations_with_replacement(EVERY_RANK, BOARD))
CHUNK = 4096
"""Boards looked at together: few enough that their pictures stay small in memory."""

Integers = NDArray[np.int64]


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
    listed: list[tuple[tuple[int, ...], tuple[int, ...], int]] = []
    suited: Counter[tuple[int, ...]] = Counter()
    for inside in range(FLUSH - 2, BOARD + 1):
        for held in combinations(EVERY_RANK, inside):
            for others in combinations_with_replacement(EVERY_RANK, BOARD - inside):
                ways = len(SUITS) * suitings(others, OTHER_SUITS)
                suited[tuple(sorted(held + others))] += ways
                listed.append((held, others, ways))
    for ranks in RANK_BOARDS:
        ways = suitings(ranks, len(SUITS)) - suited[ranks]
        if ways:
            listed.append(((), ranks, ways))
    number = {ranks: n for n, ranks in enumerate(RANK_BOARDS)}
    return Boards(
        np.array([sum(1 << rank for rank in held) for held, _, _ in listed]),
        np.array([number[tuple(sorted(held + others))] for held, others, _ in listed]),
        np.array([_copies(held, others) for held, others, _ in listed]),
        np.array([ways for _, _, ways in listed]),
    )


def _copies(held: tuple[int, ...], others: tuple[int, ...]) -> list[int]:
    inside = [int(bool(held) and rank not in held) for rank in EVERY_RANK]
    each = OTHER_SUITS if held else len(SUITS)
    return [*inside, *(each - others.count(rank) for rank in EVERY_RANK)]


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
        reached = _places(part, by)
        for place, pictures in zip(places, seen, strict=True):
            for picture, ways in zip(_pictures(part.copies, reached <= place), part.ways, strict=True):
                pictures[picture] += int(ways)
    return [_summed(pictures, most) for pictures in seen]


def _summed(pictures: Counter[bytes], most: int) -> Counts:
    counted = [(ways, _counted(picture, most)) for picture, ways in pictures.items()]
    return tuple(
        sum(ways * allowed(counts, LEFT, hands) for ways, counts in counted) for hands in range(most + 1)
    )


def _places(on: Boards, by: Evaluator) -> NDArray[np.uint8]:
    """The place of what each two kinds make of each board."""
    ranked, suited = _strengths(by)
    ranks = np.arange(KINDS) % len(RANKS)
    bits = np.where(np.arange(KINDS) < len(RANKS), 1 << ranks, 0)
    by_rank = ranked[on.ranks][:, ranks][:, :, ranks]
    by_suit = suited[on.suited[:, None, None] | bits[:, None] | bits]
    places = np.frombuffer(by.places, np.uint8)
    return np.asarray(places[np.maximum(by_rank, by_suit)])


@cache
def _strengths(by: Evaluator) -> tuple[Integers, Integers]:
    """The evaluator's strengths: of five ranks with two more, and of a set of ranks in one suit."""
    by_sum = {
        rank_sum(ranks): by.of_sum(rank_sum(ranks), ())
        for ranks in combinations_with_replacement(EVERY_RANK, BOARD + 2)
        if max(map(ranks.count, ranks)) <= len(SUITS)
    }
    one = np.array([rank_sum((rank,)) for rank in EVERY_RANK])
    sums = one[np.array(RANK_BOARDS)].sum(axis=1)[:, None, None] + one[:, None] + one
    each, where = np.unique(sums, return_inverse=True)
    # Five of a rank cannot be dealt: no copy of it is left, and the strength is never asked for.
    ranked = np.array([by_sum.get(int(total), 0) for total in each])[where].reshape(sums.shape)
    suited = np.zeros(1 << len(RANKS), np.int64)
    one_suit = [card for card in DECK if card.suit == 0]
    for size in range(FLUSH, BOARD + 3):
        for held in combinations(one_suit, size):
            suited[sum(1 << card.rank for card in held)] = by.strength(held)
    return ranked, suited


def _pictures(copies: Integers, lines: NDArray[np.bool_]) -> Iterator[bytes]:
    """Each board's lines as bytes: how many cards have one to every other, then the copies of the kinds
    that have lines among themselves and those lines, in an order by how they are joined."""
    kinds = np.arange(KINDS)
    possible = (copies[:, :, None] > 0) & (copies[:, None, :] > 0)
    possible[:, kinds, kinds] = copies > 1
    lines = lines & possible
    with_any = (copies > 0) & (lines == possible).all(axis=2)
    lines &= ~(with_any[:, :, None] | with_any[:, None, :])
    left = np.where(lines.any(axis=2), copies, 0)
    shape = 2 * left + lines[:, kinds, kinds]
    for weight in (1 << 10, 1 << 24):
        # Any order is right; one that alike kinds share on most boards leaves few pictures to count.
        shape = shape + weight * np.einsum("bij,bj->bi", lines, shape)
    order = np.argsort(-shape, axis=1, kind="stable")
    left = np.take_along_axis(left, order, axis=1)
    lines = np.take_along_axis(np.take_along_axis(lines, order[:, :, None], 1), order[:, None, :], 2)
    cards = (copies * with_any).sum(axis=1, keepdims=True)
    packed = np.packbits(lines.reshape(len(lines), -1), axis=1)
    for row in np.concatenate([cards.astype(np.uint8), left.astype(np.uint8), packed], axis=1):
        yield row.tobytes()


def _counted(picture: bytes, most: int) -> Counts:
    """The ways to deal hands that all reach the class, on a board with this picture."""
    with_any, copies = picture[0], picture[1 : KINDS + 1]
    packed = np.frombuffer(picture, np.uint8, offset=KINDS + 1)
    lines = np.unpackbits(packed, count=KINDS * KINDS).reshape(KINDS, KINDS)
    counts = forbidden(copies, tuple(tuple(map(int, np.flatnonzero(row))) for row in lines), most)
    for cards in range(LEFT - with_any, LEFT):
        counts = with_card(counts, cards)
    return counts
