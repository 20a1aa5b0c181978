"""The par sheet of Texas Shootout: the game, the bonus under each pay table, and envy bonuses."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

from houseway.engine.terms import Terms, read_terms
from houseway.exact.pay_arrays import net
from houseway.exact.shootout import ShootoutSolution
from houseway.exact.wager_values import answer
from houseway.money import Flat
from houseway.report.payment_words import short_payment_text
from houseway.report.sheet.model import Entry, Hole, Measure, PayRow, entry, envy_entry
from houseway.rules.fact_groups.own_hand import FIRST_FIVE, NO_ROYAL, ROYAL

DOLLAR = 100


def measures(solution: ShootoutSolution) -> tuple[Measure, ...]:
    """The figures of the game."""
    best, any_split, no_split = solution.best, -solution.any_split.value, -solution.no_split.value
    risk = best.element_of_risk
    return (
        Measure("edge", "House edge (per primary wager)", -best.value, "percent"),
        Measure("element_of_risk", "Element of risk (per unit wagered)", risk, "percent"),
        Measure("value", "Expected value of a round, in wagers", best.value, "signed"),
        Measure("average_bet", "Average total wager, in wagers", best.staked, "plain"),
        Measure("edge_any_split", "House edge if any four cards may be split", any_split, "percent"),
        Measure("edge_no_split", "House edge if the player never splits", no_split, "percent"),
    )


def actions(solution: ShootoutSolution) -> tuple[tuple[str, Fraction], ...]:
    """How often two cards are kept, and how often four are split."""
    return ("keep two", 1 - solution.best.split), ("split", solution.best.split)


def hands(solution: ShootoutSolution) -> tuple[Hole, ...]:
    """The 182 two-card hands: the value of each, and how often it is played."""
    return tuple(Hole(_name(h.name), {"keep": h.value}, "keep", None, h.played) for h in solution.hands)


def _name(name: str) -> str:
    """Return a hand's name on the sheet. A pair of two suits is named by its ranks alone."""
    return name[:2] if name[0] == name[1] and name.endswith("o") else name


def entries(terms: Terms, solution: ShootoutSolution) -> Iterator[Entry]:
    """Every wager of the rulebook under each of its pay tables."""
    whole = lcm(*(share.denominator for _, share in solution.classes))
    ways = [(name, int(share * whole)) for name, share in solution.classes]
    for wager in terms.wagers:
        if wager.group.against_dealer:
            once = Fraction(1)
            yield Entry(wager.name, wager.title, "", "wager", solution.best.value, once, once, None, None)
        for table in terms.rulebook.tables.get(wager.name, {}) if wager.group.on_own_cards else ():
            under, _ = read_terms(terms.rulebook, {"tables": {wager.name: table}})
            lines, hits = [], 0
            for place, (name, number) in enumerate(ways):
                cell = wager.group.index(place, FIRST_FIVE if name == ROYAL else NO_ROYAL)
                outcome = answer(under, wager.name, cell)
                pays = short_payment_text(terms.rulebook, outcome.pays)
                lines.append(PayRow(name, pays, number, net(outcome, wager.name)))
                hits += number if outcome.result == "win" else 0
            yield entry(wager, table, tuple(lines), hits=hits)
        if wager.group.on_other_hands:
            paid = [
                (name, number, outcome.pays)
                for place, (name, number) in enumerate(ways)
                if isinstance((outcome := answer(terms, wager.name, place)).pays, Flat)
            ]
            yield envy_entry(wager, "", paid, sum(n for _, n in ways), DOLLAR, "dollar")
