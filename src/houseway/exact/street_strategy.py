"""Best play after the flop and after the river, by kind of hand: how often each choice is best."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from houseway.exact import forward_counts
from houseway.exact.board_counts import CORES
from houseway.exact.flop_states import states
from houseway.exact.mistakes import FLOP_DEALS, STREETS, WAITS, board_kinds, flop_kinds
from houseway.exact.numbering import Integers
from houseway.exact.pay_arrays import DEALER_HANDS
from houseway.exact.solution import Solution, labels


@dataclass(frozen=True, slots=True)
class KindPlay:
    """How a kind of hand is best played on one street."""

    hand: str
    """The kind of hand, such as "pair" or "three of a kind on the flop"."""
    deals: Mapping[str, int]
    """The deals in which each choice is best. Only deals that best play brings to this street count."""


def street_strategy(solution: Solution) -> dict[str, tuple[KindPlay, ...]]:
    """Return best play after the flop and after the river, highest hands first."""
    choices, plan = solution.result.choices, states()
    checked = choices.start[plan.start] == 0
    at = np.flatnonzero(checked)
    hands, words = flop_kinds(solution, at)
    flop = _Counts(words, labels(solution.pays.streets[1].sizes, WAITS[1]))
    flop.add(hands, choices.flop[at], plan.weight[at].astype(np.int64) * FLOP_DEALS)
    by_rank, boards = forward_counts.reached(solution, checked & (choices.flop == 0), CORES)
    # Both kinds of board have the same kinds of hand.
    _, on_board = board_kinds(solution, np.arange(1), 0)
    river = _Counts(on_board, labels(solution.pays.streets[2].sizes, WAITS[2]))
    for number, reached, made in ((0, by_rank, choices.river_by_rank), (1, boards, choices.river)):
        at = np.flatnonzero(reached.ravel())
        hands, _ = board_kinds(solution, at, number)
        river.add(hands, made.ravel()[at], reached.ravel()[at].astype(np.int64) * DEALER_HANDS)
    return {STREETS[1]: flop.rows(), STREETS[2]: river.rows()}


class _Counts:
    """Deals by kind of hand and choice."""

    def __init__(self, words: list[str], names: tuple[str, ...]) -> None:
        self._words, self._names = words, names
        self._deals = np.zeros((len(words), len(names)), np.int64)

    def add(self, hands: Integers, made: NDArray[np.int8], deals: Integers) -> None:
        """Add the deals of some hands, under the choice made for each."""
        np.add.at(self._deals, (hands, made), deals)

    def rows(self) -> tuple[KindPlay, ...]:
        """Return the kinds of hand that occur, highest first."""
        return tuple(
            KindPlay(self._words[n], dict(zip(self._names, map(int, self._deals[n]), strict=True)))
            for n in range(len(self._words))
            if self._deals[n].any()
        )
