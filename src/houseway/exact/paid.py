"""A hand's wagers paid as the cashier pays them: in the order of the passes, under limits on winnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from houseway.engine.hands import FOLDED, HELD, STANDING
from houseway.engine.progressive import Meters
from houseway.engine.terms import Terms
from houseway.exact.joint import FOLD, Joint
from houseway.exact.pays import TIE, UnsolvableError
from houseway.exact.wager_values import answer
from houseway.money import Flat, Odds, Share, rounded
from houseway.rules.compile import Outcome
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, MADE, NO_ROYAL
from houseway.rules.fact_groups.showdown import CONTEST, QUALIFIES

ROYAL = "royal flush"

Stakes = Mapping[str, int]
"""Each wager's stake in cents."""
Cap = tuple[frozenset[str], int, str | None]
"""Some wagers, what a hand may win on them in all, and the clause."""


class Paid(NamedTuple):
    """One wager of a hand, settled; amounts in cents."""

    wager: str
    stake: int
    lost: int
    """What of the stake does not come back."""
    due: int
    """What is won on top, before any limit."""
    paid: int


class Kind(NamedTuple):
    """Deals alike in everything wagers look at."""

    choice: str
    first: int
    """The class of hole cards with flop."""
    qualifies: bool
    contest: int
    place: int
    """The class of all seven cards."""


def kinds(counts: Joint) -> Iterator[tuple[Kind, int]]:
    """The kinds of deal there are, each with how many deals are of it."""
    for choice, deals in counts.items():
        for first, qualifies, contest, place in np.argwhere(deals).tolist():
            yield (
                Kind(choice, first, bool(qualifies), contest, place),
                int(deals[first, qualifies, contest, place]),
            )


def pay(terms: Terms, wagers: Sequence[tuple[str, int, Outcome]], caps: Sequence[Cap],
        meters: Mapping[str, int]) -> list[Paid]:  # fmt: skip
    """Pay a hand's wagers, given in the order of settlement, as the only hand at the table."""
    used = [0] * len(caps)
    found = []
    for name, stake, outcome in wagers:
        due = left = _winnings(terms, name, stake, outcome, meters)
        for n, (capped, limit, _) in enumerate(caps):
            if name in capped:
                left = min(left, limit - used[n])
                used[n] += left
        gone = outcome.result == "lose" or (outcome.result == "win" and outcome.keeps)
        found.append(Paid(name, stake, stake if gone else 0, due, left))
    return found


def _winnings(terms: Terms, name: str, stake: int, outcome: Outcome, meters: Mapping[str, int]) -> int:
    pays = outcome.pays
    if outcome.result != "win":
        return 0
    if isinstance(pays, Odds):
        return rounded(stake * pays.units, pays.per, terms.rounding)
    if isinstance(pays, Flat):
        return pays.amount
    if not isinstance(pays, Share):
        raise UnsolvableError(f"{terms.rulebook.id}: {name} cannot win {pays}")
    shown = Meters(terms, meters, stake)
    if pays.meter not in shown.shows:
        raise UnsolvableError(f"{terms.rulebook.id}: {name} pays a share of {pays.meter!r}, no meter here")
    return shown.award(pays).amount


def settled(terms: Terms, stakes: Stakes, kind: Kind) -> list[tuple[str, int, Outcome]]:
    """What the wagers of a hand come to in one kind of deal, in the order of settlement."""
    staked, status = dict(stakes), STANDING
    if kind.choice == FOLD:
        status = _folded(terms, stakes, kind)
    else:
        staked["play"] = stakes["ante"] * int(kind.choice.removesuffix("x"))
    order = _in_order(terms, status, qualifies=kind.qualifies)
    if missed := staked.keys() - order:
        raise UnsolvableError(f"{terms.rulebook.id}: no pass settles {min(missed)} after {kind.choice}")
    cell = ((status * len(QUALIFIES) + kind.qualifies) * len(CONTEST) + kind.contest) * len(
        terms.order
    ) + kind.place
    return [
        (
            name,
            staked[name],
            answer(terms, name, cell) if terms.looks[name] == "showdown" else by_hand(terms, name, kind),
        )
        for name in order
        if name in staked
    ]


def _folded(terms: Terms, stakes: Stakes, kind: Kind) -> int:
    """Racked, or held under a trips wager as the rulebook says."""
    if "trips" not in stakes or terms.held_for in (None, "no trips"):
        return FOLDED
    wins = by_hand(terms, "trips", kind).result == "win"
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


def by_hand(terms: Terms, name: str, kind: Kind) -> Outcome:
    """The outcome of a wager on the player's own hand."""
    early = terms.order[kind.first] == ROYAL
    if name in terms.on_five:
        return answer(terms, name, kind.first * len(MADE) + (FIRST_FIVE if early else NO_ROYAL))
    made = NO_ROYAL
    if terms.order[kind.place] == ROYAL:
        # Two hands are both royal only where the board is.
        made = COMMUNITY if kind.contest == TIE else FIRST_FIVE if early else FIRST_SEVEN
    return answer(terms, name, kind.place * len(MADE) + made)


def known_as(terms: Terms, stakes: Stakes) -> list[int]:
    """For each class of hole cards with flop the last class that all wagers staked take for the same."""
    own = [name for name in stakes if terms.looks[name] == "hand"]
    royal = terms.order.index(ROYAL) if ROYAL in terms.order else None

    def told(place: int) -> list[Outcome | None]:
        made = FIRST_FIVE if place == royal else NO_ROYAL
        seen = [terms.outcomes[name][place * len(MADE) + made] for name in own if name in terms.on_five]
        if royal is not None:
            how = FIRST_FIVE if place == royal else FIRST_SEVEN
            seen += [terms.outcomes[n][royal * len(MADE) + how] for n in own if n not in terms.on_five]
        return seen

    by_place = [told(place) for place in range(len(terms.order))]
    return [max(n for n, other in enumerate(by_place) if other == seen) for seen in by_place]
