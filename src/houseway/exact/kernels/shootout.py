"""Counting loops for Texas Shootout: compare one hand with every dealer hand set by the house way, on every
board.

A view maps a card to an atom: its rank alone, or its rank together with whether the card belongs to one
chosen suit. A mark is a multiset of up to four atoms. It stands for one specific card per atom. Marks are
indexed by size, then from the highest atom down: index 0 is the empty mark, then single atoms, then pairs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, Integers, choose, insert_sorted, multiset_index, pair_index
from houseway.exact.kernels.compiler import kernel

Numbers = NDArray[np.float64]
Small = NDArray[np.int16]
Tiny = NDArray[np.int8]
Indices = NDArray[np.int32]

CARDS = 52
BOARD = 5
FOUR = 4
SEVEN = 7
ORDERS = 24
LOW_BITS = 32
"""A sum over boards and dealer hands overflows 64 bits, so it is split into two at this bit."""


class ShootoutView(NamedTuple):
    """Cards grouped into atoms: all boards, the strengths of all pairs on them, and the results of a
    hand."""

    atom: Integers
    """Each card's atom."""
    boards: Tiny
    """The five atoms of each board, in ascending order."""
    again: Tiny
    """For each board card, how many times the same atom occurs before it."""
    twins: Tiny
    """For each board, how many orders of its equal atoms give the same board."""
    marks: Indices
    """For each board, the marks of up to four of its five cards, smallest first."""
    strong: Small
    """The strength of each pair of atoms on each board."""
    plain: Small
    """The strength of each pair of ranks on each board if suits are ignored."""
    ranks: Integers
    """The index of the two ranks of each pair of atoms."""
    inside: Integers
    """The number of cards in the suit, for each pair of atoms."""
    stops: Integers
    """How many boards matter if neither hand has more than 0, 1 or 2 cards in the suit."""
    first: Integers
    second: Integers
    """The two atoms of each pair."""
    plus: Indices
    """The index of the mark that results if an atom is added to a mark of up to three atoms."""
    value: Numbers
    """The result of a hand of each strength when it loses, ties or wins."""
    under: Numbers
    """Values already counted by rank alone, to be subtracted."""


class DealerFours(NamedTuple):
    """Every four cards the dealer may have, sorted by the atoms kept, then by the atoms discarded."""

    dealt: Tiny
    """The two cards that the dealer keeps, then the two discards."""
    shares: Integers
    """The number of dealing orders in which the dealer keeps these two, divided by a factor common to all
    rows."""
    discards: Small
    """The discards as a pair of atoms."""
    starts: Integers
    """For each pair of atoms, the index of the first row in which the dealer keeps it."""


@kernel
def read_suit(view: ShootoutView, by_suit: Small) -> None:
    """Write the strength of every two-card hand on boards with at least three cards of the suit."""
    seven = np.empty(SEVEN, np.int64)
    held = np.empty(SEVEN, np.int64)
    begins = np.zeros(SEVEN + 1, np.int64)
    for size in range(BOARD + 1, SEVEN + 1):
        begins[size] = begins[size - 1] + choose(RANKS + size - 2, size - 1)
    for pair in range(len(view.first)):
        for board in range(len(view.boards)):
            seven[:BOARD] = view.boards[board]
            seven[BOARD], seven[BOARD + 1] = view.first[pair], view.second[pair]
            inside = 0
            for atom in seven:
                if atom < RANKS:
                    insert_sorted(held, inside, atom)
                    inside += 1
            strength = view.plain[view.ranks[pair], board]
            if inside >= BOARD:
                strength = max(strength, by_suit[begins[inside] + multiset_index(held, inside)])
            view.strong[pair, board] = strength


@kernel
def _worth(table: Numbers, mine: int, dealer: int) -> float:
    return float(table[1 + (mine > dealer) - (mine < dealer), mine])


@kernel
def _boards(view: ShootoutView, board: int, left: Integers) -> float:
    """How many boards with the atoms of this board the remaining cards can form."""
    ways = 1
    for place in range(BOARD):
        ways *= left[view.boards[board, place]] - view.again[board, place]
    return float(ways / view.twins[board])


@kernel
def _divide_by_sets(left: Integers, plus: Indices, counts: Numbers) -> None:
    """Convert sums over all sets of cards that have the atoms of a mark into sums for one specific set.

    To list the sets of a mark, take the mark without its highest atom, and add to each of its sets one
    remaining card of that atom.
    """
    ways = np.ones(len(counts), np.int64)
    highest = np.zeros(len(counts), np.int64)
    again = np.full(len(counts), -1)
    mark = 0
    while mark < len(plus) and plus[mark, -1] < len(counts):
        for atom in range(highest[mark], len(left)):
            more = plus[mark, atom]
            highest[more] = atom
            again[more] = again[mark] + 1 if atom == highest[mark] else 0
            ways[more] = ways[mark] * (left[atom] - again[more]) // (again[more] + 1)
            if counts[more] != 0:
                counts[more] /= ways[more]
        mark += 1


@kernel
def _count(view: ShootoutView, hand: int, other: int, left: Integers, size: int, counts: Numbers) -> None:
    """Sum a hand's results over all boards that contain each mark of up to `size` cards.

    The sums are integers far below 2**53, so the floats that hold them are exact.
    """
    counts[:] = 0
    held = 1
    for k in range(1, size + 1):
        held += choose(BOARD, k)
    for board in range(view.stops[max(view.inside[hand], view.inside[other])]):
        worth = _worth(view.value, view.strong[hand, board], view.strong[other, board]) - _worth(
            view.under, view.plain[view.ranks[hand], board], view.plain[view.ranks[other], board]
        )
        if worth != 0:
            worth *= _boards(view, board, left)
            for k in range(held):
                counts[view.marks[board, k]] += worth
    _divide_by_sets(left, view.plus, counts)


@kernel
def meet_dealer(view: ShootoutView, fours: DealerFours, hand: int, cards: Integers, deep: bool,
                low: Integers, high: Integers) -> None:  # fmt: skip
    """Sum a hand's results over every four-card dealer hand of these cards and every board of the other
    cards.

    With `deep`, three groups of sums follow. (1) For each mark of one or two atoms, over the boards that
    contain the mark. (2) For each card, over the dealer hands that contain the card: with all boards, with
    the boards that contain each atom, and with those that contain each atom together with the card's own.
    (3) For each two cards, over the dealer hands that contain both: with all boards, with the boards that
    contain the first card's atom, the second's, and both. A dealer hand that contains the same card or the
    same two cards several times counts several times.
    """
    atoms = len(view.plus[0])
    pairs = len(view.first)
    left = np.zeros(atoms, np.int64)
    for card in range(CARDS):
        left[view.atom[card]] += cards[card]
    rows = 1 + atoms + pairs if deep else 1
    size = FOUR if deep else 2
    counts = np.empty(view.plus[-1, -1] + 1 if deep else 1 + atoms + pairs)
    won = np.empty(rows, np.int64)
    sums = np.zeros(len(low), np.int64)
    for kept in range(pairs):
        a, b = view.first[kept], view.second[kept]
        left[a] -= 1
        left[b] -= 1
        if fours.starts[kept] < fours.starts[kept + 1] and left[a] >= 0 and left[b] >= 0:
            _count(view, hand, kept, left, size, counts)
            discards = -1
            dealt = 0
            for row in range(fours.starts[kept], fours.starts[kept + 1]):
                weight = fours_of(fours, row, cards)
                if weight == 0:
                    continue
                if fours.discards[row] != discards:
                    if dealt:
                        sums[:rows] += dealt * won
                    discards = fours.discards[row]
                    dealt = 0
                    _avoid(view, discards, counts, won)
                dealt += weight
                if deep:
                    _add_cards(view, fours.dealt[row], weight, won, sums)
            if dealt:
                sums[:rows] += dealt * won
            for at in range(len(sums)):
                low[at] += sums[at] & (1 << LOW_BITS) - 1
                high[at] += sums[at] >> LOW_BITS
                sums[at] = 0
        left[a] += 1
        left[b] += 1


@kernel
def fours_of(fours: DealerFours, row: int, cards: Integers) -> int:
    """The number of four-card hands of these cards that a row represents, multiplied by its share."""
    ways = fours.shares[row]
    orders = 1
    for i in range(FOUR):
        again = 0
        for j in range(i):
            again += fours.dealt[row, j] == fours.dealt[row, i]
        ways *= cards[fours.dealt[row, i]] - again
        orders *= again + 1
    return int(ways // orders)


@kernel
def _avoid(view: ShootoutView, discards: int, counts: Numbers, won: Integers) -> None:
    """For each mark, sum the results of the boards that contain the mark and neither of two discards."""
    a, b = view.first[discards], view.second[discards]
    for mark in range(len(won)):
        more = view.plus[mark, a]
        won[mark] = np.int64(
            counts[mark] - counts[more] - counts[view.plus[mark, b]] + counts[view.plus[more, b]]
        )


@kernel
def _add_cards(view: ShootoutView, dealt: Tiny, weight: int, won: Integers, sums: Integers) -> None:
    """Add a four-card dealer hand to the sums of each of its cards, and of each two of its cards."""
    atoms = len(view.plus[0])
    ones = len(won)
    twos = ones + CARDS * (1 + 2 * atoms)
    for i in range(FOUR):
        card = dealt[i]
        base = ones + card * (1 + 2 * atoms)
        for mark in range(1 + atoms):
            sums[base + mark] += weight * won[mark]
        base += 1 + atoms
        pairs = view.plus[1 + view.atom[card]]
        for atom in range(atoms):
            sums[base + atom] += weight * won[pairs[atom]]
        for j in range(i):
            a, b = min(card, dealt[j]), max(card, dealt[j])
            base = twos + FOUR * pair_index(a, b)
            a, b = view.atom[a], view.atom[b]
            sums[base] += weight * won[0]
            sums[base + 1] += weight * won[1 + a]
            sums[base + 2] += weight * won[1 + b]
            sums[base + 3] += weight * won[view.plus[1 + a, b]]


@kernel
def count_classes(
    view: ShootoutView, hand: int, cards: Integers, places: Integers, sign: int, counts: Numbers
) -> None:
    """Count the boards that give a hand each class and contain each mark of up to two atoms.

    With `sign` 1, only the corrections for suits are counted: a board on which suits change the class adds
    one to that class, and subtracts one from the class that the hand has if suits are ignored.
    """
    left = np.zeros(len(view.plus[0]), np.int64)
    for card in range(CARDS):
        left[view.atom[card]] += cards[card]
    held = 1 + choose(BOARD, 1) + choose(BOARD, 2)
    for board in range(view.stops[view.inside[hand]]):
        strong = places[view.strong[hand, board]]
        plain = places[view.plain[view.ranks[hand], board]]
        if sign == 0 or strong != plain:
            ways = _boards(view, board, left)
            for k in range(held):
                counts[strong, view.marks[board, k]] += ways
                counts[plain, view.marks[board, k]] -= sign * ways
    for place in range(len(counts)):
        _divide_by_sets(left, view.plus, counts[place])
