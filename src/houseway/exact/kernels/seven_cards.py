"""Evaluate seven-card hands with a perfect hash: add the cards' numbers, then look up the sum in two
steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from houseway.exact.kernels.atoms import SUITS, Integers
from houseway.exact.kernels.compiler import kernel

CARDS = 7
SUIT_SHIFT = 48
"""In a card's number, the bits from this one up count suits; the bits below it identify the rank."""
THREE_EACH = 0x3333 << SUIT_SHIFT
FIVE_OR_MORE = -(1 << 63) | 0x0888 << SUIT_SHIFT
"""Adding three to a suit's four bits sets the highest of them if there are five or more cards."""
BLOCK = 512
"""The number of hands that are looked up as if they had no flush, before flushes are looked up again."""

Shorts = NDArray[np.uint16]


class StrengthTable(NamedTuple):
    """Strengths by sum. A sum's low bits select a row; its other bits plus the row's shift select a slot.

    The numbers of rows and slots are powers of two.
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
    """Find a shift for each row that puts all its sums on free slots.

    Return False if a row has no such shift.
    The fullest rows are placed first, while most slots are free.
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
    used = np.zeros(len(table.slots), np.bool_)
    for row in np.argsort(-size):
        fits = False
        for shift in range(len(table.slots)):
            table.shifts[row] = shift
            placed = 0
            for n in members[first[row] : first[row + 1]]:
                slot = slot_of(sums[n], table)
                if used[slot]:
                    break
                used[slot] = True
                placed += 1
            if placed == size[row]:
                fits = True
                for n in members[first[row] : first[row + 1]]:
                    table.slots[slot_of(sums[n], table)] = strengths[n]
                break
            for n in members[first[row] : first[row] + placed]:
                used[slot_of(sums[n], table)] = False
        if not fits:
            return False
    return True


@kernel
def read_sevens(start: int, stop: int, cards: NDArray[np.uint8], numbers: Integers, ranks: StrengthTable,
                suited: StrengthTable, strengths: Shorts) -> None:  # fmt: skip
    """Write the strength of each row of seven cards."""
    flushes = np.empty(BLOCK, np.int64)
    for begin in range(start, stop, BLOCK):
        flush_count = 0
        for n in range(begin, min(begin + BLOCK, stop)):
            total = 0
            for i in range(CARDS):
                total += numbers[cards[n, i]]
            strengths[n] = ranks.slots[slot_of(total, ranks)]
            flushes[flush_count] = n
            flush_count += (total + THREE_EACH) & FIVE_OR_MORE != 0
        for n in flushes[:flush_count]:
            strengths[n] = max(strengths[n], suited.slots[slot_of(suited_sum(cards[n], numbers), suited)])


@kernel
def suited_sum(row: NDArray[np.uint8], numbers: Integers) -> int:
    """The sum of the cards in the suit with five or more cards."""
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
