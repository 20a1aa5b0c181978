"""Strategies priced: the simple ones by hand, and what rules of thumb look at by the readable evaluator."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from exact.games import solution, terms
from houseway.cards import DECK, Card
from houseway.exact import strategies
from houseway.exact.counts import layout
from houseway.exact.kernels import atoms
from houseway.exact.strategies import ALWAYS, BEGINNER, BEST, NEVER, PRACTICAL, STRATEGIES, Strategy, price
from houseway.ranking import read


def by_hand(choice: str) -> Fraction:
    """The value when every starting hand makes one choice and the rest is played best."""
    hands = solution().starting_hands
    return sum((h.combos * h.values[choice] for h in hands), Fraction(0)) / 1_326


@pytest.mark.parametrize(("strategy", "choice"), [(NEVER, "check"), (ALWAYS, "4x")])
def test_one_choice_for_all_before_the_flop(strategy: Strategy, choice: str) -> None:
    found = price(solution(), strategy)
    assert found.value == by_hand(choice)
    assert found.costs == (solution().value - found.value, Fraction(0), Fraction(0))
    worst = found.mistakes[0]
    assert (worst.hand, worst.plays) == (("AA", False) if choice == "check" else ("32o", True))
    assert [m.cost for m in found.mistakes] == sorted((m.cost for m in found.mistakes), reverse=True)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda s: s.name)
def test_costs_add_up_and_nothing_beats_the_best(strategy: Strategy) -> None:
    found = price(solution(), strategy)
    assert found.value + sum(found.costs) == solution().value
    assert min(found.costs) >= 0
    assert (found.value == solution().value) == (strategy is BEST)


def test_the_practical_list_before_the_flop_is_the_best_one() -> None:
    practical, beginner = price(solution(), PRACTICAL), price(solution(), BEGINNER)
    assert practical.costs[0] == 0
    assert practical.mistakes == ()
    assert solution().value > practical.value > beginner.value
    # Near the best, as such a rule should be: less than three tenths of a percent of an ante.
    assert solution().value - practical.value < Fraction(3, 1_000)


def test_facts_of_the_flop() -> None:
    plan, rng = layout(), Random("flop facts")
    facts = strategies._facts(terms().order, solution().pays.qualifier).flop
    seen = set()
    for state in rng.sample(range(len(plan.base)), 4_000):
        n, first, second = plan.cards[state].tolist()
        hole = [DECK[first], DECK[second]]
        flop = [c for c in DECK if plan.by_suit[n][c.suit] >> c.rank & 1]
        assert len(flop) == 3
        better = read([*hole, *flop], terms().order).place <= terms().order.index("two pair")
        hidden = hole[0].rank == hole[1].rank or bool({c.rank for c in hole} & {c.rank for c in flop})
        deuces = all(c.rank == 0 for c in hole)
        draws = any(
            sum(c.suit == s for c in [*hole, *flop]) == 4 and any(c.suit == s and c.rank >= 8 for c in hole)
            for s in range(4)
        )
        expected = (better, hidden, deuces, draws)
        assert tuple(bool(fact[state]) for fact in facts) == expected
        seen.add(expected)
    assert {fact for row in seen for fact in enumerate(row)} >= {(n, True) for n in (0, 1, 3)}


def cell(hole: list[Card], board: list[Card]) -> tuple[bool, int, int]:
    """Whether cards lie on a flush board, and the numbers of board and hand there."""
    for suit in range(4):
        inside = [c.rank for c in board if c.suit == suit]
        if len(inside) >= 3:
            low, high = [*sorted(c.rank for c in board if c.suit != suit), -1, -1][:2]
            at = atoms.board_at(sum(1 << r for r in inside), len(inside), low, high)
            return True, at, atoms.two(*(c.rank if c.suit == suit else 13 + c.rank for c in hole))
    ranks = np.array(sorted(c.rank for c in board))
    return False, atoms.multiset(ranks, 5), atoms.two(hole[0].rank, hole[1].rank)


def test_facts_of_the_river() -> None:
    rng, order = Random("river facts"), terms().order
    facts = strategies._facts(order, solution().pays.qualifier)
    flushes = 0
    for n in range(400):
        # Every other board is drawn from two suits, so that flushes are common.
        pool = [c for c in DECK if n % 2 or c.suit < 2]
        dealt = rng.sample(pool, 7)
        hole, board = dealt[:2], dealt[2:]
        flush, at, hand = cell(hole, board)
        flushes += flush
        by = facts.river if flush else facts.river_by_rank
        mine, alone = read(dealt, order), read(board, order)
        paired = hole[0].rank == hole[1].rank or bool({c.rank for c in hole} & {c.rank for c in board})
        assert bool(by.hidden[at, hand]) == (paired or mine.place < alone.place)
        outs = [c for c in DECK if c not in dealt and read([*board, c], order).key > mine.key]
        assert int(by.outs[at, hand]) == len(outs)
    assert 100 < flushes < 350
