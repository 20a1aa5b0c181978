"""Print the results of a simulation, as text or as one JSON document."""

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
from houseway.wording import several, times_text

if TYPE_CHECKING:
    from houseway.simulate import Figure, Figures, HighestHand, Plan

WIDTH = 100
SHOWN = 6
"""The number of decimals of a printed value."""


def show(run: Figures, *, check: bool, json: bool) -> int:
    """Print a run's figures; with `check` return exit code 1 if a figure is far from its exact value."""
    if json:
        write_json(_data(run))
    else:
        _print(run)
    for name in run.far if check else ():
        sys.stderr.write(f"houseway: {name} is more than four standard errors from the exact value\n")
    return int(check and bool(run.far))


def _data(run: Figures) -> dict[str, Any]:
    """Return the figures as one document. Sums are text, because they can be too large for JSON numbers."""
    return {
        "plan": run.plan.told,
        "hands": run.hands,
        "actions": run.actions,
        "wagers": [_wager(each) for each in run.figures],
        "awards": [
            {"share": f"{share} of {share.meter}", "times": times, "paid": dollars(paid)}
            for share, (times, paid) in run.awarded.shares.items()
        ],
        "meters": {name: dollars(shown) for name, shown in run.awarded.shows.items()},
    }


def _wager(figure: Figure) -> dict[str, Any]:
    from houseway.report.solution_data import number

    wager: dict[str, Any] = {
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
        wager["variance"] = {"value": float(variance.value), "se": float(variance.error), "exact": exact}
    return wager


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _print(run: Figures) -> None:
    plan = run.plan
    out = console(WIDTH)
    rounds, seats = several(plan.rounds, "round"), several(plan.seats, "seat")
    title, strategy = escape(plan.terms.rulebook.title), plan.told["strategy"]
    out.print(f"[bold]{title}[/]: {rounds}, {seats}, strategy {strategy}, seed {plan.seed}")
    table = grid("wager", "unit", "staked", "net", "value", "± se", "exact", "off by", left="wager")
    for each in run.figures:
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
    if any(each.variance for each in run.figures):
        out.print(_variances(run))
    shares = ((action, Fraction(hands, run.hands)) for action, hands in run.actions.items() if hands)
    out.print("choices: " + ", ".join(f"{action} {100 * float(part):.2f} %" for action, part in shares))
    for line in _awards(run.awarded.shares, run.awarded.shows):
        out.print(line)


def _variances(run: Figures) -> Table:
    table = grid("wager", "variance", "± se", "exact", "off by", left="wager")
    for each in run.figures:
        if (known := each.variance) is not None:
            cells = (f"{float(part):.{SHOWN}f}" for part in (known.value, known.error, known.exact))
            table.add_row(each.name.replace("_", " "), *cells, _off(known.off))
    return table


def _decimal(value: Fraction) -> str:
    return f"{float(value):+.{SHOWN}f}"


def _off(errors: Fraction | None) -> str:
    return "" if errors is None else f"{float(errors):.1f} se"


def _awards(shares: Mapping[Share, tuple[int, int]], shows: Mapping[str, int]) -> Iterator[str]:
    for share, (times, paid) in shares.items():
        yield f"{share} of {share.meter}: won {times_text(times)}, {spoken(paid)} in all"
    if shows:
        ends = ", ".join(f"{name} {spoken(shown)}" for name, shown in shows.items())
        yield f"meters after the last round: {ends}"


def show_highest(plan: Plan, results: Sequence[HighestHand], *, json: bool) -> None:
    """Print the results of the Cover All wager for every number of hands."""
    if json:
        write_json([_highest(each) for each in results])
        return
    columns = ("hands", "folded", "edge, played", "± se", "edge, no folds", "off by", "folds")
    table = grid(*columns, left="folds")
    for each in results:
        table.add_row(
            str(each.hands),
            f"{each.folds:,}",
            percent(-each.figure.value),
            "" if each.figure.error is None else percent(each.figure.error),
            percent(-each.nobody_folds, SHOWN),
            _off(each.figure.off),
            "can matter" if each.figure.exact is None else "do not matter",
        )
    out = console(WIDTH)
    title = escape(plan.terms.rulebook.title)
    out.print(f"[bold]{title}[/]: {several(plan.rounds, 'round')} for each number of hands")
    out.print(table)


def _highest(result: HighestHand) -> dict[str, Any]:
    from houseway.report.solution_data import number

    return {
        "hands": result.hands,
        "folds": result.folds,
        "value": number(result.figure.value),
        "se": _float(result.figure.error),
        "nobody_folds": number(result.nobody_folds),
        "folds_matter": result.figure.exact is None,
    }
