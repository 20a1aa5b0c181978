"""The exact value of each choice for one hand. The caller can name cards that are out of play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

import numpy as np

from houseway.cards import DECK, Card, codes
from houseway.engine.terms import Terms
from houseway.exact.board_counts import CORES, least_of, strengths
from houseway.exact.flop_states import state_of, states
from houseway.exact.kernels import atoms, deals, flops
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import DEALER_HANDS, DEALS_PER_HAND, PayArrays, read_pays
from houseway.exact.solution import Solution, labels, solve

TURNS_AND_RIVERS = 1_081


@dataclass(frozen=True, slots=True)
class Advice:
    """The value of each choice in antes, without side bets, and the best choice."""

    values: Mapping[str, Fraction]
    best: str


@lru_cache(maxsize=8)
def prepare(terms: Terms) -> tuple[PayArrays, deals.OneHand]:
    """Return the payments, and the data that the kernels need to price one hand."""
    pays = read_pays(terms)
    by = strengths(terms.evaluator)
    tables = np.stack([pays.standing, pays.play, pays.folded])
    river = pays.streets[2]
    sizes = np.array(river.sizes, np.int64)
    return pays, deals.OneHand(by, least_of(by.places, pays.qualifier), tables, river.folds, sizes)


@lru_cache(maxsize=8)
def _solved(terms: Terms) -> Solution:
    return solve(terms)


def odds(terms: Terms, hole: Sequence[Card], board: Sequence[Card] = (), dead: Sequence[Card] = (), *,
         progress: Callable[[int, int], object] | None = None) -> Advice:  # fmt: skip
    """Return the value of each legal choice for a hand that has not played yet.

    `dead` lists known cards that cannot be dealt. If there are dead cards before the flop, every board is
    counted, which takes seconds. After each part, `progress` is then called with the number of finished
    parts and the number of all parts.
    """
    _check(hole, board, dead)
    held, shown = (np.array([card.number for card in cards], np.int64) for cards in (hole, board))
    left = np.array([card.number for card in DECK if card not in {*hole, *board, *dead}], np.int64)
    if len(board) == 5:
        return _river(terms, held, shown, left)
    if len(board) == 3:
        if dead:
            return _flop(terms, held, shown, left)
        solution = _solved(terms)
        return _advice(solution.pays, 1, flop_sums(solution, held, shown), TURNS_AND_RIVERS * DEALER_HANDS)
    if dead:
        return _start(terms, held, left, progress)
    solution = _solved(terms)
    (a, s), (b, t) = (divmod(int(n), atoms.SUITS) for n in held)
    return _advice(solution.pays, 0, solution.result.starts[flops.start_of(a, s, b, t)], DEALS_PER_HAND)


def flop_sums(solution: Solution, hole: Integers, flop: Integers) -> list[int]:
    """Return the result of a check and of each play after a flop, summed over turns, rivers and dealer
    hands."""
    plan, result = states(), solution.result
    state = state_of(hole, flop)
    sums = result.by_rank[:, plan.base[state]] + result.by_suit[:, plan.suits[state]].sum(axis=1)
    return [int(total) for total in sums]


def _check(hole: Sequence[Card], board: Sequence[Card], dead: Sequence[Card]) -> None:
    if len(hole) != 2:
        raise ValueError(f"a hand must have two cards (got {codes(hole) or 'none'})")
    if len(board) not in (0, 3, 5):
        raise ValueError(
            f"give 0, 3 or 5 board cards (got {len(board)}): players decide before the flop, "
            "after the flop and after the river"
        )
    known = [*hole, *board, *dead]
    twice = sorted({str(c) for c in known if known.count(c) > 1})
    if twice:
        raise ValueError(f"each card can be given only once (repeated: {' '.join(twice)})")
    if len(known) > 45 + len(board):
        raise ValueError(
            f"{len(dead)} dead cards leave too few cards for the board and the dealer; give fewer"
        )


def _advice(pays: PayArrays, street: int, sums: Sequence[int] | Integers, ways: int) -> Advice:
    """Convert totals over `ways` deals into the value of each choice.

    The first total is for a check or fold.
    """
    betting_point = pays.streets[street]
    names = labels(betting_point.sizes, "fold" if street == 2 else "check")
    first = 0 if betting_point.checks or betting_point.folds else 1
    values = {
        name: Fraction(int(total), pays.unit * ways)
        for name, total in list(zip(names, sums, strict=True))[first:]
    }
    return Advice(values, max(values, key=lambda name: values[name]))


def _river(terms: Terms, hole: Integers, board: Integers, left: Integers) -> Advice:
    pays, game = prepare(terms)
    counts = np.empty((2, 3), np.int64)
    place = game.by.places[deals.showdown(board, hole, left, game.by, game.least, counts)]
    standing, play, folded = (int((table[:, :, place] * counts).sum()) for table in game.tables)
    sums = [folded, *(standing + size * play for size in pays.streets[2].sizes)]
    return _advice(pays, 2, sums, comb(len(left), 2))


def _flop(terms: Terms, hole: Integers, flop: Integers, left: Integers) -> Advice:
    pays, game = prepare(terms)
    into = np.zeros(3, np.int64)
    deals.after_flop(flop, hole, left, game, into)
    check, standing, play = (int(total) for total in into)
    sums = [check, *(standing + size * play for size in pays.streets[1].sizes)]
    return _advice(pays, 1, sums, comb(len(left), 2) * comb(len(left) - 2, 2))


def _start(terms: Terms, hole: Integers, left: Integers,
           progress: Callable[[int, int], object] | None) -> Advice:  # fmt: skip
    pays, game = prepare(terms)
    size = len(left)
    parts = range(2, size - 2)

    def part(third: int) -> Integers:
        flop = np.zeros((comb(size, 3), 3), np.int64)
        deals.before_flop(third, hole, left, game, flop)
        return flop

    total = np.zeros((comb(size, 3), 3), np.int64)
    with ThreadPoolExecutor(CORES) as pool:
        for done, flop in enumerate(pool.map(part, parts), 1):
            total += flop
            if progress is not None:
                progress(done, len(parts))
    before, after, _ = pays.streets
    plays = [total[:, 1] + size * total[:, 2] for size in after.sizes]
    best = np.max([total[:, 0], *plays] if after.checks else plays, axis=0)
    check, standing, play = (sum(column.tolist()) for column in (best, total[:, 1], total[:, 2]))
    sums = [check, *(standing + k * play for k in before.sizes)]
    return _advice(pays, 0, sums, comb(size, 3) * comb(size - 3, 2) * comb(size - 5, 2))
