"""What limits on a hand's winnings cost its player at given stakes.

Wins are added up as the cashier adds them, in the order of the rulebook's passes, half cents dropped by
the house's rounding; choices are those of the game without caps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
from numpy.typing import NDArray

from houseway.engine.hands import FOLDED, HELD, STANDING
from houseway.engine.side_bets import COMMUNITY, FIRST_FIVE, NO_ROYAL
from houseway.engine.terms import Terms
from houseway.exact.pays import UnsolvableError
from houseway.exact.wager_values import WagerValue, answer
from houseway.money import Odds, rounded
from houseway.rules.compile import Outcome
from houseway.rules.facts import CONTEST, MADE, NO

FOLD = "fold"

Stakes = Mapping[str, int]
"""Each wager's stake in cents."""
Settled = tuple[int, list[tuple[str, int, Outcome]]]
"""So many deals, and what each wager then comes to in the order of settlement: name, stake, outcome."""


@dataclass(frozen=True, slots=True)
class Capped:
    """What some wagers bring on average with the caps and without, in cents a round."""

    hash: str
    """The rulebook's."""
    stakes: Stakes
    due: Mapping[str, Fraction]
    paid: Mapping[str, Fraction]

    @property
    def cut(self) -> Mapping[str, Fraction]:
        """What the caps take off each wager."""
        return {name: due - self.paid[name] for name, due in self.due.items()}

    def edges(self, unit: str) -> tuple[Fraction, Fraction]:
        """What the house wins of each unit of one wager's stake: without the caps, and with them."""
        due, paid = (sum(brings.values(), Fraction()) for brings in (self.due, self.paid))
        return -due / self.stakes[unit], -paid / self.stakes[unit]


def capped_wager(terms: Terms, name: str, value: WagerValue, stake: int) -> Capped:
    """One wager that cards alone decide, made by itself."""
    return _capped(terms, {name: stake}, ((c.ways, [(name, stake, c.outcome)]) for c in value.cases))


def capped_game(terms: Terms, stakes: Stakes, counts: Mapping[str, NDArray[np.int64]]) -> Capped:
    """The main game, and trips where it has a stake, from its deals as `outcomes` counts them.

    `counts` holds for each choice, "4x" to "1x" or "fold", the deals by dealer qualifying, contest and
    class of hand. The stakes are an ante's and, as may be, that of trips; what must equal the ante or is a
    multiple of it follows.
    """
    before = {**stakes, **{name: stakes[twin] for name, twin in terms.twins if twin in stakes}}
    unknown = before.keys() - terms.outcomes.keys()
    if unknown or "ante" not in before:
        wrong = f"{min(unknown)!r} is no wager" if unknown else "there is no ante"
        raise UnsolvableError(
            f"{terms.rulebook.id}: {wrong}; give stakes as {{'ante': 20000, 'trips': 500}}"
        )
    return _capped(terms, before, _settled(terms, before, counts))


def _capped(terms: Terms, stakes: Stakes, cases: Iterable[Settled]) -> Capped:
    deals = 0
    due: dict[str, int] = dict.fromkeys(stakes, 0)
    paid = dict(due)
    for ways, wagers in cases:
        deals += ways
        used = [0] * len(terms.caps)
        for name, stake, outcome in wagers:
            won = _winnings(terms, name, stake, outcome)
            kept = stake if outcome.result == "lose" or (outcome.result == "win" and outcome.keeps) else 0
            left = won
            for n, (capped, limit, _) in enumerate(terms.caps):
                if name in capped:
                    left = min(left, limit - used[n])
                    used[n] += left
            due[name] = due.get(name, 0) + ways * (won - kept)
            paid[name] = paid.get(name, 0) + ways * (left - kept)
    return Capped(
        terms.hash,
        dict(stakes),
        {name: Fraction(cents, deals) for name, cents in due.items()},
        {name: Fraction(cents, deals) for name, cents in paid.items()},
    )


def _winnings(terms: Terms, name: str, stake: int, outcome: Outcome) -> int:
    if outcome.result != "win":
        return 0
    if not isinstance(outcome.pays, Odds):
        raise UnsolvableError(f"{name} pays {outcome.pays}; what a cap takes is counted for odds")
    return rounded(stake * outcome.pays.units, outcome.pays.per, terms.rounding)


def _settled(terms: Terms, stakes: Stakes, counts: Mapping[str, NDArray[np.int64]]) -> Iterator[Settled]:
    for choice, deals in counts.items():
        staked = dict(stakes)
        if choice != FOLD:
            staked["play"] = stakes["ante"] * int(choice.removesuffix("x"))
        for qualifies, contest, place in product(NO, range(len(CONTEST)), range(len(terms.order))):
            ways = int(deals[int(qualifies), contest, place])
            if ways:
                status = _folded(terms, staked, place) if choice == FOLD else STANDING
                cell = ((status * len(NO) + qualifies) * len(CONTEST) + contest) * len(terms.order) + place
                order = _in_order(terms, status, qualifies=qualifies)
                if missed := staked.keys() - order:
                    raise UnsolvableError(
                        f"{terms.rulebook.id}: no pass settles {min(missed)} after {choice}"
                    )
                yield ways, [(n, staked[n], _outcome(terms, n, cell, place)) for n in order if n in staked]


def _folded(terms: Terms, staked: Stakes, place: int) -> int:
    """Racked, or held under a trips wager as the rulebook says."""
    if "trips" not in staked or terms.held_for in (None, "no trips"):
        return FOLDED
    wins = _by_class(terms, "trips", place).result == "win"
    return HELD if wins or terms.held_for == "any trips" else FOLDED


def _in_order(terms: Terms, status: int, *, qualifies: bool) -> dict[str, None]:
    """The wagers of a hand in the order in which the passes come to them."""
    facts = {"dealer_qualifies": qualifies}
    made = [
        walk
        for walk in terms.walks
        if status in walk.hands and all(facts.get(n, terms.house(n)) == v for n, v in walk.when.items())
    ]
    return dict.fromkeys(name for walk in made for name in walk.wagers)


def _outcome(terms: Terms, name: str, cell: int, place: int) -> Outcome:
    at_showdown = terms.looks[name] == "showdown"
    return answer(terms, name, cell) if at_showdown else _by_class(terms, name, place)


def _by_class(terms: Terms, name: str, place: int) -> Outcome:
    """The outcome of a wager that the class of all seven cards decides."""
    if terms.looks[name] == "hand" and name not in terms.on_five:
        royal = terms.order[place] == "royal flush"
        made = range(FIRST_FIVE, COMMUNITY + 1) if royal else (NO_ROYAL,)
        found = {answer(terms, name, place * len(MADE) + how) for how in made}
        if len(found) == 1:
            return found.pop()
    raise UnsolvableError(f"{name} looks at more than the class of seven cards; leave its stake out")
