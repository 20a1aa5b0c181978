"""The classes of hands (pair, flush and so on): their shapes, and the ranks that decide between two hands
of the same class.

The order of the classes is not defined here. A rulebook lists its classes from the best down, and a hand
belongs to the first class in that list whose shape it has. The same shapes therefore work for one deck and
for six, and a rulebook may leave a class out.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import Final

from houseway.cards import RANK_WORDS

HandClass = str
"""The name of a class, such as "full house"."""

Ranks = tuple[int, ...]
"""The ranks of a hand's cards, most important first: by group size, then by rank. A low ace is -1."""

CARD_ORDER: Final = "AKQJT98765432"
"""The ranks from the highest down, as both evaluators compare them."""
KICKERS: Final = "same class and defining ranks first, then the highest card not shared"
"""How both evaluators compare hands of the same class. Rulebooks and records contain this exact text."""
KICKERS_RULE: Final = (
    "two hands of the same class: compare the cards that make the class (such as the pair), then the other "
    "cards, highest first"
)
"""The same rule in the words of a rules card."""
ACE: Final = 12
LOW_ACE: Final = -1


def weighed(ranks: Ranks) -> Ranks:
    """Return five ranks in order of importance: larger groups first, then higher cards."""
    return tuple(sorted(ranks, key=lambda r: (-ranks.count(r), -r)))


def straight(ranks: Ranks) -> Ranks | None:
    """Return the ranks of a straight from the top (the ace is low in A-2-3-4-5), or None."""
    high = tuple(sorted(ranks, reverse=True))
    if high == (ACE, 3, 2, 1, 0):
        return (3, 2, 1, 0, LOW_ACE)
    return high if all(a - b == 1 for a, b in pairwise(high)) else None


def _groups(*sizes: int) -> Callable[[Ranks, bool], Ranks | None]:
    """Return a shape made of groups of equal ranks, such as three and two."""

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
    # Repeated ranks stay in: with six decks a flush may contain pairs.
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
"""A function for each class. It takes the weighed ranks and whether all cards have the same suit. It
returns the ranks that decide between two hands of the class, or None if the cards do not have its shape."""

CLASSES: Final[tuple[HandClass, ...]] = tuple(SHAPES)


@lru_cache(maxsize=1 << 14)
def classify(five: Ranks, order: tuple[HandClass, ...], *, suited: bool) -> tuple[int, Ranks]:
    """Return the position of the hand's class in `order`, and the ranks that decide within the class."""
    ranks = weighed(five)
    for place, name in enumerate(order):
        decides = SHAPES[name](ranks, suited)
        if decides is not None:
            return place, decides
    raise ValueError("no class in the order fits these cards; end the order with high card")


def plural(rank: int) -> str:
    """Return the plural of a rank: "nines", "sixes"."""
    word = RANK_WORDS[rank]
    return word + ("es" if word == "six" else "s")


def words(name: HandClass, ranks: Ranks) -> str:
    """Return a hand in words: "full house, nines over kings"."""
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
