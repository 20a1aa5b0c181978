"""Progressive meters run through all rounds of a run, in order, once its awards are known.

Between awards a meter only grows, by the same amount each round; so chunks and shards are played without
knowing what it shows, and write down which shares were won. What a run comes to is the same however it
was cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from houseway.engine.meters import MICRO, Meters, feeds, seed
from houseway.money import Share
from houseway.simulate.run_plan import Plan
from houseway.simulate.tally import Tally


@dataclass(frozen=True, slots=True)
class Awarded:
    """What the meters paid, in cents."""

    shares: Mapping[Share, tuple[int, int]]
    """By share how often it was won and what it paid in all."""
    total: int
    squares: tuple[int, int]
    """What the awards add to the squares of the progressive and of everything."""
    shows: Mapping[str, int]
    """What each meter shows after the last round."""


def replay(plan: Plan, tally: Tally) -> Awarded:
    """Pay the awards of a run from its meters, as the cashier pays them."""
    terms, stake = plan.terms, plan.bets.stakes.get("progressive", 0)
    on_meters, on_reserves = feeds(terms, stake) if stake else ({}, {})
    # What stands on a meter besides what the wagers feed it, in millionths of a cent.
    meters = {name: plan.meters.get(name, seed(terms, name, stake)) * MICRO for name in on_meters}
    reserves = {name: (terms.house("reserve") or {}).get(name, 0) * MICRO for name in on_meters}

    def now(stands: Mapping[str, int], fed: Mapping[str, int], rounds: int) -> dict[str, int]:
        return {name: (micro + fed[name] * plan.seats * rounds) // MICRO for name, micro in stands.items()}

    paid = dict.fromkeys(plan.bets.shares, (0, 0))
    total = own = everything = 0
    for number, awards in groupby(tally.awards, key=lambda award: award[0]):
        won = list(awards)
        shares = [plan.bets.shares[award[1]] for award in won]
        shown = Meters(terms, now(meters, on_meters, number + 1), stake)
        shown.hold(now(reserves, on_reserves, number + 1))
        if terms.house("awards") == "shared":
            shown.share_out(shares)
        amount = 0
        for share in shares:
            award = shown.award(share)
            meters[award.meter] += (award.seeded + award.released - award.amount) * MICRO
            reserves[award.meter] -= award.released * MICRO
            times, cents = paid[share]
            paid[share] = times + 1, cents + award.amount
            amount += award.amount
        _, _, by_wager, in_all = won[0]
        total += amount
        own += (by_wager + amount) ** 2 - by_wager**2
        everything += (in_all + amount) ** 2 - in_all**2
    return Awarded(paid, total, (own, everything), now(meters, on_meters, tally.rounds))
