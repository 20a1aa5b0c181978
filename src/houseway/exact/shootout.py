"""Texas Shootout counted exactly: every choice, best play, the bonus and envy.

No figure is simulated. A hand's sums are taken over all boards and dealer's fours at once (see
`shootout_hands`), so the edge is a fraction and not an estimate.
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

from houseway.cards import Card, written
from houseway.engine.read_shootout import may_split
from houseway.engine.terms import Terms, read_terms
from houseway.exact import shootout_hands
from houseway.exact.kernels.shootout import BOARD, CARDS, FOUR
from houseway.exact.pay_arrays import UnsolvableError, net, terms_of
from houseway.exact.shootout_game import KEEPS, PAIRS, ShootoutArrays, read_game
from houseway.exact.shootout_hands import NAMES, STARTS, Hands, Progress, left_by, seen_from, store, stored
from houseway.exact.shootout_play import Played, play, splits_allowed
from houseway.money import Flat
from houseway.ranking import HandClass
from houseway.rules.compile import Outcome
from houseway.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing to do with four cards."""

    action: str
    """As in "keep As Ad" or "split As Ad / Kh Kd"."""
    value: Fraction
    """What it is worth per primary wager; a split has two wagers at stake."""


@dataclass(frozen=True, slots=True)
class BestPlay:
    """Best play under one rule of splitting."""

    value: Fraction
    """What a round is worth per primary wager."""
    split: Fraction
    """How often the four cards are split."""

    @property
    def staked(self) -> Fraction:
        """The average stake in primary wagers."""
        return 1 + self.split

    @property
    def element_of_risk(self) -> Fraction:
        """What is lost per unit staked."""
        return -self.value / self.staked


@dataclass(frozen=True, slots=True)
class TwoCards:
    """One of the 182 two-card hands."""

    name: str
    """As "AKs", "98o", "77s"; a suited pair is one card twice."""
    value: Fraction
    """What it is worth per primary wager if nothing is known of the two discards."""
    played: Fraction
    """How often a player's round under best play plays it; a split plays two."""
    dealer: Fraction
    """How often the dealer keeps it."""


@dataclass(frozen=True, slots=True)
class SideBet:
    """A Shootout Bonus table under best play of the primary wager, one bonus on every hand played."""

    value: Fraction
    hits: Fraction


@dataclass(frozen=True, slots=True)
class ShootoutSolution:
    """The whole game, exactly."""

    rulebook: str
    hash: str
    deals: int
    best: BestPlay
    """By the rulebook's own rule of splitting."""
    any_split: BestPlay
    """Where any four cards may be split."""
    no_split: BestPlay
    hands: tuple[TwoCards, ...]
    lines: tuple[tuple[str, Fraction], ...]
    """The lines of the house way, and how often each decides."""
    classes: tuple[tuple[str, Fraction], ...]
    """How often a hand played by best play comes to each class."""
    bonus: tuple[tuple[str, SideBet], ...]
    """Each pay table of the bonus."""
    envy: Fraction
    """Cents that each hand another player plays brings to one who may have envy."""


def solve(
    given: Terms | Rulebook, *, threads: int | None = None, progress: Progress | None = None
) -> ShootoutSolution:
    """Solve Texas Shootout under these terms; what was counted before for the rulebook is used again.

    `progress` is told how many of the 182 two-card hands are counted, and of how many.
    """
    terms = terms_of(given)
    book = terms.rulebook
    game = read_game(book)
    hands = hands_of(book, threads, progress)
    allowed = splits_allowed(game.decks, terms)
    best, any_split, no_split = (
        play(hands, game.decks, rule) for rule in (allowed, np.ones_like(allowed), np.zeros_like(allowed))
    )
    shoe = CARDS * game.decks
    classes = class_shares(game, best, terms.order)
    way = book.house_way
    return ShootoutSolution(
        book.id,
        book.hash,
        comb(shoe, FOUR) * _deals(shoe - FOUR),
        best_play(game, best),
        best_play(game, any_split),
        best_play(game, no_split),
        _two_cards(game, hands, best),
        tuple((line.text, share) for line, share in zip(way.lines if way else (), game.lines, strict=True)),
        classes,
        tuple((name, bonus_value(book, name, classes)) for name in book.tables.get("bonus", {})),
        envy_value(terms, classes),
    )


def odds(given: Terms | Rulebook, four: Sequence[Card], *, threads: int | None = None) -> list[Choice]:
    """What every choice for four cards is worth against the house way, the best first.

    It takes a second or two; none where the rulebook has been solved.
    """
    terms = terms_of(given)
    book = terms.rulebook
    game = read_game(book)
    _check_four(four, game.decks)
    numbers = [card.number for card in four]
    ways = {tuple(sorted(numbers[n] for n in keep)): keep for keep in reversed(KEEPS)}
    worths = dict(zip(ways, _worths(book, game, numbers, list(ways.values()), threads), strict=True))
    each = Fraction(1, game.unit * game.scale * _deals(CARDS * game.decks - FOUR))
    found = [Choice(f"keep {_held(four, keep)}", worths[hand] * each) for hand, keep in ways.items()]
    if may_split(four, terms):
        splits: dict[tuple[tuple[int, ...], ...], Choice] = {}
        for keep, rest in zip(KEEPS[:3], KEEPS[:2:-1], strict=True):
            both = tuple(sorted(tuple(sorted(numbers[n] for n in part)) for part in (keep, rest)))
            value = sum(worths[hand] for hand in both) * each
            splits.setdefault(both, Choice(f"split {_held(four, keep)} / {_held(four, rest)}", value))
        found += splits.values()
    # Sorting is stable and keeps stand before splits, so between equals the smaller stake comes first.
    return sorted(found, key=lambda choice: -choice.value)


def _held(four: Sequence[Card], places: Sequence[int]) -> str:
    return written(four[n] for n in places)


def _check_four(four: Sequence[Card], decks: int) -> None:
    if len(four) != FOUR:
        raise ValueError(f"a player has four cards, not {len(four)}; write them as in As Ad Kh Kd")
    for card, copies in Counter(four).items():
        if copies > decks:
            raise ValueError(
                f"the {card.words} ({card}) is there {copies} times; {decks} decks hold {decks}"
            )


def _worths(
    book: Rulebook,
    game: ShootoutArrays,
    numbers: list[int],
    keeps: list[tuple[int, ...]],
    threads: int | None,
) -> list[int]:
    """What keeping each two of four cards brings: looked up where it was counted, else counted now."""
    hands = recalled(book)
    held = np.array(numbers)
    if hands is not None:
        rests = [KEEPS[len(KEEPS) - 1 - KEEPS.index((keep[0], keep[1]))] for keep in keeps]
        start, discards = seen_from(held[np.array(keeps)], held[np.array(rests)])
        return [int(found) for found in hands.by_discards[start, discards]]
    left = left_by(game, numbers)
    with ThreadPoolExecutor(threads) as pool:
        kept = [(numbers[one], numbers[other]) for one, other in keeps]
        return list(pool.map(lambda hand: shootout_hands.worth(game, hand, left), kept))


@cache
def _counted(book: Rulebook) -> list[Hands]:
    """What this process knows of a rulebook: nothing yet, or its hands."""
    found = stored(book)
    return [] if found is None else [found]


def recalled(book: Rulebook) -> Hands | None:
    """What was counted for a rulebook before, or None."""
    return next(iter(_counted(book)), None)


def hands_of(book: Rulebook, threads: int | None = None, progress: Progress | None = None) -> Hands:
    """What each two-card hand of a rulebook brings: as counted before, else counted now and kept."""
    hands = recalled(book)
    if hands is None:
        hands = shootout_hands.count_hands(read_game(book), threads, progress)
        store(book, hands)
        _counted(book).append(hands)
    return hands


def _deals(left: int) -> int:
    """How many dealer's fours and boards there are of so many cards."""
    return comb(left, FOUR) * comb(left - FOUR, BOARD)


def best_play(game: ShootoutArrays, played: Played) -> BestPlay:
    """What was played over all fours, for one four."""
    shoe = CARDS * game.decks
    every = comb(shoe, FOUR)
    return BestPlay(
        Fraction(played.total, every * game.unit * game.scale * _deals(shoe - FOUR)),
        Fraction(played.split, every),
    )


def _two_cards(game: ShootoutArrays, hands: Hands, best: Played) -> tuple[TwoCards, ...]:
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
    game: ShootoutArrays, played: Played, order: tuple[HandClass, ...]
) -> tuple[tuple[HandClass, Fraction], ...]:
    """How often a hand played comes to each class."""
    found = np.zeros(len(order), object)
    for start in range(len(STARTS)):
        classes = shootout_hands.count_classes(game, start)
        found += played.hands[start].astype(object) @ classes.astype(object)
    return tuple((name, Fraction(int(n), int(sum(found)))) for name, n in zip(order, found, strict=True))


def bonus_value(book: Rulebook, table: str, classes: Sequence[tuple[str, Fraction]]) -> SideBet:
    """What a bonus brings under one of its tables, hands coming to classes as told."""
    terms, _ = read_terms(book, {"tables": {"bonus": table}})
    value = hits = Fraction(0)
    for (name, share), outcome in zip(classes, _by_class(terms, "bonus"), strict=True):
        value += share * net(outcome, f"{book.id}: bonus, {name}")
        hits += share * (outcome.result == "win")
    return SideBet(value, hits)


def envy_value(terms: Terms, classes: Sequence[tuple[str, Fraction]]) -> Fraction:
    """Cents that one other hand brings on average."""
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
    """What a wager that depends on one hand comes to for each class."""
    book = terms.rulebook
    group = book.domain(terms.groups[wager])
    found: dict[str, set[Outcome | None]] = {name: set() for name in terms.order}
    for cell, outcome in zip(group.cells(), terms.outcomes[wager], strict=True):
        if group.possible(cell):
            found[cell[0]].add(outcome)
    listed = []
    for name, outcomes in found.items():
        outcome = next(iter(outcomes))
        if len(outcomes) != 1 or outcome is None:
            raise UnsolvableError(
                f"{book.id}: {wager} pays a {name} in more than one way; write one row for it"
            )
        listed.append(outcome)
    return listed
