"""`solve` and `odds`: the exact mathematics of a rulebook and of one hand."""

from __future__ import annotations

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
from houseway.cli.output import BadInputError, amounts, bad_input, counting, house_terms, write_json
from houseway.cli.print_helpers import console, exactly, percent, print_facts, shares
from houseway.cli.solve_bets import print_whole_bet
from houseway.cli.solve_strategy import LIST, list_strategies, print_strategy
from houseway.engine.terms import Terms, read_terms
from houseway.money import cents
from houseway.rules.changes import changed
from houseway.rules.loader import load
from houseway.rules.options import SHOOTOUT
from houseway.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from houseway.exact import Outcomes, Priced, Solution, Wagers, WholeBet

Changes = Annotated[tuple[str, ...], Parameter(name="--set", negative="")]
RANKS = "AKQJT98765432"


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
    """Solve a whole game exactly: edge, risk, best play, side bets.

    Integers throughout, over all 27,813,810,024,000 deals; a decimal is made only to be shown.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    changes
        Change a value first, as in --set "blind.straight=push" or --set play.preflop=4; may be repeated.
    strategy
        Price a strategy as well: best, practical, never-4x, always-4x, beginner, or a file of your own such
        as mine.py; `list` tells what they do.
    bets
        Count everything staked in a round together, such as ante=10,trips=5,progressive=5.
    tables
        Pay tables for it, such as trips=B,progressive=PTMGL01.
    house
        House settings for it, such as max_payout=5000.
    meters
        What meters show, in dollars, such as main=52340.50; at seed where nothing is said.
    cap
        A limit on what a hand wins instead of the rulebook's own, in dollars, such as 50000.
    see
        Solve it for a player who sees cards before the first decision: dealer:1, dealer:2, dealer:1,flop:1.
    only
        Print these parts only, such as edge,hands, with --json too: edge, spread, choices, strategy, bets,
        hands, sides, and outcomes (what a round brings), which is in words for the asking only.
    threads
        Threads to use; 0 for one a core.
    json
        Print one JSON document.
    """
    if strategy == LIST:
        return list_strategies(json=json)
    wanted = solve_parts.read_parts(only, strategy=bool(strategy), bets=bool(bets))
    book = changed(rulebook, changes) if changes else load(rulebook)
    if not bets and (tables or house or meters or cap):
        raise BadInputError("--tables, --house, --meters and --cap go with --bets, such as --bets ante=10")
    if see:
        from houseway.cli.solve_seen import solve_seen

        if strategy or bets or only:
            raise BadInputError("--see is about best play; leave --strategy, --bets and --only out")
        return solve_seen(_terms(book), see, threads=threads, json=json)
    if book.game == SHOOTOUT:
        from houseway.cli.solve_shootout import solve_shootout

        if strategy or bets or only:
            raise BadInputError(f"{book.id}: --strategy, --bets and --only are for Ultimate Texas Hold'em")
        return solve_shootout(book, threads=threads, json=json)
    from houseway import exact
    from houseway.report import solution_data

    staked = amounts(bets, "--bets", "ante=10,trips=5")
    terms = _terms(book, house_terms(tables, house), tuple(staked))
    played = exact.find_strategy(strategy) if strategy else None
    solution = exact.solve(terms, threads=threads or None)
    priced = exact.price(solution, played) if played else None
    bet = None
    if bets:
        shown = amounts(meters, "--meters", "main=52340.50")
        made = exact.choices_of(solution, played) if played else None
        with bad_input("--cap: "):
            limit = cents(cap) if cap else None
        bet = exact.whole_bet(solution, terms, staked, meters=shown, cap=limit, choices=made)
    found = exact.outcomes(solution)
    wagers = exact.wagers(terms, found.counts) if solve_parts.SIDES in wanted else {}
    if json:
        told = solution_data.document(solution, found, wagers, priced)
        told |= {"whole_bet": solution_data.whole_bet(bet)} if bet else {}
        write_json(solve_parts.cut(told, wanted) if only else told)
    else:
        _print(book, solution, found, wagers, priced, bet, wanted if only else None)
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
    """Tell what every legal choice of a hand is worth, exactly.

    Values are in antes, over everything that can still come; side bets apart.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    hole
        The cards in hand: two, or four in Texas Shootout.
    board
        Nothing before the flop, three cards after it, five after the river.
    dead
        Cards known to be gone: a neighbour's hand, an exposed card.
    changes
        Change a value first, as in --set "blind.straight=push".
    json
        Print one JSON document.
    """
    book = changed(rulebook, changes) if changes else load(rulebook)
    held, shown, gone = _read("hole", hole), _read("board", board), _read("dead", dead)
    values: Mapping[str, Fraction]
    with bad_input():
        if book.game == SHOOTOUT:
            from houseway.exact import shootout

            values = {choice.action: choice.value for choice in shootout.odds(book, held)}
        else:
            from houseway import exact

            progress = counting("looking at every board") if gone and not shown else None
            values = exact.odds(_terms(book), held, shown, gone, progress=progress).values
    if json:
        from houseway.report.solution_data import number

        actions = [{"action": name, "ev": number(worth)} for name, worth in values.items()]
        write_json({"actions": actions, "best": _best(values)})
    elif book.game == SHOOTOUT:
        _advise(values, max(map(len, values)) + 2, "", " of the wager")
    else:
        _advise(values, 6, " antes", " antes")
    return 0


def _terms(book: Rulebook, given: Mapping[str, Any] | None = None, staked: Sequence[str] = ()) -> Terms:
    known = [name for name in staked if name in book.wagers]
    terms, refused = read_terms(book, given or {}, known)
    if refused:
        raise BadInputError(*(refusal.message for refusal in refused))
    return terms


def _read(what: str, text: str) -> tuple[Card, ...]:
    with bad_input(f"{what}: "):
        return cards(text)


# --- words ---


def _print(
    book: Rulebook,
    solution: Solution,
    found: Outcomes,
    wagers: Wagers,
    priced: Priced | None,
    bet: WholeBet | None,
    only: frozenset[str] | None,
) -> None:
    """Print the parts asked for, or the whole of it but the outcomes, which are many lines."""
    out = console(100)
    wanted = solve_parts.EVERY - {solve_parts.OUTCOMES} if only is None else only
    edge = solution.edge
    spread = f"{sqrt(found.variance):.6f} antes (variance {float(found.variance):.6f})"
    facts = (
        (solve_parts.EDGE, "value", exactly(solution.value)),
        (
            solve_parts.EDGE,
            "house edge",
            f"{percent(edge)} of the ante, {percent(edge / 2)} of ante and blind",
        ),
        (solve_parts.EDGE, "element of risk", f"{percent(found.element_of_risk)} of every unit wagered"),
        (solve_parts.SPREAD, "average bet", f"{float(found.average_bet):.6f} antes"),
        (solve_parts.SPREAD, "standard deviation", spread),
        (solve_parts.CHOICES, "choices", shares(found.actions)),
    )
    if only is None:
        out.print(f"[bold]{escape(book.title)}[/], main game, best play")
    print_facts(out, ((name, told) for part, name, told in facts if part in wanted))
    if only is None:
        print_facts(out, [("time", f"{solution.seconds:.2f} s, outcomes {found.seconds:.2f} s")])
    played = priced.strategy if priced else "best play"
    sections: tuple[tuple[str, Callable[[], None] | None], ...] = (
        (solve_parts.STRATEGY, partial(print_strategy, out, solution, priced) if priced else None),
        (solve_parts.BETS, partial(print_whole_bet, out, bet, played) if bet else None),
        (solve_parts.OUTCOMES, lambda: out.print(_brings(found))),
        (solve_parts.HANDS, lambda: out.print(_grid(solution))),
        (solve_parts.SIDES, lambda: out.print(_side_bets(wagers))),
    )
    above = not wanted.isdisjoint(solve_parts.GAME.keys() - {solve_parts.OUTCOMES})
    for part, section in sections:
        if part in wanted and section is not None:
            if above:
                out.print()
            section()
            above = True
    if only is None:
        out.print(f"rulebook {solution.hash}", style="dim")


def _brings(found: Outcomes) -> Grid:
    """What a round brings, ante, blind and play together, and in how many deals."""
    grid = Grid(title="what a round brings", box=None, padding=(0, 2))
    for column in ("net, in antes", "deals", "chance"):
        grid.add_column(column, justify="right")
    total = sum(found.nets.values())
    for brings, count in found.nets.items():
        net = f"{float(brings):+g}" if brings else "0"
        grid.add_row(net, f"{count:,}", percent(Fraction(count, total), 7))
    return grid


def _grid(solution: Solution) -> Grid:
    """The starting hands, thirteen by thirteen: the best choice before the flop."""
    best = {hand.hand: hand.best for hand in solution.starting_hands}
    title = "before the flop: suited above the diagonal"
    grid = Grid(title=title, box=None, padding=(0, 1, 0, 0), show_header=False)
    for row, high in enumerate(RANKS):
        line = []
        for column, low in enumerate(RANKS):
            suffix = "" if row == column else "s" if row < column else "o"
            name = (high + low if row <= column else low + high) + suffix
            choice = best[name]
            style = "bold green" if choice != "check" else "dim"
            line.append(f"[{style}]{name:<3} {'·' if choice == 'check' else choice}[/]")
        grid.add_row(*line)
    return grid


def _side_bets(wagers: Wagers) -> Grid:
    grid = Grid("wager", "table", "hits", "return", "edge", title="side bets", box=None, padding=(0, 2))
    for name, by in wagers.items():
        for table, value in by.items():
            hits = f"1 in {value.deals / value.hits:.3f}" if value.hits else "never"
            grid.add_row(name.replace("_", " "), table, hits, percent(value.returned), percent(value.edge))
    return grid


def _best(values: Mapping[str, Fraction]) -> str:
    return max(values, key=lambda name: values[name])


def _advise(values: Mapping[str, Fraction], width: int, unit: str, lost_unit: str) -> None:
    """Print what each choice is worth and what it loses against the best, the best first."""
    out = Console(highlight=False)
    best = _best(values)
    for name, worth in sorted(values.items(), key=lambda pair: -pair[1]):
        lost = float(values[best] - worth)
        mark = "best" if name == best else f"costs you {lost:.6f}{lost_unit}"
        out.print(f"{name:<{width}}{float(worth):+.6f}{unit}   {mark}")
