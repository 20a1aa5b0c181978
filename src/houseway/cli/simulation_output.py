"""What a simulation came to, in words or as one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from houseway.cli.output import write_json
from houseway.cli.print_helpers import console, grid, percent
from houseway.money import Share, dollars, spoken
from houseway.wording import often, several

if TYPE_CHECKING:
    from houseway.simulate import Figure, Figures, HighestHand, Plan

WIDTH = 100
SHOWN = 6
"""Decimals of a value."""


def show(found: Figures, *, check: bool, json: bool) -> int:
    """Show what a run came to; with `check` the exit code says whether it is near what is exact."""
    if json:
        write_json(_data(found))
    else:
        _print(found)
    for name in found.far if check else ():
        sys.stderr.write(f"houseway: {name} is more than four standard errors from what is exact\n")
    return int(check and bool(found.far))


def _data(found: Figures) -> dict[str, Any]:
    """The figures as one document; sums are text, for they outgrow what some readers hold."""
    return {
        "plan": found.plan.told,
        "hands": found.hands,
        "actions": found.actions,
        "wagers": [_wager(each) for each in found.figures],
        "awards": [
            {"share": f"{share} of {share.meter}", "times": times, "paid": dollars(paid)}
            for share, (times, paid) in found.awarded.shares.items()
        ],
        "meters": {name: dollars(shown) for name, shown in found.awarded.shows.items()},
    }


def _wager(figure: Figure) -> dict[str, Any]:
    from houseway.report.solution_data import number

    told: dict[str, Any] = {
        "wager": figure.name,
        "unit": dollars(figure.unit),
        "staked": dollars(figure.staked),
        "net": dollars(figure.net),
        "value": number(figure.value),
        "se": _float(figure.error),
        "exact": None if figure.exact is None else number(figure.exact),
        "outcomes": figure.outcomes,
        "variance": None,
    }
    if (variance := figure.variance) is not None:
        exact = number(variance.exact)
        told["variance"] = {"value": float(variance.found), "se": float(variance.error), "exact": exact}
    return told


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _print(found: Figures) -> None:
    plan = found.plan
    out = console(WIDTH)
    rounds, seats = several(plan.rounds, "round"), several(plan.seats, "seat")
    title, strategy = escape(plan.terms.rulebook.title), plan.told["strategy"]
    out.print(f"[bold]{title}[/]: {rounds}, {seats}, strategy {strategy}, seed {plan.seed}")
    columns = ("wager", "unit", "staked", "net", "value", "± se", "exact", "off by")
    table = grid(*columns, left="wager")
    for each in found.figures:
        table.add_row(
            each.name.replace("_", " "),
            spoken(each.unit),
            spoken(each.staked),
            spoken(each.net),
            _decimal(each.value),
            "" if each.error is None else f"{float(each.error):.{SHOWN}f}",
            "" if each.exact is None else _decimal(each.exact),
            _off(each.off),
        )
    out.print(table)
    if any(each.variance for each in found.figures):
        out.print(_variances(found))
    shares = ((action, Fraction(hands, found.hands)) for action, hands in found.actions.items() if hands)
    out.print("in the end: " + ", ".join(f"{action} {100 * float(part):.2f} %" for action, part in shares))
    for line in _awards(found.awarded.shares, found.awarded.shows):
        out.print(line)


def _variances(found: Figures) -> Table:
    table = grid("wager", "variance", "± se", "exact", "off by", left="wager")
    for each in found.figures:
        if (known := each.variance) is not None:
            told = (f"{float(part):.{SHOWN}f}" for part in (known.found, known.error, known.exact))
            table.add_row(each.name.replace("_", " "), *told, _off(known.off))
    return table


def _decimal(value: Fraction) -> str:
    return f"{float(value):+.{SHOWN}f}"


def _off(errors: Fraction | None) -> str:
    return "" if errors is None else f"{float(errors):.1f} se"


def _awards(shares: Mapping[Share, tuple[int, int]], shows: Mapping[str, int]) -> Iterator[str]:
    for share, (times, paid) in shares.items():
        yield f"{share} of {share.meter}: won {often(times)}, {spoken(paid)} in all"
    if shows:
        ends = ", ".join(f"{name} {spoken(shown)}" for name, shown in shows.items())
        yield f"meters after the last round: {ends}"


def show_highest(plan: Plan, found: Sequence[HighestHand], *, json: bool) -> None:
    """Show a wager on the highest hand for every number of hands."""
    if json:
        write_json([_highest(each) for each in found])
        return
    columns = ("hands", "folded", "edge, played", "± se", "edge, nobody folds", "off by", "folds")
    table = grid(*columns, left="folds")
    for each in found:
        table.add_row(
            str(each.hands),
            f"{each.folds:,}",
            percent(-each.figure.value),
            "" if each.figure.error is None else percent(each.figure.error),
            percent(-each.nobody_folds, SHOWN),
            _off(each.figure.off),
            "can matter" if each.figure.exact is None else "change nothing",
        )
    out = console(WIDTH)
    title = escape(plan.terms.rulebook.title)
    out.print(f"[bold]{title}[/]: {several(plan.rounds, 'round')} for each number of hands")
    out.print(table)


def _highest(found: HighestHand) -> dict[str, Any]:
    from houseway.report.solution_data import number

    return {
        "hands": found.hands,
        "folds": found.folds,
        "value": number(found.figure.value),
        "se": _float(found.figure.error),
        "nobody_folds": number(found.nobody_folds),
        "folds_matter": found.figure.exact is None,
    }
