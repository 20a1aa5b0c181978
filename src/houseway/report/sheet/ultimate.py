"""The par sheet of Ultimate Texas Hold'em: the solved game, its wagers and every side bet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from houseway import exact
from houseway.engine.terms import Terms
from houseway.exact.pay_arrays import net
from houseway.exact.solution import DEALS
from houseway.exact.wager_prices import under_each_table
from houseway.exact.wager_values import answer, cards_read, hand_counts
from houseway.money import Flat
from houseway.report.pay_tables import hand, scaled
from houseway.report.payment_words import conditions, short_payment_text
from houseway.report.sheet.model import (
    Entry,
    Hole,
    Measure,
    Meter,
    MeteredReturn,
    PayRow,
    entry,
    envy_entry,
)
from houseway.report.solution_data import break_even
from houseway.rules.compare.cases import tables_of
from houseway.rules.compile import choices, compile_wager
from houseway.rules.wagers import Wager

FOLD, CHECK = "fold", "check"
STARTING_PAIRS = 1_326


def measures(solution: exact.Solution, counted: exact.Outcomes) -> tuple[Measure, ...]:
    """The figures of the game, the three measures of the house edge first."""
    initial, risk = solution.edge / solution.pays.wagers, counted.element_of_risk
    return (
        Measure("edge", "House edge (per ante)", solution.edge, "percent"),
        Measure("edge_per_initial_bet", "House edge (per unit of initial wagers)", initial, "percent"),
        Measure("element_of_risk", "Element of risk (per unit wagered)", risk, "percent"),
        Measure("value", "Expected value of a round, in antes", solution.value, "signed"),
        Measure("average_bet", "Average total wager, in antes", counted.average_bet, "plain"),
        Measure("variance", "Variance of a round, in antes squared", counted.variance, "plain"),
    )


def actions(counted: exact.Outcomes) -> tuple[tuple[str, Fraction], ...]:
    """How often a round ends with each choice, the largest play first and the fold last."""
    listed = sorted(counted.actions.items(), key=lambda pair: (pair[0] == FOLD, -_size(pair[0])))
    return tuple((name, Fraction(count, DEALS)) for name, count in listed)


def hands(solution: exact.Solution) -> tuple[Hole, ...]:
    """The 169 starting hands."""
    return tuple(
        Hole(h.hand, dict(h.values), h.best, _cost(h), Fraction(h.combos, STARTING_PAIRS))
        for h in solution.starting_hands
    )


def _cost(start: exact.StartingHand) -> Fraction | None:
    """Return the cost of checking a hand that should be played, or the reverse.

    Return None if only one of the two is allowed.
    """
    checked = start.best == CHECK
    others = [worth for name, worth in start.values.items() if (name == CHECK) != checked]
    return start.values[start.best] - max(others) if others else None


def entries(terms: Terms, counted: exact.Outcomes) -> Iterator[Entry]:
    """Every wager of the rulebook under each of its pay tables."""
    priced = exact.wagers(terms, counted.counts)
    for wager in terms.wagers:
        if wager.group.against_dealer:
            yield _at_showdown(terms, wager, counted)
            continue
        tables = priced.get(wager.name, {})
        yield from (_side_bet(terms, wager, table, value) for table, value in tables.items())
        if any(isinstance(value, exact.Progressive) for value in tables.values()):
            yield from _envies(terms, wager)


def _size(choice: str) -> int:
    return 0 if choice == FOLD else int(choice.removesuffix("x"))


def _at_showdown(terms: Terms, wager: Wager, counted: exact.Outcomes) -> Entry:
    """Return a wager of the main game under best play, over the rounds in which it is made."""
    play = wager.name == "play"
    chosen = choices(wager, terms.tables, terms.house)
    compiled = compile_wager(terms.rulebook, wager, chosen, terms.mode)
    words = _words(terms, wager)
    ways: Counter[tuple[str, str, Fraction]] = Counter()
    first: dict[tuple[str, str, Fraction], tuple[bool, int, int]] = {}
    """The sort key of each line: folds first, then in the order of the rules."""
    hits = staked = 0
    for choice, deals in counted.counts.items():
        if play and choice == FOLD:
            continue
        stake = _size(choice) if play else 1
        cells = deals.size * (choice == FOLD)
        for cell, number in enumerate(deals.ravel().tolist()):
            if number:
                outcome = answer(terms, wager.name, cells + cell)
                when = words[compiled.rules[outcome.rule].path]
                label = f"{choice}, {when}" if play else when
                line = (
                    label,
                    short_payment_text(terms.rulebook, outcome.pays),
                    stake * net(outcome, wager.name),
                )
                ways[line] += number
                place = choice != FOLD, outcome.rule, -stake
                first[line] = min(first.get(line, place), place)
                hits += number * (outcome.result == "win")
                staked += number * stake
    lines = tuple(
        PayRow(when, pays, number, result)
        for (when, pays, result), number in sorted(ways.items(), key=lambda row: first[row[0]])
    )
    rounds_made = sum(ways.values())
    average, share_of_rounds = Fraction(staked, rounds_made), Fraction(rounds_made, DEALS)
    return entry(wager, "", lines, hits=hits, unit="ante", staked=average, made=share_of_rounds)


def _words(terms: Terms, wager: Wager) -> dict[str, str]:
    """Return the conditions of each row of a wager and its pay tables in words, by the row's path."""
    words = {}
    for row in wager.pays:
        words[row.path] = conditions(row.when) or "anything else"
        sent = conditions({name: value for name, value in row.when.items() if name != "hand"})
        for table in tables_of(terms.rulebook, replace(wager, pays=(row,))).values():
            words |= {r.path: ", ".join(filter(None, (sent, hand(r.when)))) for r in table.rows}
    return words


def _side_bet(terms: Terms, wager: Wager, table: str, value: exact.WagerValue) -> Entry:
    book = terms.rulebook
    lines = tuple(
        PayRow(c.hand, short_payment_text(book, c.outcome.pays), c.ways, c.net) for c in value.cases
    )
    metered = _metered(terms, value) if isinstance(value, exact.Progressive) else None
    name = "" if table == wager.name else table
    return entry(wager, name, lines, hits=value.hits, metered=metered)


def _metered(terms: Terms, value: exact.Progressive) -> MeteredReturn:
    seats = int(terms.house("seats") or terms.rulebook.seats)
    others = range(seats if value.envy else 1)
    meters = []
    for name, share in value.shares.items():
        evens = tuple(break_even(value, name, n) for n in others) if share else ()
        meters.append(Meter(name, value.seeds[name] * value.stake / 100, share, evens))
    return MeteredReturn(value.stake, value.fixed, value.envy, tuple(meters))


def _envies(terms: Terms, progressive: Wager) -> Iterator[Entry]:
    """Yield the envy of each progressive table that has it, for one other hand and a unit wager."""
    envy = terms.rulebook.wagers.get("envy")
    if envy is None or not envy.beside or progressive.name not in envy.beside.value:
        return
    for name, under in under_each_table(terms, progressive):
        table = under.table("envy")
        if table is None:
            continue
        stake = under.progressive_amount[0] or 100
        base = table.base.value if table.base else stake
        counted = hand_counts(under, cards_read(under, progressive.name))
        paid = [
            (hand_class, ways, scaled(outcome.pays, (stake, base)))
            for place, (hand_class, ways) in enumerate(counted.items())
            if isinstance((outcome := answer(under, envy.name, place)).pays, Flat)
        ]
        yield envy_entry(envy, name, paid, sum(counted.values()), stake)
