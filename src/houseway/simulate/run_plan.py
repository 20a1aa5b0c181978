"""The plan of a simulation: rulebook, seats, stakes, strategy, seed and number of rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from houseway.engine.terms import Terms, read_terms
from houseway.exact.kernels import compiler
from houseway.exact.shootout_hands import Progress
from houseway.rules.changes import apply_changes
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from houseway.simulate import shootout, ultimate
from houseway.simulate.errors import SimulationError
from houseway.simulate.shootout import Shootout
from houseway.simulate.stakes import SeatStakes, stakes
from houseway.simulate.ultimate import Ultimate

CHUNK = 1 << 16
"""The number of rounds in a chunk. The results depend on it, but not on the number of threads."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Everything that determines the result of a simulation."""

    told: Mapping[str, Any]
    """The inputs that identify a run, as values that can be written as JSON."""
    rounds: int
    seed: str
    meters: Mapping[str, int]
    """The amounts on the meters before the first round, in cents. A meter that is not listed has its
    starting amount."""
    game: Ultimate | Shootout = field(repr=False)

    @property
    def terms(self) -> Terms:
        """The terms under which the rounds are played."""
        return self.game.terms

    @property
    def seats(self) -> int:
        """The number of seats besides the dealer's."""
        return self.game.seats

    @property
    def bets(self) -> SeatStakes:
        """The stakes of every seat."""
        return self.game.bets

    @property
    def chunks(self) -> int:
        """The number of chunks. The last chunk may be shorter."""
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
    """Prepare a simulation in which every seat makes the same wagers and plays the same strategy.

    `given` has the mode, tables, limits and house settings, in the same form as a round for `houseway
    settle`. `bets` and `meters` are amounts in cents, by name. `changes` are changes to the rulebook, such
    as `blind.straight=push`. `progress` is called while the best choices are counted.
    """
    book = apply_changes(rulebook, changes) if changes else load(rulebook)
    data = dict(given or {})
    wagered = [name for name in side if name in book.wagers and book.wagers[name].modes]
    terms, refused = read_terms(book, data, wagered)
    if refused:
        raise SimulationError("; ".join(refusal.message for refusal in refused))
    if rounds < 1:
        raise SimulationError(f"--rounds must be at least 1 (got {rounds})")
    most = terms.house("seats") or book.seats
    if not 1 <= seats <= most:
        raise SimulationError(f"--seats must be 1 to {most} (got {seats})")
    amounts = stakes(terms, side, bets or {})
    meter_amounts = dict(meters or {})
    if book.game == SHOOTOUT:
        game: Ultimate | Shootout = shootout.prepare(terms, seats, amounts, strategy, progress)
    else:
        game = ultimate.prepare(terms, seats, amounts, meter_amounts, strategy)
    inputs = {
        "rulebook": rulebook,
        "changes": list(changes),
        "hash": book.hash,
        "kernels": compiler.fingerprint(),
        "terms": {**data, "mode": terms.mode},
        "seats": seats,
        "stakes": amounts,
        "meters": meter_amounts,
        "strategy": strategy,
        "choices": game.fingerprint,
        "seed": seed,
        "rounds": rounds,
    }
    return Plan(inputs, rounds, seed, meter_amounts, game)


def rebuild(inputs: Mapping[str, Any]) -> Plan:
    """Rebuild the plan that has these inputs.

    Raise an error if the rulebook or the kernels have changed.
    """
    here = plan(
        inputs["rulebook"],
        rounds=inputs["rounds"],
        seats=inputs["seats"],
        strategy=inputs["strategy"],
        side=[name for name in inputs["stakes"] if name != "play"],
        seed=inputs["seed"],
        changes=inputs["changes"],
        given=inputs["terms"],
        bets={name: stake for name, stake in inputs["stakes"].items() if name != "play"},
        meters=inputs["meters"],
    )
    differs = [name for name, value in here.told.items() if inputs.get(name) != value]
    if differs:
        problem = f"{inputs['rulebook']}: {differs[0]} has changed since the shards were played"
        raise SimulationError(f"{problem}; simulate again")
    return here
