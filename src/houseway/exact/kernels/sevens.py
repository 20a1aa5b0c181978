"""Seven cards read at a time: a sum of the cards' numbers leads to the strength in two look-ups."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import Integers
from houseway.exact.kernels.compiling import kernel

CARDS = 7
SUITS = 4
ROW_BITS = 13
SLOT_BITS = 16
SUIT_SHIFT = 48
"""Above this bit a card's number counts its suit, below it stands for its rank."""
THREE_EACH = 0x3333 << SUIT_SHIFT
FIVE_OR_MORE = -(1 << 63) | 0x0888 << SUIT_SHIFT
"""Three added to a suit's four bits carries five or more into the highest of them."""

Shorts = NDArray[np.uint16]


@kernel
def row_of(total: int) -> int:
    """The row of a sum: its lowest bits."""
    return total & (1 << ROW_BITS) - 1


@kernel
def slot_of(total: int, shift: int) -> int:
    """The slot of a sum: bits above the row's, shifted by what the row asks."""
    return ((total >> ROW_BITS) + shift) & (1 << SLOT_BITS) - 1


@kernel
def displace(sums: Integers, strengths: Integers, shifts: Shorts, slots: Shorts) -> bool:
    """Find for each row a shift with which all its sums fall on free slots; False where there is none.

    The fullest rows go first, while most slots are free.
    """
    size = np.zeros(1 << ROW_BITS, np.int64)
    for total in sums:
        size[row_of(total)] += 1
    first = np.zeros((1 << ROW_BITS) + 1, np.int64)
    first[1:] = np.cumsum(size)
    at = first.copy()
    members = np.empty(len(sums), np.int64)
    for n in range(len(sums)):
        row = row_of(sums[n])
        members[at[row]] = n
        at[row] += 1
    taken = np.zeros(1 << SLOT_BITS, np.bool_)
    for row in np.argsort(-size):
        found = False
        for shift in range(1 << SLOT_BITS):
            placed = 0
            for n in members[first[row] : first[row + 1]]:
                slot = slot_of(sums[n], shift)
                if taken[slot]:
                    break
                taken[slot] = True
                placed += 1
            if placed == size[row]:
                found = True
                shifts[row] = shift
                for n in members[first[row] : first[row + 1]]:
                    slots[slot_of(sums[n], shift)] = strengths[n]
                break
            for n in members[first[row] : first[row] + placed]:
                taken[slot_of(sums[n], shift)] = False
        if not found:
            return False
    return True


@kernel
def read_sevens(start: int, stop: int, cards: NDArray[np.uint8], numbers: Integers, shifts: Shorts,
                slots: Shorts, suited_keys: Integers, suited: Shorts,
                strengths: Shorts) -> None:  # fmt: skip
    """Write the strength of each seven cards."""
    for n in range(start, stop):
        row = cards[n]
        total = 0
        for i in range(CARDS):
            total += numbers[row[i]]
        strength = slots[slot_of(total, shifts[row_of(total)])]
        flagged = (total + THREE_EACH) & FIVE_OR_MORE
        if flagged != 0:
            strength = max(strength, flush_of(row, flagged, suited_keys, suited))
        strengths[n] = strength


@kernel
def flush_of(row: NDArray[np.uint8], flagged: int, suited_keys: Integers, suited: Shorts) -> int:
    """The strength of the cards of the suit that is flagged, found by their ranks counted."""
    suit = 0
    while flagged >> SUIT_SHIFT + 4 * suit + 3 & 1 == 0:
        suit += 1
    key = 0
    for i in range(CARDS):
        if row[i] % SUITS == suit:
            key += 1 << 3 * (row[i] // SUITS)
    return int(suited[np.searchsorted(suited_keys, key)])
