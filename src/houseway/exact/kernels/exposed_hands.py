"""Boards, turns and flops priced for a player who sees cards of the dealer.

A view groups cards by rank alone, or by rank and one suit. Each array has several tables, with one
number for each board and hand: the value of the best choice after the river, of ante and blind together, of
a 1x play, and, for each play size, the number of deals in which it is played after the river. The numbers
are sums over the dealer hands that are still possible.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, SUITS, Integers, two
from houseway.exact.kernels.boards import BoardView, Small, Strengths, Tiny
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.rivers import Bytes, GameArrays, RiverStep, Sums, decide, total

Flags = NDArray[np.bool_]
CARDS = RANKS * SUITS
CHOICE, STANDING, PLAY, PLAYED = range(4)
"""The tables of an array. From PLAYED on there is one for each play size."""
HELD = 4
NEITHER, ONE, OTHER, BOTH = range(HELD)
"""Which of two cards are in a suit."""


class Flops(NamedTuple):
    """Flops. Those that differ only in the names of suits without an exposed card are listed once."""

    cards: Integers
    """A bit mask of the cards."""
    alike: Integers
    """The number of equivalent flops."""
    by_rank: Integers
    by_suit: Integers


class SuitedHands(NamedTuple):
    """Hands grouped by their two suits, then by ranks. A suited hand has one entry in its group."""

    suits: Integers
    pair: Tiny
    """The pair of ranks at each position of a group."""
    cards: Integers
    """A bit mask of the cards; all bits set if the position has no hand."""
    at: Integers
    """The position of each hand, indexed by its two cards, the lower first."""


@kernel
def order_hands(start: int, stop: int, view: BoardView, by: Strengths, order: Small, place: Tiny) -> None:
    """Write each hand's position in the strength order of its board, and its hand class.

    Hands that tie have the same position.
    """
    ranked, suited, places = by
    strengths = np.empty(len(view.held), np.int64)
    for board in range(start, stop):
        row, mask = ranked[view.ranks[board]], view.masks[board]
        for hand in range(len(strengths)):
            strengths[hand] = max(row[view.pair[hand]], suited[mask | view.held[hand]])
            place[board, hand] = places[strengths[hand]]
        order[board] = np.searchsorted(np.unique(strengths), strengths)


@kernel
def price_one(start: int, stop: int, order: Small, place: Tiny, thin: Flags, possible: Flags, narrow: int,
              qualifier: int, exposed: int, view: BoardView, game: GameArrays, under_board: Integers,
              under_pair: Tiny, under: Sums, worths: Sums) -> None:  # fmt: skip
    """Price boards for a player who knows one dealer card, and subtract the values in `under`.

    On a thin board only the first `narrow` pairs are priced, because the others cannot make a flush. In
    `game`, ante and blind together and a 1x play follow the options.
    """
    copies, first, second = view.copies, view.first, view.second
    atoms = copies.shape[1]
    hands = order.shape[1]
    choices = np.empty(hands, np.int64)
    high = np.empty(atoms, np.int64)
    weak = np.empty(atoms, np.int64)
    equal = np.empty(hands + 1, np.int64)
    lower = np.empty(hands + 1, np.int64)
    for board in range(start, stop):
        if not possible[board]:
            continue
        width = narrow if thin[board] else hands
        # The position of the dealer's hand with each second card; the dealer hands at and below each
        # position.
        equal[:] = 0
        unqualified = dealers = 0
        for atom in range(atoms):
            hand = two(exposed, atom)
            left = copies[board, atom] - (atom == exposed)
            high[atom] = order[board, hand]
            weak[atom] = place[board, hand] > qualifier
            if left > 0:
                equal[high[atom]] += left
                unqualified += left * weak[atom]
                dealers += left
        lower[0] = 0
        for level in range(hands):
            lower[level + 1] = lower[level] + equal[level]
        known = under_board[board]
        for hand in range(width):
            own, a, b, pair = order[board, hand], first[hand], second[hand], under_pair[hand]
            won = lower[own] - (high[a] < own) - (high[b] < own)
            tied = equal[own] - (high[a] == own) - (high[b] == own)
            below = unqualified - weak[a] - weak[b]
            pays = game.pays[place[board, hand]]
            choices[hand], best = decide(pays, game.options, below, won, tied)
            standing = total(pays[game.options], below, won, tied)
            play = total(pays[game.options + 1], below, won, tied)
            worths[CHOICE, board, hand] = best - under[CHOICE, known, pair]
            worths[STANDING, board, hand] = standing - under[STANDING, known, pair]
            worths[PLAY, board, hand] = play - under[PLAY, known, pair]
        for n in range(len(worths) - PLAYED):
            row, less = worths[PLAYED + n, board], under[PLAYED + n, known]
            for hand in range(width):
                played = choices[hand] + game.first == n + 1
                row[hand] = played * (dealers - 2) - less[under_pair[hand]]


@kernel
def price_two(start: int, stop: int, order: Small, place: Tiny, thin: Flags, possible: Flags, narrow: int,
              qualifier: int, dealer: int, payments: Sums, under_board: Integers, under_pair: Tiny,
              under: Sums, worths: Sums) -> None:  # fmt: skip
    """Price boards for a player who knows the dealer's hand, as `price_one` does for one card.

    `payments` has the result of each contest and hand class, by dealer qualifying and table.
    """
    hands = order.shape[1]
    places = payments.shape[2] // 3
    at = np.empty(hands, np.int64)
    for board in range(start, stop):
        if not possible[board]:
            continue
        width = narrow if thin[board] else hands
        high = order[board, dealer]
        for hand in range(width):
            own = order[board, hand]
            at[hand] = ((own >= high) + (own > high)) * places + place[board, hand]
        tables = payments[1 if place[board, dealer] <= qualifier else 0]
        for table in range(len(tables)):
            row, values, less = worths[table, board], tables[table], under[table, under_board[board]]
            for hand in range(width):
                row[hand] = values[at[hand]] - less[under_pair[hand]]


@kernel
def sum_further(start: int, stop: int, step: RiverStep, thin: Flags, exposed: Bytes, narrow: int,
                times: Sums, further: Sums, sums: Sums) -> None:  # fmt: skip
    """Sum the values over the next board card.

    `times` has the number of cards that can still be dealt, by copies left, atom and pair of atoms in the
    player's hand. `exposed` counts the dealer's exposed cards by atom.
    """
    hands = sums.shape[2]
    grown, left = step
    for table in range(len(sums)):  # Table by table, so that rows read again are still cached.
        for at in range(start, stop):
            row = sums[table, at]
            row[:] = 0
            for atom in range(len(exposed)):
                to, copies = grown[at, atom], left[at, atom]
                if to < 0 or copies <= exposed[atom]:
                    continue
                width = narrow if thin[to] else hands
                ways, other = times[copies, atom], further[table, to]
                for hand in range(width):
                    row[hand] += ways[hand] * other[hand]


@kernel
def expand_suits(start: int, stop: int, by_suit: Sums, by_hand: Sums) -> None:
    """Expand a suit's corrections by the ranks of two cards: neither, one or both are in the suit.

    All entries but the first are relative to the first, so a hand needs only the suits of its cards.
    """
    for at in range(start, stop):
        for table in range(len(by_suit)):
            row, into = by_suit[table, at], by_hand[at, table]
            for rank in range(RANKS):
                for other in range(RANKS):
                    n = rank * RANKS + other
                    none = row[two(RANKS + rank, RANKS + other)]
                    into[NEITHER, n] = none
                    into[ONE, n] = row[two(rank, RANKS + other)] - none
                    into[OTHER, n] = row[two(RANKS + rank, other)] - none
                    into[BOTH, n] = row[two(rank, other)] - none


@kernel
def choose(start: int, stop: int, flops: Flops, patterns: Integers, exposed: int, hands: SuitedHands,
           by_rank: Sums, by_hand: Sums, checks: bool, sizes: Integers, by_card: bool,
           sums: Integers) -> None:  # fmt: skip
    """Choose after each flop for every hand, and sum the results over the flops.

    `exposed` is a bit mask of the exposed cards; `patterns` has the index of each suit's view of them.
    `sums` has rows by hand (with `by_card`, for each card on the flop): the best choice, ante with blind,
    a 1x play, the number of flops on which each size is played, and, after a check, the deals in which
    each size is played after the river.
    """
    on_flop, weight, rank_flop, suit_flop = flops
    suits, pair, held = hands.suits, hands.pair, hands.cards
    tables = len(by_rank)
    grid = len(pair)
    base = np.empty((tables, grid), by_rank.dtype)
    values = np.empty((tables, grid), by_rank.dtype)
    results = np.empty((sums.shape[1], grid), by_rank.dtype)
    choice = np.empty(grid, by_rank.dtype)
    weights = np.empty(grid, by_rank.dtype)
    for n in range(start, stop):
        if on_flop[n] & exposed:
            continue
        gone = on_flop[n] | exposed
        for table in range(tables):
            for i in range(grid):
                base[table, i] = by_rank[table, rank_flop[n], pair[i]]
            for suit in range(SUITS):
                none = by_hand[patterns[suit], suit_flop[n, suit], table, NEITHER]
                for i in range(grid):
                    base[table, i] += none[i]
        for group in range(len(suits)):
            s, t = suits[group, 0], suits[group, 1]
            one, other = by_hand[patterns[s], suit_flop[n, s]], by_hand[patterns[t], suit_flop[n, t]]
            for table in range(tables):
                value = values[table]
                if s == t:
                    for i in range(grid):
                        value[i] = base[table, i] + one[table, BOTH, i]
                else:
                    for i in range(grid):
                        value[i] = base[table, i] + one[table, ONE, i] + other[table, OTHER, i]
            best_after_flop(values, checks, sizes, choice, results)
            for i in range(grid):
                weights[i] = weight[n] if held[group, i] & gone == 0 else 0
            for card in range(CARDS if by_card else 1):
                if by_card and on_flop[n] >> card & 1 == 0:
                    continue
                for k in range(len(results)):
                    into, add = sums[card, k, group], results[k]
                    for i in range(grid):
                        into[i] += weights[i] * add[i]


@kernel
def best_after_flop(values: Sums, checks: bool, sizes: Integers, choice: Sums, results: Sums) -> None:
    """Make the best choice for each hand: 0 is a check, n the n-th size. Ties go to the earlier choice."""
    best = results[CHOICE]
    played = np.empty_like(best)
    for i in range(len(choice)):
        choice[i] = 0 if checks else 1
        best[i] = values[CHOICE, i] if checks else values[STANDING, i] + sizes[0] * values[PLAY, i]
    for k in range(0 if checks else 1, len(sizes)):
        for i in range(len(choice)):
            played[i] = values[STANDING, i] + sizes[k] * values[PLAY, i]
        for i in range(len(choice)):
            choice[i] = k + 1 if played[i] > best[i] else choice[i]
            best[i] = max(played[i], best[i])
    results[STANDING] = values[STANDING]
    results[PLAY] = values[PLAY]
    for k in range(len(sizes)):
        for i in range(len(choice)):
            results[PLAYED + k, i] = choice[i] == k + 1
    for k in range(PLAYED, len(values)):
        for i in range(len(choice)):
            results[len(sizes) + k, i] = values[k, i] if choice[i] == 0 else 0
