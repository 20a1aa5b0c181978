"""Compare every player hand on every board with every possible dealer hand."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import COPIES, COPIES_OUTSIDE, RANKS, Integers, choose
from houseway.exact.kernels.compiler import kernel

Small = NDArray[np.int16]
Tiny = NDArray[np.unsignedinteger]
"""Unsigned integers, so that indexing needs no sign check."""

PAIR_BITS = 9
"""The number of bits for a pair of atoms in a hand's sort key; the strength is above these bits."""


class BoardView(NamedTuple):
    """Boards and hands grouped in one way: by rank alone, or by rank and one suit."""

    masks: Integers
    """The ranks of the suit on each board, as a bit mask."""
    copies: NDArray[np.int8]
    """How many cards of each atom are left in the deck; below 0 if a board has five of one rank."""
    ranks: Integers
    """The index of each board's ranks."""
    held: Integers
    """The ranks of the suit in each pair of atoms, as a bit mask."""
    first: Integers
    second: Integers
    """The two atoms of each pair."""
    pair: Tiny
    """The index of the two ranks of each pair of atoms."""


class Strengths(NamedTuple):
    """Hand strengths from the evaluator."""

    ranked: Integers
    """Strengths if suits are ignored. Indexes: the ranks of the board, and the two ranks of the hand."""
    suited: Integers
    """Strengths of flushes, by the set of ranks in one suit; 0 for fewer than five ranks."""
    places: Integers
    """The hand class of each strength."""


class Matchups(NamedTuple):
    """The hand class of each cell, and how many dealer hands it beats and ties.

    A cell is one player hand on one board.
    """

    wins: Small
    ties: Small
    below: Small
    """The number of dealer hands that do not qualify."""
    place: Tiny
    ways: Tiny
    """How many real boards the cell represents; 0 if the cards cannot be dealt."""


@kernel
def compare(strengths: Integers, copies: Integers, first: Integers, second: Integers, least: int,
            wins: Small, ties: Small, below: Small) -> None:  # fmt: skip
    """Count, for each hand on one board, the dealer hands that lose, that tie, and that are below `least`.

    Hands are visited from the weakest up. `total` counts the dealer hands visited so far. `held` counts the
    visited dealer hands that contain each atom, so that hands with the player's own two cards can be
    subtracted.
    """
    keys = np.empty(len(first), np.int64)
    size = 0
    for hand in range(len(first)):
        a, b = first[hand], second[hand]
        if copies[a] > (a == b) and copies[b] > 0:
            keys[size] = strengths[hand] << PAIR_BITS | hand
            size += 1
    keys = np.sort(keys[:size])
    total = unqualified = 0
    held = np.zeros(len(copies), np.int64)
    level = np.zeros(len(copies), np.int64)
    weak = np.zeros(len(copies), np.int64)
    start = 0
    while start < size:
        strength = keys[start] >> PAIR_BITS
        stop = start
        equal = 0
        while stop < size and keys[stop] >> PAIR_BITS == strength:
            hand = keys[stop] & (1 << PAIR_BITS) - 1
            a, b = first[hand], second[hand]
            if a == b:
                equal += copies[a] * (copies[a] - 1) // 2
                level[a] += copies[a] - 1
            else:
                equal += copies[a] * copies[b]
                level[a] += copies[b]
                level[b] += copies[a]
            stop += 1
        for at in range(start, stop):
            hand = keys[at] & (1 << PAIR_BITS) - 1
            a, b = first[hand], second[hand]
            wins[hand] = total - held[a] - held[b]
            ties[hand] = equal - level[a] - level[b] + 1
        total += equal
        for atom in range(len(copies)):
            held[atom] += level[atom]
            level[atom] = 0
        if strength < least:
            unqualified = total
            weak[:] = held
        start = stop
    for at in range(size):
        hand = keys[at] & (1 << PAIR_BITS) - 1
        own = keys[at] >> PAIR_BITS < least
        below[hand] = unqualified - weak[first[hand]] - weak[second[hand]] + own


@kernel
def fill_boards(start: int, stop: int, view: BoardView, by: Strengths, least: int,
                matchups: Matchups) -> None:  # fmt: skip
    """Fill the cells of a range of boards.

    The boards are either rank boards, which ignore flushes, or boards with three or more cards of a suit.
    """
    ranked, suited, places = by
    hands, atoms = len(view.first), view.copies.shape[1]
    outside = outside_copies(atoms)
    strengths = np.empty(hands, np.int64)
    copies = np.empty(atoms, np.int64)
    shown = np.empty(5, np.int64)
    for board in range(start, stop):
        copies[:] = view.copies[board]
        matchups.ways[board, :] = 0
        if copies.min() < 0:
            continue
        size = 0
        for atom in range(atoms - RANKS, atoms):
            if copies[atom] < outside:
                shown[size] = atom
                size += 1
        row, mask = ranked[view.ranks[board]], view.masks[board]
        for hand in range(hands):
            a, b = view.first[hand], view.second[hand]
            if copies[a] > (a == b) and copies[b] > 0:
                strengths[hand] = max(row[view.pair[hand]], suited[mask | view.held[hand]])
                matchups.place[board, hand] = places[strengths[hand]]
                ways = 1
                for atom in shown[:size]:
                    ways *= outside_ways(atoms, atom, outside - copies[atom], a, b)
                matchups.ways[board, hand] = ways
        compare(strengths, copies, view.first, view.second, least, matchups.wins[board],
                matchups.ties[board], matchups.below[board])  # fmt: skip


@kernel
def outside_ways(atoms: int, atom: int, used: int, a: int, b: int) -> int:
    """Count the ways to deal `used` board cards of an atom outside the suit if a hand has atoms `a` and
    `b`."""
    return choose(outside_copies(atoms) - (a == atom) - (b == atom), used)


@kernel
def outside_copies(atoms: int) -> int:
    """The number of cards per atom outside the suit. If only ranks count, every card is outside."""
    return COPIES if atoms == RANKS else COPIES_OUTSIDE


@kernel
def tally(matchups: Matchups, board: int, hand: int, number: int, counts: Integers) -> None:
    """Add a hand `number` times to the counts of its class.

    The four counts are the hands, and the dealer hands that do not qualify, that lose and that tie.
    """
    at = counts[matchups.place[board, hand]]
    at[0] += number
    at[1] += number * matchups.below[board, hand]
    at[2] += number * matchups.wins[board, hand]
    at[3] += number * matchups.ties[board, hand]


@kernel
def count_hands(start: int, stop: int, matchups: Matchups, counts: Integers) -> None:
    """Count every hand on a range of boards by pair of atoms and hand class."""
    for board in range(start, stop):
        for hand in range(matchups.ways.shape[1]):
            if matchups.ways[board, hand] > 0:
                tally(matchups, board, hand, matchups.ways[board, hand], counts[hand])


@kernel
def discount_ranks(start: int, stop: int, view: BoardView, ways: Tiny, by_rank: Matchups,
                   counts: Integers) -> None:  # fmt: skip
    """Subtract the hands on flush boards from the counts that ignore flushes."""
    for board in range(start, stop):
        for hand in range(ways.shape[1]):
            if ways[board, hand] > 0:
                number = -np.int64(ways[board, hand])
                tally(by_rank, view.ranks[board], view.pair[hand], number, counts[hand])


@kernel
def count_outs(view: BoardView, by: Strengths, sixes: Integers, ways: Tiny,
               outs: NDArray[np.uint8]) -> None:  # fmt: skip
    """Count the dealer's outs in each cell, as players count them.

    A card is an out if the board with that card alone beats the hand. `sixes` has the strength of each rank
    board together with one more rank.
    """
    ranked, suited, _ = by
    atoms = view.copies.shape[1]
    six = np.empty(atoms, np.int64)
    for board in range(len(view.masks)):
        number, mask = view.ranks[board], view.masks[board]
        for atom in range(atoms):
            inside = 1 << atom if atom < atoms - RANKS else 0
            six[atom] = max(sixes[number, atom % RANKS], suited[mask | inside])
        for hand in range(len(view.first)):
            if ways[board, hand] > 0:
                own = max(ranked[number, view.pair[hand]], suited[mask | view.held[hand]])
                for atom in range(atoms):
                    if six[atom] > own:
                        left = view.copies[board, atom] - (view.first[hand] == atom)
                        outs[board, hand] += left - (view.second[hand] == atom)
