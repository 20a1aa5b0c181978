"""What a player's rule of thumb looks at after the flop and after the river."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import RANKS, SUITS, Integers, bits
from houseway.exact.kernels.boards import BoardView, Tiny
from houseway.exact.kernels.compiling import kernel

TWO_PAIR, HIDDEN_PAIR, FLUSH_DRAW = 1, 2, 4

Flags = NDArray[np.bool_]


@kernel
def flop_facts(cards: NDArray[np.int16], by_suit: Integers, drawn: int, facts: NDArray[np.uint8]) -> None:
    """Write for each state: two pair or better; a pair with a hole card; four of a suit, a high one hidden.

    `drawn` is the rank from which a hidden card of the four counts as high.
    """
    counts = np.empty(RANKS, np.int64)
    for state in range(len(cards)):
        flop, first, second = by_suit[cards[state, 0]], cards[state, 1], cards[state, 2]
        counts[:] = 0
        held = 0
        flush = draw = False
        for suit in range(SUITS):
            for rank in range(RANKS):
                counts[rank] += flop[suit] >> rank & 1
            size = bits(flop[suit]) + (first % SUITS == suit) + (second % SUITS == suit)
            high = max(
                first // SUITS if first % SUITS == suit else -1,
                second // SUITS if second % SUITS == suit else -1,
            )
            flush = flush or size == 5
            draw = draw or (size == 4 and high >= drawn)
        hidden = first // SUITS == second // SUITS
        hidden = hidden or counts[first // SUITS] > 0 or counts[second // SUITS] > 0
        counts[first // SUITS] += 1
        counts[second // SUITS] += 1
        pairs = most = 0
        for rank in range(RANKS):
            pairs += counts[rank] >= 2
            most = max(most, counts[rank])
            held |= (counts[rank] > 0) << rank
        better = pairs > 1 or most > 2 or flush or straight(held)
        facts[state] = TWO_PAIR * better | HIDDEN_PAIR * hidden | FLUSH_DRAW * draw


@kernel
def straight(held: int) -> bool:
    """Whether five ranks in a row are held, the ace low or high."""
    runs = held << 1 | held >> RANKS - 1
    return runs & runs >> 1 & runs >> 2 & runs >> 3 & runs >> 4 != 0


@kernel
def river_facts(view: BoardView, rank_boards: Integers, ranked: Integers, sixes: Integers,
                suited: Integers, places: Integers, alone: Integers, ways: Tiny, hidden: Flags,
                outs: NDArray[np.uint8]) -> None:  # fmt: skip
    """Write for each cell whether a hole card pairs or betters the board, and how many cards beat it.

    `alone` and `sixes` have the strengths of a rank board by itself and with one rank more.
    A card beats a hand if it makes a better one of the board alone: the dealer's outs as players count.
    """
    atoms = view.copies.shape[1]
    six = np.empty(atoms, np.int64)
    for board in range(len(view.masks)):
        number, mask = view.ranks[board], view.masks[board]
        shown = places[max(alone[number], suited[mask])]
        on_board = 0
        for rank in rank_boards[number]:
            on_board |= 1 << rank
        for atom in range(atoms):
            inside = 1 << atom if atom < atoms - RANKS else 0
            six[atom] = max(sixes[number, atom % RANKS], suited[mask | inside])
        for hand in range(len(view.first)):
            if ways[board, hand] == 0:
                continue
            a, b = view.first[hand], view.second[hand]
            own = max(ranked[number, view.pair[hand]], suited[mask | view.held[hand]])
            paired = a % RANKS == b % RANKS or on_board >> a % RANKS & 1 or on_board >> b % RANKS & 1
            hidden[board, hand] = paired or places[own] < shown
            beat = 0
            for atom in range(atoms):
                if six[atom] > own:
                    beat += view.copies[board, atom] - (atom == a) - (atom == b)
            outs[board, hand] = beat
