"""Progressive meters: what each shows, what an award takes from it, what it is reset to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from houseway.engine.terms import Terms
from houseway.money import Share

DOLLAR = 100
MICRO = 1_000_000


def seed(terms: Terms, meter: str, stake: int) -> int:
    """What a meter starts from, in cents, for the progressive wager in use."""
    table = terms.table("progressive")
    wager = terms.progressive_amount[0] or stake
    if table is not None and meter in table.seeds:
        listed = table.seeds[meter].value
        return listed if table.base is None else listed * wager // table.base.value
    # The house lists its seeds for a wager of one dollar; they move with the wager.
    seeds = terms.house("seed") or {}
    return int(seeds.get(meter, 0) * wager // DOLLAR)


def feeds(terms: Terms, stake: int) -> tuple[dict[str, int], dict[str, int]]:
    """What a progressive wager puts on the meters and into the reserves, in millionths of a cent.

    The house names one percentage for all meters of a table; they share it evenly, and what does not
    divide goes to the first.
    """
    table = terms.table("progressive")
    names = table.meters if table else ()
    if not names:
        return {}, {}
    found = []
    for setting in ("feed", "reserve_feed"):
        whole = stake * MICRO * (terms.house(setting) or 0) // 100
        share, rest = divmod(whole, len(names))
        found.append({name: share + (rest if n == 0 else 0) for n, name in enumerate(names)})
    return found[0], found[1]


def in_cents(amounts: Mapping[str, int]) -> dict[str, int]:
    """Amounts of millionths of a cent in cents."""
    return {name: micro // MICRO for name, micro in amounts.items()}


class Award(NamedTuple):
    """What an award did to its meter, in cents."""

    meter: str
    amount: int
    seeded: int = 0
    released: int = 0
    """What the reserve put on it."""


class Meters:
    """The meters of one round while awards are made from them."""

    def __init__(
        self, terms: Terms, given: Mapping[str, int], stake: int, made: Sequence[Award] = ()
    ) -> None:
        table = terms.table("progressive")
        names = table.meters if table else ()
        self._seeds = {name: seed(terms, name, stake) for name in names}
        self._reserve = dict(terms.house("reserve") or {})
        self.shows = {name: given.get(name, self._seeds[name]) for name in names}
        self._made = made
        """Awards already paid in the round."""
        self._reset = {a.meter for a in made if a.seeded or a.released}
        self._stood: dict[str, int] = {}
        self._percents: dict[str, int] = {}

    def hold(self, reserves: Mapping[str, int]) -> None:
        """Say what the reserves hold now, where a table has fed them."""
        self._reserve = dict(reserves)

    def share_out(self, shares: Sequence[Share]) -> None:
        """Announce all awards of the round beforehand: each is then a part of what the meter showed
        before the first, scaled down together where they pass the whole of it."""
        for share in shares:
            name = share.meter
            self._percents[name] = self._percents.get(name, 0) + share.percent
            paid = sum(a.amount - a.seeded - a.released for a in self._made if a.meter == name)
            self._stood[name] = self.shows[name] + paid

    def award(self, share: Share) -> Award:
        """Take a share off its meter; what is less than a cent stays on it."""
        name = share.meter
        if name in self._stood:
            amount = self._stood[name] * share.percent // max(100, self._percents[name])
        else:
            amount = self.shows[name] * share.percent // 100
        self.shows[name] -= amount
        seeded = released = 0
        if share.percent == 100 and not (name in self._stood and name in self._reset):
            # In a shared round the meter is reset once, whoever else is still to be paid from it.
            self._reset.add(name)
            seeded, released = self._seeds[name], self._reserve.pop(name, 0)
            self.shows[name] += seeded + released
        return Award(name, amount, seeded, released)
