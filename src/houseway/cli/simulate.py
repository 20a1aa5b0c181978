"""`simulate`: play random rounds and report means with standard errors, in one run or in parts (shards)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

from houseway.cli.output import BadInputError, amounts, counting, house_terms, thread_count, write_json
from houseway.cli.simulation_output import show, show_highest
from houseway.cli.solve import Changes

HELP = """Simulate millions of rounds and compare with exact figures.

Every seat makes the same wagers and plays the same strategy. The same seed always produces the same rounds,
whatever the number of threads or shards. Try `houseway simulate uth-ma --rounds 1000000 --side trips`, or
`houseway simulate shootout-sd --rounds 1000000 --side bonus --strategy house`.
"""

USAGE = """Usage: houseway simulate RULEBOOK --rounds INT [OPTIONS]
       houseway simulate cover-all RULEBOOK [OPTIONS]
       houseway simulate merge FILES... [OPTIONS]
"""
simulate = App(name="simulate", help=HELP, usage=USAGE)


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
    """Simulate rounds in which every seat has the same wagers and strategy.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    rounds
        The number of rounds.
    seats
        The number of seats in play.
    strategy
        The strategy of every seat: best, practical, never-4x, always-4x or beginner. For Texas Shootout:
        best, never (never split) or house (play the house way). The first Texas Shootout run with best
        takes minutes.
    side
        The side bets of every seat, such as trips,progressive or bonus.
    changes
        Change a value first, such as --set "blind.straight=push" or --set play.preflop=4; may be repeated.
    bets
        The stakes in dollars, such as ante=25,trips=5; default: $10, or the amount the rules prescribe.
    tables
        The pay tables, such as trips=B,progressive=PTMGL01.
    house
        House settings, such as feed=15,awards=shared.
    meters
        The jackpot meters before the first round, in dollars, such as main=150000; default: their starting
        amounts.
    seed
        Any text. The same seed plays the same rounds.
    threads
        The number of threads; 0 means one per core.
    shard
        Play only one part of the rounds and save it, such as 2/10. Join the parts with `houseway simulate
        merge`.
    output
        The file for the shard, or the folder to put it in; default: the current folder.
    check
        Exit with code 1 if a mean or variance is more than four standard errors from the exact value.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim
    from houseway.simulate import shards

    workers = thread_count(threads)
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
            raise BadInputError("--output needs --shard, such as --shard 1/4")
        with _progress(rounds) as progress:
            tally = sim.run(plan, threads=workers, progress=progress)
        return show(sim.figures(plan, tally), check=check, json=json)
    if check:
        raise BadInputError("--check needs a whole run; give it to houseway simulate merge instead")
    chunks = shards.part(plan, *_part(shard))
    folder = output or Path()
    file = folder / shards.name(plan, chunks) if folder.is_dir() else folder
    exists = shards.kept(plan, chunks, file)
    if not exists:
        with _progress(len(chunks) * sim.CHUNK) as progress:
            tally = sim.run(plan, chunks, threads=workers, progress=progress)
        shards.write(plan, chunks, tally, file)
    if json:
        write_json({"shard": shard, "file": str(file), "kept": exists})
    else:
        sys.stdout.write(f"shard {shard} {'is already in' if exists else 'is in'} {file}\n")
    return 0


@simulate.command
def merge(*files: Path, check: bool = False, json: bool = False) -> int:
    """Join the shards of a run. The figures are the same as those of one whole run.

    Parameters
    ----------
    files
        The files of all shards, in any order.
    check
        Exit with code 1 if a mean or variance is more than four standard errors from the exact value.
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
    """Simulate the Cover All wager for every number of hands dealt. A folded hand cannot be the highest.

    The exact edge without folds is printed for comparison.

    Parameters
    ----------
    rulebook
        A rulebook's id such as uth-ma, or a TOML file.
    rounds
        The number of rounds for each number of hands.
    strategy
        The strategy of every seat: best, practical, never-4x, always-4x or beginner.
    seed
        Any text. The same seed plays the same rounds.
    threads
        The number of threads; 0 means one per core.
    json
        Print one JSON document.
    """
    from houseway import simulate as sim

    workers = thread_count(threads)
    plans = sim.highest_hand_plans(rulebook, rounds=rounds, strategy=strategy, seed=seed)
    with _progress(rounds * len(plans)) as progress:
        results = [sim.highest_hand(plan, threads=workers, progress=progress) for plan in plans]
    show_highest(plans[0], results, json=json)
    return 0


def _part(text: str) -> tuple[int, int]:
    number, slash, of = text.partition("/")
    if not (slash and number.isdecimal() and of.isdecimal()):
        raise BadInputError(f"--shard {text}: give NUMBER/COUNT, such as 2/10")
    return int(number), int(of)


@contextmanager
def _progress(rounds: int) -> Iterator[Callable[[int], object] | None]:
    """Show a progress bar on stderr, and yield its update function; None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = ("rounds", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("rounds", total=rounds)
        yield lambda done: bar.advance(task, done)
