"""The progressive meters of a run, computed after all its rounds have been played.

Between two awards, a meter grows by the same amount in each round. So chunks and shards are played without
the meters, and only list the shares won. The awards are then paid here in the order of the rounds, and the
result does not depend on how the run was divided.
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
class Awards:
    """The amounts paid from the meters, in cents."""

    shares: Mapping[Share, tuple[int, int]]
    """For each share, the number of times it was won and the total amount paid."""
    total: int
    squares: tuple[int, int]
    """The amounts that the awards add to two sums of squares: of the progressive, and of all wagers
    together."""
    shows: Mapping[str, int]
    """The amount on each meter after the last round."""


def replay(plan: Plan, tally: Tally) -> Awards:
    """Pay the awards of a run from its meters, as settlement does."""
    terms, stake = plan.terms, plan.bets.stakes.get("progressive", 0)
    on_meters, on_reserves = feeds(terms, stake) if stake else ({}, {})
    # The amounts on the meters and in the reserves, in millionths of a cent. Contributions from wagers are
    # not included; `now` adds them.
    meters = {name: plan.meters.get(name, seed(terms, name, stake)) * MICRO for name in on_meters}
    reserves = {name: (terms.house("reserve") or {}).get(name, 0) * MICRO for name in on_meters}

    def now(amounts: Mapping[str, int], fed: Mapping[str, int], rounds: int) -> dict[str, int]:
        return {name: (micro + fed[name] * plan.seats * rounds) // MICRO for name, micro in amounts.items()}

    paid = dict.fromkeys(plan.bets.shares, (0, 0))
    total = own = everything = 0
    for number, awards in groupby(tally.awards, key=lambda award: award[0]):
        won = list(awards)
        shares = [plan.bets.shares[award[1]] for award in won]
        current = Meters(terms, now(meters, on_meters, number + 1), stake)
        current.hold(now(reserves, on_reserves, number + 1))
        if terms.house("awards") == "shared":
            current.share_out(shares)
        amount = 0
        for share in shares:
            award = current.award(share)
            meters[award.meter] += (award.seeded + award.released - award.amount) * MICRO
            reserves[award.meter] -= award.released * MICRO
            times, cents = paid[share]
            paid[share] = times + 1, cents + award.amount
            amount += award.amount
        _, _, by_wager, in_all = won[0]
        total += amount
        own += (by_wager + amount) ** 2 - by_wager**2
        everything += (in_all + amount) ** 2 - in_all**2
    return Awards(paid, total, (own, everything), now(meters, on_meters, tally.rounds))
