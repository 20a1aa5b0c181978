"""The exact values of side bets, such as trips, progressives and Cover All.

A side bet is recognised by its fact group, not by its name, and its payments are read from the pay tables
that settlement uses. So a new side bet in a rulebook is priced like any other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise, product

import numpy as np

from houseway.engine.finished_round import FOLDED, STANDING
from houseway.engine.terms import Terms
from houseway.exact.highest_hand import highest_counts
from houseway.exact.outcome_table import FOLD, Counts, outcomes
from houseway.exact.pay_arrays import terms_of
from houseway.exact.progressive_values import Progressive, progressive
from houseway.exact.solution import solve
from houseway.exact.wager_values import (
    PayCase,
    WagerValue,
    advantage_warning,
    answer,
    net,
    own_cases,
    run_name,
)
from houseway.money import Share
from houseway.rules.compile import Outcome
from houseway.rules.rulebook import Rulebook
from houseway.rules.wagers import Wager

Wagers = Mapping[str, Mapping[str, WagerValue]]
"""The value of each wager under each pay table or, for the highest hand, for each number of hands dealt."""


def wagers(game: Terms | Rulebook, counts: Counts | None = None) -> Wagers:
    """Return the value of every side bet under each of its pay tables.

    A side bet against the dealer depends on the player's choices. `counts` says how often each choice and
    result occurs; by default, it comes from best play. Envy is included in the wager that pays it.

    >>> import houseway
    >>> trips = wagers(houseway.load("uth-card"))["trips"]["CARD"]
    >>> trips.hits, trips.deals, trips.edge
    (20428900, 133784560, Fraction(48987, 2572780))
    """
    terms = terms_of(game)
    priced: dict[str, dict[str, WagerValue]] = {}
    for wager in terms.wagers:
        name, group = wager.name, wager.group
        main_game = group.against_dealer and not (wager.optional and name in terms.stakeable)
        if main_game or group.on_other_hands:
            continue
        if group.on_whole_table:
            priced[name] = by_table(terms, name)
        elif group.against_dealer:
            counts = outcomes(solve(terms)).counts if counts is None else counts
            priced[name] = {
                table: WagerValue(terms.hash, table, _against_dealer(under, name, counts))
                for table, under in under_each_table(terms, wager)
            }
        else:
            priced[name] = {
                table: _on_own_cards(under, name, table) for table, under in under_each_table(terms, wager)
            }
    return priced


def warnings(terms: Terms, priced: Wagers) -> list[str]:
    """Return a warning for every side bet that returns more than its stake.

    Progressives are left out, because their returns change with the meters.
    """
    by_wager = (
        advantage_warning(
            terms.rulebook.wagers[name].title,
            [value.returned for value in by.values() if not isinstance(value, Progressive)],
        )
        for name, by in priced.items()
    )
    return [warning for warning in by_wager if warning]


def _against_dealer(terms: Terms, name: str, counts: Counts) -> tuple[PayCase, ...]:
    """Return the cases of a side bet against the dealer, by the class of the player's hand.

    It is assumed that the cards of folded hands are racked.
    """
    ways: Counter[tuple[int, Outcome]] = Counter()
    for choice, deals in counts.items():
        status = FOLDED if choice == FOLD else STANDING
        for at in np.argwhere(deals).tolist():
            cell = terms.groups[name].index(status, *at, len(terms.order))
            ways[at[-1], answer(terms, name, cell)] += int(deals[tuple(at)])
    listed = sorted(ways.items(), key=lambda case: case[0][0])
    return tuple(PayCase(terms.order[n], outcome, number, net(outcome)) for (n, outcome), number in listed)


def under_each_table(terms: Terms, wager: Wager) -> Iterator[tuple[str, Terms]]:
    """Yield the name of each pay table of a wager, with the terms that use this table.

    If a wager has no pay table, because its odds are in its own rows, yield the name of the wager.
    """
    kinds = sorted({row.table for row in wager.pays if row.table and "." not in row.table})
    for names in product(*(terms.rulebook.tables.get(kind, {}) for kind in kinds)):
        tables = {**terms.named_tables, **dict(zip(kinds, names, strict=True))}
        under = Terms(terms.rulebook, terms.mode, tables, terms.limits, terms.given)
        yield " with ".join(names) or wager.name, under


def _on_own_cards(terms: Terms, name: str, table: str) -> WagerValue:
    if any(outcome and isinstance(outcome.pays, Share) for outcome in terms.outcomes[name]):
        return progressive(terms, name, table)
    return WagerValue(terms.hash, table, own_cases(terms, name))


def by_table(terms: Terms, name: str) -> dict[str, WagerValue]:
    """Return the value of a wager on the highest hand at the table for each number of hands, if no hand
    folds."""
    order = terms.order
    group = terms.groups[name]
    numbers = terms.rulebook.domain(group).facts[0].domain
    paid = {
        hands: [answer(terms, name, group.index(hands, place, len(order))) for place in range(len(order))]
        for hands in numbers
    }
    # A run of classes ends before the first class that pays differently for some number of hands.
    ends = [
        place
        for place, _ in enumerate(order[:-1])
        if any(rows[place].pays != rows[place + 1].pays for rows in paid.values())
    ]
    counts = highest_counts(order, tuple(ends), max(numbers))
    values = {}
    for hands, rows in paid.items():
        runs = pairwise([-1, *ends, len(order) - 1])
        cases = tuple(
            PayCase(run_name(order, above + 1, last), rows[last], ways, net(rows[last]))
            for (above, last), ways in zip(runs, counts[hands], strict=True)
        )
        values[str(hands)] = WagerValue(terms.hash, str(hands), cases)
    return values
