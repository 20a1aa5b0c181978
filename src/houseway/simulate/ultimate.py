"""Ultimate Texas Hold'em made ready for playing out: strategy, strengths, wagers, and what is exact."""

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
from houseway.simulate.stakes import Staked, lay_out
from houseway.simulate.tally import Tally


@dataclass(frozen=True, slots=True, eq=False)
class Ultimate:
    """A table of Ultimate Texas Hold'em at which every seat plays alike."""

    terms: Terms = field(repr=False)
    seats: int
    bets: Staked
    arrays: kernels.Bets = field(repr=False)
    ready: strategy_arrays.StrategyArrays = field(repr=False)
    ranks: kernels.Ranks = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """What the seats choose, as one name."""
        return self.ready.fingerprint

    def room(self, number: int) -> tuple[kernels.Counts, kernels.Kept]:
        """Room to count in, and to keep so many rounds."""
        places, wagers, early = len(self.terms.order), len(self.bets.wagers), self.arrays.early
        cells = len(early), int(early.max(initial=-1)) + 1
        return self.bets.room(places, cells, self.seats * places), kernels.Kept(
            np.zeros((number, 7 + 2 * self.seats), np.int8),
            np.zeros((number, self.seats), np.int8),
            np.zeros((number, self.seats, wagers + 1), np.int64),
        )

    def play(self, state: NDArray[np.uint64], rounds: int, counts: kernels.Counts,
             awards: NDArray[np.int64], kept: kernels.Kept) -> int:  # fmt: skip
        """Play rounds; how many shares of meters were won."""
        return kernels.play_chunk(
            state, rounds, self.seats, self.ranks, self.ready.moves, self.arrays, counts, awards, kept
        )

    def actions(self, tally: Tally) -> dict[str, int]:
        """How often each thing was done in the end."""
        found = dict.fromkeys(self.bets.actions, 0)
        for action, row in zip(self.bets.actions, tally.showdown, strict=True):
            found[action] += sum(row)
        return found

    def staked(self, tally: Tally) -> dict[str, int]:
        """Cents staked by wager."""
        found = {name: stake * tally.rounds * self.seats for name, stake in self.bets.stakes.items()}
        sizes = zip(self.bets.sizes, tally.showdown, strict=True)
        found["play"] = sum(size * sum(row) for size, row in sizes) * self.bets.stakes["ante"]
        return found

    def counted(self, tally: Tally, name: str) -> list[int]:
        """Hands by the cell a wager reads."""
        read = self.bets.read[name]
        if read == kernels.SHOWDOWN:
            # A fold leaves no play wager to settle.
            rows = tally.showdown[1 if name == "play" else 0 :]
            return [sum(column) for column in zip(*rows, strict=True)]
        if read == kernels.HIGHEST:
            return [rounds * self.seats for rounds in tally.highest]
        return list(tally.seven if read == kernels.SEVEN else tally.early[read - kernels.EARLY])

    def exact(self, name: str) -> Fraction | None:
        """What a wager, or the main game, is worth exactly for a hand; None where that is not known."""
        if self.bets.limited:
            return None
        if name == moments.MAIN:
            return self.ready.solution.value
        if name in self.bets.stakes and self.terms.groups[name].on_whole_table:
            return None if self._folds_matter(name) else self.nobody_folds(name)
        found = self._moments(name)
        return None if found is None else found.value

    def nobody_folds(self, name: str) -> Fraction:
        """What a wager on the highest hand at the table is worth exactly if every hand dealt counts."""
        return wagers(self.terms)[name][str(self.seats + 1)].value

    def _folds_matter(self, name: str) -> bool:
        """Whether a folded hand that is racked could have been the highest and paid otherwise."""
        places = len(self.terms.order)
        first = self.terms.groups[name].index(self.seats + 1, 0, places)
        row = self.terms.outcomes[name][first : first + places]
        # The highest hand left is of a lower class, so what pays alike from there down changes nothing.
        below = {outcome and outcome.pays for outcome in row[strategy_arrays.folds_away(self.ready) :]}
        return len(below) > 1 and kernels.RACKED in self.arrays.folds_to

    def moments(self, name: str) -> Moments | None:
        """Mean, variance and more of a wager of one seat, where that is all there is at the table."""
        return None if self.bets.limited or self.seats > 1 else self._moments(name)

    def _moments(self, name: str) -> Moments | None:
        if name == moments.MAIN or (name in self.bets.stakes and self.terms.groups[name].against_dealer):
            return moments.of_showdown(
                self.terms, strategy_arrays.counts_of(self.ready), name, self.bets.main
            )
        return moments.of_hand(self.terms, name) if self._own_hand(name) else None

    def _own_hand(self, name: str) -> bool:
        """Whether a wager looks at the player's own hand and takes nothing from a meter."""
        wager = "progressive" if name == moments.FIXED else name
        metered = name != moments.FIXED and name == "progressive" and bool(self.bets.shares)
        return wager in self.bets.stakes and self.terms.groups[wager].on_own_cards and not metered


def make_ready(terms: Terms, seats: int, amounts: Mapping[str, int], meters: Mapping[str, int],
               strategy: str) -> Ultimate:  # fmt: skip
    """Solve the main game and lay everything out; refused where rounds cannot be played so."""
    try:
        ready = strategy_arrays.ready(terms.rulebook, terms.mode, tuple(terms.tables.items()), strategy)
    except UnsolvableError as error:
        raise SimulationError(f"{error}; other games are not simulated") from error
    staked = {name: stake for name, stake in amounts.items() if name != "play"}
    try:
        staked_round(terms, seats, staked, meters)
    except UnsolvableError as error:
        raise SimulationError(str(error)) from error
    pays = ready.solution.pays
    bets, arrays = lay_out(terms, pays, amounts, seats)
    return Ultimate(terms, seats, bets, arrays, ready, _ranks(terms.evaluator, pays.qualifier))


def _ranks(by: Evaluator, qualifier: int) -> kernels.Ranks:
    ranked, suited, places = strengths(by)
    return kernels.Ranks(
        ranked.astype(np.uint16),
        np.array([[comb(n, k) for k in range(6)] for n in range(18)], np.int64),
        suited.astype(np.uint16),
        places.astype(np.int8),
        least_of(places, qualifier),
        by.order.index(ROYAL) if ROYAL in by.order else -1,
    )
