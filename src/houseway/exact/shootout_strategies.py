"""Strategies for Texas Shootout: what a strategy does with each set of four cards, and its exact value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from houseway.cards import SUITS
from houseway.engine.terms import Terms
from houseway.exact import shootout
from houseway.exact.kernels.shootout import CARDS, FOUR, ORDERS
from houseway.exact.numbering import Integers, multiset_number
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.shootout import best_play, bonus_value, class_shares, envy_value
from houseway.exact.shootout_game import (
    KEEPS,
    RANK,
    SUIT,
    ShootoutArrays,
    grades_of,
    orders_kept,
    read_game,
)
from houseway.exact.shootout_hands import Hands, Progress
from houseway.exact.shootout_play import SplitPlay, choose, fours, play, splits_allowed
from houseway.exact.strategies import suggest_strategy
from houseway.ranking import HandClass

BEST, NEVER, HOUSE = "best", "never", "house"
STRATEGIES: Final[Mapping[str, str]] = {
    BEST: "the highest value, splitting if the rulebook allows it",
    NEVER: "the two cards with the highest value, never splitting",
    HOUSE: "like the dealer: the house way, never splitting",
}
SPLIT: Final = 1 << FOUR
"""The bit of a choice that means a split: the other two cards are played as well."""


@dataclass(frozen=True, slots=True, eq=False)
class PricedShootout:
    """The exact value of a strategy over all four-card hands."""

    value: Fraction
    """The expected result of a round per primary wager."""
    hands: Fraction
    """The average number of hands that a player plays in a round. A split plays two."""
    terms: Terms
    played: SplitPlay

    def bonus(self) -> Fraction:
        """The expected result of a round's bonuses, one on every hand, under the pay table in use."""
        terms = self.terms
        return self.hands * bonus_value(terms.rulebook, terms.tables["bonus"], _classes(self)).value

    def envy(self) -> Fraction:
        """The average envy bonus for one other hand, in cents."""
        return envy_value(self.terms, _classes(self))


@lru_cache(maxsize=4)
def _classes(priced: PricedShootout) -> tuple[tuple[HandClass, Fraction], ...]:
    """Return how often a hand makes each class."""
    return class_shares(read_game(priced.terms.rulebook), priced.played, priced.terms.order)


def choices(
    terms: Terms, name: str, *, threads: int | None = None, progress: Progress | None = None
) -> NDArray[np.int8]:
    """Return a strategy's choice for each set of four cards: the positions to keep, as bits, and the bit
    SPLIT.

    The array is empty for the house way, because its choice depends on the dealing order. Counting the best
    choices takes minutes, once per rulebook.
    """
    if name not in STRATEGIES:
        raise UnsolvableError(f"there is no strategy named {name!r}; {suggest_strategy(name, STRATEGIES)}")
    if name == HOUSE:
        return np.zeros(0, np.int8)
    hands = shootout.hands_of(terms.rulebook, threads, progress)
    game = read_game(terms.rulebook)
    return _rename_suits(game.decks, *choose(hands, game.decks, _allowed(game, terms, name)))


def price(terms: Terms, name: str) -> PricedShootout | None:
    """Return the exact value of a strategy, or None if the rulebook has not been counted yet."""
    hands = shootout.cached_hands(terms.rulebook)
    return None if hands is None else _price(terms, name, hands)


@lru_cache(maxsize=4)
def _price(terms: Terms, name: str, hands: Hands) -> PricedShootout:
    game = read_game(terms.rulebook)
    if name == HOUSE:
        played, copies = _play_house_way(game, terms, hands), ORDERS
    else:
        played, copies = play(hands, game.decks, _allowed(game, terms, name)), 1
    dealt = best_play(game, played)
    return PricedShootout(dealt.value / copies, dealt.staked, terms, played)


def _allowed(game: ShootoutArrays, terms: Terms, name: str) -> NDArray[np.bool_]:
    allowed = splits_allowed(game.decks, terms)
    return allowed if name == BEST else np.zeros_like(allowed)


def _play_house_way(game: ShootoutArrays, terms: Terms, hands: Hands) -> SplitPlay:
    """Return the play of the house way, summed over all sets of four cards in every dealing order."""
    way = terms.rulebook.house_way
    assert way is not None  # read_game requires one.
    dealt, grades = fours(game.decks), grades_of(way)
    weight = orders_kept(grades, dealt.cards) * dealt.weight[:, None]
    worths = hands.by_discards[dealt.start, dealt.discards]
    played = np.zeros(hands.by_discards.shape, np.int64)
    np.add.at(played, (dealt.start, dealt.discards), weight)
    return SplitPlay(int((weight.astype(object) * worths).sum()), 0, played)


def _rename_suits(decks: int, one: Integers, splits: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Copy the choice for each listed four-card hand to all hands that differ only in the names of
    suits."""
    cards = fours(decks).cards
    places = np.array(KEEPS)[one]
    choices_by_four = np.zeros(comb(CARDS + FOUR - 1, FOUR), np.int8)
    for names in permutations(range(len(SUITS))):
        renamed = len(SUITS) * RANK[cards] + np.array(names)[SUIT[cards]]
        order = np.argsort(renamed, axis=1, kind="stable")
        kept = (order[:, :, None] == places[:, None, :]).any(axis=2)
        bits = (kept << np.arange(FOUR)).sum(axis=1) + SPLIT * splits
        choices_by_four[multiset_number(np.take_along_axis(renamed, order, axis=1))] = bits
    return choices_by_four
