"""A simulation before it is run: rulebook, seats, stakes, strategy, seed, number of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np

from houseway.cards import DECK, written
from houseway.engine.terms import Terms, read_terms
from houseway.engine.ultimate import read_round
from houseway.exact.counts import least_of, strengths
from houseway.exact.kernels import compiling
from houseway.exact.kernels.rounds import Moves, Ranks
from houseway.exact.pays import UnsolvableError
from houseway.money import dollars
from houseway.ranking import Evaluator
from houseway.rules.loading import load
from houseway.simulate import strategies
from houseway.simulate.bets import Staked, staked, stakes
from houseway.simulate.problems import SimulationError

CHUNK = 1 << 16
"""Rounds played from one random stream; what a run comes to depends on it and not on threads."""
ROYAL = "royal flush"


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything that says what a simulation comes to, made ready for playing."""

    told: Mapping[str, Any]
    """What makes two runs the same run, as JSON."""
    terms: Terms = field(repr=False)
    seats: int
    rounds: int
    seed: str
    bets: Staked = field(repr=False)
    meters: Mapping[str, int]
    """What the meters show before the first round, in cents; one not named stands at its seed."""
    exact: Fraction
    """What the main game is worth under the strategy, in antes, no limit on winnings looked at."""
    moves: Moves = field(repr=False)
    ranks: Ranks = field(repr=False)

    @property
    def chunks(self) -> int:
        """How many chunks the rounds make; the last may be short."""
        return -(-self.rounds // CHUNK)


def plan(
    rulebook: str,
    *,
    rounds: int,
    seats: int = 1,
    strategy: str = "best",
    side: Sequence[str] = (),
    seed: str = "1",
    given: Mapping[str, Any] | None = None,
    bets: Mapping[str, int] | None = None,
    meters: Mapping[str, int] | None = None,
) -> Plan:
    """Make a simulation ready; `given` is mode, tables, limits and house settings as a round has them.

    Every seat makes the same wagers and plays the same strategy. `bets` and `meters` are cents by name.
    """
    book = load(rulebook)
    data = dict(given or {})
    wagered = [name for name in side if name in book.wagers and book.wagers[name].modes]
    terms, refused = read_terms(book, data, wagered)
    if refused:
        raise SimulationError("; ".join(refusal.message for refusal in refused))
    if rounds < 1:
        raise SimulationError(f"{rounds} rounds are none; ask for one or more")
    try:
        ready = strategies.ready(book, terms.mode, tuple(terms.tables.items()), strategy)
    except UnsolvableError as error:
        raise SimulationError(f"{error}; other games are not simulated") from error
    amounts = stakes(terms, side, bets or {})
    shows = dict(meters or {})
    _check_round(terms, seats, amounts, shows)
    told = {
        "rulebook": rulebook,
        "hash": book.hash,
        "kernels": compiling.fingerprint(),
        "terms": {**data, "mode": terms.mode},
        "seats": seats,
        "stakes": amounts,
        "meters": shows,
        "strategy": strategy,
        "choices": ready.fingerprint,
        "seed": seed,
        "rounds": rounds,
    }
    return Plan(
        told,
        terms,
        seats,
        rounds,
        seed,
        staked(terms, ready.pays, amounts, seats),
        shows,
        ready.value,
        ready.moves,
        _ranks(terms.evaluator, ready.pays.qualifier),
    )


def again(told: Mapping[str, Any]) -> Plan:
    """The plan that told this of itself; refused where the rulebook or the kernels have changed since."""
    here = plan(
        told["rulebook"],
        rounds=told["rounds"],
        seats=told["seats"],
        strategy=told["strategy"],
        side=[name for name in told["stakes"] if name != "play"],
        seed=told["seed"],
        given=told["terms"],
        bets={name: stake for name, stake in told["stakes"].items() if name != "play"},
        meters=told["meters"],
    )
    changed = [name for name, value in here.told.items() if told.get(name) != value]
    if changed:
        raise SimulationError(
            f"{told['rulebook']} was simulated with other {changed[0]} than it has now; simulate it again"
        )
    return here


def _check_round(terms: Terms, seats: int, stakes: Mapping[str, int], meters: Mapping[str, int]) -> None:
    """Refuse seats, stakes and meters that the cashier would refuse."""
    if seats < 1:
        raise SimulationError(f"{seats} seats are no table; seat one or more")
    cards = [written(DECK[n : n + 2]) for n in range(0, 2 * seats + 2, 2)]
    wagers = {name: dollars(stake) for name, stake in stakes.items() if name != "play"}
    size = max(terms.sizes)
    played = {
        "rulebook": terms.rulebook.id,
        "board": written(DECK[-5:]),
        "dealer": cards[0],
        "seats": [{"seat": n, "hole": hole, **wagers, "play": size} for n, hole in enumerate(cards[1:], 1)],
        "meters": {name: dollars(shown) for name, shown in meters.items()},
    }
    _, found = read_round(played, terms)
    if found:
        raise SimulationError("; ".join(dict.fromkeys(refusal.message for refusal in found)))


def _ranks(by: Evaluator, qualifier: int) -> Ranks:
    ranked, suited, places = strengths(by)
    fives = [
        0 if len(set(held)) == 1 else by.of_sum(sum(1 << 3 * rank for rank in held), ())
        for held in sorted(combinations_with_replacement(range(13), 5), key=lambda held: held[::-1])
    ]
    return Ranks(
        ranked.astype(np.uint16),
        np.array(fives, np.uint16),
        np.array([[comb(n, k) for k in range(6)] for n in range(18)], np.int64),
        suited.astype(np.uint16),
        places.astype(np.int8),
        least_of(places, qualifier),
        by.order.index(ROYAL) if ROYAL in by.order else -1,
    )
