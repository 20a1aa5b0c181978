"""Exact analysis of Texas Shootout: every choice, best play, the bonus bet and envy bonuses.

Nothing is simulated. A hand's results are summed over all boards and dealer hands at once (see
`shootout_hands`), so the house edge is an exact fraction.
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
from houseway.exact.shootout_hands import NAMES, STARTS, Hands, Progress, left_by, seen_from, store, stored
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
    """The expected result per primary wager; a split stakes two wagers."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """Best play under one splitting rule."""

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
    """For example "AKs", "98o", "77s"; a suited pair is two copies of one card."""
    value: Fraction
    """The expected result per primary wager if the two discards are unknown."""
    played: Fraction
    """How often a player plays it in a round under best play; a split plays two hands."""
    dealer: Fraction
    """How often the dealer keeps it."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """A Shootout Bonus table under best play of the primary wager, with one bonus on every hand played."""

    value: Fraction
    hits: Fraction


@dataclass(frozen=True, slots=True)
class ShootoutSolution:
    """The complete solution of a game."""

    rulebook: str
    hash: str
    deals: int
    best: BestPlay
    """Under the rulebook's own splitting rule."""
    any_split: BestPlay
    """If any four cards may be split."""
    no_split: BestPlay
    hands: tuple[TwoCards, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The lines of the house way, and how often each decides."""
    classes: tuple[tuple[str, Fraction], ...]
    """How often a hand under best play makes each class."""
    bonus: tuple[tuple[str, SideBet], ...]
    """Each pay table of the bonus."""
    envy: Fraction
    """The average envy, in cents, that each hand of another player pays an eligible player."""


def solve(
    game: Terms | Rulebook, *, threads: int | None = None, progress: Progress | None = None
) -> ShootoutSolution:
    """Solve Texas Shootout under these terms, reusing stored counts for the rulebook.

    `progress` is called with the number of two-card hands counted and their total, 182.
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
    # The sort is stable and keeps come before splits, so of equal choices the smaller stake comes first.
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
    """Return the total result of keeping each two of the four cards, from the cache or counted now."""
    hands = recalled(book)
    held = np.array(numbers)
    if hands is not None:
        rests = [KEEPS[len(KEEPS) - 1 - KEEPS.index((keep[0], keep[1]))] for keep in keeps]
        start, discards = seen_from(held[np.array(keeps)], held[np.array(rests)])
        return [int(total) for total in hands.by_discards[start, discards]]
    left = left_by(game, numbers)
    with ThreadPoolExecutor(threads) as pool:
        kept = [(numbers[one], numbers[other]) for one, other in keeps]
        return list(pool.map(lambda hand: shootout_hands.worth(game, hand, left), kept))


@cache
def _counted(book: Rulebook) -> list[Hands]:
    """This process's cache for a rulebook: an empty list, or a list with its hands."""
    hands = stored(book)
    return [] if hands is None else [hands]


def recalled(book: Rulebook) -> Hands | None:
    """The counts already made for a rulebook, or None."""
    return next(iter(_counted(book)), None)


def hands_of(book: Rulebook, threads: int | None = None, progress: Progress | None = None) -> Hands:
    """The counts of each two-card hand of a rulebook, from the cache or counted now and stored."""
    hands = recalled(book)
    if hands is None:
        hands = shootout_hands.count_hands(read_game(book), threads, progress)
        store(book, hands)
        _counted(book).append(hands)
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
    numbers, _ = seen_from(PAIRS, PAIRS)
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
    """How often a hand played makes each class."""
    counts = np.zeros(len(order), object)
    for start in range(len(STARTS)):
        classes = shootout_hands.count_classes(game, start)
        counts += played.hands[start].astype(object) @ classes.astype(object)
    return tuple((name, Fraction(int(n), int(sum(counts)))) for name, n in zip(order, counts, strict=True))


def bonus_value(book: Rulebook, table: str, classes: Sequence[tuple[str, Fraction]]) -> SideBet:
    """The value and hit frequency of a bonus under one of its tables, given the class frequencies."""
    terms, _ = read_terms(book, {"tables": {"bonus": table}})
    value = hits = Fraction(0)
    for (name, share), outcome in zip(classes, _by_class(terms, "bonus"), strict=True):
        value += share * net(outcome, f"{book.id}: bonus, {name}")
        hits += share * (outcome.result == "win")
    return SideBet(value, hits)


def envy_value(terms: Terms, classes: Sequence[tuple[str, Fraction]]) -> Fraction:
    """The average envy from one other hand, in cents."""
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
    """The outcome, for each class, of a wager that depends on one hand."""
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
