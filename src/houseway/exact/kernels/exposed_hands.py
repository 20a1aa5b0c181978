"""Compute the values of boards, turns and flops for a player who has seen one or both dealer cards.

To price a board is to sum a result over all dealer hands that are still possible, for each hand that the
player may have. Cards are grouped by rank alone, or by rank and one suit (see `kernels/atoms`). An array
of sums has one table for each result:

- CHOICE: the result of the best choice after the river;
- STANDING: the result of ante and blind together, if the player plays;
- PLAY: the result of a 1x play;
- PLAYED and the tables after it, one for each play size: the deals in which that size is played after the
  river.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, SUITS, Integers, pair_index
from houseway.exact.kernels.boards import BoardView, Small, Strengths, Tiny
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.rivers import Bytes, GameArrays, RiverStep, Sums, decide, total

Flags = NDArray[np.bool_]
CARDS = RANKS * SUITS
CHOICE, STANDING, PLAY, PLAYED = range(4)
"""The tables of an array of sums. From PLAYED on, there is one table for each play size."""
HELD = 4
NEITHER, ONE, OTHER, BOTH = range(HELD)
"""Which of the player's two cards are in a given suit."""


class Flops(NamedTuple):
    """A list of flops.

    Two flops are equivalent if renaming suits that have no exposed card makes them equal. Of equivalent
    flops, only one is listed.
    """

    cards: Integers
    """The cards of each flop, as a bit mask."""
    alike: Integers
    """The number of flops that are equivalent to each listed flop, including itself."""
    by_rank: Integers
    """The index of each flop by rank alone."""
    by_suit: Integers
    """The index of each flop with respect to each suit."""


class SuitedHands(NamedTuple):
    """All two-card hands in groups, one group for each combination of two suits.

    A group has 169 positions, one for each rank of the first card and rank of the second.
    """

    suits: Integers
    """The suits of the two cards in each group."""
    pair: Tiny
    """The index of the two ranks at each position."""
    cards: Integers
    """The two cards of each group and position, as a bit mask. All bits are set if the two cards would be
    the same card."""
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
    """Price boards for a player who has seen one of the dealer's cards, and write the sums to `worths`.

    `exposed` is the atom of that card. The sums by rank alone, in `under`, are subtracted, so that only the
    difference made by flushes remains. On a thin board, a flush needs two hole cards of the suit. Only the
    first `narrow` pairs of atoms have them, so only those are priced. `game` has the payments of each
    option after the river, then of ante and blind together, then of a 1x play.
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
        # `high` is the position of the dealer's hand with each possible second card. `equal` and `lower`
        # count the dealer hands at each position and below it.
        equal[:] = 0
        unqualified = dealers = 0
        for atom in range(atoms):
            hand = pair_index(exposed, atom)
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
    """Price boards for a player who has seen both of the dealer's cards. See `price_one`.

    `dealer` is the dealer's hand, as a pair of atoms. The indexes of `payments` are whether the dealer
    qualifies (0 or 1), the table, and the contest (lose, tie or win) combined with the hand class.
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
    """Sum the values of boards over the river card into turns, or of turns over the turn card into flops.

    `times` says how many cards of an atom can still be dealt. It is indexed by the copies that the board
    leaves, the atom, and the player's hand. `exposed` counts the dealer's exposed cards by atom.
    """
    hands = sums.shape[2]
    grown, left = step
    # The outer loop is over tables, so that rows that are read again are still in the CPU's cache.
    for table in range(len(sums)):
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
    """Rearrange the corrections for one suit, so that they can be looked up by the player's two ranks.

    For each two ranks there are four entries, because neither card, the first, the second or both may be in
    the suit.
    The entry NEITHER is a correction; the other three are differences from it. The correction of a hand is
    therefore the sum of NEITHER over all suits, plus a difference for each suit that the hand has.
    """
    for at in range(start, stop):
        for table in range(len(by_suit)):
            row, into = by_suit[table, at], by_hand[at, table]
            for rank in range(RANKS):
                for other in range(RANKS):
                    n = rank * RANKS + other
                    none = row[pair_index(RANKS + rank, RANKS + other)]
                    into[NEITHER, n] = none
                    into[ONE, n] = row[pair_index(rank, RANKS + other)] - none
                    into[OTHER, n] = row[pair_index(RANKS + rank, other)] - none
                    into[BOTH, n] = row[pair_index(rank, other)] - none


@kernel
def choose(start: int, stop: int, flops: Flops, patterns: Integers, exposed: int, hands: SuitedHands,
           by_rank: Sums, by_hand: Sums, checks: bool, sizes: Integers, by_card: bool,
           sums: Integers) -> None:  # fmt: skip
    """Make the best choice for every hand on each flop, and add the results over the flops to `sums`.

    `exposed` is a bit mask of the exposed cards. `patterns` says, for each suit, which corrections in
    `by_hand` apply to the exposed cards in that suit. For every hand, `sums` has the results of the best
    choice, of ante with blind, and of a 1x play. Then follow the number of flops on which each size is
    played and, for flops on which the player checks, the number of deals in which each size is played after
    the river. With `by_card`, there are separate sums for the flops that contain each card.
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
    """Write the best choice for each hand to `choice`, and its results to `results`.

    0 is a check and n is the n-th size. Ties go to the lower number.
    """
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
