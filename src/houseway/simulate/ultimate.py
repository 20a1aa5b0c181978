"""A simulated Ultimate Texas Hold'em table: its wagers, its strategy, and the exact values to compare
with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.engine.terms import Terms
from houseway.exact.board_counts import least_of, strengths
from houseway.exact.kernels import ultimate_rounds as kernels
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.wager_prices import wagers
from houseway.exact.whole_bet import staked_round
from houseway.ranking import Evaluator
from houseway.rules.fact_groups.own_hand import ROYAL
from houseway.simulate import moments, strategy_arrays
from houseway.simulate.errors import SimulationError
from houseway.simulate.moments import Moments
from houseway.simulate.stakes import SeatStakes, bet_arrays
from houseway.simulate.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class Ultimate:
    """An Ultimate Texas Hold'em table at which every seat plays the same strategy."""

    terms: Terms = field(repr=False)
    seats: int
    bets: SeatStakes
    arrays: kernels.Bets = field(repr=False)
    strategy: strategy_arrays.StrategyArrays = field(repr=False)
    ranks: kernels.Ranks = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """A hash of the seats' choices."""
        return self.strategy.fingerprint

    def buffers(self, number: int) -> tuple[kernels.Counts, kernels.RoundSample]:
        """Return empty counts, and arrays for a sample of the first `number` rounds."""
        places, wagers, early = len(self.terms.order), len(self.bets.wagers), self.arrays.early
        cells = len(early), int(early.max(initial=-1)) + 1
        return self.bets.buffers(places, cells, self.seats * places), kernels.RoundSample(
            np.zeros((number, 7 + 2 * self.seats), np.int8),
            np.zeros((number, self.seats), np.int8),
            np.zeros((number, self.seats, wagers + 1), np.int64),
        )

    def play(self, state: NDArray[np.uint64], rounds: int, counts: kernels.Counts,
             awards: NDArray[np.int64], log: kernels.RoundSample) -> int:  # fmt: skip
        """Play rounds. Return the number of meter shares won."""
        return kernels.play_chunk(
            state, rounds, self.seats, self.ranks, self.strategy.moves, self.arrays, counts, awards, log
        )

    def actions(self, tally: Tally) -> dict[str, int]:
        """Return the number of hands with each final action."""
        counts = dict.fromkeys(self.bets.actions, 0)
        for action, row in zip(self.bets.actions, tally.showdown, strict=True):
            counts[action] += sum(row)
        return counts

    def staked(self, tally: Tally) -> dict[str, int]:
        """Return the cents staked on each wager."""
        staked = {name: stake * tally.rounds * self.seats for name, stake in self.bets.stakes.items()}
        sizes = zip(self.bets.sizes, tally.showdown, strict=True)
        staked["play"] = sum(size * sum(row) for size, row in sizes) * self.bets.stakes["ante"]
        return staked

    def counted(self, tally: Tally, name: str) -> list[int]:
        """Return the number of hands in each cell of a wager. A cell is a combination of facts."""
        read = self.bets.read[name]
        if read == kernels.SHOWDOWN:
            # A folded hand has no play wager to settle.
            rows = tally.showdown[1 if name == "play" else 0 :]
            return [sum(column) for column in zip(*rows, strict=True)]
        if read == kernels.HIGHEST:
            return [rounds * self.seats for rounds in tally.highest]
        return list(tally.seven if read == kernels.SEVEN else tally.early[read - kernels.EARLY])

    def exact(self, name: str) -> Fraction | None:
        """Return the exact value of a wager or of the main game per hand, or None if it is not known."""
        if self.bets.limited:
            return None
        if name == moments.MAIN:
            return self.strategy.solution.value
        if name in self.bets.stakes and self.terms.groups[name].on_whole_table:
            return None if self._folds_matter(name) else self.nobody_folds(name)
        known = self._moments(name)
        return None if known is None else known.value

    def nobody_folds(self, name: str) -> Fraction:
        """Return the exact value of a wager on the highest hand at the table if no hand folds."""
        return wagers(self.terms)[name][str(self.seats + 1)].value

    def _folds_matter(self, name: str) -> bool:
        """True if a folded hand in the rack could have been the highest hand and changed the payment."""
        places = len(self.terms.order)
        first = self.terms.groups[name].index(self.seats + 1, 0, places)
        row = self.terms.outcomes[name][first : first + places]
        # Without the folded hand, the highest hand is lower. That matters only if lower hands are paid
        # different amounts.
        below = {
            outcome and outcome.pays for outcome in row[strategy_arrays.best_folded_class(self.strategy) :]
        }
        return len(below) > 1 and kernels.RACKED in self.arrays.folds_to

    def moments(self, name: str) -> Moments | None:
        """Return the exact moments of a wager if there is only one seat and they are known, otherwise
        None."""
        return None if self.bets.limited or self.seats > 1 else self._moments(name)

    def _moments(self, name: str) -> Moments | None:
        if name == moments.MAIN or (name in self.bets.stakes and self.terms.groups[name].against_dealer):
            counts = strategy_arrays.counts_of(self.strategy)
            return moments.of_showdown(self.terms, counts, name, self.bets.main)
        return moments.of_hand(self.terms, name) if self._own_hand(name) else None

    def _own_hand(self, name: str) -> bool:
        """True if a wager depends only on the player's own cards and is not paid from a meter."""
        wager = "progressive" if name == moments.FIXED else name
        metered = name == "progressive" and bool(self.bets.shares)
        return wager in self.bets.stakes and self.terms.groups[wager].on_own_cards and not metered


def prepare(terms: Terms, seats: int, amounts: Mapping[str, int], meters: Mapping[str, int],
               strategy: str) -> Ultimate:  # fmt: skip
    """Solve the main game and prepare a table. Raise an error if the game cannot be simulated."""
    try:
        choices = strategy_arrays.prepare(terms.rulebook, terms.mode, tuple(terms.tables.items()), strategy)
    except UnsolvableError as error:
        raise SimulationError(f"{error}; a game that cannot be solved cannot be simulated") from error
    staked = {name: stake for name, stake in amounts.items() if name != "play"}
    try:
        staked_round(terms, seats, staked, meters)
    except UnsolvableError as error:
        raise SimulationError(str(error)) from error
    pays = choices.solution.pays
    bets, arrays = bet_arrays(terms, pays, amounts, seats)
    return Ultimate(terms, seats, bets, arrays, choices, _ranks(terms.evaluator, pays.qualifier))


def _ranks(fast: Evaluator, qualifier: int) -> kernels.Ranks:
    ranked, suited, places = strengths(fast)
    return kernels.Ranks(
        ranked.astype(np.uint16),
        np.array([[comb(n, k) for k in range(6)] for n in range(18)], np.int64),
        suited.astype(np.uint16),
        places.astype(np.int8),
        least_of(places, qualifier),
        fast.order.index(ROYAL) if ROYAL in fast.order else -1,
    )
