"""What each choice of one hand is worth, exactly: cards in hand, on the board, and known to be gone."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, Card, written
from houseway.engine.terms import Terms
from houseway.exact import counts
from houseway.exact.kernels import atoms, deals, flops
from houseway.exact.pays import DEALER_HANDS, DEALS_PER_HAND, Pays, read_pays
from houseway.exact.solution import Solution, labels, solve

Numbers = NDArray[np.int64]
NUMBER = {c: n for n, c in enumerate(DECK)}
TURNS_AND_RIVERS = 1_081


@dataclass(frozen=True, slots=True)
class Advice:
    """What each choice is worth in antes, side bets apart, and the best of them."""

    values: Mapping[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True, eq=False)
class Ready:
    """Terms made ready for looking at one hand after another."""

    pays: Pays
    ranked: Numbers
    suited: Numbers
    places: Numbers
    least: int
    """The least strength with which the dealer qualifies."""
    tables: Numbers
    sizes: Numbers

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What every kernel over real cards takes after its cards."""
        folds = self.pays.streets[2].folds
        return self.ranked, self.suited, self.places, self.least, self.tables, folds, self.sizes


@lru_cache(maxsize=8)
def ready(terms: Terms) -> Ready:
    """Terms made ready."""
    pays = read_pays(terms)
    ranked, suited, places = counts.strengths(terms.evaluator)
    least = counts.least_of(places, pays.qualifier)
    tables = np.stack([pays.standing, pays.play, pays.folded])
    return Ready(pays, ranked, suited, places, least, tables, np.array(pays.streets[2].sizes, np.int64))


@lru_cache(maxsize=8)
def _solved(terms: Terms) -> Solution:
    return solve(terms)


def odds(terms: Terms, hole: Sequence[Card], board: Sequence[Card] = (), dead: Sequence[Card] = (), *,
         progress: Callable[[int, int], object] | None = None) -> Advice:  # fmt: skip
    """What each legal choice of a hand that has not played yet is worth.

    `dead` are cards seen that nobody will be dealt. Before the flop they make every board be looked at,
    which takes seconds: `progress` is then told how many parts of the work are done, and of how many.
    """
    _check(hole, board, dead)
    held, shown = _numbers(hole), _numbers(board)
    left = np.array([n for c, n in NUMBER.items() if c not in {*hole, *board, *dead}], np.int64)
    if len(board) == 5:
        return _river(ready(terms), held, shown, left)
    if len(board) == 3:
        if dead:
            return _flop(ready(terms), held, shown, left)
        found = _solved(terms)
        return _advice(found.pays, 1, flop_sums(found, held, shown), TURNS_AND_RIVERS * DEALER_HANDS)
    if dead:
        return _start(ready(terms), held, left, progress)
    found = _solved(terms)
    (a, s), (b, t) = (divmod(int(n), atoms.SUITS) for n in held)
    return _advice(found.pays, 0, found.found.starts[flops.start_of(a, s, b, t)], DEALS_PER_HAND)


def flop_sums(solution: Solution, hole: Numbers, flop: Numbers) -> list[int]:
    """What a check and each play bring after a flop, summed over every turn, river and dealer."""
    found = solution.found
    ranks = np.sort(flop // atoms.SUITS)
    pair = atoms.two(*(int(n) // atoms.SUITS for n in hole))
    base = atoms.multiset(ranks, 3) * atoms.PAIRS + pair
    sums = found.by_rank[:, base].copy()
    for suit in set((flop % atoms.SUITS).tolist()):
        others = sorted(int(c) // atoms.SUITS for c in flop if c % atoms.SUITS != suit)
        low, high = [*others, -1, -1][:2]
        at = atoms.flop_at(deals.mask_of(flop, suit), 3 - len(others), low, high)
        kind = atoms.two(*(deals.atom_of(int(n), suit) for n in hole))
        sums += found.by_suit[:, at * atoms.CLASSES + kind]
    return [int(total) for total in sums]


def _check(hole: Sequence[Card], board: Sequence[Card], dead: Sequence[Card]) -> None:
    if len(hole) != 2:
        raise ValueError(f"{written(hole) or 'no card'}: a hand is two cards, not {len(hole)}")
    if len(board) not in (0, 3, 5):
        raise ValueError(
            "a player chooses before the flop, after its three cards and after all five board cards; "
            f"here are {len(board)}"
        )
    known = [*hole, *board, *dead]
    twice = sorted({str(c) for c in known if known.count(c) > 1})
    if twice:
        raise ValueError(f"{' '.join(twice)} is named twice; a deck holds each card once")
    if len(known) > 45 + len(board):
        raise ValueError(f"{len(dead)} cards are gone; too few are left to deal a board and a dealer")


def _numbers(cards: Sequence[Card]) -> Numbers:
    return np.array([NUMBER[c] for c in cards], np.int64)


def _advice(pays: Pays, street: int, sums: Sequence[int] | Numbers, ways: int) -> Advice:
    """Sums over so many deals as values by choice; the first choice listed is the check or fold."""
    at = pays.streets[street]
    named = labels(at.sizes, "fold" if street == 2 else "check")
    first = 0 if at.checks or at.folds else 1
    values = {
        name: Fraction(int(total), pays.unit * ways)
        for name, total in list(zip(named, sums, strict=True))[first:]
    }
    return Advice(values, max(values, key=lambda name: values[name]))


def _river(game: Ready, hole: Numbers, board: Numbers, left: Numbers) -> Advice:
    met = np.empty((2, 3), np.int64)
    ranked, suited, places, least, tables, _, sizes = game.arguments
    place = places[deals.showdown(board, hole, left, ranked, suited, least, met)]
    standing, play, folded = (int((table[:, :, place] * met).sum()) for table in tables)
    sums = [folded, *(standing + int(size) * play for size in sizes)]
    return _advice(game.pays, 2, sums, comb(len(left), 2))


def _flop(game: Ready, hole: Numbers, flop: Numbers, left: Numbers) -> Advice:
    into = np.zeros(3, np.int64)
    deals.after_flop(flop, hole, left, *game.arguments, into)
    check, standing, play = (int(total) for total in into)
    sums = [check, *(standing + size * play for size in game.pays.streets[1].sizes)]
    return _advice(game.pays, 1, sums, comb(len(left), 2) * comb(len(left) - 2, 2))


def _start(game: Ready, hole: Numbers, left: Numbers,
           progress: Callable[[int, int], object] | None) -> Advice:  # fmt: skip
    size = len(left)
    parts = range(2, size - 2)

    def part(third: int) -> Numbers:
        flop = np.zeros((comb(size, 3), 3), np.int64)
        deals.before_flop(third, hole, left, *game.arguments, flop)
        return flop

    total = np.zeros((comb(size, 3), 3), np.int64)
    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        for done, flop in enumerate(pool.map(part, parts), 1):
            total += flop
            if progress is not None:
                progress(done, len(parts))
    before, after, _ = game.pays.streets
    plays = [total[:, 1] + size * total[:, 2] for size in after.sizes]
    best = np.max([total[:, 0], *plays] if after.checks else plays, axis=0)
    check, standing, play = (sum(column.tolist()) for column in (best, total[:, 1], total[:, 2]))
    sums = [check, *(standing + k * play for k in before.sizes)]
    return _advice(game.pays, 0, sums, comb(size, 3) * comb(size - 3, 2) * comb(size - 5, 2))
