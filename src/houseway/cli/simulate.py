"""`simulate`: rounds played out, with standard errors; in one go, or in shards put together later."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from houseway.cli.output import BadInputError, amounts, counting, house_terms, write_json
from houseway.cli.simulation_output import show, show_highest
from houseway.cli.solve import Changes

HELP = """Play rounds out by the million, beside the exact figures.

Every seat makes the same wagers and plays the same strategy. The same seed plays the same rounds, on any
number of threads and in any number of shards. Try `houseway simulate uth-ma --rounds 1000000 --side trips`,
or `houseway simulate shootout-sd --rounds 1000000 --side bonus --strategy house`.
"""

simulate = App(name="simulate", help=HELP)


@simulate.default
def play(
    rulebook: str,
    /,
    *,
    rounds: int,
    seats: int = 1,
    strategy: str = "best",
    side: str = "",
    changes: Changes = (),
    bets: str = "",
    tables: str = "",
    house: str = "",
    meters: str = "",
    seed: str = "1",
    threads: int = 0,
    shard: str = "",
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
    check: bool = False,
    json: bool = False,
) -> int:
    """Play rounds out, every seat with the same wagers and strategy.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    rounds
        How many rounds.
    seats
        Hands at the table besides the dealer's.
    strategy
        How they play: best, practical, never-4x, always-4x, beginner; in Texas Shootout best, never (to
        split) and house, the dealer's own way. Best play of Texas Shootout is counted first, minutes, once.
    side
        Side bets every seat makes, such as trips,progressive or bonus.
    changes
        Change a value first, as in --set "blind.straight=push" or --set play.preflop=4; may be repeated.
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
    check
        Exit with 1 where a mean or a variance lies more than four standard errors from the exact one.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim
    from houseway.simulate import shards

    plan = sim.plan(
        rulebook,
        rounds=rounds,
        seats=seats,
        strategy=strategy,
        side=tuple(filter(None, side.replace(" ", "").split(","))),
        seed=seed,
        changes=changes,
        given=house_terms(tables, house),
        bets=amounts(bets, "--bets", "ante=25"),
        meters=amounts(meters, "--meters", "main=150000"),
        progress=counting("counting the two-card hands"),
    )
    if not shard:
        if output is not None:
            raise BadInputError("-o names a shard's file; give --shard with it, such as --shard 1/4")
        with _progress(rounds) as told:
            tally = sim.run(plan, threads=threads or None, progress=told)
        return show(sim.figures(plan, tally), check=check, json=json)
    if check:
        raise BadInputError("--check looks at a whole run; give it to houseway simulate merge")
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
def merge(*files: Path, check: bool = False, json: bool = False) -> int:
    """Put the shards of a run together; the figures are those of the run in one go.

    Parameters
    ----------
    files
        The shards' files, in any order.
    check
        Exit with 1 where a mean or a variance lies more than four standard errors from the exact one.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim
    from houseway.simulate import shards

    return show(sim.figures(*shards.merge(files)), check=check, json=json)


@simulate.command
def cover_all(
    rulebook: str,
    /,
    *,
    rounds: int = 1_000_000,
    strategy: str = "best",
    seed: str = "1",
    threads: int = 0,
    json: bool = False,
) -> int:
    """Play the wager on the table's highest hand for every number of hands, folded hands left out.

    Beside it stands what it is worth exactly where nobody folds.

    Parameters
    ----------
    rulebook
        A rulebook's id or a TOML file.
    rounds
        How many rounds for each number of hands.
    strategy
        How every seat plays: best, practical, never, always, beginner.
    seed
        Any text.
    threads
        Threads to use; 0 for one a core.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim

    plans = sim.highest_hand_plans(rulebook, rounds=rounds, strategy=strategy, seed=seed)
    with _progress(rounds * len(plans)) as told:
        found = [sim.highest_hand(plan, threads=threads or None, progress=told) for plan in plans]
    show_highest(plans[0], found, json=json)
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
