"""Simulated rounds of Ultimate Texas Hold'em with several seats at one table.

Choices and payments are looked up in tables passed as arguments. Cards are dealt board first, then two to
the dealer and two to each seat.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import SUITS, Integers, board_at, insert_sorted, pair_index
from houseway.exact.kernels.compiler import kernel
from houseway.exact.kernels.deals import LOSE, TIE, WIN, atom_of, flush_suit, mask_of, triple_index
from houseway.exact.kernels.flops import start_of

DECK = 52
BOARD = 5
FLOP = 3
HOLE = 2
STANDING, RACKED = 0, 1
NO_ROYAL, FIRST_FIVE, FIRST_SEVEN, COMMUNITY = 0, 1, 2, 3
MADE = 4
SHOWDOWN, SEVEN, HIGHEST, EARLY = 0, 1, 2, 3
"""Each hand has several cells (rows of pay tables): for the showdown, for its seven cards, for the highest
hand at the table, and one for each wager that the hole cards and the flop decide."""
LIMB_BITS = 20
"""Numbers are split at this bit and squared in parts, so that the sums of a chunk fit in 64 bits."""
HALF = 1 << 32
ROYAL_RANKS = 0b11111 << 8

Shorts = NDArray[np.uint16]
Bytes = NDArray[np.int8]
Small = NDArray[np.signedinteger]
State = NDArray[np.uint64]


class Ranks(NamedTuple):
    """Hand strengths."""

    ranked: Shorts
    """Strengths if suits are ignored. Indexes: the ranks of the board, and the ranks of two cards."""
    ways: Integers
    """Binomial coefficients."""
    suited: Shorts
    """Strengths of flushes, by the set of ranks in one suit."""
    places: Bytes
    least: int
    """The lowest strength that qualifies the dealer."""
    royal: int
    """The class of a royal flush; -1 if the ranking has none."""


class Moves(NamedTuple):
    """The choices at each betting point: 0 is the check or fold, n is the n-th size."""

    flop_of: NDArray[np.int16]
    """The index of the suit-distinct flop that stands for each three cards."""
    suit_map: Bytes
    """The suit on the suit-distinct flop that each suit of the real flop is renamed to."""
    start: Bytes
    """Choices before the flop, by starting hand."""
    flop: Bytes
    """Choices after the flop. Indexes: the suit-distinct flop, and the hole cards with renamed suits."""
    river: Bytes
    """Choices after the river on boards with three or more cards of a suit."""
    river_by_rank: Bytes
    """Choices after the river on all other boards."""


class Bets(NamedTuple):
    """The wagers of every seat, and their net results in cents."""

    offsets: Integers
    """For each betting point, the number to add to a choice to get its action. Action 0 is a fold."""
    reads: Integers
    """Which of a hand's cells decides each wager."""
    early: NDArray[np.int16]
    """Cells that hole cards and flop decide. Indexes: the wager, the suit-distinct flop, and the hole cards
    with renamed suits."""
    main: Integers
    """1 for a wager of the main game."""
    rows: Integers
    """The row of `nets` and `wins` to use for each action and wager. The last row is for no wager."""
    nets: Integers
    """Net results, by row and cell."""
    wins: Integers
    """Winnings on top of the stake, before any limit on winnings."""
    folds_to: Integers
    """The status of a folded hand, by the cell of the wager that may keep its cards on the table."""
    fold_reads: int
    """The cell that indexes `folds_to`."""
    envy: Integers
    """The envy bonus that each seat with the wager is paid for a hand, by the class of the hand."""
    envy_reads: int
    """The cell that has the class for `envy`."""
    own_envy: int
    """1 if a seat is also paid envy for its own hand."""
    shares: Integers
    """The index of the meter share that a hand's cell wins, or -1."""
    progressive: int
    """The wager that wins shares; -1 for none."""
    passes: Integers
    """The passes that pay shares: the hands' statuses as bits, 1 if the dealer starts from the right, and 1
    if the pass is for a dealer who qualifies."""
    capped: Integers
    """1 if a wager counts toward a limit on winnings. Indexes: the limit and the wager. Empty if no limit
    applies."""
    limits: Integers
    orders: Integers
    """The wagers in settlement order, for each status of the hand and for each result of the qualifier."""


class Counts(NamedTuple):
    """Totals of a chunk of rounds."""

    showdown: Integers
    """The number of hands with each action and showdown cell."""
    seven: Integers
    """The number of hands with each cell of the seven cards."""
    early: Integers
    """The number of hands with each cell that hole cards and flop decide."""
    highest: Integers
    """The number of rounds with each cell of the highest hand at the table."""
    sums: Integers
    """The net results of all seats in cents, without meter shares: one for each wager, then those of envy,
    the main game and everything together."""
    squares: Integers
    """The sums of the squares of each round's results, in three parts: high squared, high times low, low
    squared."""


class RoundSample(NamedTuple):
    """The cards, actions and results of the first rounds of a chunk, as many as the arrays have room
    for."""

    cards: Bytes
    actions: Bytes
    nets: Integers
    """Indexes: the round, the hand, and the wager. The last entry is envy."""


@kernel
def draw(state: State) -> np.int64:
    """The next 32 random bits of xoshiro256++."""
    mixed = state[0] + state[3]
    output = (mixed << np.uint64(23) | mixed >> np.uint64(41)) + state[0]
    shifted = state[1] << np.uint64(17)
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = state[3] << np.uint64(45) | state[3] >> np.uint64(19)
    return np.int64(output >> np.uint64(32))


@kernel
def below(state: State, size: int) -> np.int64:
    """A uniform integer below `size`; draws that would cause bias are rejected."""
    product = draw(state) * size
    if product & (HALF - 1) < size:
        spare = HALF % size
        while product & (HALF - 1) < spare:
            product = draw(state) * size
    return product >> 32


@kernel
def strength_of(
    hole: Integers, ranked: Shorts, board: int, suit: int, mask: int, suited: Shorts
) -> np.int64:
    """The strength of two cards on a board, from the board's index and the mask of its flush suit."""
    plain = np.int64(ranked[board, pair_index(hole[0] // SUITS, hole[1] // SUITS)])
    return max(plain, np.int64(suited[mask | mask_of(hole, suit)]))


@kernel
def number_of(values: Integers, size: int, ways: Integers) -> int:
    """The index of a sorted multiset with `size` members."""
    number = 0
    for i in range(size):
        number += ways[values[i] + i, i + 1]
    return number


@kernel
def rank_number(cards: Integers, ways: Integers, scratch: Integers) -> int:
    """The index of the ranks of five cards; `scratch` is used for sorting."""
    for i in range(BOARD):
        insert_sorted(scratch, i, cards[i] // SUITS)
    return number_of(scratch, BOARD, ways)


@kernel
def flop_number(flop: Integers) -> int:
    """The index of three cards in any order."""
    low, high = min(flop[0], flop[1], flop[2]), max(flop[0], flop[1], flop[2])
    return triple_index(low, flop[0] + flop[1] + flop[2] - low - high, high)


@kernel
def pair_number(one: int, other: int) -> int:
    """The index of two different cards."""
    low, high = min(one, other), max(one, other)
    return high * (high - 1) // 2 + low


@kernel
def mapped_pair(hole: Integers, flop: int, suit_map: Bytes) -> int:
    """The index of two cards after their suits are renamed to match the suit-distinct flop."""
    one, other = hole[0], hole[1]
    first = one - one % SUITS + suit_map[flop, one % SUITS]
    return pair_number(first, other - other % SUITS + suit_map[flop, other % SUITS])


@kernel
def royal_made(board: Integers, hole: Integers) -> int:
    """How a royal flush was made: by the board alone, by hole cards and flop, or in another way."""
    suit = board[0] % SUITS
    if mask_of(board, suit) == ROYAL_RANKS:
        return COMMUNITY
    early = mask_of(board[:FLOP], suit) | mask_of(hole, suit)
    return FIRST_FIVE if early == ROYAL_RANKS else FIRST_SEVEN


@kernel
def river_board(board: Integers, suit: int, mask: int) -> int:
    """The index of a board with three or more cards of a suit."""
    low = high = -1
    inside = 0
    for card in board:
        if card % SUITS == suit:
            inside += 1
        elif low < 0:
            low = card // SUITS
        else:
            high = card // SUITS
    if high >= 0 and high < low:
        low, high = high, low
    return board_at(mask, inside, low, high)


@kernel
def play_chunk(state: State, rounds: int, seats: int, ranks: Ranks, moves: Moves, bets: Bets,
               counts: Counts, awards: Integers, log: RoundSample) -> int:  # fmt: skip
    """Play rounds and add up their results; return how many meter shares were won.

    Shares are not paid here. `awards` lists them: the round, the share, and the round's result without
    shares, for the progressive wager and in total.
    """
    # Field access and slicing in the loop would update reference counts in memory that all threads share.
    ranked, ways, suited, placed = ranks.ranked, ranks.ways, ranks.suited, ranks.places
    flop_of, suit_map, offsets, reads = moves.flop_of, moves.suit_map, bets.offsets, bets.reads
    early, by_early = bets.early, counts.early
    rows, paid, envy, share_of, main = bets.rows, bets.nets, bets.envy, bets.shares, bets.main
    start, by_flop, river, river_by_rank = moves.start, moves.flop, moves.river, moves.river_by_rank
    folds_to, showdown, sevens = bets.folds_to, counts.showdown, counts.seven
    tops, sums, squares = counts.highest, counts.sums, counts.squares
    log_cards, log_actions, log_nets = log.cards, log.actions, log.nets
    places = len(envy)
    wagers = len(reads)
    share_cell = reads[bets.progressive] if bets.progressive >= 0 else SEVEN
    deck = np.arange(DECK)
    board, dealer = deck[:BOARD], deck[BOARD : BOARD + HOLE]
    hole = np.empty(HOLE, np.int64)
    action = np.empty(seats, np.int64)
    status = np.empty(seats, np.int64)
    cells = np.empty((seats, EARLY + len(early)), np.int64)
    totals = np.empty(wagers + 3, np.int64)
    nets = np.empty(wagers + 1, np.int64)
    used = np.empty(len(bets.limits), np.int64)
    scratch = np.empty(BOARD, np.int64)
    won = 0
    for n in range(rounds):
        for i in range(BOARD + HOLE * (seats + 1)):
            j = i + below(state, DECK - i)
            deck[i], deck[j] = deck[j], deck[i]
        suit = flush_suit(board)
        mask = mask_of(board, suit)
        rank_board = rank_number(board, ways, scratch)
        at_river = river_board(board, suit, mask) if suit >= 0 else rank_board
        flop = flop_number(board)
        against = strength_of(dealer, ranked, rank_board, suit, mask, suited)
        qualifies = np.int64(against >= ranks.least)
        highest = against
        envied = 0
        shares = 0
        for seat in range(seats):
            hole[0], hole[1] = deck[BOARD + HOLE * (seat + 1)], deck[BOARD + HOLE * (seat + 1) + 1]
            action[seat] = choose_action(hole, suit, at_river, flop, start, by_flop, flop_of, suit_map,
                                         river, river_by_rank, offsets)  # fmt: skip
            strength = strength_of(hole, ranked, rank_board, suit, mask, suited)
            place = np.int64(placed[strength])
            made = royal_made(board, hole) if place == ranks.royal else NO_ROYAL
            cells[seat, SEVEN] = place * MADE + made
            if len(early) > 0:
                pair = mapped_pair(hole, flop, suit_map)
                for k in range(len(early)):
                    cells[seat, EARLY + k] = early[k, flop_of[flop], pair]
            status[seat] = STANDING if action[seat] > 0 else folds_to[cells[seat, bets.fold_reads]]
            contest = WIN if strength > against else TIE if strength == against else LOSE
            cells[seat, SHOWDOWN] = ((status[seat] * 2 + qualifies) * 3 + contest) * places + place
            if status[seat] != RACKED:
                highest = max(highest, strength)
            envied += envy[cells[seat, bets.envy_reads] // MADE]
            shares += share_of[cells[seat, share_cell]] >= 0
        at_table = (seats - 1) * places + placed[highest]
        tops[at_table] += 1
        totals[:] = 0
        for seat in range(seats):
            cells[seat, HIGHEST] = at_table
            for wager in range(wagers):
                nets[wager] = paid[rows[action[seat], wager], cells[seat, reads[wager]]]
            if len(used) > 0:
                cut_wins(bets, action[seat], status[seat] * 2 + qualifies, cells[seat], used, nets)
            own = envy[cells[seat, bets.envy_reads] // MADE]
            nets[wagers] = envied if bets.own_envy else envied - own
            for wager in range(wagers + 1):
                totals[wager] += nets[wager]
            showdown[action[seat], cells[seat, SHOWDOWN]] += 1
            sevens[cells[seat, SEVEN]] += 1
            for k in range(len(early)):
                by_early[k, cells[seat, EARLY + k]] += 1
            if n < len(log_nets):
                log_actions[n, seat] = action[seat]
                log_nets[n, seat] = nets
        if n < len(log_cards):
            log_cards[n] = deck[: log_cards.shape[1]]
        add_up(totals, main, sums, squares)
        if shares > 0:
            first = won
            won = list_shares(n, bets, qualifies, status, cells, awards, won)
            awards[first:won, 2] = totals[bets.progressive]
            awards[first:won, 3] = totals[wagers + 2]
    return won


@kernel
def add_up(totals: Integers, main: Integers, sums: Integers, squares: Integers) -> None:
    """Add a round's totals to `sums` and their squares to `squares`.

    The last two totals, of the main game and of everything, are computed here from the others.
    """
    wagers = len(main)
    for wager in range(wagers):
        totals[wagers + 1] += totals[wager] * main[wager]
        totals[wagers + 2] += totals[wager]
    totals[wagers + 2] += totals[wagers]
    for group in range(len(totals)):
        total = totals[group]
        high, low = abs(total) >> LIMB_BITS, abs(total) & (1 << LIMB_BITS) - 1
        sums[group] += total
        squares[group, 0] += high * high
        squares[group, 1] += high * low
        squares[group, 2] += low * low


@kernel
def choose_action(hole: Integers, suit: int, at_river: int, flop: int, start: Bytes, by_flop: Bytes,
                  flop_of: NDArray[np.int16], suit_map: Bytes, river: Bytes, river_by_rank: Bytes,
                  offsets: Integers) -> int:  # fmt: skip
    """The final action of a hand: 0 for a fold, or the number of its play."""
    one, other = hole[0], hole[1]
    street = 0
    choice = np.int64(start[start_of(one // SUITS, one % SUITS, other // SUITS, other % SUITS)])
    if choice == 0:
        street = 1
        choice = np.int64(by_flop[flop_of[flop], mapped_pair(hole, flop, suit_map)])
    if choice == 0:
        street = 2
        if suit >= 0:
            choice = np.int64(river[at_river, pair_index(atom_of(one, suit), atom_of(other, suit))])
        else:
            choice = np.int64(river_by_rank[at_river, pair_index(one // SUITS, other // SUITS)])
    action: int = offsets[street] + choice if choice > 0 else 0
    return action


@kernel
def cut_wins(bets: Bets, action: int, settled: int, cells: Integers, used: Integers,
             nets: Integers) -> None:  # fmt: skip
    """Reduce a hand's winnings to the limits, wager by wager in settlement order."""
    used[:] = 0
    for wager in bets.orders[settled]:
        due = bets.wins[bets.rows[action, wager], cells[bets.reads[wager]]]
        paid = due
        for cap in range(len(used)):
            if bets.capped[cap, wager]:
                paid = min(paid, bets.limits[cap] - used[cap])
                used[cap] += paid
        nets[wager] -= due - paid


@kernel
def list_shares(n: int, bets: Bets, qualifies: int, status: Integers, cells: Integers, awards: Integers,
                size: int) -> int:  # fmt: skip
    """Add the shares won in a round to `awards`, in the order of payment.

    Return the new length of the list.
    """
    reads = bets.reads[bets.progressive]
    seats = len(status)
    for at in range(len(bets.passes)):
        statuses, from_right, when = bets.passes[at]
        if when != qualifies:
            continue
        for i in range(seats):
            seat = seats - 1 - i if from_right else i
            share = bets.shares[cells[seat, reads]]
            if statuses >> status[seat] & 1 and share >= 0:
                awards[size, 0], awards[size, 1] = n, share
                size += 1
    return size
