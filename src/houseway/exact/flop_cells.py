"""For wagers decided by the hole cards, or by the hole cards and the flop: find the case of the pay table
(cell) for every combination of these cards.

Such a combination is called a state. The function of a fact group is called once for each state, but a
state represents all deals that differ only in the order of the hole cards, the order of the flop cards and
the names of suits. The function must therefore ignore these orders, and it may only test whether suits are
equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from houseway.cards import DECK
from houseway.engine.terms import Terms
from houseway.exact.board_counts import first_five
from houseway.exact.flop_states import states
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import UnsolvableError
from houseway.rules.check_groups import ORDERS, RENAMED, common_index, group_fault
from houseway.rules.fact_groups import Inputs
from houseway.rules.fact_groups.base import CardGroup
from houseway.rules.fact_groups.own_hand import FIRST_FIVE, FIRST_SEVEN, NO_ROYAL, ROYAL

CARDS = np.arange(len(DECK))
SUITS_RENAMED = np.array([CARDS - CARDS % 4 + np.array(suits)[CARDS % 4] for suits in RENAMED])
"""The number of each card after each of the 24 ways to rename the suits."""
NO_CARD_IN_PLACE = np.array([1, 0, 3, 4, 2])
PARTS = 31
"""The number of parts in which states are processed. It is prime, so every part has hands of every kind."""


class Sample(NamedTuple):
    """The hole cards and flop of one state, as card numbers, and the class they make."""

    first_five: int
    hole: tuple[int, ...]
    flop: tuple[int, ...]


def flop_cells(terms: Terms, name: str) -> Integers | None:
    """Return a wager's cell in each state after the flop, or None if other cards decide the wager."""
    group = terms.groups[name]
    if group.reads is Inputs.OWN_HAND and terms.reads_first_five(name):
        made = [FIRST_FIVE if hand == ROYAL else NO_ROYAL for hand in terms.order]
        return np.array([group.index(*cell) for cell in enumerate(made)])[first_five(terms.order)]
    if not isinstance(group, CardGroup):
        return None
    if group.reads is Inputs.HOLE:
        return np.asarray(hole_cells(group)[tuple(states().cards[:, 1:].T)])
    return _five_cells(group)


def cell_counts(terms: Terms, name: str) -> list[int]:
    """Count the hands in each cell. A hand is two cards, or two cards and a flop."""
    group = terms.groups[name]
    counts = np.zeros(len(terms.outcomes[name]), np.int64)
    if isinstance(group, CardGroup) and group.reads is Inputs.HOLE:
        np.add.at(counts, hole_cells(group)[np.triu_indices(len(DECK), 1)], 1)
    else:
        every = flop_cells(terms, name)
        if every is None:
            raise UnsolvableError(
                f"{terms.rulebook.id}: {name} depends on {group.name}, which cannot be counted exactly"
            )
        np.add.at(counts, every, states().weight)
    return list(map(int, counts))


@cache
def hole_cells(group: CardGroup) -> Integers:
    """Return the cell of every two hole cards, in either order."""
    if (fault := group_fault(group)) is not None:
        raise UnsolvableError(fault)
    return np.array([[group.index(a, b) if a != b else 0 for b in range(52)] for a in range(52)])


@cache
def _five_cells(group: CardGroup) -> Integers:
    """Return the cell of the hole cards and flop of each state."""
    cards = _state_cards()
    cells = np.empty(len(cards), np.int64)
    try:
        for part in range(PARTS):
            # Every part has hands of all kinds, so a group that cannot be counted fails in the first part.
            cells[part::PARTS] = _checked_cells(group, cards[part::PARTS])
    except ValueError as error:
        raise UnsolvableError(str(error)) from error
    return cells


def _checked_cells(group: CardGroup, cards: Integers) -> Integers:
    """Return each hand's cell. Raise an error if it depends on the order of cards or the names of suits."""
    cells = _indexes(group, cards)
    # Check each hand two more times, with its suits renamed: first with no card in its old position, then
    # in an order that changes from hand to hand, so that every order is used.
    every = np.arange(len(cards))
    suits = SUITS_RENAMED[every % len(SUITS_RENAMED)]
    for order in (NO_CARD_IN_PLACE[None, :], np.array(ORDERS)[1 + every % (len(ORDERS) - 1)]):
        reordered = np.take_along_axis(cards, order, axis=1)
        renamed = np.take_along_axis(suits, reordered, axis=1)
        for wrong in np.flatnonzero(_indexes(group, renamed) != cells).tolist():
            common_index(group, *(hands[wrong].tolist() for hands in (cards, reordered, renamed)))
    return cells


def _indexes(group: CardGroup, hands: Integers) -> Integers:
    return np.fromiter((group.checked_index(*hand) for hand in hands.tolist()), np.int64, len(hands))


@cache
def _state_cards() -> Integers:
    """Return the hole cards and the flop of each state, as card numbers."""
    plan = states()
    flops = [np.flatnonzero(sets[CARDS % 4] >> CARDS // 4 & 1) for sets in plan.flop_ranks_by_suit]
    return np.hstack([plan.cards[:, 1:], np.array(flops)[plan.cards[:, 0]]]).astype(np.int64)


def parts(terms: Terms, stakes: Mapping[str, int]) -> Integers:
    """Return a number for each state after the flop. States with the same outcome for every staked wager
    have the same number."""
    keys = np.zeros(len(states().base), np.int64)
    royal = terms.order.index(ROYAL) if ROYAL in terms.order else None
    for name in stakes:
        outcomes, group = terms.outcomes[name], terms.groups[name]
        cells = flop_cells(terms, name)
        if cells is None and group.reads is Inputs.OWN_HAND and royal is not None:
            # The wager depends on all seven cards and on how a royal flush was made.
            outcomes = tuple(outcomes[group.index(royal, made)] for made in (FIRST_SEVEN, FIRST_FIVE))
            cells = (first_five(terms.order) == royal).astype(np.int64)
        if cells is not None:
            alike = np.array([outcomes.index(outcome) for outcome in outcomes])
            keys = keys * len(outcomes) + alike[cells]
    return np.asarray(np.unique(keys, return_inverse=True)[1])


def samples(terms: Terms, parts: Integers) -> tuple[Sample, ...]:
    """Return the first state of each part, as a sample of the part."""
    _, firsts = np.unique(parts, return_index=True)
    places, cards = first_five(terms.order)[firsts].tolist(), _state_cards()[firsts].tolist()
    return tuple(
        Sample(place, tuple(five[:2]), tuple(five[2:])) for place, five in zip(places, cards, strict=True)
    )
