"""Simulated rounds of Texas Shootout with several seats at one table.

Choices and payments are looked up in tables passed as arguments. Cards are dealt board first, then four to
the dealer and four to each seat. Every round starts from a full shoe.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from houseway.exact.kernels.atoms import SUITS, Integers, insert_sorted, pair_index
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
    RoundSample,
    State,
    add_up,
    below,
    number_of,
    rank_number,
    royal_made,
)

HANDS = 2
"""The maximum number of hands of a seat: two after a split."""
EVERY = (1 << FOUR) - 1
"""A bit mask of all four positions."""
QUALIFIES = 1
EXCLUDES_NONE, EXCLUDES_HAND, EXCLUDES_PLAYER = 0, 1, 2
"""Which hands earn a given hand no envy: none, the hand itself, or all hands of the same player."""


class ShootoutRanks(NamedTuple):
    """Hand strengths and the dealer's house way."""

    ranked: Small
    """Strengths if suits are ignored. Indexes: the ranks of the board, and the ranks of two cards."""
    suited: Small
    """Strengths of flushes, by the ranks of five, six or seven cards in one suit."""
    begins: Integers
    """The index in `suited` of the first hand with each number of cards."""
    ways: Integers
    """Binomial coefficients."""
    places: Bytes
    royal: int
    """The class of a royal flush; -1 if the ranking has none."""
    grades: Integers
    """The house way's grade of each two cards. The dealer keeps the two cards with the lowest grade."""


class ShootoutBets(NamedTuple):
    """The wagers of every hand, and their net results in cents."""

    reads: Integers
    """Which of a hand's cells decides each wager."""
    main: Integers
    """1 for a wager of the main game."""
    nets: Integers
    """Net results, by wager and cell."""
    envy: Integers
    """The envy bonus that the other hands are paid for a hand, by the class of the hand."""
    excludes: int
    """EXCLUDES_NONE, EXCLUDES_HAND or EXCLUDES_PLAYER."""


@kernel
def play_shootout(state: State, rounds: int, seats: int, decks: int, ranks: ShootoutRanks, choices: Bytes,
                  bets: ShootoutBets, counts: Counts, log: RoundSample) -> None:  # fmt: skip
    """Play rounds and add up their results.

    `choices` has an entry for every four sorted cards: the positions to keep, as bits, and one more bit for
    a split. If `choices` is empty, every seat plays the house way.
    """
    ways, grades, placed, envy = ranks.ways, ranks.grades, ranks.places, bets.envy
    reads, paid, main, excludes = bets.reads, bets.nets, bets.main, bets.excludes
    showdown, sevens, sums, squares = counts.showdown, counts.seven, counts.sums, counts.squares
    log_cards, log_actions, log_nets = log.cards, log.actions, log.nets
    wagers, places = len(reads), len(envy)
    shoe = np.arange(CARDS * decks) % CARDS
    board, dealer = shoe[:BOARD], shoe[BOARD : BOARD + FOUR]
    four = np.empty(FOUR, np.int64)
    hole = np.empty(2, np.int64)
    scratch = np.empty(BOARD + 2, np.int64)
    action = np.empty(seats, np.int64)
    cells = np.empty((seats * HANDS, 2), np.int64)
    envied = np.empty(seats * HANDS, np.int64)
    totals = np.empty(wagers + 3, np.int64)
    for n in range(rounds):
        for i in range(BOARD + FOUR * (seats + 1)):
            j = i + below(state, len(shoe) - i)
            shoe[i], shoe[j] = shoe[j], shoe[i]
        suit = flush_suit(board)
        rank_board = rank_number(board, ways, scratch)
        take(dealer, house_way(grades, dealer), hole)
        against = strength_of(board, hole, rank_board, suit, ranks, scratch)
        envied[:] = 0
        for seat in range(seats):
            begin = BOARD + FOUR * (seat + 1)
            if len(choices) > 0:
                for i in range(FOUR):
                    insert_sorted(four, i, shoe[begin + i])
                action[seat] = choices[number_of(four, FOUR, ways)]
            else:
                four[:] = shoe[begin : begin + FOUR]
                action[seat] = house_way(grades, four)
            split = action[seat] >> FOUR
            for part in range(1 + split):
                hand = seat * HANDS + part
                take(four, action[seat] & EVERY if part == 0 else ~action[seat] & EVERY, hole)
                strength = strength_of(board, hole, rank_board, suit, ranks, scratch)
                place = np.int64(placed[strength])
                made = royal_made(board, hole) if place == ranks.royal else NO_ROYAL
                contest = WIN if strength > against else TIE if strength == against else LOSE
                cells[hand, SHOWDOWN] = (QUALIFIES * 3 + contest) * places + place
                cells[hand, SEVEN] = place * MADE + made
                envied[hand] = envy[place]
                showdown[split, cells[hand, SHOWDOWN]] += 1
                sevens[cells[hand, SEVEN]] += 1
            if n < len(log_cards):
                log_actions[n, seat] = action[seat]
                log_cards[n, begin : begin + FOUR] = four
        if n < len(log_cards):
            log_cards[n, : BOARD + FOUR] = shoe[: BOARD + FOUR]
        totals[:] = 0
        every = envied.sum()
        for seat in range(seats):
            own = envied[seat * HANDS] + envied[seat * HANDS + 1]
            for part in range(1 + (action[seat] >> FOUR)):
                hand = seat * HANDS + part
                left_out = own if excludes == EXCLUDES_PLAYER else envied[hand]
                envy_won = every - (0 if excludes == EXCLUDES_NONE else left_out)
                for wager in range(wagers):
                    net = paid[wager, cells[hand, reads[wager]]]
                    totals[wager] += net
                    if n < len(log_nets):
                        log_nets[n, hand, wager] = net
                totals[wagers] += envy_won
                if n < len(log_nets):
                    log_nets[n, hand, wagers] = envy_won
        add_up(totals, main, sums, squares)


@kernel
def house_way(grades: Integers, four: Integers) -> int:
    """The positions that the house way keeps, as bits. Of equal grades, the cards dealt first are kept."""
    best, places = grades[four[0], four[1]], 0b11
    for i in range(FOUR):
        for j in range(i + 1, FOUR):
            if grades[four[i], four[j]] < best:
                best, places = grades[four[i], four[j]], 1 << i | 1 << j
    return places


@kernel
def take(four: Integers, places: int, hole: Integers) -> None:
    """Write the two cards at these positions to `hole`."""
    size = 0
    for i in range(FOUR):
        if places >> i & 1:
            hole[size] = four[i]
            size += 1


@kernel
def strength_of(board: Integers, hole: Integers, rank_board: int, suit: int, ranks: ShootoutRanks,
                scratch: Integers) -> np.int64:  # fmt: skip
    """The strength of two cards on a board, from the board's cards, index and flush suit."""
    plain = np.int64(ranks.ranked[rank_board, pair_index(hole[0] // SUITS, hole[1] // SUITS)])
    if suit < 0:
        return plain
    size = 0
    for card in board:
        if card % SUITS == suit:
            insert_sorted(scratch, size, card // SUITS)
            size += 1
    for card in hole:
        if card % SUITS == suit:
            insert_sorted(scratch, size, card // SUITS)
            size += 1
    if size < BOARD:
        return plain
    return max(plain, np.int64(ranks.suited[ranks.begins[size] + number_of(scratch, size, ranks.ways)]))
