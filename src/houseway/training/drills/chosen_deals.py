"""Deals in which rare hands are frequent: often one hand has a class that is chosen at random."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from houseway.cards import DECK, Card
from houseway.rules.rulebook import Rulebook
from houseway.shoe.seeded_draws import RandomSource

ALIKE = {
    "five of a kind": (5,),
    "four of a kind": (4, 1),
    "full house": (3, 2),
    "three of a kind": (3, 1, 1),
    "two pair": (2, 2, 1),
    "pair": (2, 1, 1, 1),
}
"""For each class made of cards of equal rank: how many cards share each rank."""


def _suited(ranks: Sequence[int], suit: int) -> list[Card]:
    return [DECK[rank * 4 + suit] for rank in ranks]


def _mixed(rng: RandomSource, ranks: Sequence[int], decks: int) -> list[Card]:
    """Return cards of these ranks, not all of one suit, and no card more often than there are decks."""
    while True:
        cards = [DECK[rank * 4 + rng.randrange(4)] for rank in ranks]
        if max(Counter(cards).values()) <= decks and len({c.suit for c in cards}) > 1:
            return cards


def five_of(rng: RandomSource, name: str, decks: int = 1) -> list[Card]:
    """Return five cards that make a hand of this class, in random order."""
    ranks = rng.sample(range(13), 4)
    low, suit = rng.randrange(-1, 8), rng.randrange(4)
    run = [(low + n) % 13 for n in range(5)]
    if name in ALIKE:
        same_ranks = [rank for rank, count in zip(ranks, ALIKE[name], strict=False) for _ in range(count)]
        five = _mixed(rng, same_ranks, decks)
    elif name == "suited five of a kind":
        five = _suited([ranks[0]] * 5, suit)
    elif name == "royal flush":
        five = _suited(range(8, 13), suit)
    elif name == "straight flush":
        five = _suited(run, suit)
    elif name == "flush":
        five = _suited(rng.sample(range(13), 5), suit)
    elif name == "straight":
        five = _mixed(rng, run if rng.random() < 0.8 else range(8, 13), decks)
    else:
        five = _mixed(rng, rng.sample(range(13), 5), decks)
    rng.shuffle(five)
    return five


class _CardStock:
    """The cards of a round: some placed on purpose, the rest drawn at random."""

    def __init__(self, rng: RandomSource, decks: int) -> None:
        self.rng = rng
        self.left = Counter(dict.fromkeys(DECK, decks))

    def take(self, cards: Sequence[Card]) -> bool:
        """Remove these cards and return True, or return False if any of them is used up."""
        counts = Counter(cards)
        if any(self.left[c] < n for c, n in counts.items()):
            return False
        self.left -= counts
        return True

    def draw(self, count: int) -> list[Card]:
        """Draw cards at random."""
        drawn: list[Card] = []
        while len(drawn) < count:
            card = DECK[self.rng.randrange(52)]
            if self.left[card]:
                self.left[card] -= 1
                drawn.append(card)
        return drawn


def chosen_deal(
    rng: RandomSource, book: Rulebook, hands: int, size: int
) -> tuple[list[Card], list[list[Card]]]:
    """Return a board and the hands, the dealer's last; often one of them has a class picked at random."""
    decks = book.ranking.decks
    stock = _CardStock(rng, decks)
    board: list[Card | None] = [None] * 5
    held: list[list[Card]] = [[] for _ in range(hands)]
    if rng.random() < 0.75:
        five = five_of(rng, rng.choice(book.ranking.order), decks)
        own = rng.choice((0, 1, 2, 2, 2))
        lucky = rng.randrange(hands)
        if stock.take(five):
            held[lucky] = five[:own]
            spots = [0, 1, 2] if own == 2 and rng.random() < 0.7 else rng.sample(range(5), 5 - own)
            for spot, card in zip(spots, five[own:], strict=True):
                board[spot] = card
    filled = [card or stock.draw(1)[0] for card in board]
    for hand in held:
        if size == 4 and not hand and rng.random() < 0.3:
            # Four cards that may be split are too rare in random deals.
            pairs = _mixed(rng, [r for r in rng.choices(range(13), k=2) for _ in range(2)], decks)
            if stock.take(pairs):
                hand += pairs
        hand += stock.draw(size - len(hand))
        rng.shuffle(hand)
    return filled, held
