"""The published house way of Texas Shootout: which two of four cards the dealer keeps."""

from collections.abc import Sequence
from itertools import combinations


def line(high: int, low: int, suited: bool) -> int:
    """Return the number of the line that two cards match. Line 1 is the best. An ace is 14, a ten is 10."""
    if high == low:
        if high >= 8:
            return 1
        return 3 if suited else 4
    if high == 14 and low >= 11:
        return 2
    if high == 14 and suited:
        return 5
    if low >= 10:
        return 6 if suited else 7
    if high == 14:
        return 8
    if high >= 11:
        return 9 if suited else 10
    if high == low + 1:
        return 11 if suited else 12
    return 13 if suited else 14


def keep(dealt: Sequence[int]) -> list[int]:
    """Return the two cards that the dealer keeps, in the order dealt.

    A card is a number: its rank times four plus its suit, as `hands.cards` reads it.
    """
    chosen: list[int] = []
    chosen_worth: tuple[int, int, int, bool] | None = None
    for one, two in combinations(dealt, 2):
        high, low = max(one >> 2, two >> 2), min(one >> 2, two >> 2)
        suited = one & 3 == two & 3
        worth = (-line(high, low, suited), high, low, suited)
        if chosen_worth is None or worth > chosen_worth:
            chosen, chosen_worth = [one, two], worth
    return chosen
