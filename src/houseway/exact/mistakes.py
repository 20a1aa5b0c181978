"""Where a strategy goes wrong: the costliest choices of all streets, told as cards."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from heapq import nlargest
from itertools import product

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, SUITS, Card, written
from houseway.exact import backward, forward
from houseway.exact.backward import Choices
from houseway.exact.counts import cells, layout, multisets
from houseway.exact.kernels import atoms
from houseway.exact.kernels.boards import Met
from houseway.exact.pays import DEALER_HANDS, DEALS_PER_HAND
from houseway.exact.solution import DEALS, Solution, hand_name, labels

TOLD = 10
FLOP_DEALS = 1_081 * DEALER_HANDS
"""Deals of turn, river and dealer once hole cards and flop are known."""
STREETS = ("before the flop", "after the flop", "after the river", "after the river")
"""Where losses stand: the boards of the river are of two kinds."""
WAITS = ("check", "check", "fold")
IN_SUIT, OTHERS = SUITS.index("s"), (2, 1, 0)

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A hand that a strategy plays wrongly, alone, after a flop or on a board, and all hands alike."""

    hand: str
    """A starting hand, or two cards that stand for all alike."""
    board: str
    """Nothing, the flop, or five cards in order of rank."""
    does: str
    should: str
    loss: Fraction
    """Antes lost each time, all later choices being the best."""
    deals: int
    """In how many deals it happens."""

    @property
    def cost(self) -> Fraction:
        """What it costs of each ante, all deals counted."""
        return self.loss * self.deals / DEALS


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """What wrong choices lose on one street, by place among what the street tells apart."""

    at: Integers
    deals: Integers
    lost: Integers
    """Whole numbers, summed over the deals."""


def mistakes(solution: Solution, made: Choices, streets: Sequence[Losses]) -> tuple[Mistake, ...]:
    """The costliest mistakes of choices under a solved game, costliest first."""
    worst = nlargest(
        TOLD,
        ((int(each.lost[n]), street, n) for street, each in enumerate(streets) for n in _most(each.lost)),
    )
    return tuple(mistake(solution, made, streets, street, n) for _, street, n in worst)


def mistake(solution: Solution, made: Choices, streets: Sequence[Losses], street: int, n: int) -> Mistake:
    """One of a street's losses as cards."""
    each = streets[street]
    at, deals = int(each.at[n]), int(each.deals[n])
    does, should, named = chosen(solution, made, street)
    loss = Fraction(int(each.lost[n]), solution.pays.unit * deals)
    return Mistake(*_TOLD[street](at), named[does[at]], named[should[at]], loss, deals)


def chosen(
    solution: Solution, made: Choices, street: int
) -> tuple[NDArray[np.int8], NDArray[np.int8], tuple[str, ...]]:
    """What choices do on a street and what they should do, by place, and what the choices are called."""
    wrong, right = (
        (by.start, by.flop, by.river, by.river_by_rank)[street] for by in (made, solution.found.choices)
    )
    stage = min(street, 2)
    return wrong.ravel(), right.ravel(), labels(solution.pays.streets[stage].sizes, WAITS[stage])


def _most(lost: Integers) -> list[int]:
    order = np.argpartition(-lost, TOLD - 1)[:TOLD] if len(lost) > TOLD else np.arange(len(lost))
    return [int(n) for n in order if lost[n]]


def losses(solution: Solution, made: Choices) -> tuple[Losses, Losses, Losses, Losses]:
    """What choices lose before the flop, after it, and on boards with and without a possible flush.

    A choice is charged where the ones before it led, the ones after it being the best; so the streets add
    up to what the choices cost in all.
    """
    found, plan = solution.found, layout()
    everything = np.arange(backward.STARTS)
    worth = found.starts
    lost = (worth[everything, found.choices.start] - worth[everything, made.start]) * backward.COMBOS
    start = Losses(everything, backward.COMBOS * DEALS_PER_HAND, lost)
    wrong = np.flatnonzero((made.start[plan.start] == 0) & (made.flop != found.choices.flop))
    right, chosen = (_state_worth(solution, wrong, by.flop[wrong]) for by in (found.choices, made))
    weight = plan.weight[wrong].astype(np.int64)
    flop = Losses(wrong, weight * FLOP_DEALS, weight * (right - chosen))
    plain, flush = cells(solution.order, solution.pays.qualifier)
    unplayed = (made.start[plan.start] == 0) & (made.flop == 0)
    reached = forward.reached(solution, unplayed, os.cpu_count() or 1)
    return (
        start,
        flop,
        _river(solution, flush, reached.flush, found.choices.river, made.river),
        _river(solution, plain, reached.plain, found.choices.river_by_rank, made.river_by_rank),
    )


def _state_worth(solution: Solution, states: Integers, chosen: NDArray[np.int8]) -> Integers:
    """What states after the flop bring under a choice each, summed over turns, rivers and dealers."""
    found, plan = solution.found, layout()
    total = found.by_rank[chosen, plan.base[states]]
    for suit in range(plan.suits.shape[1]):
        total = total + found.by_suit[chosen, plan.suits[states, suit]]
    return np.asarray(total)


def _river(solution: Solution, at: Met, deals: NDArray[np.int32], best: NDArray[np.int8],
           made: NDArray[np.int8]) -> Losses:  # fmt: skip
    """What wrong choices after the river lose, cell by cell."""
    pays = solution.pays
    wrong = np.flatnonzero((made != best) & (deals > 0))
    met = [each.ravel()[wrong].astype(np.int64) for each in (at.below, at.wins, at.ties)]
    parts = pays.linear()[at.place.ravel()[wrong]]
    standing, play, folded = (
        parts[:, n] + sum(parts[:, n + k] * number for k, number in enumerate(met, 1)) for n in (0, 4, 8)
    )
    sizes = np.array([0, *pays.streets[2].sizes])

    def worth(choice: NDArray[np.int8]) -> Integers:
        chosen = choice.ravel()[wrong]
        return np.where(chosen == 0, folded, standing + sizes[chosen] * play)

    number = deals.ravel()[wrong].astype(np.int64)
    return Losses(wrong, number * DEALER_HANDS, number * (worth(best) - worth(made)))


def _start(at: int) -> tuple[str, str]:
    return hand_name(at), ""


def _flop(at: int) -> tuple[str, str]:
    plan = layout()
    n, *hole = plan.cards[at].tolist()
    flop = [card for card in DECK if plan.by_suit[n][card.suit] >> card.rank & 1]
    return _told([DECK[card] for card in hole]), _told(flop)


def _flush(at: int) -> tuple[str, str]:
    """Cards of a cell on a board that holds three or more of a suit, the suit taken to be spades."""
    board, hand = divmod(at, atoms.CLASSES)
    mask, _, low, high = layout().boards[board].tolist()
    inside = [rank for rank in range(atoms.RANKS) if mask >> rank & 1]
    outside = [rank for rank in (low, high) if rank >= 0]
    pair = multisets(2, atoms.ATOMS)[hand].tolist()
    hole = [(a % atoms.RANKS, (IN_SUIT,) if a < atoms.RANKS else OTHERS) for a in pair]
    shown = [(rank, (IN_SUIT,)) for rank in inside] + [(rank, OTHERS) for rank in outside]
    return _first(_dealt([*hole, *shown]))


def _plain(at: int) -> tuple[str, str]:
    """Cards of a cell on a board seen by rank alone, no three of them of one suit."""
    board, hand = divmod(at, atoms.PAIRS)
    ranks = [*multisets(2)[hand].tolist(), *layout().rank_boards[board].tolist()]
    turned = [tuple((suit + n) % len(SUITS) for suit in range(len(SUITS))) for n in range(len(ranks))]
    return _first(
        dealt
        for dealt in _dealt(list(zip(ranks, turned, strict=True)))
        if max([card.suit for card in dealt[2:]].count(suit) for suit in range(len(SUITS))) < 3
    )


def _dealt(wanted: Sequence[tuple[int, tuple[int, ...]]]) -> Iterator[list[Card]]:
    """Every way to give ranks one of the suits each may have, no card twice."""
    for suits in product(*(may for _, may in wanted)):
        found = [DECK[len(SUITS) * rank + suit] for (rank, _), suit in zip(wanted, suits, strict=True)]
        if len(set(found)) == len(found):
            yield found


def _first(ways: Iterator[list[Card]]) -> tuple[str, str]:
    dealt = next(ways)
    return _told(dealt[:2]), _told(dealt[2:])


def _told(cards: Sequence[Card]) -> str:
    return written(sorted(cards, key=lambda card: -card.rank))


_TOLD = (_start, _flop, _flush, _plain)
"""How the cards of a place are told, on each street."""
