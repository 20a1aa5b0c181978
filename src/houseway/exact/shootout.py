"""Exact analysis of Texas Shootout: the value of every choice, of best play, of the bonus bet and of envy.

Nothing is simulated. A hand's results are summed over all boards and dealer hands (see `shootout_hands`),
so the house edge is an exact fraction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from houseway.cards import Card, codes
from houseway.engine.read_shootout import may_split
from houseway.engine.terms import Terms, read_terms
from houseway.exact import shootout_hands
from houseway.exact.kernels.shootout import BOARD, CARDS, FOUR
from houseway.exact.pay_arrays import UnsolvableError, net, terms_of
from houseway.exact.shootout_game import KEEPS, PAIRS, ShootoutArrays, read_game
from houseway.exact.shootout_hands import (
    NAMES,
    STARTS,
    Hands,
    Progress,
    discard_indices,
    left_by,
    store,
    stored,
)
from houseway.exact.shootout_play import SplitPlay, play, splits_allowed
from houseway.money import Flat
from houseway.ranking import HandClass
from houseway.rules.compile import Outcome
from houseway.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Move:
    """One way to play four cards."""

    action: str
    """For example "keep As Ad" or "split As Ad / Kh Kd"."""
    value: Fraction
    """The expected result per primary wager. For a split, the sum over both of its wagers."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """The value of best play under one splitting rule."""

    value: Fraction
    """The expected result of a round per primary wager."""
    split: Fraction
    """How often the four cards are split."""

    @property
    def staked(self) -> Fraction:
        """The average stake in primary wagers."""
        return 1 + self.split

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit staked."""
        return -self.value / self.staked


@dataclass(frozen=True, slots=True)
class TwoCards:
    """One of the 182 two-card hands."""

    name: str
    """For example "AKs", "98o" or "77s". A suited pair is two copies of one card."""
    value: Fraction
    """The expected result per primary wager if the two discards are unknown."""
    played: Fraction
    """How often a player plays this hand in a round, under best play. A split plays two hands."""
    dealer: Fraction
    """How often the dealer keeps this hand."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """The value of the Shootout Bonus under one pay table, and how often it wins.

    The primary wager is played in the best way, and every hand has one bonus wager.
    """

    value: Fraction
    hits: Fraction


@dataclass(frozen=True, slots=True)
class ShootoutSolution:
    """The complete solution of a game."""

    rulebook: str
    hash: str
    deals: int
    best: BestPlay
    """Best play under the rulebook's own splitting rule."""
    any_split: BestPlay
    """Best play if any four cards may be split."""
    no_split: BestPlay
    """Best play if splitting is not allowed."""
    hands: tuple[TwoCards, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The lines of the house way, and how often each decides."""
    classes: tuple[tuple[str, Fraction], ...]
    """How often a hand under best play makes each class."""
    bonus: tuple[tuple[str, SideBet], ...]
    """The value of the bonus under each of its pay tables."""
    envy: Fraction
    """The average envy bonus, in cents, that an eligible player is paid for each hand of another player."""


def solve(
    game: Terms | Rulebook, *, threads: int | None = None, progress: Progress | None = None
) -> ShootoutSolution:
    """Solve Texas Shootout under these terms, with the stored counts for the rulebook if there are any.

    After each of the 182 two-card hands, `progress` is called with the number of finished hands and 182.
    """
    terms = terms_of(game)
    book = terms.rulebook
    arrays = read_game(book)
    hands = hands_of(book, threads, progress)
    allowed = splits_allowed(arrays.decks, terms)
    best, any_split, no_split = (
        play(hands, arrays.decks, rule) for rule in (allowed, np.ones_like(allowed), np.zeros_like(allowed))
    )
    shoe = CARDS * arrays.decks
    classes = class_shares(arrays, best, terms.order)
    way = book.house_way
    return ShootoutSolution(
        book.id,
        book.hash,
        comb(shoe, FOUR) * _deals(shoe - FOUR),
        best_play(arrays, best),
        best_play(arrays, any_split),
        best_play(arrays, no_split),
        _two_cards(arrays, hands, best),
        tuple(
            (line.text, share) for line, share in zip(way.lines if way else (), arrays.lines, strict=True)
        ),
        classes,
        tuple((name, bonus_value(book, name, classes)) for name in book.tables.get("bonus", {})),
        envy_value(terms, classes),
    )


def odds(game: Terms | Rulebook, four: Sequence[Card], *, threads: int | None = None) -> list[Move]:
    """Return the value of every choice for four cards against the house way, best first.

    This takes a second or two, or almost no time if the rulebook has been solved before.
    """
    terms = terms_of(game)
    book = terms.rulebook
    arrays = read_game(book)
    _check_four(four, arrays.decks)
    numbers = [card.number for card in four]
    ways = {tuple(sorted(numbers[n] for n in keep)): keep for keep in reversed(KEEPS)}
    worths = dict(zip(ways, _worths(book, arrays, numbers, list(ways.values()), threads), strict=True))
    each = Fraction(1, arrays.unit * arrays.scale * _deals(CARDS * arrays.decks - FOUR))
    choices = [Move(f"keep {_held(four, keep)}", worths[hand] * each) for hand, keep in ways.items()]
    if may_split(four, terms):
        splits: dict[tuple[tuple[int, ...], ...], Move] = {}
        for keep, rest in zip(KEEPS[:3], KEEPS[:2:-1], strict=True):
            both = tuple(sorted(tuple(sorted(numbers[n] for n in part)) for part in (keep, rest)))
            value = sum(worths[hand] for hand in both) * each
            splits.setdefault(both, Move(f"split {_held(four, keep)} / {_held(four, rest)}", value))
        choices += splits.values()
    # The sort is stable and splits are last in the list. So a split comes after a choice of equal value
    # with a smaller stake.
    return sorted(choices, key=lambda choice: -choice.value)


def _held(four: Sequence[Card], places: Sequence[int]) -> str:
    return codes(four[n] for n in places)


def _check_four(four: Sequence[Card], decks: int) -> None:
    if len(four) != FOUR:
        raise ValueError(f"a hand must have four cards, such as As Ad Kh Kd (got {len(four)})")
    for card, copies in Counter(four).items():
        if copies > decks:
            raise ValueError(
                f"the {card.words} ({card}) is given too often (got {copies}); the shoe has only {decks}"
            )


def _worths(
    book: Rulebook,
    game: ShootoutArrays,
    numbers: list[int],
    keeps: list[tuple[int, ...]],
    threads: int | None,
) -> list[int]:
    """Return the total result of keeping each two of the four cards.

    The results come from the cache. If the rulebook is not in the cache, only these are counted.
    """
    hands = cached_hands(book)
    held = np.array(numbers)
    if hands is not None:
        rests = [KEEPS[len(KEEPS) - 1 - KEEPS.index((keep[0], keep[1]))] for keep in keeps]
        start, discards = discard_indices(held[np.array(keeps)], held[np.array(rests)])
        return [int(total) for total in hands.by_discards[start, discards]]
    left = left_by(game, numbers)
    with ThreadPoolExecutor(threads) as pool:
        kept = [(numbers[one], numbers[other]) for one, other in keeps]
        return list(pool.map(lambda hand: shootout_hands.worth(game, hand, left), kept))


@cache
def _cache(book: Rulebook) -> list[Hands]:
    """Return this process's cache for a rulebook: an empty list, or a list with the counted hands."""
    hands = stored(book)
    return [] if hands is None else [hands]


def cached_hands(book: Rulebook) -> Hands | None:
    """Return the counts for a rulebook if they are in the cache, otherwise None."""
    return next(iter(_cache(book)), None)


def hands_of(book: Rulebook, threads: int | None = None, progress: Progress | None = None) -> Hands:
    """Return the counts for a rulebook. If they are not in the cache, compute and store them."""
    hands = cached_hands(book)
    if hands is None:
        hands = shootout_hands.count_hands(read_game(book), threads, progress)
        store(book, hands)
        _cache(book).append(hands)
    return hands


def _deals(left: int) -> int:
    """Count the four-card dealer hands and boards that can be dealt from this many cards."""
    return comb(left, FOUR) * comb(left - FOUR, BOARD)


def best_play(game: ShootoutArrays, played: SplitPlay) -> BestPlay:
    """Convert totals over all four-card hands of the player into averages per hand."""
    shoe = CARDS * game.decks
    every = comb(shoe, FOUR)
    return BestPlay(
        Fraction(played.total, every * game.unit * game.scale * _deals(shoe - FOUR)),
        Fraction(played.split, every),
    )


def _two_cards(game: ShootoutArrays, hands: Hands, best: SplitPlay) -> tuple[TwoCards, ...]:
    shoe = CARDS * game.decks
    every = comb(shoe, FOUR)
    numbers, _ = discard_indices(PAIRS, PAIRS)
    kept = np.bincount(numbers, weights=game.kept, minlength=len(STARTS))
    return tuple(
        TwoCards(
            name,
            Fraction(hands.alone[n], game.unit * game.scale * _deals(shoe - 2)),
            Fraction(int(best.hands[n].sum()), every),
            Fraction(int(kept[n]), every * game.scale),
        )
        for n, name in enumerate(NAMES)
    )


def class_shares(
    game: ShootoutArrays, played: SplitPlay, order: tuple[HandClass, ...]
) -> tuple[tuple[HandClass, Fraction], ...]:
    """Return how often a played hand makes each class."""
    counts = np.zeros(len(order), object)
    for start in range(len(STARTS)):
        classes = shootout_hands.count_classes(game, start)
        counts += played.hands[start].astype(object) @ classes.astype(object)
    return tuple((name, Fraction(int(n), int(sum(counts)))) for name, n in zip(order, counts, strict=True))


def bonus_value(book: Rulebook, table: str, classes: Sequence[tuple[str, Fraction]]) -> SideBet:
    """Return the value of the bonus under one pay table, and how often it wins.

    `classes` says how often a hand makes each class.
    """
    terms, _ = read_terms(book, {"tables": {"bonus": table}})
    value = hits = Fraction(0)
    for (name, share), outcome in zip(classes, _by_class(terms, "bonus"), strict=True):
        value += share * net(outcome, f"{book.id}: bonus, {name}")
        hits += share * (outcome.result == "win")
    return SideBet(value, hits)


def envy_value(terms: Terms, classes: Sequence[tuple[str, Fraction]]) -> Fraction:
    """Return the average envy bonus for one other hand, in cents."""
    if "envy" not in terms.outcomes:
        return Fraction(0)
    paid = (outcome.pays for outcome in _by_class(terms, "envy"))
    return sum(
        (
            share * pays.amount
            for (_, share), pays in zip(classes, paid, strict=True)
            if isinstance(pays, Flat)
        ),
        Fraction(0),
    )


def _by_class(terms: Terms, wager: str) -> list[Outcome]:
    """Return the outcome for each class of a wager that depends only on the player's hand."""
    book = terms.rulebook
    group = book.domain(terms.groups[wager])
    by_name: dict[str, set[Outcome | None]] = {name: set() for name in terms.order}
    for cell, outcome in zip(group.cells(), terms.outcomes[wager], strict=True):
        if group.possible(cell):
            by_name[cell[0]].add(outcome)
    listed = []
    for name, outcomes in by_name.items():
        outcome = next(iter(outcomes))
        if len(outcomes) != 1 or outcome is None:
            raise UnsolvableError(
                f"{book.id}: {wager} pays {name} in more than one way; write one row for it"
            )
        listed.append(outcome)
    return listed
