"""The value of progressive wagers: a fixed part, a part for each dollar on a meter, and envy bonuses.

A share is priced as if no other hand took a share of the same meter in the round. If two hands do, one or
both get less. This is rare: only one hand per round can have a royal flush that is not on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from houseway.engine.meters import DOLLAR, seed
from houseway.engine.terms import Terms
from houseway.exact.pay_arrays import UnsolvableError
from houseway.exact.wager_values import WagerValue, cards_read, hand_counts, net, own_cases
from houseway.money import Flat, Share
from houseway.rules.compile import Outcome

Meters = Mapping[str, Fraction]
"""Meter amounts, in dollars per dollar of the wager."""


@dataclass(frozen=True, slots=True)
class Progressive(WagerValue):
    """The value of a progressive wager under one pay table. Cases are priced with every meter at its seed
    (starting amount) and without envy."""

    stake: int
    """The fixed stake in cents; a dollar if the rulebook does not fix it."""
    seeds: Meters
    envy: Fraction
    """The average envy bonus for each other hand at the table, in dollars per dollar of the wager."""

    @property
    def fixed(self) -> Fraction:
        """The return that does not depend on the meters."""
        fixed = (c for c in self.cases if not isinstance(c.outcome.pays, Share))
        return sum((c.ways * (1 + c.net) for c in fixed), Fraction()) / self.deals

    @property
    def shares(self) -> Meters:
        """For each meter, the part of a one-dollar wager's return that each dollar on the meter adds."""
        shares = dict.fromkeys(self.seeds, Fraction())
        for case in self.cases:
            if isinstance(case.outcome.pays, Share):
                share = Fraction(case.outcome.pays.percent, 100)
                shares[case.outcome.pays.meter] += share * case.ways / self.deals
        return shares

    def returned_at(self, meters: Meters, others: int = 0) -> Fraction:
        """The return with these meter amounts and with envy for `others` other hands.

        Meters that are not in `meters` are at their seed.
        """
        shows = {**self.seeds, **meters}
        return self.fixed + sum(share * shows[m] for m, share in self.shares.items()) + others * self.envy

    def break_even(self, meter: str, others: int = 0, meters: Meters | None = None) -> Fraction:
        """The amount of `meter` at which the return is 100%, in dollars per dollar of the wager."""
        share = self.shares.get(meter)
        if not share:
            known = ", ".join(name for name, part in self.shares.items() if part)
            raise ValueError(f"{self.table} pays no share of {meter!r}; its meters are {known}")
        without = self.returned_at({**(meters or {}), meter: Fraction()}, others)
        return (1 - without) / share


def progressive(terms: Terms, name: str, table: str) -> Progressive:
    """Return the value of a progressive wager under the pay table in use."""
    stake = terms.progressive_amount[0] or DOLLAR
    in_use = terms.table(name)
    seeds = {
        meter: Fraction(seed(terms, meter, stake), stake) for meter in (in_use.meters if in_use else ())
    }

    def net_result(outcome: Outcome) -> Fraction:
        if not isinstance(outcome.pays, Share):
            return net(outcome)
        meter = outcome.pays.meter
        if meter not in seeds:
            raise UnsolvableError(
                f"{terms.rulebook.id}: {table} pays a share of {meter!r}, which is not one of its meters"
            )
        return Fraction(outcome.pays.percent, 100) * seeds[meter] - outcome.keeps

    cases = own_cases(terms, name, net_result)
    return Progressive(terms.hash, table, cases, stake, seeds, _envy(terms, name, stake))


def _envy(terms: Terms, name: str, stake: int) -> Fraction:
    """The average envy bonus for one other hand, per dollar wagered.

    That hand need not bet the progressive.
    """
    amounts, _ = envy_amounts(terms, {name: stake})
    hands = hand_counts(terms, cards_read(terms, name))
    total = sum(ways * amount for ways, amount in zip(hands.values(), amounts, strict=True))
    return Fraction(total, sum(hands.values()) * stake)


def envy_amounts(terms: Terms, stakes: Mapping[str, int]) -> tuple[list[int], str | None]:
    """Return the envy bonus for each hand class, in cents, and the name of the wager that includes envy."""
    wager = terms.rulebook.wagers.get("envy")
    beside = [name for name in (wager.beside.value if wager and wager.beside else ()) if name in stakes]
    least = wager.least.value if wager and wager.least else 0
    if "envy" not in terms.tables or not beside or max(stakes[name] for name in beside) < least:
        return [0] * len(terms.order), None
    table = terms.table("envy")
    stake = stakes[beside[0]]
    base = table.base.value if table and table.base else stake
    paid = [outcome.pays if outcome else None for outcome in terms.outcomes["envy"]]
    return [pays.amount * stake // base if isinstance(pays, Flat) else 0 for pays in paid], beside[0]
