"""Plans that tests share; making one solves the game, so each is made once."""

from __future__ import annotations

from functools import cache

from houseway.simulate import Figures, Plan, Tally, figures, plan, run

SIDES = ("trips", "progressive", "cover_all")


@cache
def made(ref: str = "uth-ma", rounds: int = 200_000, seats: int = 1, strategy: str = "best",
         side: tuple[str, ...] = (), seed: str = "1", house: tuple[tuple[str, str | int], ...] = (),
         tables: tuple[tuple[str, str], ...] = (), bets: tuple[tuple[str, int], ...] = ()) -> Plan:  # fmt: skip
    """A plan; mappings are given as pairs."""
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
    """A plan's whole run."""
    return run(of)


def figures_of(of: Plan) -> Figures:
    """A plan's figures."""
    return figures(of, played(of))
