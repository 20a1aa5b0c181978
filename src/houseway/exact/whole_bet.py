"""The exact distribution of a round's net result for a seat with several wagers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from houseway.cards import DECK, codes
from houseway.engine.events import WagerSettled
from houseway.engine.finished_round import STANDING, FinishedRound
from houseway.engine.meters import Meters
from houseway.engine.read_ultimate import read_round
from houseway.engine.settlement_plan import CappedWinnings, WinningsCap
from houseway.engine.terms import Terms
from houseway.exact.backward_pass import StreetChoices
from houseway.exact.flop_cells import Sample, parts, samples
from houseway.exact.outcome_table import FOLD, Counts, counts_by_part
from houseway.exact.pay_arrays import TIE, UnsolvableError, terms_of
from houseway.exact.solution import Solution
from houseway.exact.wager_values import WagerValue, answer
from houseway.money import Cents, Share, dollars
from houseway.ranking import HandClass
from houseway.rules.compile import Outcome
from houseway.rules.fact_groups.own_hand import COMMUNITY, FIRST_FIVE, FIRST_SEVEN, NO_ROYAL, ROYAL
from houseway.rules.problems import closest
from houseway.rules.rulebook import Rulebook

Stakes = Mapping[str, int]
"""Each wager's stake in cents."""


@dataclass(frozen=True, slots=True)
class Reduction:
    """How limits on winnings reduce a wager's payments for one hand class."""

    wager: str
    hand: str
    due: int
    """The largest amount due, in cents."""
    paid: int
    """The smallest amount paid, in cents."""
    deals: int
    """The number of deals in which the payment is reduced."""
    cost: Fraction
    """The average reduction in cents per round."""


@dataclass(frozen=True, slots=True)
class DealKind:
    """A group of deals that have the same outcome for every wager, and the facts that decide it."""

    order: tuple[HandClass, ...]
    choice: str
    first_five: int
    """The class of hole cards and flop."""
    hole: tuple[int, ...]
    flop: tuple[int, ...]
    """Sample cards from one of the deals."""
    qualifies: bool
    contest: int
    place: int
    """The class of all seven cards."""
    status: int = STANDING
    hands_dealt: int = 2
    """The player's hand and the dealer's hand."""

    @property
    def made(self) -> int:
        """How a royal flush of the seven cards is made."""
        if self.order[self.place] != ROYAL:
            return NO_ROYAL
        # Two hands can both be royal only if the board is.
        return COMMUNITY if self.contest == TIE else self.first_five_made or FIRST_SEVEN

    @property
    def first_five_made(self) -> int:
        """How a royal flush of hole cards and flop is made."""
        return FIRST_FIVE if self.order[self.first_five] == ROYAL else NO_ROYAL

    @property
    def highest(self) -> int:
        """Raise an error, because the class of the dealer's hand is not known."""
        raise UnsolvableError(
            "a wager on the highest hand at the table cannot be combined with other wagers; remove it"
        )


@dataclass(frozen=True, slots=True)
class WholeBet:
    """The results of several wagers that a seat makes together, in cents.

    Payments are rounded to cents, and limits on winnings are applied, as in settlement.
    """

    hash: str
    """The hash of the rulebook."""
    stakes: Stakes
    """Stakes made before the cards are dealt."""
    nets: Mapping[int, int]
    """The number of deals with each net result of the round, lowest result first."""
    risked: Fraction
    """The average amount staked, including the play wager."""
    due: Mapping[str, Fraction]
    """The expected result of each wager without limits on winnings."""
    paid: Mapping[str, Fraction]
    """The expected result of each wager with limits on winnings."""
    cuts: tuple[Reduction, ...]
    """The reductions by limits on winnings, largest cost first."""

    @property
    def deals(self) -> int:
        """The number of deals counted."""
        return sum(self.nets.values())

    @property
    def value(self) -> Fraction:
        """The expected result of a round."""
        return Fraction(sum(net * deals for net, deals in self.nets.items()), self.deals)

    @property
    def variance(self) -> Fraction:
        """The variance of a round's result, in cents squared."""
        squares = sum(net * net * deals for net, deals in self.nets.items())
        return Fraction(squares, self.deals) - self.value**2

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss per unit staked in total."""
        return -self.value / self.risked

    def chance(self, *, above: int | None = None, below: int | None = None) -> Fraction:
        """The probability that the result is over `above` and under `below`.

        `chance(below=0)` is the probability of a losing round.
        """
        deals = sum(
            deals
            for net, deals in self.nets.items()
            if (above is None or net > above) and (below is None or net < below)
        )
        return Fraction(deals, self.deals)

    @property
    def cut(self) -> Mapping[str, Fraction]:
        """The average reduction of each wager by limits on winnings."""
        return {name: due - self.paid[name] for name, due in self.due.items()}

    def edges(self, unit: str) -> tuple[Fraction, Fraction]:
        """The house edge of all wagers per unit of one wager's stake: without limits on winnings, and with
        them."""
        due, paid = (sum(brings.values(), Fraction()) for brings in (self.due, self.paid))
        return -due / self.stakes[unit], -paid / self.stakes[unit]


def whole_bet(
    solution: Solution,
    game: Terms | Rulebook,
    stakes: Stakes,
    *,
    meters: Mapping[str, int] | None = None,
    cap: int | None = None,
    choices: StreetChoices | None = None,
    threads: int | None = None,
) -> WholeBet:
    """Count the results of a round for a seat that is alone at the table.

    `stakes` has the ante and side bets on the player's own cards; wagers that must equal the ante are
    added. `meters` has amounts in cents; a meter that is not listed is at its seed. `cap` replaces the
    rulebook's limits on winnings. If `choices` is not given, the best choices are made.
    """
    terms = terms_of(game)
    before = check_stakes(terms, stakes, meters or {})
    apart = parts(terms, before)
    counts = counts_by_part(solution, apart, choices, threads=threads)
    caps = terms.plan.caps if cap is None else one_cap(terms, cap)
    return count_results(terms, before, samples(terms, apart), counts, meters or {}, caps)


def count_results(terms: Terms, stakes: Stakes, samples: Sequence[Sample], counts: Counts,
            meters: Mapping[str, int], caps: Sequence[WinningsCap]) -> WholeBet:  # fmt: skip
    """Return the results of counted deals for these stakes. `samples` has sample cards for each part."""
    cases = []
    for choice, deals in counts.items():
        for part, qualifies, contest, place in np.argwhere(deals).tolist():
            kind = DealKind(terms.order, choice, *samples[part], bool(qualifies), contest, place)
            paid = pay(terms, settled(terms, stakes, kind), caps, meters)
            cases.append((int(deals[part, qualifies, contest, place]), terms.order[place], paid))
    return _counted(terms, stakes, cases)


def capped_wager(terms: Terms, name: str, value: WagerValue, stake: int) -> WholeBet:
    """Return the results of one wager that the cards alone decide, without other wagers."""
    paid = (
        (case.ways, case.hand, pay(terms, [(name, stake, case.outcome)], terms.plan.caps, {}))
        for case in value.cases
    )
    return _counted(terms, {name: stake}, paid)


def one_cap(terms: Terms, limit: int) -> tuple[WinningsCap, ...]:
    """Return a limit on a hand's total winnings.

    It applies to the wagers that the rulebook limits. If the rulebook limits none, it applies to all wagers
    that are not paid from a meter.
    """
    named = frozenset(name for wagers, _, _ in terms.plan.caps for name in wagers)
    odds = frozenset(
        name
        for name, outcomes in terms.outcomes.items()
        if not any(outcome and isinstance(outcome.pays, Share) for outcome in outcomes)
    )
    return (WinningsCap(named or odds, Cents(limit), None),)


def check_stakes(terms: Terms, stakes: Stakes, meters: Mapping[str, int]) -> dict[str, int]:
    """Return the stakes with the wagers that must equal the ante. Raise an error if settlement would refuse
    them."""
    book = terms.rulebook
    listed = ", ".join(name for name in terms.stakeable if not terms.groups[name].on_whole_table)
    for name in stakes:
        if name not in terms.stakeable:
            right = f"the wagers are {listed}{closest(name, terms.stakeable, '; ')}"
            raise UnsolvableError(f"{book.id}: unknown wager {name!r}; {right}")
        if terms.groups[name].on_whole_table:
            wrong = f"{name} depends on every hand at the table, so it cannot be combined with other wagers"
            raise UnsolvableError(f"{book.id}: {wrong}; remove its stake")
    if "ante" not in stakes:
        raise UnsolvableError(
            f"{book.id}: the stakes have no ante; add one, such as $10 (in Python, 1000 cents)"
        )
    envy = book.wagers.get("envy")
    if envy is not None and envy.excludes is None and "envy" in terms.tables and "progressive" in stakes:
        raise UnsolvableError(
            f"{book.id}: envy for a player's own hand cannot be counted; remove the progressive stake"
        )
    made = staked_round(terms, 1, stakes, meters).hands[0].stakes
    return {name: made[name] for name in terms.stakeable if name in made}


def staked_round(terms: Terms, seats: int, stakes: Stakes, meters: Mapping[str, int]) -> FinishedRound:
    """Return a round in which every seat has these stakes; raise an error if settlement would refuse it."""
    cards = [codes(DECK[n : n + 2]) for n in range(0, 2 * seats + 2, 2)]
    staked = {"play": max(terms.sizes), **{name: dollars(stake) for name, stake in stakes.items()}}
    played = {
        "rulebook": terms.rulebook.id,
        "board": codes(DECK[-5:]),
        "dealer": cards[0],
        "seats": [{"seat": n, "hole": hole, **staked} for n, hole in enumerate(cards[1:], 1)],
        "meters": {name: dollars(shown) for name, shown in meters.items()},
    }
    read, refused = read_round(played, terms)
    if refused:
        raise UnsolvableError("; ".join(dict.fromkeys(refusal.message for refusal in refused)))
    return read


def pay(terms: Terms, wagers: Sequence[tuple[str, int, Outcome]], caps: Sequence[WinningsCap],
        meters: Mapping[str, int]) -> list[WagerSettled]:  # fmt: skip
    """Settle the wagers of a hand that is alone at the table. The wagers must be in settlement order."""
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
        raise UnsolvableError(f"{terms.rulebook.id}: {name} pays a share of unknown meter {pays.meter!r}")
    return shown.award(pays).amount


def settled(terms: Terms, stakes: Stakes, kind: DealKind) -> list[tuple[str, int, Outcome]]:
    """Return each wager of a hand with its outcome in one kind of deal, in settlement order."""
    staked = dict(stakes)
    if kind.choice == FOLD:
        kind = replace(kind, status=terms.plan.folded_status(stakes, kind))
    else:
        staked["play"] = stakes["ante"] * int(kind.choice.removesuffix("x"))
    order = terms.plan.order(kind.status, qualifies=kind.qualifies)
    if missed := staked.keys() - {*order}:
        wrong = f"no pass settles {min(missed)} after {kind.choice}"
        raise UnsolvableError(f"{terms.rulebook.id}: {wrong}; add it to a [[pass]] in rules.toml")
    return [
        (name, staked[name], answer(terms, name, terms.plan.cell_of[name](kind)))
        for name in order
        if name in staked
    ]


def _counted(
    terms: Terms, stakes: Stakes, cases: Iterable[tuple[int, str, list[WagerSettled]]]
) -> WholeBet:
    nets: Counter[int] = Counter()
    due: Counter[str] = Counter(dict.fromkeys(stakes, 0))
    paid: Counter[str] = Counter(dict.fromkeys(stakes, 0))
    cuts: dict[tuple[str, str], list[tuple[int, WagerSettled]]] = {}
    staked = 0
    for ways, hand, wagers in cases:
        nets[sum(each.back - each.stake for each in wagers)] += ways
        for each in wagers:
            net = each.back - each.stake
            staked += ways * each.stake
            due[each.wager] += ways * (net + each.cut)
            paid[each.wager] += ways * net
            if each.cut:
                cuts.setdefault((each.wager, hand), []).append((ways, each))
    deals = sum(nets.values())
    lines = [
        Reduction(
            *line,
            max(each.won + each.cut for _, each in cut),
            min(each.won for _, each in cut),
            sum(ways for ways, _ in cut),
            Fraction(sum(ways * each.cut for ways, each in cut), deals),
        )
        for line, cut in cuts.items()
    ]
    return WholeBet(
        terms.hash,
        dict(stakes),
        dict(sorted(nets.items())),
        Fraction(staked, deals),
        {name: Fraction(cents, deals) for name, cents in due.items()},
        {name: Fraction(cents, deals) for name, cents in paid.items()},
        tuple(sorted(lines, key=lambda line: -line.cost)),
    )
