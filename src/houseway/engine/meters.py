"""Progressive meters (growing jackpots): their amounts, awards and resets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from houseway.engine.terms import Terms
from houseway.money import Share

DOLLAR = 100
MICRO = 1_000_000


def seed(terms: Terms, meter: str, stake: int) -> int:
    """Return a meter's starting amount in cents, for the progressive wager in use."""
    table = terms.table("progressive")
    wager = terms.progressive_amount[0] or stake
    if table is not None and meter in table.seeds:
        listed = table.seeds[meter].value
        return listed if table.base is None else listed * wager // table.base.value
    # The house lists its seeds for a wager of one dollar; they scale with the wager.
    seeds = terms.house("seed") or {}
    return int(seeds.get(meter, 0) * wager // DOLLAR)


def feeds(terms: Terms, stake: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the millionths of a cent that a progressive wager adds to the meters and to the reserves.

    The house sets one percentage for all meters of a table. They share it evenly; the first meter gets
    the remainder.
    """
    table = terms.table("progressive")
    names = table.meters if table else ()
    if not names:
        return {}, {}
    amounts = []
    for setting in ("feed", "reserve_feed"):
        total = stake * MICRO * (terms.house(setting) or 0) // 100
        share, rest = divmod(total, len(names))
        amounts.append({name: share + (rest if n == 0 else 0) for n, name in enumerate(names)})
    return amounts[0], amounts[1]


def in_cents(amounts: Mapping[str, int]) -> dict[str, int]:
    """Return amounts that are in millionths of a cent as whole cents."""
    return {name: micro // MICRO for name, micro in amounts.items()}


class Award(NamedTuple):
    """An award from a meter, and the amounts that reset the meter, in cents."""

    meter: str
    amount: int
    seeded: int = 0
    released: int = 0
    """Cents added to the meter from its reserve."""


class Meters:
    """The meters during one round, while awards are paid from them."""

    def __init__(
        self, terms: Terms, showing: Mapping[str, int], stake: int, made: Sequence[Award] = ()
    ) -> None:
        table = terms.table("progressive")
        names = table.meters if table else ()
        self._seeds = {name: seed(terms, name, stake) for name in names}
        self._reserve = dict(terms.house("reserve") or {})
        self.shows = {name: showing.get(name, self._seeds[name]) for name in names}
        self._made = made
        """The awards already paid in the round."""
        self._reset = {a.meter for a in made if a.seeded or a.released}
        self._before: dict[str, int] = {}
        self._percents: dict[str, int] = {}

    def hold(self, reserves: Mapping[str, int]) -> None:
        """Set the reserves to their current amounts."""
        self._reserve = dict(reserves)

    def share_out(self, shares: Sequence[Share]) -> None:
        """Share the meters among all awards of the round.

        Each award is then a share of the meter before the first award. If the shares exceed the whole
        meter, they are scaled down together.
        """
        for share in shares:
            name = share.meter
            self._percents[name] = self._percents.get(name, 0) + share.percent
            paid = sum(a.amount - a.seeded - a.released for a in self._made if a.meter == name)
            self._before[name] = self.shows[name] + paid

    def award(self, share: Share) -> Award:
        """Pay a share of a meter, rounded down to a cent."""
        name = share.meter
        if name in self._before:
            shared = self._before[name] * share.percent // max(100, self._percents[name])
            # Another table may have won from a linked meter since the round's first award.
            amount = min(shared, self.shows[name])
        else:
            amount = self.shows[name] * share.percent // 100
        self.shows[name] -= amount
        seeded = released = 0
        if share.percent == 100 and not (name in self._before and name in self._reset):
            # If awards are shared, the meter is reset only once.
            self._reset.add(name)
            seeded, released = self._seeds[name], self._reserve.pop(name, 0)
            self.shows[name] += seeded + released
        return Award(name, amount, seeded, released)
