"""A simulation before it is run: rulebook, seats, stakes, strategy, seed, number of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from houseway.engine.terms import Terms, read_terms
from houseway.exact.kernels import compiler
from houseway.exact.shootout_hands import Progress
from houseway.rules.changes import changed
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from houseway.simulate import shootout, ultimate
from houseway.simulate.errors import SimulationError
from houseway.simulate.shootout import Shootout
from houseway.simulate.stakes import Staked, stakes
from houseway.simulate.ultimate import Ultimate

CHUNK = 1 << 16
"""Rounds played from one random stream; what a run comes to depends on it and not on threads."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything that says what a simulation comes to, made ready for playing."""

    told: Mapping[str, Any]
    """What makes two runs the same run, as JSON."""
    rounds: int
    seed: str
    meters: Mapping[str, int]
    """What the meters show before the first round, in cents; one not named stands at its seed."""
    game: Ultimate | Shootout = field(repr=False)

    @property
    def terms(self) -> Terms:
        """What the rounds are played under."""
        return self.game.terms

    @property
    def seats(self) -> int:
        """Seats at the table besides the dealer's."""
        return self.game.seats

    @property
    def bets(self) -> Staked:
        """What every seat stakes."""
        return self.game.bets

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
    changes: Sequence[str] = (),
    given: Mapping[str, Any] | None = None,
    bets: Mapping[str, int] | None = None,
    meters: Mapping[str, int] | None = None,
    progress: Progress | None = None,
) -> Plan:
    """Make a simulation ready; `given` is mode, tables, limits and house settings as a round has them.

    Every seat makes the same wagers and plays the same strategy. `bets` and `meters` are cents by name,
    `changes` as in `blind.straight=push`. `progress` hears of choices that have to be counted first.
    """
    book = changed(rulebook, changes) if changes else load(rulebook)
    data = dict(given or {})
    wagered = [name for name in side if name in book.wagers and book.wagers[name].modes]
    terms, refused = read_terms(book, data, wagered)
    if refused:
        raise SimulationError("; ".join(refusal.message for refusal in refused))
    if rounds < 1:
        raise SimulationError(f"{rounds} rounds are none; ask for one or more")
    if seats < 1:
        raise SimulationError(f"{seats} seats are no table; seat one or more")
    amounts = stakes(terms, side, bets or {})
    shows = dict(meters or {})
    if book.game == SHOOTOUT:
        game: Ultimate | Shootout = shootout.make_ready(terms, seats, amounts, strategy, progress)
    else:
        game = ultimate.make_ready(terms, seats, amounts, shows, strategy)
    told = {
        "rulebook": rulebook,
        "changes": list(changes),
        "hash": book.hash,
        "kernels": compiler.fingerprint(),
        "terms": {**data, "mode": terms.mode},
        "seats": seats,
        "stakes": amounts,
        "meters": shows,
        "strategy": strategy,
        "choices": game.fingerprint,
        "seed": seed,
        "rounds": rounds,
    }
    return Plan(told, rounds, seed, shows, game)


def again(told: Mapping[str, Any]) -> Plan:
    """The plan that told this of itself; refused where the rulebook or the kernels have changed since."""
    here = plan(
        told["rulebook"],
        rounds=told["rounds"],
        seats=told["seats"],
        strategy=told["strategy"],
        side=[name for name in told["stakes"] if name != "play"],
        seed=told["seed"],
        changes=told["changes"],
        given=told["terms"],
        bets={name: stake for name, stake in told["stakes"].items() if name != "play"},
        meters=told["meters"],
    )
    differs = [name for name, value in here.told.items() if told.get(name) != value]
    if differs:
        changed_since = f"was simulated with other {differs[0]} than it has now"
        raise SimulationError(f"{told['rulebook']} {changed_since}; simulate it again")
    return here
