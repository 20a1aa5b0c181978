"""`simulate`: rounds played out, with standard errors; in one go, or in shards put together later."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from houseway.cli.output import BadInputError, amounts, pairs, settings, write_json
from houseway.money import Share, dollars, spoken

if TYPE_CHECKING:
    from houseway.simulate import Figures

WIDTH = 100
SHOWN = 6
"""Decimals of a value."""

simulate = App(name="simulate", help="Play rounds out by the million, beside the exact figures.")


@contextmanager
def _sentences() -> Iterator[None]:
    """What cannot be simulated, as bad input."""
    from houseway.simulate import SimulationError

    try:
        yield
    except SimulationError as error:
        raise BadInputError(str(error)) from error


@simulate.default
def play(
    rulebook: str,
    /,
    *,
    rounds: int,
    seats: int = 1,
    strategy: str = "best",
    side: str = "",
    bets: str = "",
    tables: str = "",
    house: str = "",
    meters: str = "",
    seed: str = "1",
    threads: int = 0,
    shard: str = "",
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    json: bool = False,
) -> int:
    """Play rounds of Ultimate Texas Hold'em out, every seat with the same wagers and strategy.

    The same seed plays the same rounds, on any number of threads and in any number of shards.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    rounds
        How many rounds.
    seats
        Hands at the table besides the dealer's.
    strategy
        How they play: best, practical, never-4x, always-4x, beginner.
    side
        Side bets every seat makes, such as trips,progressive.
    bets
        Stakes in dollars, such as ante=25,trips=5; $10 where nothing else is said.
    tables
        Pay tables, such as trips=B,progressive=PTMGL01.
    house
        House settings, such as feed=15,awards=shared.
    meters
        What meters show before the first round, in dollars, such as main=150000.
    seed
        Any text.
    threads
        Threads to use; 0 for one a core.
    shard
        Play one part of the rounds and keep it in a file, as in 2/10; `houseway simulate merge` puts them
        together.
    output
        The shard's file, or a folder for it; the current folder where none is given.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim
    from houseway.simulate import shards

    given = {"tables": pairs(tables, "--tables", "trips=B"), "house": settings(house)}
    with _sentences():
        plan = sim.plan(
            rulebook,
            rounds=rounds,
            seats=seats,
            strategy=strategy,
            side=tuple(filter(None, side.replace(" ", "").split(","))),
            seed=seed,
            given={part: value for part, value in given.items() if value},
            bets=amounts(bets, "--bets", "ante=25"),
            meters=amounts(meters, "--meters", "main=150000"),
        )
        if not shard:
            if output is not None:
                raise BadInputError("-o names a shard's file; give --shard with it, such as --shard 1/4")
            with _progress(rounds) as told:
                tally = sim.run(plan, threads=threads or None, progress=told)
            _show(sim.figures(plan, tally), json=json)
            return 0
        chunks = shards.part(plan, *_part(shard))
        folder = output or Path()
        file = folder / shards.name(plan, chunks) if folder.is_dir() else folder
        there = shards.kept(plan, chunks, file)
        if not there:
            with _progress(len(chunks) * sim.CHUNK) as told:
                tally = sim.run(plan, chunks, threads=threads or None, progress=told)
            shards.write(plan, chunks, tally, file)
    if json:
        write_json({"shard": shard, "file": str(file), "kept": there})
    else:
        sys.stdout.write(f"shard {shard} {'is already in' if there else 'is in'} {file}\n")
    return 0


@simulate.command
def merge(*files: Path, json: bool = False) -> int:
    """Put the shards of a run together; the figures are those of the run in one go.

    Parameters
    ----------
    files
        The shards' files, in any order.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim
    from houseway.simulate import shards

    with _sentences():
        _show(sim.figures(*shards.merge(files)), json=json)
    return 0


def _part(text: str) -> tuple[int, int]:
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal()):
        raise BadInputError(f"--shard {text}: write which of how many, such as 2/10")
    return int(number), int(of)


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], object] | None]:
    """A bar on a terminal's stderr; nothing elsewhere."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = ("rounds", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rounds", total=rounds)
        yield lambda done: bar.advance(task, done)


def _number(value: Fraction) -> dict[str, Any]:
    return {"num": str(value.numerator), "den": str(value.denominator), "value": float(value)}


def _show(found: Figures, *, json: bool) -> None:
    if json:
        write_json(_data(found))
    else:
        _print(found)


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
    seats = f"{plan.seats} seat{'s' if plan.seats > 1 else ''}"
    out.print(
        f"[bold]{plan.terms.rulebook.title}[/]: {plan.rounds:,} rounds, {seats}, "
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
    shares = ((action, Fraction(hands, found.hands)) for action, hands in found.actions.items() if hands)
    out.print("in the end: " + ", ".join(f"{action} {100 * float(part):.2f} %" for action, part in shares))
    for line in _awards(found.awarded.shares, found.awarded.shows):
        out.print(line)


def _decimal(value: Fraction) -> str:
    return f"{float(value):+.{SHOWN}f}"


def _awards(shares: Mapping[Share, tuple[int, int]], shows: Mapping[str, int]) -> Iterator[str]:
    for share, (times, paid) in shares.items():
        yield f"{share} of {share.meter}: won {times:,} times, {spoken(paid)} in all"
    if shows:
        ends = ", ".join(f"{name} {spoken(shown)}" for name, shown in shows.items())
        yield f"meters after the last round: {ends}"
