"""Check a fact group that reads cards, by calling its `index` and `describe` with many hands.

A fact group turns a hand into the facts that decide what a side bet pays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, cycle, permutations, product
from typing import Final

from houseway.cards import DECK
from houseway.ranking import CLASSES, read
from houseway.rules.fact_groups.base import CardGroup, Inputs, Payment, subject, written_numbers

Numbers = Sequence[int]

RENAMED: Final = tuple(permutations(range(4)))
"""The 24 ways to rename the suits."""
ORDERS: Final = tuple(hole + flop for hole in permutations((0, 1)) for flop in permutations((2, 3, 4)))
"""The 12 orders of the hole cards and the flop; the first is the order dealt."""
SUITS: Final = ((0, 1, 2, 3, 0), (0, 0, 0, 0, 0), (0, 0, 0, 0, 1))
"""Suit patterns for the sampled hands: the suit of each card, from the lowest rank to the highest."""


@cache
def group_fault(group: CardGroup) -> str | None:
    """Return a sentence that says what is wrong with a group, or None.

    Every two-card hand is tried; five-card hands are sampled.
    """
    examples: dict[int, Numbers] = {}
    try:
        for hand, order in _two_card_cases() if group.reads is Inputs.HOLE else _five_card_cases():
            reordered = [hand[place] for place in order]
            suits = list(dict.fromkeys(number % 4 for number in reordered))
            renamed = [number - number % 4 + suits.index(number % 4) for number in reordered]
            examples.setdefault(common_index(group, hand, reordered, renamed), hand)
        for hand in examples.values():
            _describe(group, hand)
    except ValueError as error:
        return str(error)
    return None


def common_index(group: CardGroup, hand: Numbers, reordered: Numbers, renamed: Numbers) -> int:
    """Return the index of a hand; raises ValueError if another order or other suits change it."""
    cell = group.checked_index(*hand)
    order = "the order of the cards must not matter"
    suits = "a group may test whether suits match, but not which suit it is"
    for one, other, rule in ((hand, reordered, order), (reordered, renamed, suits)):
        if group.checked_index(*other) != cell:
            pair = f"{written_numbers(one)} and {written_numbers(other)}"
            raise ValueError(f"the fact group {group.name!r} has different values for {pair}; {rule}")
    return cell


def _two_card_cases() -> Iterator[tuple[Numbers, Numbers]]:
    """Yield every two-card hand, with the permutation that swaps it."""
    return (((high, low), (1, 0)) for low, high in combinations(range(len(DECK)), 2))


def _five_card_cases() -> Iterator[tuple[Numbers, Numbers]]:
    """Yield a five-card hand for every choice of ranks and suit pattern, with a permutation to reorder it.

    The hands themselves are in varying orders and suits.
    """
    shapes = product(combinations_with_replacement(range(13), 5), SUITS)
    sets = ([4 * rank + suit for rank, suit in zip(*shape, strict=True)] for shape in shapes)
    distinct = (cards for cards in sets if len(set(cards)) == len(cards))
    cases = zip(distinct, cycle(permutations(range(5))), cycle(RENAMED), cycle(ORDERS[1:]), strict=False)
    for cards, dealt, suits, order in cases:
        yield [cards[place] // 4 * 4 + suits[cards[place] % 4] for place in dealt], order


def _describe(group: CardGroup, hand: Numbers) -> None:
    """Describe a hand on a complete board; raises ValueError if that fails."""
    rest = [card for card in DECK if card.number not in hand]
    seven = [*(DECK[number] for number in hand), *rest][:7]
    own = read(seven, CLASSES)
    settled = Payment(
        "win", "odds", 0, folded=False, hole=seven[:2], flop=seven[2:5], own=own, dealer=None,
        unqualified=False, pays_by_hand=True, first_five=None, highest=lambda: None,
    )  # fmt: skip
    try:
        subject(group.describe(settled))
    except Exception as error:  # a user's group may raise any exception
        wrong = f"the fact group {group.name!r} cannot describe {written_numbers(hand)}: {error!r}"
        raise ValueError(f"{wrong}; describe must return a string") from error
