"""Every hand on every board against every hand the dealer may hold."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import COPIES, COPIES_OUTSIDE, RANKS, Integers, choose
from houseway.exact.kernels.compiler import kernel

Small = NDArray[np.int16]
Tiny = NDArray[np.unsignedinteger]
"""Numbers that are never negative: an index of them needs no look at its sign."""

CLASS_BITS = 9
"""A class fits these bits; a hand's sorting key is its strength above them."""


class BoardView(NamedTuple):
    """Boards and hands told apart in one way: by rank alone, or as one suit sees them."""

    masks: Integers
    """The ranks of the suit on each board, as bits."""
    copies: NDArray[np.int8]
    """How many cards of each atom a board leaves; below 0 if five are of one rank."""
    ranks: Integers
    """The number of each board's ranks."""
    held: Integers
    """The ranks of the suit in each class of two cards, as bits."""
    first: Integers
    second: Integers
    """The atoms of each class."""
    pair: Tiny
    """The pair of ranks of each class."""


class Strengths(NamedTuple):
    """The evaluator's strengths."""

    ranked: Integers
    """By rank board and pair of ranks."""
    suited: Integers
    """By the set of ranks in one suit; 0 for fewer than five."""
    places: Integers
    """The place of each strength's class."""


class Met(NamedTuple):
    """Hands on boards: what each is, and how many of the dealer's hands it meets in which way."""

    wins: Small
    ties: Small
    below: Small
    """The dealer's hands that do not qualify."""
    place: Tiny
    ways: Tiny
    """How many boards of real cards the cell stands for; 0 where its cards cannot be."""


@kernel
def compare(strengths: Integers, copies: Integers, first: Integers, second: Integers, least: int,
            wins: Small, ties: Small, below: Small) -> None:  # fmt: skip
    """Count for each hand on one board the dealer's hands it beats and ties, and those under `least`.

    Hands are walked from the weakest up. `held` counts the dealer's hands met so far, in all and with
    one certain card; a player's own two cards are taken out by subtraction.
    """
    keys = np.empty(len(first), np.int64)
    size = 0
    for hand in range(len(first)):
        a, b = first[hand], second[hand]
        if copies[a] > (a == b) and copies[b] > 0:
            keys[size] = strengths[hand] << CLASS_BITS | hand
            size += 1
    keys = np.sort(keys[:size])
    total = unqualified = 0
    held = np.zeros(len(copies), np.int64)
    level = np.zeros(len(copies), np.int64)
    weak = np.zeros(len(copies), np.int64)
    start = 0
    while start < size:
        strength = keys[start] >> CLASS_BITS
        stop = start
        equal = 0
        while stop < size and keys[stop] >> CLASS_BITS == strength:
            hand = keys[stop] & (1 << CLASS_BITS) - 1
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
            hand = keys[at] & (1 << CLASS_BITS) - 1
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
        hand = keys[at] & (1 << CLASS_BITS) - 1
        own = keys[at] >> CLASS_BITS < least
        below[hand] = unqualified - weak[first[hand]] - weak[second[hand]] + own


@kernel
def fill_boards(start: int, stop: int, view: BoardView, by: Strengths, least: int, met: Met) -> None:
    """Fill the cells of boards: by rank alone as if no flush could be, or with three or more of a suit."""
    ranked, suited, places = by
    hands, atoms = len(view.first), view.copies.shape[1]
    outside = outside_copies(atoms)
    strengths = np.empty(hands, np.int64)
    copies = np.empty(atoms, np.int64)
    shown = np.empty(5, np.int64)
    for board in range(start, stop):
        copies[:] = view.copies[board]
        met.ways[board, :] = 0
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
                met.place[board, hand] = places[strengths[hand]]
                ways = 1
                for atom in shown[:size]:
                    ways *= outside_ways(atoms, atom, outside - copies[atom], a, b)
                met.ways[board, hand] = ways
        compare(strengths, copies, view.first, view.second, least, met.wins[board], met.ties[board],
                met.below[board])  # fmt: skip


@kernel
def outside_ways(atoms: int, atom: int, used: int, a: int, b: int) -> int:
    """The ways to take so many cards of an atom outside the suit, two cards gone."""
    return choose(outside_copies(atoms) - (a == atom) - (b == atom), used)


@kernel
def outside_copies(atoms: int) -> int:
    """How many cards of an atom outside the suit a deck has; by rank alone every card is outside."""
    return COPIES if atoms == RANKS else COPIES_OUTSIDE


@kernel
def tally(met: Met, board: int, hand: int, number: int, counts: Integers) -> None:
    """Count a hand so many times at its place: itself and the dealer's hands below, beaten and tied."""
    at = counts[met.place[board, hand]]
    at[0] += number
    at[1] += number * met.below[board, hand]
    at[2] += number * met.wins[board, hand]
    at[3] += number * met.ties[board, hand]


@kernel
def count_hands(start: int, stop: int, met: Met, counts: Integers) -> None:
    """Count every hand on boards by class and place."""
    for board in range(start, stop):
        for hand in range(met.ways.shape[1]):
            if met.ways[board, hand] > 0:
                tally(met, board, hand, met.ways[board, hand], counts[hand])


@kernel
def discount_ranks(start: int, stop: int, view: BoardView, ways: Tiny, under: Met,
                   counts: Integers) -> None:  # fmt: skip
    """Take what ranks alone say of the hands on flush boards off the counts."""
    for board in range(start, stop):
        for hand in range(ways.shape[1]):
            if ways[board, hand] > 0:
                number = -np.int64(ways[board, hand])
                tally(under, view.ranks[board], view.pair[hand], number, counts[hand])


@kernel
def count_outs(view: BoardView, by: Strengths, sixes: Integers, ways: Tiny,
               outs: NDArray[np.uint8]) -> None:  # fmt: skip
    """Write for each cell how many cards beat it: the dealer's outs as players count.

    A card beats a hand if it makes a better one of the board alone. `sixes` has the strengths of a rank
    board with one rank more.
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
