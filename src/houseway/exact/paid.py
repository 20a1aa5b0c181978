"""A hand's wagers paid as the cashier pays them: in the order of the passes, under limits on winnings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from houseway.engine.events import WagerSettled
from houseway.engine.hands import STANDING
from houseway.engine.progressive import Meters
from houseway.engine.settlement_plan import CappedWinnings, WinningsCap
from houseway.engine.terms import Terms
from houseway.exact.flop_cells import Sample
from houseway.exact.joint import Joint
from houseway.exact.outcome_table import FOLD
from houseway.exact.pays import TIE, UnsolvableError
from houseway.exact.wager_values import answer
from houseway.money import Share
from houseway.ranking import HandClass
from houseway.rules.compile import Outcome
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, NO_ROYAL, ROYAL

Stakes = Mapping[str, int]
"""Each wager's stake in cents."""


@dataclass(frozen=True, slots=True)
class Kind:
    """Deals alike in everything that wagers depend on, with the facts that groups read of a hand."""

    order: tuple[HandClass, ...]
    choice: str
    sample: Sample
    qualifies: bool
    contest: int
    place: int
    """The class of all seven cards."""
    status: int = STANDING

    @property
    def made(self) -> int:
        """How a royal flush in the seven cards was made."""
        if self.order[self.place] != ROYAL:
            return NO_ROYAL
        # Two hands are both royal only where the board is.
        return COMMUNITY if self.contest == TIE else self.first_five_made or FIRST_SEVEN

    @property
    def first_five(self) -> int:
        """The class of the hole cards with the flop."""
        return self.sample.first_five

    @property
    def first_five_made(self) -> int:
        """How a royal flush in those five was made."""
        return FIRST_FIVE if self.order[self.first_five] == ROYAL else NO_ROYAL

    @property
    def hole(self) -> tuple[int, ...]:
        """The numbers of two cards that stand for all alike."""
        return self.sample.hole

    @property
    def flop(self) -> tuple[int, ...]:
        """The numbers of three cards that stand for all alike."""
        return self.sample.flop

    @property
    def hands_dealt(self) -> int:
        """The number of hands dealt: the player's and the dealer's."""
        return 2

    @property
    def highest(self) -> int:
        """Not counted: the dealer's class is not told apart."""
        raise UnsolvableError("the highest hand at the table is not counted with a player's other wagers")


def kinds(terms: Terms, samples: Sequence[Sample], counts: Joint) -> Iterator[tuple[Kind, int]]:
    """The kinds of deal there are, each with the number of its deals."""
    for choice, deals in counts.items():
        for part, qualifies, contest, place in np.argwhere(deals).tolist():
            yield (
                Kind(terms.order, choice, samples[part], bool(qualifies), contest, place),
                int(deals[part, qualifies, contest, place]),
            )


def pay(terms: Terms, wagers: Sequence[tuple[str, int, Outcome]], caps: Sequence[WinningsCap],
        meters: Mapping[str, int]) -> list[WagerSettled]:  # fmt: skip
    """Pay a hand's wagers, given in the order of settlement, as the only hand at the table."""
    winnings = CappedWinnings(caps)
    paid = []
    for name, stake, outcome in wagers:
        due = _winnings(terms, name, stake, outcome, meters)
        won = winnings.pay(name, due)
        gone = outcome.result == "lose" or (outcome.result == "win" and outcome.keeps)
        back = won if gone else won + stake
        paid.append(WagerSettled(1, 1, name, stake, outcome.result, back, won, cut=due - won))
    return paid


def _winnings(terms: Terms, name: str, stake: int, outcome: Outcome, meters: Mapping[str, int]) -> int:
    pays = outcome.pays
    if not isinstance(pays, Share):
        return terms.plan.winnings(pays, stake) if outcome.result == "win" else 0
    shown = Meters(terms, meters, stake)
    if pays.meter not in shown.shows:
        raise UnsolvableError(f"{terms.rulebook.id}: {name} pays a share of {pays.meter!r}, no meter here")
    return shown.award(pays).amount


def settled(terms: Terms, stakes: Stakes, kind: Kind) -> list[tuple[str, int, Outcome]]:
    """What the wagers of a hand come to in one kind of deal, in the order of settlement."""
    staked = dict(stakes)
    if kind.choice == FOLD:
        kind = replace(kind, status=terms.plan.folded_status(stakes, kind))
    else:
        staked["play"] = stakes["ante"] * int(kind.choice.removesuffix("x"))
    order = terms.plan.order(kind.status, qualifies=kind.qualifies)
    if missed := staked.keys() - {*order}:
        raise UnsolvableError(f"{terms.rulebook.id}: no pass settles {min(missed)} after {kind.choice}")
    return [
        (name, staked[name], answer(terms, name, terms.plan.cell_of[name](kind)))
        for name in order
        if name in staked
    ]
