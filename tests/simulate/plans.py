"""Simulation plans that several tests use. A new plan solves the game, so plans are cached."""

from __future__ import annotations

from functools import cache

from houseway.simulate import Figures, Plan, Tally, figures, plan, run

SIDES = ("trips", "progressive", "cover_all")


@cache
def made(ref: str = "uth-ma", rounds: int = 200_000, seats: int = 1, strategy: str = "best",
         side: tuple[str, ...] = (), seed: str = "1", house: tuple[tuple[str, str | int], ...] = (),
         tables: tuple[tuple[str, str], ...] = (), bets: tuple[tuple[str, int], ...] = ()) -> Plan:  # fmt: skip
    """Return a plan. Mappings are passed as tuples of pairs, so that they can be cached."""
    settings = {part: dict(pairs) for part, pairs in (("house", house), ("tables", tables)) if pairs}
    return plan(
        ref,
        rounds=rounds,
        seats=seats,
        strategy=strategy,
        side=side,
        seed=seed,
        given=settings,
        bets=dict(bets),
    )


@cache
def played(of: Plan) -> Tally:
    """Return the tally of a plan's whole run."""
    return run(of)


def figures_of(of: Plan) -> Figures:
    """Return the figures of a plan's whole run."""
    return figures(of, played(of))
