"""`solve` and `odds`: the exact values of a game and of one hand."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Grid

from houseway.cards import Card, cards
from houseway.cli import solve_parts
from houseway.cli.output import (
    BadInputError,
    amounts,
    bad_input,
    counting,
    house_terms,
    thread_count,
    write_json,
)
from houseway.cli.print_helpers import console, exactly, percent, print_facts, shares
from houseway.cli.solve_bets import print_whole_bet
from houseway.cli.solve_strategy import LIST, list_strategies, print_strategy
from houseway.engine.terms import Terms, read_terms
from houseway.money import cents
from houseway.rules.changes import apply_changes
from houseway.rules.compare.value_words import table_label
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from houseway.exact import Outcomes, Price, Solution, Wagers, WholeBet

Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative="")]


def solve(
    rulebook: str,
    /,
    *,
    changes: Changes = (),
    strategy: str = "",
    bets: str = "",
    tables: str = "",
    house: str = "",
    meters: str = "",
    cap: str = "",
    see: str = "",
    only: str = "",
    threads: int = 0,
    json: bool = False,
) -> int:
    """Solve a whole game exactly: house edge, best play, side bets.

    All results are exact. For Ultimate Texas Hold'em, the command counts all 27,813,810,024,000 deals in
    integer arithmetic; decimals are only for display.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    changes
        Change a value first, such as --set "blind.straight=push" or --set play.preflop=4; may be repeated.
    strategy
        Also show what a strategy costs compared with best play: best, practical, never-4x, always-4x,
        beginner, or your own file such as mine.py. "--strategy list" describes the named ones.
    bets
        Analyse all wagers of a round together, such as ante=10,trips=5,progressive=5.
    tables
        With --bets: the pay tables, such as trips=B,progressive=PTMGL01.
    house
        House settings, such as max_payout=5000 or cover_all_low=push.
    meters
        With --bets: the jackpot meters in dollars, such as main=52340.50; default: their starting amounts.
    cap
        With --bets: the most a hand can win, in dollars, instead of the rulebook's limit, such as 50000.
    see
        Solve for a player who sees one or two of the dealer's cards early ("dealer:1" or "dealer:2"), or
        also one card of the flop ("dealer:1,flop:1" or "dealer:2,flop:1").
    only
        Print only some parts, such as edge,hands. The parts are edge, spread (the standard deviation),
        choices, strategy, bets, hands, sides (the side bets) and outcomes (the number of deals for each
        net result). Without --json, outcomes are printed only if you name them here.
    threads
        The number of threads; 0 means one per core.
    json
        Print one JSON document.
    """
    if strategy == LIST:
        return list_strategies(json=json)
    workers = thread_count(threads)
    parts = solve_parts.read_parts(only, strategy=bool(strategy), bets=bool(bets))
    book = apply_changes(rulebook, changes) if changes else load(rulebook)
    if not bets and (tables or meters or cap):
        raise BadInputError("--tables, --meters and --cap need --bets, such as --bets ante=10")
    if see:
        from houseway.cli.solve_exposed_cards import solve_exposed

        if strategy or bets or only:
            raise BadInputError("--see does not work with --strategy, --bets or --only; leave them out")
        return solve_exposed(_terms(book), see, threads=workers, json=json)
    if book.game == SHOOTOUT:
        from houseway.cli.solve_shootout import solve_shootout

        if strategy or bets or only:
            raise BadInputError(f"{book.id}: --strategy, --bets and --only are for Ultimate Texas Hold'em")
        return solve_shootout(book, threads=workers, json=json)
    from houseway import exact
    from houseway.report import solution_data

    staked = amounts(bets, "--bets", "ante=10,trips=5")
    terms = _terms(book, house_terms(tables, house), tuple(staked))
    played = exact.find_strategy(strategy) if strategy else None
    solution = exact.solve(terms, threads=workers)
    priced = exact.price(solution, played) if played else None
    bet = None
    if bets:
        meter_cents = amounts(meters, "--meters", "main=52340.50")
        choices = exact.choices_of(solution, played) if played else None
        with bad_input("--cap: "):
            limit = cents(cap) if cap else None
        bet = exact.whole_bet(solution, terms, staked, meters=meter_cents, cap=limit, choices=choices)
    results = exact.outcomes(solution)
    wagers = exact.wagers(terms, results.counts) if solve_parts.SIDES in parts else {}
    warnings = exact.warnings(terms, wagers)
    if json:
        document = solution_data.document(solution, results, wagers, priced)
        document |= {"warnings": warnings} if warnings else {}
        document |= {"whole_bet": solution_data.whole_bet(bet)} if bet else {}
        write_json(solve_parts.cut(document, parts) if only else document)
    else:
        _print(book, solution, results, wagers, priced, bet, parts if only else None)
        for warning in warnings:
            sys.stdout.write(f"warning: {warning}\n")
    return 0


def odds(
    rulebook: str,
    hole: str,
    board: str = "",
    /,
    *,
    dead: str = "",
    changes: Changes = (),
    json: bool = False,
) -> int:
    """Print the exact value of every legal choice for a hand.

    A value is the average result in antes, over all cards that can still come, without side bets. Try
    houseway odds uth-ma "As Kh" before the flop, or houseway odds uth-ma "As Kh" "2d 7c 9s" after it.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    hole
        Your cards: two, or four in Texas Shootout.
    board
        The board: no cards before the flop, three after it, five after the river.
    dead
        Cards that are out of play, such as a neighbour's hand or an exposed card.
    changes
        Change a value first, such as --set "blind.straight=push".
    json
        Print one JSON document.
    """
    book = apply_changes(rulebook, changes) if changes else load(rulebook)
    hole_cards, board_cards, dead_cards = _read("hole", hole), _read("board", board), _read("dead", dead)
    values: Mapping[str, Fraction]
    with bad_input():
        if book.game == SHOOTOUT:
            from houseway.exact import shootout

            values = {choice.action: choice.value for choice in shootout.odds(book, hole_cards)}
        else:
            from houseway import exact

            progress = counting("counting the boards") if dead_cards and not board_cards else None
            terms = _terms(book)
            values = exact.odds(terms, hole_cards, board_cards, dead_cards, progress=progress).values
    if json:
        from houseway.report.solution_data import number

        actions = [{"action": name, "ev": number(worth)} for name, worth in values.items()]
        write_json({"actions": actions, "best": _best(values)})
    elif book.game == SHOOTOUT:
        _advise(values, max(map(len, values)) + 2, "", " of the wager")
    else:
        _advise(values, 6, " antes", " antes")
    return 0


def _terms(book: Rulebook, data: Mapping[str, Any] | None = None, staked: Sequence[str] = ()) -> Terms:
    known = [name for name in staked if name in book.wagers]
    terms, refused = read_terms(book, data or {}, known)
    if refused:
        raise BadInputError(*(refusal.message for refusal in refused))
    return terms


def _read(what: str, text: str) -> tuple[Card, ...]:
    with bad_input(f"{what}: "):
        return cards(text)


# --- text output ---


def _print(
    book: Rulebook,
    solution: Solution,
    results: Outcomes,
    wagers: Wagers,
    priced: Price | None,
    bet: WholeBet | None,
    only: frozenset[str] | None,
) -> None:
    """Print the parts in `only`; without it, all but the outcomes, which take many lines."""
    out = console(100)
    parts = solve_parts.EVERY - {solve_parts.OUTCOMES} if only is None else only
    edges = f"{percent(solution.edge)} of the ante, {percent(solution.edge / 2)} of ante and blind"
    spread = f"{sqrt(results.variance):.6f} antes (variance {float(results.variance):.6f})"
    facts = (
        (solve_parts.EDGE, "value", exactly(solution.value)),
        (solve_parts.EDGE, "house edge", edges),
        (solve_parts.EDGE, "element of risk", f"{percent(results.element_of_risk)} of every unit wagered"),
        (solve_parts.SPREAD, "average bet", f"{float(results.average_bet):.6f} antes"),
        (solve_parts.SPREAD, "standard deviation", spread),
        (solve_parts.CHOICES, "choices", shares(results.actions)),
    )
    if only is None:
        out.print(f"[bold]{escape(book.title)}[/], main game, best play")
    print_facts(out, ((name, value) for part, name, value in facts if part in parts))
    if only is None:
        spent = f"{solution.seconds:.2f} s to solve, {results.seconds:.2f} s more to count outcomes"
        print_facts(out, [("time", spent)])
    played = priced.strategy if priced else "best play"
    sections: tuple[tuple[str, Callable[[], None] | None], ...] = (
        (solve_parts.STRATEGY, partial(print_strategy, out, solution, priced) if priced else None),
        (solve_parts.BETS, partial(print_whole_bet, out, bet, played) if bet else None),
        (solve_parts.OUTCOMES, lambda: out.print(_outcomes_table(results))),
        (solve_parts.HANDS, lambda: out.print(_grid(solution))),
        (solve_parts.SIDES, lambda: out.print(_side_bets(wagers))),
    )
    needs_blank_line = not parts.isdisjoint(solve_parts.GAME.keys() - {solve_parts.OUTCOMES})
    for part, section in sections:
        if part in parts and section is not None:
            if needs_blank_line:
                out.print()
            section()
            needs_blank_line = True
    if only is None:
        out.print(f"rulebook hash {solution.hash}", style="dim")


def _outcomes_table(results: Outcomes) -> Grid:
    """Return a table of the net results of ante, blind and play together, with the deals of each."""
    grid = Grid(title="net result of a round", box=None, padding=(0, 2))
    for column in ("net, in antes", "deals", "chance"):
        grid.add_column(column, justify="right")
    total = sum(results.nets.values())
    for value, count in results.nets.items():
        net = f"{float(value):+g}" if value else "0"
        grid.add_row(net, f"{count:,}", percent(Fraction(count, total), 7))
    return grid


def _grid(solution: Solution) -> Grid:
    """Return a grid of the best choice before the flop for each of the 169 starting hands."""
    from houseway.report.sheet.charts import hand_at

    best = {hand.hand: hand.best for hand in solution.starting_hands}
    title = "best choice before the flop (· = check; suited hands above the diagonal)"
    grid = Grid(title=title, box=None, padding=(0, 1, 0, 0), show_header=False)
    for row in range(13):
        line = []
        for column in range(13):
            name = hand_at(row, column)
            choice = best[name]
            style = "bold green" if choice != "check" else "dim"
            line.append(f"[{style}]{name:<3} {'·' if choice == 'check' else choice}[/]")
        grid.add_row(*line)
    return grid


def _side_bets(wagers: Wagers) -> Grid:
    grid = Grid("wager", "pay table", "hits", "return", "edge", title="side bets", box=None, padding=(0, 2))
    for name, values_by_table in wagers.items():
        for table, value in values_by_table.items():
            hits = f"1 in {value.deals / value.hits:.3f}" if value.hits else "never"
            shown = (hits, percent(value.returned), percent(value.edge))
            grid.add_row(name.replace("_", " "), table_label(table), *shown)
    return grid


def _best(values: Mapping[str, Fraction]) -> str:
    return max(values, key=lambda name: values[name])


def _advise(values: Mapping[str, Fraction], width: int, unit: str, lost_unit: str) -> None:
    """Print the value of each choice, and its cost compared with the best choice; the best is first."""
    out = Console(highlight=False)
    best = _best(values)
    for name, worth in sorted(values.items(), key=lambda pair: -pair[1]):
        lost = float(values[best] - worth)
        mark = "best" if name == best else f"costs you {lost:.6f}{lost_unit}"
        out.print(f"{name:<{width}}{float(worth):+.6f}{unit}   {mark}")
