"""Count how often cards, hands and payments occur, and report each frequency that chance does not explain.

Every count has an exact mean and variance. The counts are examined after 10,000, 20,000, 50,000, 100,000 …
rounds. A count is reported if it differs from its mean by more than five standard deviations. If the cards
are random, the probability that this ever happens on a server is below 1 in 1,000.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt
from typing import Final

from houseway.cards import RANK_WORDS, RANKS, SUIT_WORDS, SUITS, Card

GATE: Final = 5
"""A count is reported if it differs from its mean by more than this number of standard deviations."""
FIRST_LOOK: Final = 10_000
"""The number of rounds after which the counts are examined for the first time."""
STEPS: Final = (1, 2, 5)


def is_look(rounds: int) -> bool:
    """True if the counts are examined after this many rounds: 10,000, 20,000, 50,000, 100,000 …"""
    scale = FIRST_LOOK
    while scale <= rounds:
        if rounds in (scale * step for step in STEPS):
            return True
        scale *= 10
    return False


class ExpectedCount:
    """A count, with its exact mean and variance if the cards are random."""

    __slots__ = ("mean", "seen", "variance")

    def __init__(self) -> None:
        self.seen, self.mean, self.variance = Fraction(), Fraction(), Fraction()

    def add(self, seen: Fraction | int, mean: Fraction, variance: Fraction) -> None:
        """Add an observation with its mean and variance. It must be independent of the earlier ones."""
        self.seen += seen
        self.mean += mean
        self.variance += variance

    @property
    def deviations(self) -> float:
        """The number of standard deviations between the count and its mean."""
        return float(self.seen - self.mean) / sqrt(self.variance) if self.variance else 0.0


class Frequencies:
    """The counts of all rounds dealt from the same number of decks, under the same hand ranking."""

    def __init__(self, decks: int, classes: Mapping[str, int] | None = None) -> None:
        """`classes` has the number of seven-card hands of each class, or is None if hands are not
        counted."""
        self._decks = decks
        self._classes = classes
        self.rounds = 0
        self._dealt: Counter[int] = Counter()
        """For each number of cards, the number of rounds in which that many cards were dealt."""
        self._ranks: Counter[int] = Counter()
        self._suits: Counter[int] = Counter()
        self._made: Counter[str] = Counter()
        self._read = 0
        """The number of hands in `_made`."""
        self._returns: dict[str, ExpectedCount] = {}

    def add(self, cards: Sequence[Card], made: str | None = None) -> None:
        """Add a round: all its cards, and the class of one seven-card hand.

        The hand must be chosen without regard to its cards.
        """
        self.rounds += 1
        self._dealt[len(cards)] += 1
        self._ranks.update(card.rank for card in cards)
        self._suits.update(card.suit for card in cards)
        if made is not None:
            self._made[made] += 1
            self._read += 1

    def add_return(self, wager: str, net: Fraction, mean: Fraction, variance: Fraction) -> None:
        """Add the net result of one wager per unit staked, with its exact mean and variance."""
        self._returns.setdefault(wager, ExpectedCount()).add(net, mean, variance)

    def strange(self) -> Iterator[str]:
        """Yield a sentence for each frequency that chance does not explain."""
        for name, tally in self._expected_counts():
            deviations = tally.deviations
            if abs(deviations) > GATE:
                yield (
                    f"{name}: {float(tally.seen):,.0f} in {self.rounds:,} rounds, expected"
                    f" {float(tally.mean):,.0f} ({abs(deviations):.1f} standard deviations"
                    f" {'above' if deviations > 0 else 'below'})"
                )
        for wager, tally in sorted(self._returns.items()):
            deviations = tally.deviations
            if abs(deviations) > GATE:
                more = "more" if deviations > 0 else "less"
                yield (
                    f"{wager.replace('_', ' ')} returned {more} than its exact value over {self.rounds:,}"
                    f" rounds: {abs(deviations):.1f} standard deviations"
                )

    def _expected_counts(self) -> Iterator[tuple[str, ExpectedCount]]:
        for rank in range(len(RANKS)):
            yield f"cards of rank {RANK_WORDS[rank]}", self._drawn(self._ranks[rank], len(RANKS))
        for suit in range(len(SUITS)):
            yield SUIT_WORDS[suit], self._drawn(self._suits[suit], len(SUITS))
        if self._classes is not None:
            deals = sum(self._classes.values())
            for name, ways in self._classes.items():
                tally, chance = ExpectedCount(), Fraction(ways, deals)
                tally.add(self._made[name], self._read * chance, self._read * chance * (1 - chance))
                yield f"hands of the class {name}", tally

    def _drawn(self, seen: int, kinds: int) -> ExpectedCount:
        """Return the count of one rank or suit, with the mean and variance of drawing without replacement.

        `kinds` is the number of ranks or suits. If several rounds are dealt from the same shoe, they are
        counted as if each had a fresh shoe. The true variance is smaller, so a fault is reported a little
        later, and false alarms are less likely.
        """
        tally, size, chance = ExpectedCount(), 52 * self._decks, Fraction(1, kinds)
        tally.seen = Fraction(seen)
        for cards, rounds in self._dealt.items():
            tally.mean += rounds * cards * chance
            tally.variance += rounds * cards * chance * (1 - chance) * Fraction(size - cards, size - 1)
        return tally
