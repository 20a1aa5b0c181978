"""Progressive wagers: a fixed part, so much for each dollar on a meter, and envy for other hands.

A share is priced as the only one taken from its meter in the round. Where two hands take shares of one
meter in one round the later or both get less; a royal flush that is not the board's comes once a round.
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
"""What meters show, in dollars for each dollar of the wager."""


@dataclass(frozen=True, slots=True)
class Progressive(WagerValue):
    """A progressive under one pay table; cases are priced with every meter at its seed, envy apart."""

    stake: int
    """The one amount it is played with, in cents; a dollar where no document fixes it."""
    seeds: Meters
    envy: Fraction
    """What each other hand at the table brings on average, in dollars for each dollar of the wager."""

    @property
    def fixed(self) -> Fraction:
        """What comes back whatever the meters show."""
        fixed = (c for c in self.cases if not isinstance(c.outcome.pays, Share))
        return sum((c.ways * (1 + c.net) for c in fixed), Fraction()) / self.deals

    @property
    def shares(self) -> Meters:
        """What comes back for each dollar that each meter shows for a dollar of the wager."""
        found = dict.fromkeys(self.seeds, Fraction())
        for case in self.cases:
            if isinstance(case.outcome.pays, Share):
                share = Fraction(case.outcome.pays.percent, 100)
                found[case.outcome.pays.meter] += share * case.ways / self.deals
        return found

    def returned_at(self, meters: Meters, others: int = 0) -> Fraction:
        """What comes back with these meters, those not named at seed, and so many other hands for envy."""
        shows = {**self.seeds, **meters}
        return self.fixed + sum(share * shows[m] for m, share in self.shares.items()) + others * self.envy

    def break_even(self, meter: str, others: int = 0, meters: Meters | None = None) -> Fraction:
        """What a meter must show for all to come back, in dollars for each dollar of the wager."""
        share = self.shares.get(meter)
        if not share:
            known = ", ".join(name for name, part in self.shares.items() if part)
            raise ValueError(f"{self.table} pays no share of {meter!r}; its meters are {known}")
        without = self.returned_at({**(meters or {}), meter: Fraction()}, others)
        return (1 - without) / share


def progressive(terms: Terms, name: str, table: str) -> Progressive:
    """Price a wager that takes shares of meters under the pay table in use."""
    stake = terms.progressive_amount[0] or DOLLAR
    in_use = terms.table(name)
    seeds = {
        meter: Fraction(seed(terms, meter, stake), stake) for meter in (in_use.meters if in_use else ())
    }

    def brings(outcome: Outcome) -> Fraction:
        if not isinstance(outcome.pays, Share):
            return net(outcome)
        meter = outcome.pays.meter
        if meter not in seeds:
            raise UnsolvableError(
                f"{terms.rulebook.id}: {table} pays a share of {meter!r}, not one of its meters"
            )
        return Fraction(outcome.pays.percent, 100) * seeds[meter] - outcome.keeps

    cases = own_cases(terms, name, brings)
    return Progressive(terms.hash, table, cases, stake, seeds, _envy(terms, name, stake))


def _envy(terms: Terms, name: str, stake: int) -> Fraction:
    """What one other hand brings a dollar of the wager; it need not be that of a progressive bettor."""
    amounts, _ = envy_amounts(terms, {name: stake})
    hands = hand_counts(terms, cards_read(terms, name))
    total = sum(ways * amount for ways, amount in zip(hands.values(), amounts, strict=True))
    return Fraction(total, sum(hands.values()) * stake)


def envy_amounts(terms: Terms, stakes: Mapping[str, int]) -> tuple[list[int], str | None]:
    """What each class of hand brings a hand that envies it, in cents, and the wager that envy goes with."""
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
