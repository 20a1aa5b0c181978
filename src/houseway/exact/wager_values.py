"""A wager's value as everything it may come to, counted; and wagers that look at the player's own hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, gcd

from houseway.engine.terms import Terms
from houseway.exact import pay_arrays
from houseway.exact.flop_cells import cell_counts
from houseway.exact.hand_class_counts import class_counts
from houseway.exact.pay_arrays import UnsolvableError
from houseway.ranking import HandClass
from houseway.rules.compile import Outcome
from houseway.rules.fact_groups import Reads
from houseway.rules.fact_groups.base import named
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, MADE, NO_ROYAL, ROYAL

FIRST_CARDS, ALL_CARDS = 5, 7

# Of the ways to call two of seven cards the hole cards and three of the rest the flop, a royal flush is
# hole cards and flop in ten, and the board in ten.
ARRANGED = comb(7, 2) * comb(5, 3)
ROYALS = {FIRST_FIVE: comb(5, 2), FIRST_SEVEN: ARRANGED - comb(5, 2) - comb(5, 3), COMMUNITY: comb(5, 3)}


@dataclass(frozen=True, slots=True)
class PayCase:
    """One thing a wager may come to."""

    hand: str
    """The class of hand, or a run of classes: "below full house"."""
    outcome: Outcome
    ways: int
    net: Fraction
    """What it brings for a stake of one."""


@dataclass(frozen=True, slots=True)
class WagerValue:
    """A wager under one pay table, for a stake of one: no half cents are dropped and no cap cuts it."""

    hash: str
    """The rulebook's."""
    table: str
    """The pay table; for a wager on the highest hand at the table how many hands are dealt."""
    cases: tuple[PayCase, ...]

    @property
    def deals(self) -> int:
        """All ways counted."""
        return sum(case.ways for case in self.cases)

    @property
    def hits(self) -> int:
        """The ways that win."""
        return sum(case.ways for case in self.cases if case.outcome.result == "win")

    @property
    def value(self) -> Fraction:
        """What the wager brings on average."""
        return sum((case.net * case.ways for case in self.cases), Fraction()) / self.deals

    @property
    def edge(self) -> Fraction:
        """What the house wins of it."""
        return -self.value

    @property
    def returned(self) -> Fraction:
        """What comes back of it on average, the stake included."""
        return 1 + self.value

    @property
    def variance(self) -> Fraction:
        """The variance of what it brings."""
        squares = sum((case.net**2 * case.ways for case in self.cases), Fraction())
        return squares / self.deals - self.value**2


def net(outcome: Outcome) -> Fraction:
    """What an outcome of a side bet brings for a stake of one."""
    return pay_arrays.net(outcome, "a side bet", "a wager without a meter")


def cards_read(terms: Terms, name: str) -> int:
    """How many cards a wager on the player's own hand reads under the pay table in use."""
    return FIRST_CARDS if terms.reads_first_five(name) else ALL_CARDS


def hand_counts(terms: Terms, size: int) -> dict[HandClass, int]:
    """How many hands of so many cards are of each class, best first."""
    _check_decks(terms)
    return dict(zip(terms.order, class_counts(terms.order, size), strict=True))


def _check_decks(terms: Terms) -> None:
    book = terms.rulebook
    if book.ranking.decks != 1:
        raise UnsolvableError(
            f"{book.id} is dealt from {book.ranking.decks} decks; hands are counted for one"
        )


def own_cases(terms: Terms, name: str, brings: Callable[[Outcome], Fraction] = net) -> tuple[PayCase, ...]:
    """Everything a wager on the player's own cards may come to under the pay table in use."""
    group = terms.groups[name]
    if group.reads is Reads.OWN_HAND:
        return _hand_cases(terms, name, brings)
    _check_decks(terms)
    values = terms.rulebook.domain(group).cells()
    listed = []
    for cell, ways in enumerate(cell_counts(terms, name)):
        if ways:
            outcome = answer(terms, name, cell)
            listed.append(PayCase(", ".join(map(named, values[cell])), outcome, ways, brings(outcome)))
    return tuple(listed)


def _hand_cases(terms: Terms, name: str, brings: Callable[[Outcome], Fraction]) -> tuple[PayCase, ...]:
    """What a wager on the player's own hand may come to.

    Ways are sets of cards; where the table asks how a royal flush was made, sets with their hole cards
    and flop told apart.
    """
    size, index = cards_read(terms, name), terms.groups[name].index
    found: list[tuple[str, Outcome, int, int]] = []
    for place, (hand, hands) in enumerate(hand_counts(terms, size).items()):
        made = {NO_ROYAL: ARRANGED}
        if hand == ROYAL:
            made = ROYALS if size == ALL_CARDS else {FIRST_FIVE: ARRANGED}
        rows: dict[Outcome, list[int]] = {}
        for how in made:
            rows.setdefault(answer(terms, name, index(place, how)), []).append(how)
        for outcome, hows in rows.items():
            told = hand if len(rows) == 1 else f"{hand}, {' or '.join(MADE[how] for how in hows)}"
            found.append((told, outcome, hands, sum(made[how] for how in hows)))
    alike = gcd(*(arranged for *_, arranged in found))
    return tuple(
        PayCase(told, outcome, hands * (arranged // alike), brings(outcome))
        for told, outcome, hands, arranged in found
    )


def answer(terms: Terms, name: str, cell: int) -> Outcome:
    """The outcome of a wager in one cell of its facts."""
    outcome = terms.outcomes[name][cell]
    if outcome is None:
        group = terms.rulebook.domain(terms.groups[name])
        where = ", ".join(
            f"{fact} {value}" for fact, value in zip(group.names, group.cells()[cell], strict=True)
        )
        raise UnsolvableError(f"{terms.rulebook.id}: no row of {name} answers {where}; add one")
    return outcome


def run_name(order: Sequence[HandClass], first: int, last: int) -> str:
    """A run of classes in table language: "full house", "straight flush or better", "below full house"."""
    if first == last:
        return order[first]
    if first == 0:
        return f"{order[last]} or better"
    if last == len(order) - 1:
        return f"below {order[first - 1]}"
    return f"{order[first]} to {order[last]}"
