"""Read cards, and rank hands by counting ranks and suits."""

import re
from collections.abc import Sequence

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NUMBER = {r + s: (n + 2) * 4 + k for n, r in enumerate(RANKS) for k, s in enumerate(SUITS)}
NAME = {number: name for name, number in NUMBER.items()}
READ: dict[str, int] = {
    shown: number
    for name, number in NUMBER.items()
    for shown in {name, name.lower(), name.upper(), name[0].lower() + name[1].upper()}
}
SEPARATORS = re.compile(r"[\s,;:/|_-]+")

# The classes of hands of one deck.
HIGH, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL = range(10)
# With six decks, the classes up to four of a kind are the same; these follow. A royal flush is the highest
# straight flush.
FIVE, SIX_DECK_STRAIGHT_FLUSH, SUITED_FIVE = 8, 9, 10

Best = tuple[int, ...]


def cards(text: object) -> list[int]:
    """Read a text such as "Ah Kd" as numbers (rank times four plus suit).

    Raise ValueError if that fails.
    """
    if not isinstance(text, str):
        raise ValueError("is not a text of cards")
    packed = SEPARATORS.sub("", text)
    if len(packed) % 2:
        raise ValueError("is not a row of two-letter cards")
    numbers = []
    for at in range(0, len(packed), 2):
        number = READ.get(packed[at : at + 2])
        if number is None:
            raise ValueError(f"has no card {packed[at : at + 2]!r}")
        numbers.append(number)
    return numbers


def straight_top(ranks: int) -> int:
    """Return the top rank of the best straight in a bit mask of ranks, or 0."""
    if ranks & 1 << 14:
        ranks |= 2
    runs = ranks & ranks >> 1 & ranks >> 2 & ranks >> 3 & ranks >> 4
    return runs.bit_length() + 3 if runs else 0


def below_flush_kinds(groups: list[int], ranks: int) -> Best:
    """Return the class and the deciding ranks of a hand without a flush or better.

    `groups` has sixteen times the count plus the rank, for each rank, highest first. `ranks` is a bit mask.
    """
    top = straight_top(ranks)
    if top:
        return (STRAIGHT, top)
    first = groups[0] & 15
    if groups[0] >= 48:
        return (THREE, first, groups[1] & 15, groups[2] & 15)
    if groups[0] >= 32:
        if groups[1] >= 32:
            second = groups[1] & 15
            return (TWO_PAIR, first, second, max(g & 15 for g in groups[2:]))
        return (PAIR, first, groups[1] & 15, groups[2] & 15, groups[3] & 15)
    return (HIGH, first, groups[1] & 15, groups[2] & 15, groups[3] & 15, groups[4] & 15)


def one_deck(hand: Sequence[int]) -> Best:
    """Return the class and the deciding ranks of the best five of five or seven cards of one deck."""
    counts = [0] * 15
    suits = [0, 0, 0, 0]
    ranks = 0
    for card in hand:
        counts[card >> 2] += 1
        suits[card & 3] += 1
        ranks |= 1 << (card >> 2)
    suited: list[int] = []
    if max(suits) >= 5:
        suit = suits.index(max(suits))
        suited = sorted((card >> 2 for card in hand if card & 3 == suit), reverse=True)
        bits = 0
        for rank in suited:
            bits |= 1 << rank
        top = straight_top(bits)
        if top == 14:
            return (ROYAL,)
        if top:
            return (STRAIGHT_FLUSH, top)
    # Sorting by sixteen times the count plus the rank sorts by count, then by rank.
    groups = sorted((counts[r] * 16 + r for r in range(2, 15) if counts[r]), reverse=True)
    first = groups[0] & 15
    if groups[0] >= 64:
        return (FOUR, first, max(g & 15 for g in groups[1:]))
    if groups[0] >= 48 and groups[1] >= 32:
        return (FULL_HOUSE, first, groups[1] & 15)
    if suited:
        return (FLUSH, *suited[:5])
    return below_flush_kinds(groups, ranks)


def six_decks(hand: Sequence[int]) -> Best:
    """Return the class and the deciding ranks of the best five of seven cards of six decks."""
    counts = [0] * 15
    suits = [0, 0, 0, 0]
    ranks = 0
    for card in hand:
        counts[card >> 2] += 1
        suits[card & 3] += 1
        ranks |= 1 << (card >> 2)
    suited: list[int] = []
    if max(suits) >= 5:
        for card in hand:
            if hand.count(card) >= 5:
                return (SUITED_FIVE, card >> 2)
        suit = suits.index(max(suits))
        suited = sorted((card >> 2 for card in hand if card & 3 == suit), reverse=True)
        bits = 0
        for rank in suited:
            bits |= 1 << rank
        top = straight_top(bits)
        if top:
            return (SIX_DECK_STRAIGHT_FLUSH, top)
    groups = sorted((counts[r] * 16 + r for r in range(2, 15) if counts[r]), reverse=True)
    first = groups[0] & 15
    if groups[0] >= 80:
        return (FIVE, first)
    if groups[0] >= 64:
        return (FOUR, first, max(g & 15 for g in groups[1:]))
    if groups[0] >= 48 and groups[1] >= 32:
        return (FULL_HOUSE, first, groups[1] & 15)
    if suited:
        return (FLUSH, *suited[:5])
    return below_flush_kinds(groups, ranks)
