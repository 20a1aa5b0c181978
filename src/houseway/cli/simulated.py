"""What a simulation came to, in words or as one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from houseway.cli.output import percent, write_json
from houseway.money import Share, dollars, spoken
from houseway.wording import often, several

if TYPE_CHECKING:
    from houseway.simulate import Figures, HighestHand, Plan

WIDTH = 100
SHOWN = 6
"""Decimals of a value."""


def _number(value: Fraction) -> dict[str, Any]:
    return {"num": str(value.numerator), "den": str(value.denominator), "value": float(value)}


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
    wagers = [
        {
            "wager": each.name,
            "unit": dollars(each.unit),
            "staked": dollars(each.staked),
            "net": dollars(each.net),
            "value": _number(each.value),
            "se": None if each.error is None else float(each.error),
            "exact": None if each.exact is None else _number(each.exact),
            "outcomes": each.outcomes,
            "variance": None
            if each.variance is None
            else {
                "value": float(each.variance.found),
                "se": float(each.variance.error),
                "exact": _number(each.variance.exact),
            },
        }
        for each in found.figures
    ]
    return {
        "plan": found.plan.told,
        "hands": found.hands,
        "actions": found.actions,
        "wagers": wagers,
        "awards": [
            {"share": f"{share} of {share.meter}", "times": times, "paid": dollars(paid)}
            for share, (times, paid) in found.awarded.shares.items()
        ],
        "meters": {name: dollars(shown) for name, shown in found.awarded.shows.items()},
    }


def _print(found: Figures) -> None:
    plan = found.plan
    out = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    rounds, seats = several(plan.rounds, "round"), several(plan.seats, "seat")
    out.print(
        f"[bold]{escape(plan.terms.rulebook.title)}[/]: {rounds}, {seats}, "
        f"strategy {plan.told['strategy']}, seed {plan.seed}"
    )
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("wager", "unit", "staked", "net", "value", "± se", "exact", "off by"):
        grid.add_column(column, justify="left" if column == "wager" else "right", no_wrap=True)
    for each in found.figures:
        grid.add_row(
            each.name.replace("_", " "),
            spoken(each.unit),
            spoken(each.staked),
            spoken(each.net),
            _decimal(each.value),
            "" if each.error is None else f"{float(each.error):.{SHOWN}f}",
            "" if each.exact is None else _decimal(each.exact),
            "" if each.off is None else f"{float(each.off):.1f} se",
        )
    out.print(grid)
    if any(each.variance for each in found.figures):
        out.print(_variances(found))
    shares = ((action, Fraction(hands, found.hands)) for action, hands in found.actions.items() if hands)
    out.print("in the end: " + ", ".join(f"{action} {100 * float(part):.2f} %" for action, part in shares))
    for line in _awards(found.awarded.shares, found.awarded.shows):
        out.print(line)


def _variances(found: Figures) -> Table:
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("wager", "variance", "± se", "exact", "off by"):
        grid.add_column(column, justify="left" if column == "wager" else "right", no_wrap=True)
    for each in found.figures:
        if each.variance is not None:
            known = each.variance
            told = (f"{float(part):.{SHOWN}f}" for part in (known.found, known.error, known.exact))
            grid.add_row(each.name.replace("_", " "), *told, f"{float(known.off):.1f} se")
    return grid


def _decimal(value: Fraction) -> str:
    return f"{float(value):+.{SHOWN}f}"


def _awards(shares: Mapping[Share, tuple[int, int]], shows: Mapping[str, int]) -> Iterator[str]:
    for share, (times, paid) in shares.items():
        yield f"{share} of {share.meter}: won {often(times)}, {spoken(paid)} in all"
    if shows:
        ends = ", ".join(f"{name} {spoken(shown)}" for name, shown in shows.items())
        yield f"meters after the last round: {ends}"


def show_highest(plan: Plan, found: Sequence[HighestHand], *, json: bool) -> None:
    """Show a wager on the highest hand for every number of hands."""
    if json:
        write_json(
            [
                {
                    "hands": each.hands,
                    "folds": each.folds,
                    "value": _number(each.figure.value),
                    "se": None if each.figure.error is None else float(each.figure.error),
                    "nobody_folds": _number(each.nobody_folds),
                    "folds_matter": each.figure.exact is None,
                }
                for each in found
            ]
        )
        return
    out = Console(highlight=False, width=None if sys.stdout.isatty() else WIDTH)
    grid = Table(box=None, header_style="bold", pad_edge=False)
    for column in ("hands", "folded", "edge, played", "± se", "edge, nobody folds", "off by", "folds"):
        grid.add_column(column, justify="left" if column == "folds" else "right", no_wrap=True)
    for each in found:
        grid.add_row(
            str(each.hands),
            f"{each.folds:,}",
            percent(-each.figure.value),
            "" if each.figure.error is None else percent(each.figure.error),
            percent(-each.nobody_folds, SHOWN),
            "" if each.figure.off is None else f"{float(each.figure.off):.1f} se",
            "can matter" if each.figure.exact is None else "change nothing",
        )
    title = escape(plan.terms.rulebook.title)
    out.print(f"[bold]{title}[/]: {several(plan.rounds, 'round')} for each number of hands")
    out.print(grid)
