"""Progressive meters: what each shows, what an award takes from it, what it is reset to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from houseway.engine.terms import Terms
from houseway.money import Share

DOLLAR = 100


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


class Meters:
    """The meters of one round while awards are made from them."""

    def __init__(self, terms: Terms, given: Mapping[str, int], stake: int) -> None:
        table = terms.table("progressive")
        names = table.meters if table else ()
        self._seeds = {name: seed(terms, name, stake) for name in names}
        self._reserve = dict(terms.house("reserve") or {})
        self.shows = {name: given.get(name, self._seeds[name]) for name in names}
        self._reset: set[str] = set()
        self._stood: dict[str, int] = {}
        self._percents: dict[str, int] = {}

    def share_out(self, shares: Sequence[Share]) -> None:
        """Announce all awards of the round beforehand: each is then a part of what the meter shows
        now, scaled down together where they pass the whole of it."""
        for share in shares:
            self._percents[share.meter] = self._percents.get(share.meter, 0) + share.percent
            self._stood[share.meter] = self.shows[share.meter]

    def award(self, share: Share) -> int:
        """Take a share off its meter; what is less than a cent stays on it."""
        name = share.meter
        if name in self._stood:
            award = self._stood[name] * share.percent // max(100, self._percents[name])
        else:
            award = self.shows[name] * share.percent // 100
        self.shows[name] -= award
        if share.percent == 100 and not (name in self._stood and name in self._reset):
            # In a shared round the meter is reset once, whoever else is still to be paid from it.
            self._reset.add(name)
            self.shows[name] += self._seeds[name] + self._reserve.pop(name, 0)
        return award
