"""A simulated Texas Shootout table: its wagers, its strategy, and the exact values to compare with."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from houseway.cards import DECK, codes
from houseway.engine.read_shootout import read_round
from houseway.engine.terms import Terms
from houseway.exact import shootout_strategies as strategies
from houseway.exact.kernels import shootout_rounds as kernels
from houseway.exact.kernels import ultimate_rounds
from houseway.exact.kernels.atoms import RANKS
from houseway.exact.kernels.shootout import BOARD, CARDS, FOUR, SEVEN
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.progressive_values import envy_amounts
from houseway.exact.shootout_game import by_suit, grades_of, read_game
from houseway.exact.shootout_hands import Progress
from houseway.money import dollars
from houseway.rules.fact_groups.own_hand import ROYAL
from houseway.simulate.errors import SimulationError
from houseway.simulate.moments import MAIN, Moments
from houseway.simulate.stakes import (
    SeatStakes,
    cell_read,
    cell_results,
    check_largest,
    half_cents,
    main_wagers,
)
from houseway.simulate.tally import Tally

EXCLUDES = {None: kernels.EXCLUDES_NONE, "hand": kernels.EXCLUDES_HAND, "player": kernels.EXCLUDES_PLAYER}


@dataclass(frozen=True, slots=True, eq=False)
class Shootout:
    """A Texas Shootout table at which every seat plays the same strategy.

    After a split, both hands have a bonus wager.
    """

    terms: Terms = field(repr=False)
    seats: int
    strategy: str
    bets: SeatStakes
    arrays: kernels.ShootoutBets = field(repr=False)
    choices: NDArray[np.int8] = field(repr=False)
    ranks: kernels.ShootoutRanks = field(repr=False)

    @property
    def fingerprint(self) -> str:
        """A hash of the seats' choices."""
        return hashlib.sha256(self.choices.tobytes() + self.ranks.grades.tobytes()).hexdigest()[:24]

    def buffers(self, number: int) -> tuple[ultimate_rounds.Counts, ultimate_rounds.RoundSample]:
        """Return empty counts, and arrays for a sample of the first `number` rounds."""
        return self.bets.buffers(len(self.terms.order)), ultimate_rounds.RoundSample(
            np.zeros((number, BOARD + FOUR * (self.seats + 1)), np.int8),
            np.zeros((number, self.seats), np.int8),
            np.zeros((number, self.seats * kernels.HANDS, len(self.bets.wagers) + 1), np.int64),
        )

    def play(self, state: NDArray[np.uint64], number: int, counts: ultimate_rounds.Counts,
             awards: NDArray[np.int64], log: ultimate_rounds.RoundSample) -> int:  # fmt: skip
        """Play rounds. Return the number of meter shares won: always 0, because there are no meters."""
        decks = self.terms.rulebook.ranking.decks
        kernels.play_shootout(
            state, number, self.seats, decks, self.ranks, self.choices, self.arrays, counts, log
        )
        return 0

    def actions(self, tally: Tally) -> dict[str, int]:
        """Return how often a seat kept two of the four cards, and how often it split them."""
        counted = zip(self.bets.actions, self.bets.sizes, tally.showdown, strict=True)
        return {action: sum(row) // hands for action, hands, row in counted}

    def staked(self, tally: Tally) -> dict[str, int]:
        """Return the cents staked on each wager."""
        hands = sum(map(sum, tally.showdown))
        return {name: stake * hands for name, stake in self.bets.stakes.items()}

    def counted(self, tally: Tally, name: str) -> list[int]:
        """Return the number of hands in each cell of a wager. A cell is a combination of facts."""
        if self.bets.read[name] == ultimate_rounds.SHOWDOWN:
            return [sum(column) for column in zip(*tally.showdown, strict=True)]
        return list(tally.seven)

    def exact(self, name: str) -> Fraction | None:
        """Return the exact value of a wager for each seat and round, or None if it is not known yet."""
        priced = None if self.bets.limited else strategies.price(self.terms, self.strategy)
        if priced is None:
            return None
        if name == "bonus" and name in self.bets.stakes:
            return priced.bonus()
        if name == "envy" and priced.hands == 1:
            # Without splits, a seat gets envy for one hand of every other seat.
            return (self.seats - 1) * priced.envy() / self.bets.unit(name)
        return priced.value if name in (MAIN, self.bets.main[0]) else None

    def moments(self, name: str) -> Moments | None:
        """Return None. The moments are not known, because the two hands of a split depend on each other."""
        return None


def prepare(terms: Terms, seats: int, amounts: Mapping[str, int], strategy: str,
               progress: Progress | None) -> Shootout:  # fmt: skip
    """Prepare a table. If the best choices are not stored, count them."""
    book = terms.rulebook
    try:
        game = read_game(book)
        _check_round(terms, seats, amounts)
        choices = strategies.choices(terms, strategy, progress=progress)
    except UnsolvableError as error:
        raise SimulationError(str(error)) from error
    assert book.house_way is not None  # read_game requires one.
    fast = terms.evaluator
    sizes = [0] * (BOARD + 1) + [comb(RANKS + size - 1, size) for size in (5, 6)]
    ranks = kernels.ShootoutRanks(
        game.views[-1].strong.T.copy(),
        by_suit(fast, game.decks),
        np.cumsum(sizes),
        np.array([[comb(n, k) for k in range(SEVEN + 1)] for n in range(CARDS + FOUR)], np.int64),
        game.places.astype(np.int8),
        fast.order.index(ROYAL) if ROYAL in fast.order else -1,
        grades_of(book.house_way),
    )
    bets, arrays = _bets(terms, seats, amounts)
    return Shootout(terms, seats, strategy, bets, arrays, choices, ranks)


def _bets(terms: Terms, seats: int, stakes: Mapping[str, int]) -> tuple[SeatStakes, kernels.ShootoutBets]:
    tables = [cell_results(terms, name, stake) for name, stake in stakes.items()]
    nets = np.zeros((len(tables), max(len(net) for net, _ in tables)), np.int64)
    for row, (net, _) in enumerate(tables):
        nets[row, : len(net)] = net
    if terms.plan.caps or terms.on_five:
        wrong = "limits winnings or pays a bonus on the first five cards only"
        raise SimulationError(f"{terms.rulebook.id}: a rulebook that {wrong} cannot be simulated")
    amounts, envious = envy_amounts(terms, stakes)
    envy = np.array(amounts, np.int64)
    hands = seats * kernels.HANDS
    check_largest(hands * (int(abs(nets).max(axis=1).sum()) + hands * int(envy.max())))
    reads = {name: cell_read(terms, name) for name in stakes}
    main = main_wagers(terms, stakes)
    wager = terms.rulebook.wagers.get("envy")
    excludes = wager.excludes.value if wager and wager.excludes else None
    cells = np.array(list(reads.values()), np.int64)
    is_main = np.array([name in main for name in stakes], np.int64)
    arrays = kernels.ShootoutBets(cells, is_main, nets, envy, EXCLUDES[excludes])
    limited = any(half_cents(terms, name, stake) for name, stake in stakes.items())
    staked = SeatStakes(dict(stakes), ("keep", "split"), (1, 2), main, envious, (), reads, limited)
    return staked, arrays


def _check_round(terms: Terms, seats: int, stakes: Mapping[str, int]) -> None:
    """Raise an error if settlement would refuse these seats and stakes for a hand that splits."""
    wagers = {name: dollars(stake) for name, stake in stakes.items()}
    aces = codes([DECK[-1]] * 2)
    four = {"cards": f"{aces} {aces}", "hands": [aces, aces], **wagers}
    if "bonus" in wagers:
        four["bonus"] = [wagers["bonus"]] * 2
    for seat in (1, seats):
        played = {
            "rulebook": terms.rulebook.id,
            "board": codes(DECK[:BOARD]),
            "dealer": codes(DECK[BOARD : BOARD + FOUR]),
            "seats": [{"seat": seat, **four}],
        }
        _, refusals = read_round(played, terms)
        if refusals:
            raise SimulationError("; ".join(dict.fromkeys(refusal.message for refusal in refusals)))
