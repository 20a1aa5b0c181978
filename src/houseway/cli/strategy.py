"""`solve --strategy`: what a way of playing costs, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from houseway.cli.output import write, write_json

if TYPE_CHECKING:
    from houseway.exact import Mistake, Priced, Solution

LIST = "list"


def list_strategies(*, json: bool) -> int:
    """Print the strategies that have a name."""
    from houseway.exact import STRATEGIES

    if json:
        write_json([{"strategy": each.name, "says": each.says} for each in STRATEGIES])
    else:
        write("\n".join(f"{each.name:<10} {each.says}" for each in STRATEGIES))
    return 0


def print_strategy(out: Console, solution: Solution, priced: Priced) -> None:
    """Print a strategy's edge, its cost by street and its costliest mistakes."""
    before, after, river = (f"{100 * float(cost):.4f} %" for cost in priced.costs)
    edge, more = -100 * float(priced.value), 100 * float(solution.value - priced.value)
    out.print()
    out.print(f"[bold]strategy: {priced.strategy}[/]")
    out.print(f"  {'house edge':<20}{edge:.4f} % of the ante, {more:.4f} % more than best play")
    out.print(
        f"  {'cost by street':<20}before the flop {before}, after it {after}, after the river {river}"
    )
    for n, mistake in enumerate(priced.mistakes):
        out.print(f"  {'' if n else 'costliest mistakes':<20}{told(mistake)}", soft_wrap=True)


def told(mistake: Mistake) -> str:
    """A mistake in a line."""
    from houseway.exact.solution import DEALS

    where = {0: "", 8: f" on a flop of {mistake.board}"}.get(len(mistake.board), f" on {mistake.board}")
    does = f"plays {mistake.does}" if mistake.does.endswith("x") else f"{mistake.does}s"
    should = f"play {mistake.should}" if mistake.should.endswith("x") else mistake.should
    often = f"1 in {DEALS / mistake.deals:,.0f}"
    return f"{mistake.hand}{where}: {does}, should {should}; costs {float(mistake.loss):.2f} antes, {often}"
