"""Rounds of Texas Shootout dealt at random and played out, several seats at one table.

Nothing here decides or pays: choices and payments are looked up in tables that are always arguments.
Cards are dealt board first, then the dealer's four, then four to each seat, each round from a full shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houseway.exact.kernels.atoms import SUITS, Integers, put_in, two
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.deals import LOSE, TIE, WIN, flush_suit
from houseway.exact.kernels.shootout import BOARD, CARDS, FOUR, Small
from houseway.exact.kernels.ultimate_rounds import (
    MADE,
    NO_ROYAL,
    SEVEN,
    SHOWDOWN,
    Bytes,
    Counts,
    Kept,
    State,
    add_up,
    below,
    number_of,
    rank_number,
    royal_made,
)

HANDS = 2
"""Hands a seat may have: one, or the two of a split."""
EVERY = (1 << FOUR) - 1
"""All four places as bits."""
QUALIFIES = 1
TO_NONE, TO_THE_HAND, TO_THE_PLAYER = 0, 1, 2
"""To whom a hand pays no envy."""


class ShootoutRanks(NamedTuple):
    """Strengths of hands, and the dealer's house way."""

    ranked: Small
    """By the ranks of the board and of two cards."""
    suited: Small
    """By the ranks of five, six or seven cards in one suit."""
    begins: Integers
    """Where the hands of so many cards in one suit begin."""
    ways: Integers
    """How many ways to take so many of so many."""
    places: Bytes
    royal: int
    """The place of a royal flush; -1 in an order that has none."""
    grades: Integers
    """How early the house way keeps each two cards."""


class ShootoutBets(NamedTuple):
    """What every hand stakes brings, in cents, by wager and cell."""

    looks: Integers
    """What each wager looks at."""
    main: Integers
    """1 for a wager of the main game."""
    nets: Integers
    envy: Integers
    """What a hand brings each hand that envies it, by its place."""
    excludes: int
    """Whom a hand pays no envy."""


@kernel
def play_shootout(state: State, rounds: int, seats: int, decks: int, ranks: ShootoutRanks, choices: Bytes,
                  bets: ShootoutBets, counts: Counts, kept: Kept) -> None:  # fmt: skip
    """Play rounds and count what they come to.

    `choices` has the places kept as bits by the number of four cards in order, one more bit for a split;
    where it is empty every seat keeps what the house way keeps.
    """
    ways, grades, placed, envy = ranks.ways, ranks.grades, ranks.places, bets.envy
    looks, paid, main, excludes = bets.looks, bets.nets, bets.main, bets.excludes
    showdown, sevens, sums, squares = counts.showdown, counts.seven, counts.sums, counts.squares
    kept_cards, kept_actions, kept_nets = kept.cards, kept.actions, kept.nets
    wagers, places = len(looks), len(envy)
    shoe = np.arange(CARDS * decks) % CARDS
    board, dealer = shoe[:BOARD], shoe[BOARD : BOARD + FOUR]
    four = np.empty(FOUR, np.int64)
    hole = np.empty(2, np.int64)
    room = np.empty(BOARD + 2, np.int64)
    action = np.empty(seats, np.int64)
    cells = np.empty((seats * HANDS, 2), np.int64)
    envied = np.empty(seats * HANDS, np.int64)
    totals = np.empty(wagers + 3, np.int64)
    for n in range(rounds):
        for i in range(BOARD + FOUR * (seats + 1)):
            j = i + below(state, len(shoe) - i)
            shoe[i], shoe[j] = shoe[j], shoe[i]
        suit = flush_suit(board)
        rank_board = rank_number(board, ways, room)
        take(dealer, house_way(grades, dealer), hole)
        against = strength_of(board, hole, rank_board, suit, ranks, room)
        envied[:] = 0
        for seat in range(seats):
            begin = BOARD + FOUR * (seat + 1)
            if len(choices) > 0:
                for i in range(FOUR):
                    put_in(four, i, shoe[begin + i])
                action[seat] = choices[number_of(four, FOUR, ways)]
            else:
                four[:] = shoe[begin : begin + FOUR]
                action[seat] = house_way(grades, four)
            split = action[seat] >> FOUR
            for part in range(1 + split):
                hand = seat * HANDS + part
                take(four, action[seat] & EVERY if part == 0 else ~action[seat] & EVERY, hole)
                strength = strength_of(board, hole, rank_board, suit, ranks, room)
                place = np.int64(placed[strength])
                made = royal_made(board, hole) if place == ranks.royal else NO_ROYAL
                contest = WIN if strength > against else TIE if strength == against else LOSE
                cells[hand, SHOWDOWN] = (QUALIFIES * 3 + contest) * places + place
                cells[hand, SEVEN] = place * MADE + made
                envied[hand] = envy[place]
                showdown[split, cells[hand, SHOWDOWN]] += 1
                sevens[cells[hand, SEVEN]] += 1
            if n < len(kept_cards):
                kept_actions[n, seat] = action[seat]
                kept_cards[n, begin : begin + FOUR] = four
        if n < len(kept_cards):
            kept_cards[n, : BOARD + FOUR] = shoe[: BOARD + FOUR]
        totals[:] = 0
        every = envied.sum()
        for seat in range(seats):
            own = envied[seat * HANDS] + envied[seat * HANDS + 1]
            for part in range(1 + (action[seat] >> FOUR)):
                hand = seat * HANDS + part
                left_out = own if excludes == TO_THE_PLAYER else envied[hand]
                brought = every - (0 if excludes == TO_NONE else left_out)
                for wager in range(wagers):
                    net = paid[wager, cells[hand, looks[wager]]]
                    totals[wager] += net
                    if n < len(kept_nets):
                        kept_nets[n, hand, wager] = net
                totals[wagers] += brought
                if n < len(kept_nets):
                    kept_nets[n, hand, wagers] = brought
        add_up(totals, main, sums, squares)


@kernel
def house_way(grades: Integers, four: Integers) -> int:
    """The places the house way keeps, as bits; between equals those dealt first."""
    best, places = grades[four[0], four[1]], 0b11
    for i in range(FOUR):
        for j in range(i + 1, FOUR):
            if grades[four[i], four[j]] < best:
                best, places = grades[four[i], four[j]], 1 << i | 1 << j
    return places


@kernel
def take(four: Integers, places: int, hole: Integers) -> None:
    """Write the two cards at these places."""
    size = 0
    for i in range(FOUR):
        if places >> i & 1:
            hole[size] = four[i]
            size += 1


@kernel
def strength_of(board: Integers, hole: Integers, rank_board: int, suit: int, ranks: ShootoutRanks,
                room: Integers) -> np.int64:  # fmt: skip
    """The strength of two cards on a board whose number and suit of three or more are known."""
    plain = np.int64(ranks.ranked[rank_board, two(hole[0] // SUITS, hole[1] // SUITS)])
    if suit < 0:
        return plain
    size = 0
    for card in board:
        if card % SUITS == suit:
            put_in(room, size, card // SUITS)
            size += 1
    for card in hole:
        if card % SUITS == suit:
            put_in(room, size, card // SUITS)
            size += 1
    if size < BOARD:
        return plain
    return max(plain, np.int64(ranks.suited[ranks.begins[size] + number_of(room, size, ranks.ways)]))
