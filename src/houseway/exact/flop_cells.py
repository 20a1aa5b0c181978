"""Wagers decided by the hole cards, or by them and the flop: their cells in every state after the flop.

A fact group has a plain function over card numbers. It is called once for each state, and states stand for
all deals alike but for the order of the hole cards, the order of the flop and the names of suits. So a
function must ignore those orders, and of suits it may only ask whether they are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from houseway.cards import DECK, written
from houseway.engine.terms import Terms
from houseway.exact.board_counts import first_five
from houseway.exact.flop_states import states
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import UnsolvableError
from houseway.rules.fact_groups import FactGroup, Reads
from houseway.rules.fact_groups.own_hand import FIRST_FIVE, FIRST_SEVEN, NO_ROYAL, ROYAL

CARDS = np.arange(len(DECK))
RENAMED = np.array([CARDS - CARDS % 4 + np.array(suits)[CARDS % 4] for suits in permutations(range(4))])
"""Every card under each of the 24 ways to rename the suits."""
ORDERS = np.array([hole + flop for hole in permutations((0, 1)) for flop in permutations((2, 3, 4))])
"""The 12 orders of the hole cards and the flop; the first is the order dealt."""
NO_CARD_IN_PLACE = np.array([1, 0, 3, 4, 2])


class Sample(NamedTuple):
    """The hole cards and flop of one state, by number, and the class they make."""

    first_five: int
    hole: tuple[int, ...]
    flop: tuple[int, ...]


def flop_cells(terms: Terms, name: str) -> Integers | None:
    """A wager's cell in each state after the flop, or None if other cards decide it."""
    group = terms.groups[name]
    if group.reads is Reads.OWN_HAND and terms.reads_first_five(name):
        made = [FIRST_FIVE if hand == ROYAL else NO_ROYAL for hand in terms.order]
        cells = np.array([group.index(*cell) for cell in enumerate(made)])[first_five(terms.order)]
    elif group.reads is Reads.HOLE:
        cells = hole_cells(group)[tuple(states().cards[:, 1:].T)]
    elif group.reads is Reads.HOLE_AND_FLOP:
        cells = _five_cells(group)
    else:
        return None
    return _in_range(terms, name, cells)


def cell_counts(terms: Terms, name: str) -> list[int]:
    """The number of hands in each cell: two cards, or two cards and a flop."""
    group = terms.groups[name]
    counts = np.zeros(len(terms.outcomes[name]), np.int64)
    if group.reads is Reads.HOLE:
        cells = _in_range(terms, name, hole_cells(group)[np.triu_indices(len(DECK), 1)])
        np.add.at(counts, cells, 1)
    else:
        every = flop_cells(terms, name)
        if every is None:
            raise UnsolvableError(
                f"{terms.rulebook.id}: {name} depends on {group.name}, which is not counted"
            )
        np.add.at(counts, every, states().weight)
    return list(map(int, counts))


@cache
def hole_cells(group: FactGroup) -> Integers:
    """The cell of every two cards, in either order."""
    table = np.array([[group.index(a, b) if a != b else 0 for b in range(52)] for a in range(52)])
    for renamed in RENAMED:
        other = np.where(table == table.T, table[renamed[:, None], renamed], -1)
        wrong = np.argwhere(other != table)
        if len(wrong):
            raise _apart(group, wrong[0], renamed[wrong[0]])
    return table


@cache
def _five_cells(group: FactGroup) -> Integers:
    """The cell of the hole cards and flop of each state."""
    cards = _state_cards()
    cells = np.fromiter((group.index(*row) for row in cards.tolist()), np.int64, len(cards))
    # Each state twice more, its suits renamed in one of the 24 ways: once with every card moved, so that no
    # position matters, and once in one of the other orders in turn, so that no sequence does.
    every = np.arange(len(cards))
    suits = RENAMED[every % len(RENAMED)]
    for order in (NO_CARD_IN_PLACE[None, :], ORDERS[1 + every % (len(ORDERS) - 1)]):
        others = np.take_along_axis(suits, np.take_along_axis(cards, order, axis=1), axis=1)
        same = np.fromiter((group.index(*row) for row in others.tolist()), np.int64, len(cards)) == cells
        if not same.all():
            wrong = np.argmin(same)
            raise _apart(group, cards[wrong], others[wrong])
    return cells


@cache
def _state_cards() -> Integers:
    """The hole cards and the flop of each state, by number."""
    plan = states()
    flops = [np.flatnonzero(sets[CARDS % 4] >> CARDS // 4 & 1) for sets in plan.by_suit]
    return np.hstack([plan.cards[:, 1:], np.array(flops)[plan.cards[:, 0]]]).astype(np.int64)


def _apart(group: FactGroup, cards: Integers, others: Integers) -> UnsolvableError:
    one, other = (written([DECK[n] for n in each.tolist()]) for each in (cards, others))
    return UnsolvableError(
        f"the fact group {group.name} gives {one} and {other} different cells, though only the order of "
        "cards and the names of suits differ; ignore the order of the hole cards and of the flop, and "
        "compare suits for equality alone"
    )


def _in_range(terms: Terms, name: str, cells: Integers) -> Integers:
    size = len(terms.outcomes[name])
    if cells.min() < 0 or cells.max() >= size:
        raise UnsolvableError(
            f"{terms.rulebook.id}: {name} depends on {terms.groups[name].name}, whose index must be 0 to "
            f"{size - 1} (got {cells.min()} to {cells.max()})"
        )
    return cells


def parts(terms: Terms, stakes: Mapping[str, int]) -> Integers:
    """A number for each state after the flop, the same for states that no staked wager tells apart."""
    keys = np.zeros(len(states().base), np.int64)
    royal = terms.order.index(ROYAL) if ROYAL in terms.order else None
    for name in stakes:
        outcomes, group = terms.outcomes[name], terms.groups[name]
        cells = flop_cells(terms, name)
        if cells is None and group.reads is Reads.OWN_HAND and royal is not None:
            # Seven cards decide it, and where a royal flush was made.
            outcomes = tuple(outcomes[group.index(royal, made)] for made in (FIRST_SEVEN, FIRST_FIVE))
            cells = (first_five(terms.order) == royal).astype(np.int64)
        if cells is not None:
            alike = np.array([outcomes.index(outcome) for outcome in outcomes])
            keys = keys * len(outcomes) + alike[cells]
    return np.asarray(np.unique(keys, return_inverse=True)[1])


def samples(terms: Terms, parts: Integers) -> tuple[Sample, ...]:
    """The first state of each part, which stands for all of them."""
    _, firsts = np.unique(parts, return_index=True)
    places, cards = first_five(terms.order)[firsts].tolist(), _state_cards()[firsts].tolist()
    return tuple(
        Sample(place, tuple(five[:2]), tuple(five[2:])) for place, five in zip(places, cards, strict=True)
    )
