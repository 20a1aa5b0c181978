"""`solve --strategy`: the cost of a strategy and of its mistakes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from rich.console import Console

from houseway.cli.output import write, write_json
from houseway.cli.print_helpers import percent, print_facts
from houseway.wording import several

if TYPE_CHECKING:
    from houseway.exact import Mistakes, Price, Solution

LIST = "list"
LISTED = 10
"""The most kinds of mistakes to list."""


def list_strategies(*, json: bool) -> int:
    """Print the named strategies."""
    from houseway.exact import STRATEGIES

    if json:
        write_json([{"strategy": each.name, "says": each.says} for each in STRATEGIES])
    else:
        write("\n".join(f"{each.name:<10} {each.says}" for each in STRATEGIES))
    return 0


def print_strategy(out: Console, solution: Solution, priced: Price) -> None:
    """Print a strategy's edge, its cost by street and its most expensive mistakes."""
    before, after, river = map(percent, priced.costs)
    edge, more = percent(-priced.value), percent(solution.value - priced.value)
    out.print(f"[bold]strategy: {priced.strategy}[/]")
    streets = f"before the flop {before}, after it {after}, after the river {river}"
    summary = f"{edge} of the ante, {more} more than best play"
    print_facts(out, [("house edge", summary), ("cost by street", streets)])
    lines = [_mistake_line(each) for each in priced.alike[:LISTED]]
    if rest := priced.alike[LISTED:]:
        others = several(len(rest), "other kind costs", "other kinds cost")
        lines.append(f"{others} {percent(sum((each.cost for each in rest), Fraction()))} together")
    mistakes = (("" if n else "costliest mistakes", line) for n, line in enumerate(lines))
    print_facts(out, mistakes, soft_wrap=True)


def _mistake_line(alike: Mistakes) -> str:
    """Return a line about one kind of mistake, with its most expensive hand as the example."""
    from houseway.exact.solution import DEALS

    example = alike.example
    board = {0: "", 8: f" on a flop of {example.board}"}.get(len(example.board), f" on {example.board}")
    does = f"plays {alike.does}" if alike.does.endswith("x") else f"{alike.does}s"
    should = f"play {alike.should}" if alike.should.endswith("x") else alike.should
    return (
        f"{alike.street}, {alike.hand}: {does}, should {should}; costs {percent(alike.cost)} in total, "
        f"happens 1 in {DEALS / alike.deals:,.1f} times; for example, {example.hand}{board} costs "
        f"{float(example.loss):.2f} antes"
    )
