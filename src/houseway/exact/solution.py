"""The solved main game: its exact value, the best choices, and the value of each starting hand."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from houseway.cards import RANKS
from houseway.engine.terms import Terms
from houseway.exact import backward_pass
from houseway.exact.board_counts import CORES
from houseway.exact.flop_states import states
from houseway.exact.kernels import atoms
from houseway.exact.pay_arrays import DEALS_PER_HAND, PayArrays, read_pays, terms_of
from houseway.ranking import HandClass
from houseway.rules.rulebook import Rulebook

DEALS = 1_326 * DEALS_PER_HAND
"""The number of deals: every player hand, flop, turn and river, and dealer hand."""


@dataclass(frozen=True, slots=True)
class StartingHand:
    """One of the 169 starting hands and the value of each choice before the flop, in antes."""

    hand: str
    combos: int
    values: Mapping[str, Fraction]
    best: str


@dataclass(frozen=True, slots=True)
class Solution:
    """A game's exact value in antes and the choices that achieve it."""

    rulebook: str
    hash: str
    value: Fraction
    seconds: float
    """The time to solve the game, not including counts that do not depend on pay tables."""
    starting_hands: tuple[StartingHand, ...]
    pays: PayArrays = field(repr=False)
    order: tuple[HandClass, ...] = field(repr=False)
    result: backward_pass.BackwardPass = field(repr=False)
    """The sums and choices of the backward pass."""

    @property
    def edge(self) -> Fraction:
        """The house edge per ante."""
        return -self.value

    @property
    def found(self) -> backward_pass.BackwardPass:
        """Deprecated: the old name of `result`."""
        return self.result


def solve(
    game: Terms | Rulebook, *, threads: int | None = None, forced: backward_pass.StreetChoices | None = None
) -> Solution:
    """Solve the main game of Ultimate Texas Hold'em under these terms.

    If two choices have the same value, the player checks or folds. The pay tables are the same as in
    settlement. Counts that do not depend on pay tables are computed once per process, and their time is not
    included in `seconds`. If `forced` is given, its choices are made instead of the best ones.
    """
    terms = terms_of(game)
    pays = read_pays(terms)
    backward_pass.start_counts(terms.order, pays.qualifier)
    states()
    start = time.perf_counter()
    result = backward_pass.run(pays, terms.order, threads or CORES, forced)
    seconds = time.perf_counter() - start
    book = terms.rulebook
    value = Fraction(result.total, pays.unit * DEALS)
    return Solution(
        book.id, book.hash, value, seconds, _starting_hands(pays, result), pays, terms.order, result
    )


def labels(sizes: tuple[int, ...], first: str) -> tuple[str, ...]:
    """Return the names of the choices at a betting point: `first` (check or fold), then each size."""
    return (first, *(f"{size}x" for size in sizes))


def hand_name(start: int) -> str:
    """Return the name of a starting hand in poker notation, such as "AKs", "T9o" or "77"."""
    row, column = divmod(start, atoms.RANKS)
    high, low = RANKS[max(row, column)], RANKS[min(row, column)]
    return high + low + ("" if row == column else "s" if row > column else "o")


def _starting_hands(pays: PayArrays, result: backward_pass.BackwardPass) -> tuple[StartingHand, ...]:
    before = pays.streets[0]
    names = labels(before.sizes, "check")
    listed = []
    for start in reversed(range(backward_pass.STARTS)):
        values = {
            name: Fraction(int(worth), pays.unit * DEALS_PER_HAND)
            for name, worth in zip(names, result.starts[start], strict=True)
            if name != "check" or before.checks
        }
        best = names[result.choices.start[start]]
        listed.append(StartingHand(hand_name(start), int(backward_pass.COMBOS[start]), values, best))
    return tuple(listed)
