"""The exact value of a wager, and the possible outcomes of a wager on the player's own cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
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
from houseway.rules.fact_groups import Inputs
from houseway.rules.fact_groups.base import named
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, MADE, NO_ROYAL, ROYAL

FIRST_CARDS, ALL_CARDS = 5, 7

# Seven cards with a royal flush can be divided into hole cards, flop, and turn and river in 210 ways. In
# ten of them, the hole cards and the flop are the royal flush; in ten others, the board is.
ARRANGED = comb(7, 2) * comb(5, 3)
ROYALS = {FIRST_FIVE: comb(5, 2), FIRST_SEVEN: ARRANGED - comb(5, 2) - comb(5, 3), COMMUNITY: comb(5, 3)}


@dataclass(frozen=True, slots=True)
class PayCase:
    """One possible outcome of a wager."""

    hand: str
    """The hand class, or a run of classes, such as "below full house"."""
    outcome: Outcome
    ways: int
    net: Fraction
    """The net result for a unit stake."""


@dataclass(frozen=True, slots=True)
class WagerValue:
    """The value of a wager under one pay table, for a unit stake, without rounding or limits on
    winnings."""

    hash: str
    """The hash of the rulebook."""
    table: str
    """The name of the pay table.

    For a wager on the highest hand at the table, the number of hands dealt.
    """
    cases: tuple[PayCase, ...]

    @property
    def deals(self) -> int:
        """The number of card combinations counted."""
        return sum(case.ways for case in self.cases)

    @property
    def hits(self) -> int:
        """The number of card combinations that win."""
        return sum(case.ways for case in self.cases if case.outcome.result == "win")

    @property
    def value(self) -> Fraction:
        """The expected result per unit wagered."""
        return sum((case.net * case.ways for case in self.cases), Fraction()) / self.deals

    @property
    def edge(self) -> Fraction:
        """The house edge."""
        return -self.value

    @property
    def returned(self) -> Fraction:
        """The return per unit wagered, including the stake."""
        return 1 + self.value

    @property
    def variance(self) -> Fraction:
        """The variance of the net result."""
        squares = sum((case.net**2 * case.ways for case in self.cases), Fraction())
        return squares / self.deals - self.value**2


def advantage_warning(title: str, returns: Iterable[Fraction]) -> str | None:
    """Return a warning if one of these returns is above 100% of the stake, otherwise None.

    >>> advantage_warning("Cover All", [Fraction(9, 10), Fraction(11, 10), Fraction(27, 20)])
    'Cover All returns up to 135.00 % of the stake: the house loses on it'
    """
    listed = sorted(returns)
    if not listed or listed[-1] <= 1:
        return None
    low, high = (f"{100 * float(each):.2f} %" for each in (listed[0], listed[-1]))
    most = high if low == high else f"{low} to {high}" if listed[0] > 1 else f"up to {high}"
    return f"{title} returns {most} of the stake: the house loses on it"


def net(outcome: Outcome) -> Fraction:
    """Return the net result of a side bet's outcome for a unit stake."""
    return pay_arrays.net(outcome, "a side bet", "a wager without a meter")


def cards_read(terms: Terms, name: str) -> int:
    """Return the number of cards that decide a wager on the player's own hand, under the pay table in
    use."""
    return FIRST_CARDS if terms.reads_first_five(name) else ALL_CARDS


def hand_counts(terms: Terms, size: int) -> dict[HandClass, int]:
    """Return the number of hands of `size` cards in each class, best class first."""
    _check_decks(terms)
    return dict(zip(terms.order, class_counts(terms.order, size), strict=True))


def _check_decks(terms: Terms) -> None:
    book = terms.rulebook
    if book.ranking.decks != 1:
        raise UnsolvableError(
            f"{book.id} is dealt from {book.ranking.decks} decks; only one deck can be counted here"
        )


def own_cases(terms: Terms, name: str, price: Callable[[Outcome], Fraction] = net) -> tuple[PayCase, ...]:
    """Return all cases of a wager on the player's own cards, under the pay table in use."""
    group = terms.groups[name]
    if group.reads is Inputs.OWN_HAND:
        return _hand_cases(terms, name, price)
    _check_decks(terms)
    values = terms.rulebook.domain(group).cells()
    listed = []
    for cell, ways in enumerate(cell_counts(terms, name)):
        if ways:
            outcome = answer(terms, name, cell)
            listed.append(PayCase(", ".join(map(named, values[cell])), outcome, ways, price(outcome)))
    return tuple(listed)


def _hand_cases(terms: Terms, name: str, price: Callable[[Outcome], Fraction]) -> tuple[PayCase, ...]:
    """Return the cases of a wager on the player's own hand.

    `ways` counts sets of cards. If the pay table depends on how a royal flush is made, each division of a
    set into hole cards, flop, and turn and river is counted.
    """
    size, index = cards_read(terms, name), terms.groups[name].index
    cases: list[tuple[str, Outcome, int, int]] = []
    for place, (hand, hands) in enumerate(hand_counts(terms, size).items()):
        made = {NO_ROYAL: ARRANGED}
        if hand == ROYAL:
            made = ROYALS if size == ALL_CARDS else {FIRST_FIVE: ARRANGED}
        rows: dict[Outcome, list[int]] = {}
        for how in made:
            rows.setdefault(answer(terms, name, index(place, how)), []).append(how)
        for outcome, hows in rows.items():
            label = hand if len(rows) == 1 else f"{hand}, {' or '.join(MADE[how] for how in hows)}"
            cases.append((label, outcome, hands, sum(made[how] for how in hows)))
    # If no case depends on the division of the cards, this leaves the number of sets.
    common = gcd(*(arranged for *_, arranged in cases))
    return tuple(
        PayCase(label, outcome, hands * (arranged // common), price(outcome))
        for label, outcome, hands, arranged in cases
    )


def answer(terms: Terms, name: str, cell: int) -> Outcome:
    """Return the outcome of a wager in one cell (one combination of its facts)."""
    outcome = terms.outcomes[name][cell]
    if outcome is None:
        group = terms.rulebook.domain(terms.groups[name])
        where = ", ".join(
            f"{fact} {value}" for fact, value in zip(group.names, group.cells()[cell], strict=True)
        )
        raise UnsolvableError(f"{terms.rulebook.id}: {name} has no row for {where}; add one")
    return outcome


def run_name(order: Sequence[HandClass], first: int, last: int) -> str:
    """Return a run of classes in words: "full house", "straight flush or better" or "below full house"."""
    if first == last:
        return order[first]
    if first == 0:
        return f"{order[last]} or better"
    if last == len(order) - 1:
        return f"below {order[first - 1]}"
    return f"{order[first]} to {order[last]}"
