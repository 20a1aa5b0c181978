"""Chips in the dealer's tray: their values, the chips that make an amount, and the total of a stack.

A stack is a dictionary from chip values in cents to numbers of chips: `{500: 4, 100: 2, 50: 1}` is $22.50.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import gcd, inf
from typing import Final

from houseway.engine.script import chip_values
from houseway.engine.table import Table
from houseway.money import cents
from houseway.rules.catalogue import shared

CENT: Final = 1
"""The key for single cents in a stack. `make` uses it for the part of an amount that no chips can pay."""
TRAY: Final = tuple(cents(text.strip()) for text in shared("training.toml")["chip_values"].split(","))
"""The chip values, in cents, of a table whose house sets none."""
MOST_REMAINDERS: Final = 10_000
"""The largest table of remainders that exact change may need. Real trays need fewer than 100."""


def tray_values(table: Table) -> tuple[int, ...]:
    """Return the chip values of a table in cents, largest first."""
    return tuple(chip_values(table)) or TRAY


def total(stack: Mapping[int, int]) -> int:
    """Return the sum of a stack in cents.

    >>> total({500: 4, 100: 2, 50: 1})
    2250
    """
    return sum(value * count for value, count in stack.items())


def add_chips(one: Mapping[int, int], other: Mapping[int, int]) -> dict[int, int]:
    """Return two stacks as one.

    >>> add_chips({500: 1}, {500: 2, 50: 1})
    {500: 3, 50: 1}
    """
    return {value: one.get(value, 0) + other.get(value, 0) for value in (*one, *(set(other) - set(one)))}


def make(values: Sequence[int], amount: int) -> dict[int, int]:
    """Return an amount as a stack that pays as much as possible with chips, the largest chips first.

    The house rounds to cents, so an amount may end below the smallest chip. Cents that no chips can pay are
    added as single cents.

    >>> make((2500, 500, 100, 50), 2250)
    {500: 4, 100: 2, 50: 1}
    >>> make((500, 250, 200), 600)
    {200: 3}
    >>> make((500, 100), 612)
    {500: 1, 100: 1, 1: 12}
    """
    ordered = _exact_tray(values)
    if not ordered:
        return {CENT: amount} if amount else {}
    step = gcd(*ordered)
    cents_left = next(
        odd for odd in range(amount % step, amount + 1, step) if _can_pay(ordered, amount - odd)
    )
    rest, stack = amount - cents_left, {}
    for place, value in enumerate(ordered, 1):
        count = rest // value
        while not _can_pay(ordered[place:], rest - count * value):
            count -= 1
        rest -= count * value
        if count:
            stack[value] = count
    return stack | ({CENT: cents_left} if cents_left else {})


def _exact_tray(values: Sequence[int]) -> tuple[int, ...]:
    """Return the chip values for exact change, largest first.

    Exact change needs a table of remainders (`_least_sums`). If the values would make it too large, only
    multiples of the smallest chip are used.
    """
    ordered = tuple(sorted(set(values), reverse=True))
    if not ordered or ordered[-1] // gcd(*ordered) <= MOST_REMAINDERS:
        return ordered
    return tuple(value for value in ordered if value % ordered[-1] == 0)


def _can_pay(values: tuple[int, ...], amount: int) -> bool:
    """True if chips of these values, largest first, can make the amount exactly."""
    if not values:
        return amount == 0
    step = gcd(*values)
    if amount % step:
        return False
    return amount >= _least_sums(values)[amount % values[-1] // step]


@lru_cache(maxsize=256)
def _least_sums(values: tuple[int, ...]) -> tuple[float, ...]:
    """Return the least sum for each remainder after division by the smallest chip.

    Adding smallest chips reaches every larger sum with the same remainder. Remainders are counted in steps
    of the greatest common divisor.
    """
    step = gcd(*values)
    smallest = values[-1] // step
    least: list[float] = [0, *(inf for _ in range(smallest - 1))]
    for value in (value // step for value in values[:-1]):
        circles = gcd(value, smallest)
        for start in range(circles):
            # Adding the chip again and again visits every remainder of a circle. The second time around
            # carries the least sum past the point where the first time began.
            remainder = start
            for _ in range(2 * (smallest // circles)):
                following = (remainder + value) % smallest
                least[following] = min(least[following], least[remainder] + value)
                remainder = following
    return tuple(total * step for total in least)


def change(values: Sequence[int], stack: Mapping[int, int]) -> dict[int, int]:
    """Return a stack coloured up: the same sum in the largest chips.

    >>> change((2500, 500, 100), {100: 27})
    {2500: 1, 100: 2}
    """
    return make(values, total(stack))


def unknown_chips(values: Sequence[int], stack: Mapping[int, int]) -> tuple[int, ...]:
    """Return the values in a stack that the table's tray does not have."""
    return tuple(value for value, count in stack.items() if count and value not in values)
