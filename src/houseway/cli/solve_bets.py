"""`solve --bets`: print the result of a round for all its wagers together."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

from rich.console import Console

from houseway.cli.print_helpers import percent, print_facts
from houseway.money import spoken
from houseway.wording import wager_name

if TYPE_CHECKING:
    from houseway.exact import WholeBet

OFTEN = Fraction(1, 1_000)


def print_whole_bet(out: Console, bet: WholeBet, played: str) -> None:
    """Print the stakes, the average, the spread, the chances and the effect of limits on winnings."""
    staked = ", ".join(f"{wager_name(name)} {spoken(stake)}" for name, stake in bet.stakes.items())
    lost, even = bet.chance(below=0), bet.chance(above=-1, below=1)
    out.print(f"[bold]all wagers together, {played}: {staked}[/]")
    most, best = -min(bet.nets), max(bet.nets)
    facts = (
        ("on average", f"{_cents(bet.value)} of {_cents(bet.risked)} staked"),
        ("element of risk", f"{percent(bet.element_of_risk)} of every dollar staked"),
        ("standard deviation", f"${sqrt(bet.variance) / 100:,.2f}"),
        ("a round", f"loses {_chance(lost)}, breaks even {_chance(even)}, wins {_chance(1 - lost - even)}"),
        ("loses more than", ", ".join(_beyond(bet, -amount) for amount in _steps(most - 1, (1, 2, 5)))),
        ("largest loss", f"{spoken(most)}, chance {_chance(bet.chance(below=1 - most))}"),
        ("wins more than", ", ".join(_beyond(bet, amount) for amount in _steps(best - 1, (1,)))),
        ("largest win", f"{spoken(best)}, chance {_chance(bet.chance(above=best - 1))}"),
        ("by wager", ", ".join(f"{wager_name(name)} {_cents(net)}" for name, net in bet.paid.items())),
    )
    print_facts(out, (*facts, *_limits(bet)), soft_wrap=True)


def _limits(bet: WholeBet) -> Iterator[tuple[str, str]]:
    """Yield the cost of the limits on winnings, in total and for each payment they reduce."""
    if not bet.cuts:
        yield "limits on winnings", "no effect at these stakes"
        return
    edges = zip(bet.edges("ante"), (sum(bet.due.values(), Fraction()), bet.value), strict=True)
    without, under = (
        f"{percent(edge)} of the ante, {percent(-value / bet.risked)} of every dollar staked"
        for edge, value in edges
    )
    yield "limits on winnings", f"cost {_cents(sum(bet.cut.values(), Fraction()))} a round"
    yield "  edge, no limits", without
    yield "  edge, with limits", under
    for cut in bet.cuts:
        amounts = f"{spoken(cut.due)} due, {spoken(cut.paid)} paid"
        often, cost = _chance(Fraction(cut.deals, bet.deals)), _cents(cut.cost)
        yield "  cut", f"{wager_name(cut.wager)}, {cut.hand}: {amounts}, {often}, costs {cost} a round"


def _steps(most: int, digits: tuple[int, ...]) -> Iterator[int]:
    """Yield round dollar amounts, in cents, from $10 up to `most`."""
    power = 1_000
    while power <= most:
        yield from (digit * power for digit in digits if digit * power <= most)
        power *= 10


def _beyond(bet: WholeBet, amount: int) -> str:
    chance = bet.chance(below=amount) if amount < 0 else bet.chance(above=amount)
    return f"{spoken(abs(amount))} {_chance(chance)}"


def _chance(chance: Fraction) -> str:
    return percent(chance, 3) if chance >= OFTEN or not chance else f"1 in {float(1 / chance):,.0f}"


def _cents(amount: Fraction) -> str:
    return f"{'-' if amount < 0 else ''}${abs(float(amount)) / 100:,.4f}"
