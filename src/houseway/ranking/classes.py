"""The classes of hands: what five cards must be to be called by a name.

Which class beats which is not said here. A rulebook lists its classes from the best down, and a hand
belongs to the first class of that list whose shape it has, so one set of shapes serves one deck and
six, and a rulebook that leaves a class out simply does not know it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from houseway.cards import RANK_WORDS

HandClass = str
"""A class by its name in table language, such as "full house"."""

Ranks = tuple[int, ...]
"""Ranks of a hand's cards in order of weight: by group size, then rank; a low ace last as -1."""

ACE: Final = 12
LOW_ACE: Final = -1


def weighed(ranks: list[int]) -> Ranks:
    """Five ranks in the order they count: larger groups first, then higher cards."""
    return tuple(sorted(ranks, key=lambda r: (-ranks.count(r), -r)))


def straight(ranks: Ranks) -> Ranks | None:
    """The ranks of a straight from the top, the ace low in A-2-3-4-5, or None."""
    high = tuple(sorted(ranks, reverse=True))
    if high == (ACE, 3, 2, 1, 0):
        return (3, 2, 1, 0, LOW_ACE)
    return high if all(a - b == 1 for a, b in pairwise(high)) else None


def _groups(*sizes: int) -> Callable[[Ranks, bool], Ranks | None]:
    """A shape made of groups of equal ranks, such as three and two."""

    def shape(ranks: Ranks, suited: bool) -> Ranks | None:
        counts = sorted((ranks.count(r) for r in set(ranks)), reverse=True)
        return ranks if tuple(counts) == sizes else None

    return shape


def _suited_five(ranks: Ranks, suited: bool) -> Ranks | None:
    return ranks if suited and len(set(ranks)) == 1 else None


def _royal(ranks: Ranks, suited: bool) -> Ranks | None:
    run = straight(ranks)
    return run if suited and run and run[0] == ACE else None


def _straight_flush(ranks: Ranks, suited: bool) -> Ranks | None:
    return straight(ranks) if suited else None


def _flush(ranks: Ranks, suited: bool) -> Ranks | None:
    # Rank by rank from the top, repeats counted: in six decks a flush may hold pairs.
    return tuple(sorted(ranks, reverse=True)) if suited else None


def _straight(ranks: Ranks, suited: bool) -> Ranks | None:
    return straight(ranks)


def _high_card(ranks: Ranks, suited: bool) -> Ranks | None:
    return ranks


SHAPES: Final[dict[HandClass, Callable[[Ranks, bool], Ranks | None]]] = {
    "suited five of a kind": _suited_five,
    "royal flush": _royal,
    "straight flush": _straight_flush,
    "five of a kind": _groups(5),
    "four of a kind": _groups(4, 1),
    "full house": _groups(3, 2),
    "flush": _flush,
    "straight": _straight,
    "three of a kind": _groups(3, 1, 1),
    "two pair": _groups(2, 2, 1),
    "pair": _groups(2, 1, 1, 1),
    "high card": _high_card,
}
"""Each class and its shape: given weighed ranks and whether all are of one suit, the ranks that
decide between two hands of the class, or None where the cards do not have the shape."""

CLASSES: Final[tuple[HandClass, ...]] = tuple(SHAPES)


def classify(five: list[int], order: Sequence[HandClass], *, suited: bool) -> tuple[int, Ranks]:
    """The place in an order of five cards, given by their ranks, and the ranks that decide within it."""
    ranks = weighed(five)
    for place, name in enumerate(order):
        decides = SHAPES[name](ranks, suited)
        if decides is not None:
            return place, decides
    raise ValueError("the order has no class for these cards; it must end with high card")


def plural(rank: int) -> str:
    """A rank as players say it of several: "nines", "sixes"."""
    word = RANK_WORDS[rank]
    return word + ("es" if word == "six" else "s")


def words(name: HandClass, ranks: Ranks) -> str:
    """A hand in words: "full house, nines over kings"."""
    top = RANK_WORDS[ranks[0]]
    match name:
        case "royal flush":
            return name
        case "straight flush" | "flush" | "straight":
            return f"{name}, {top} high"
        case "suited five of a kind" | "five of a kind" | "four of a kind" | "three of a kind":
            return f"{name}, {plural(ranks[0])}"
        case "full house":
            return f"{name}, {plural(ranks[0])} over {plural(ranks[3])}"
        case "two pair":
            return f"{name}, {plural(ranks[0])} and {plural(ranks[2])}"
        case "pair":
            return f"pair of {plural(ranks[0])}"
        case _:
            return f"{top} high"
