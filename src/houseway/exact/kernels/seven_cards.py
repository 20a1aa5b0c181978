"""Seven cards read at a time: a sum of the cards' numbers leads to the strength in two look-ups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import SUITS, Integers
from houseway.exact.kernels.compiler import kernel

CARDS = 7
SUIT_SHIFT = 48
"""Above this bit a card's number counts its suit, below it stands for its rank."""
THREE_EACH = 0x3333 << SUIT_SHIFT
FIVE_OR_MORE = -(1 << 63) | 0x0888 << SUIT_SHIFT
"""Three added to a suit's four bits carries five or more into the highest of them."""
BLOCK = 512
"""Hands looked up without a branch before those with a flush are looked at again."""

Shorts = NDArray[np.uint16]


class StrengthTable(NamedTuple):
    """Strengths by sums. A sum's lowest bits choose a row; the bits above, shifted as the row asks, a slot.

    Rows and slots are powers of two, as many as there are shifts and strengths.
    """

    shifts: Integers
    slots: Shorts
    row_bits: int


@kernel
def slot_of(total: int, table: StrengthTable) -> int:
    """The slot of a sum."""
    shift = table.shifts[total & len(table.shifts) - 1]
    return int(((total >> table.row_bits) + shift) & len(table.slots) - 1)


@kernel
def displace(sums: Integers, strengths: Integers, table: StrengthTable) -> bool:
    """Find for each row a shift with which all its sums fall on free slots; False where there is none.

    The fullest rows go first, while most slots are free.
    """
    rows = len(table.shifts)
    size = np.zeros(rows, np.int64)
    for total in sums:
        size[total & rows - 1] += 1
    first = np.zeros(rows + 1, np.int64)
    first[1:] = np.cumsum(size)
    at = first.copy()
    members = np.empty(len(sums), np.int64)
    for n in range(len(sums)):
        row = sums[n] & rows - 1
        members[at[row]] = n
        at[row] += 1
    taken = np.zeros(len(table.slots), np.bool_)
    for row in np.argsort(-size):
        found = False
        for shift in range(len(table.slots)):
            table.shifts[row] = shift
            placed = 0
            for n in members[first[row] : first[row + 1]]:
                slot = slot_of(sums[n], table)
                if taken[slot]:
                    break
                taken[slot] = True
                placed += 1
            if placed == size[row]:
                found = True
                for n in members[first[row] : first[row + 1]]:
                    table.slots[slot_of(sums[n], table)] = strengths[n]
                break
            for n in members[first[row] : first[row] + placed]:
                taken[slot_of(sums[n], table)] = False
        if not found:
            return False
    return True


@kernel
def read_sevens(start: int, stop: int, cards: NDArray[np.uint8], numbers: Integers, ranks: StrengthTable,
                suited: StrengthTable, strengths: Shorts) -> None:  # fmt: skip
    """Write the strength of each seven cards."""
    flushes = np.empty(BLOCK, np.int64)
    for begin in range(start, stop, BLOCK):
        found = 0
        for n in range(begin, min(begin + BLOCK, stop)):
            total = 0
            for i in range(CARDS):
                total += numbers[cards[n, i]]
            strengths[n] = ranks.slots[slot_of(total, ranks)]
            flushes[found] = n
            found += (total + THREE_EACH) & FIVE_OR_MORE != 0
        for n in flushes[:found]:
            strengths[n] = max(strengths[n], suited.slots[slot_of(suited_sum(cards[n], numbers), suited)])


@kernel
def suited_sum(row: NDArray[np.uint8], numbers: Integers) -> int:
    """The sum of the cards of the suit of which there are five or more."""
    total = 0
    for i in range(CARDS):
        total += numbers[row[i]]
    flagged = (total + THREE_EACH) & FIVE_OR_MORE
    suit = 0
    while flagged >> SUIT_SHIFT + 4 * suit + 3 & 1 == 0:
        suit += 1
    total = 0
    for i in range(CARDS):
        total += numbers[row[i]] * (row[i] % SUITS == suit)
    return total
