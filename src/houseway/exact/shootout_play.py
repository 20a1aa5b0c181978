"""The best play in Texas Shootout for every set of four cards that a player can be dealt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, SUITS
from houseway.engine.read_shootout import may_split
from houseway.engine.terms import Terms
from houseway.exact.kernels.shootout import CARDS, FOUR
from houseway.exact.numbering import Integers, multiset_number, repeats
from houseway.exact.shootout_game import KEEPS, PAIRS, RANK, SUIT
from houseway.exact.shootout_hands import STARTS, Hands, Whole, discard_indices


@dataclass(frozen=True, slots=True, eq=False)
class Fours:
    """All four-card hands. Hands that differ only in the names of suits are listed once."""

    cards: Integers
    weight: Integers
    """How many four-card hands of a full shoe each listed hand represents."""
    start: Integers
    discards: Integers
    """For each way to keep two cards, the index of the two kept and the index of the two discarded."""


@dataclass(frozen=True, slots=True, eq=False)
class SplitPlay:
    """The best play of all four-card hands under one splitting rule."""

    total: int
    """The total result, in the integer units of `Hands`."""
    split: int
    """The number of four-card hands that are split."""
    hands: Integers
    """How often each two-card hand is played with each two discards. A split counts as two such hands."""


@cache
def fours(decks: int) -> Fours:
    """List the four-card hands that a shoe can deal."""
    listed = np.array(list(combinations_with_replacement(range(CARDS), FOUR)), np.int64)
    least = np.arange(len(listed))
    where = np.argsort(multiset_number(listed))
    for names in permutations(range(len(SUITS))):
        renamed = np.sort(len(SUITS) * RANK[listed] + np.array(names)[SUIT[listed]], axis=1)
        least = np.minimum(least, where[multiset_number(renamed)])
    again = repeats(listed)
    ways = (decks - again).prod(axis=1) // (again + 1).prod(axis=1)
    chosen, back = np.unique(least, return_inverse=True)
    weight = np.zeros(len(chosen), np.int64)
    np.add.at(weight, back, ways)
    cards = listed[chosen][weight > 0]
    indices = [
        discard_indices(cards[:, keep], cards[:, rest])
        for keep, rest in zip(KEEPS, KEEPS[::-1], strict=True)
    ]
    start, discards = (np.stack(part, axis=1) for part in zip(*indices, strict=True))
    return Fours(cards, weight[weight > 0], start, discards)


def splits_allowed(decks: int, terms: Terms) -> NDArray[np.bool_]:
    """Return, for every set of four cards, True if the rulebook allows a split."""
    return np.array([may_split([DECK[n] for n in four], terms) for four in fours(decks).cards.tolist()])


def choose(hands: Hands, decks: int, allowed: NDArray[np.bool_]) -> tuple[Integers, NDArray[np.bool_]]:
    """For every set of four cards, return the best of `KEEPS`, and True if the player splits.

    If keeping two cards has the same value as splitting, the player does not split.
    """
    worths, both = _worths(hands, decks)
    splits = allowed & (both.max(axis=1) > worths.max(axis=1)).astype(bool)
    return np.where(splits, _first_best(both), _first_best(worths)), splits


def _worths(hands: Hands, decks: int) -> tuple[Whole, Whole]:
    """Return the total result of every way to keep two cards, and of every way to split."""
    dealt = fours(decks)
    worths: Whole = hands.by_discards[dealt.start, dealt.discards]
    return worths, worths[:, :3] + worths[:, :2:-1]


def play(hands: Hands, decks: int, allowed: NDArray[np.bool_]) -> SplitPlay:
    """Return the best play if the player may split the `allowed` four-card hands."""
    dealt = fours(decks)
    worths, both = _worths(hands, decks)
    one, splits = choose(hands, decks, allowed)
    rows = np.arange(len(one))
    played = np.zeros((len(STARTS), len(PAIRS)), np.int64)
    np.add.at(played, (dealt.start[rows, one], dealt.discards[rows, one]), dealt.weight)
    rows, other = rows[splits], (len(KEEPS) - 1 - one)[splits]
    np.add.at(played, (dealt.start[rows, other], dealt.discards[rows, other]), dealt.weight[splits])
    total = dealt.weight.astype(object) @ np.where(splits, both.max(axis=1), worths.max(axis=1))
    return SplitPlay(int(total), int(dealt.weight[splits].sum()), played)


def _first_best(worths: NDArray[Any]) -> Integers:
    return np.asarray((worths == worths.max(axis=1)[:, None]).argmax(axis=1), np.int64)
