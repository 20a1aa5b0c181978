"""Time exact analysis: houseway, other packages in the same run, and published times, in one table.

houseway evaluates seven-card hands in bulk, the other packages one by one. For the odds on the river, the
others compare the dealer's 990 hands. Run with `make bench`; a slow result never fails a build.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib import import_module
from itertools import combinations
from random import Random
from typing import NamedTuple

import numpy as np

from houseway import exact
from houseway.cards import DECK, cards
from houseway.exact.pay_arrays import terms_of
from houseway.rules.loader import load

REPEATS, HANDS, PUBLIC_HANDS = 7, 5_000_000, 20_000
PROCESS = "from houseway import exact, load; exact.solve(load('uth-ma'))"
HOLE, BOARD, DEAD = cards("Kd Qh"), cards("4s 5h 6d 8c 9d"), cards("Ah")


class Package(NamedTuple):
    """Another package: its evaluator, and a conversion of seven cards to its own form."""

    read: Callable[[object], object]
    own: Callable[[list[int]], object]


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The seconds of the fastest of several runs, after a warm-up."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def process(cache: str | None) -> float:
    """The seconds of a process from start to result; `cache` is its cache folder, if not the default."""
    env = dict(os.environ) if cache is None else {**os.environ, "XDG_CACHE_HOME": cache}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", PROCESS], env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def treys() -> Package:
    module = import_module("treys")
    evaluate, card = module.Evaluator().evaluate, module.Card.new
    return Package(lambda row: evaluate(row[:2], row[2:]), lambda row: [card(str(DECK[n])) for n in row])  # type: ignore[index]


def phevaluator() -> Package:
    evaluate = import_module("phevaluator").evaluate_cards
    return Package(lambda row: evaluate(*row), lambda row: row)  # type: ignore[misc]


def pokerkit() -> Package:
    module = import_module("pokerkit")
    hand, parse = module.StandardHighHand, module.Card.parse
    return Package(
        lambda row: hand.from_game(row[:2], row[2:]),  # type: ignore[index]
        lambda row: [card for n in row for card in parse(str(DECK[n]))],
    )


PACKAGES = {"treys": treys, "phevaluator": phevaluator, "pokerkit": pokerkit}


def installed_packages() -> dict[str, Package]:
    """The packages that are installed; prints a line for each that is not."""
    packages = {}
    for name, package in PACKAGES.items():
        try:
            packages[name] = package()
        except ImportError:
            print(f"{name} is not installed; run pip install 'houseway[bench]'")
    return packages


def show(what: str, ours: str, others: dict[str, str] | None = None, published: str = "") -> None:
    columns = "".join(f"{(others or {}).get(name, ''):>14}" for name in PACKAGES)
    print(f"{what:<36}{ours:>12}{columns}  {published}".rstrip())


def games() -> None:
    terms = terms_of(load("uth-ma"))
    days = "3 + 2 days (E. Jacobson)"
    for threads in (1, 2):
        seconds = best(lambda threads=threads: exact.solve(terms, threads=threads))  # type: ignore[misc]
        show(f"whole game, {threads} thread(s)", f"{seconds:.3f} s", None, days if threads == 1 else "")
    solution = exact.solve(terms)
    for threads in (1, 2):
        seconds = best(lambda threads=threads: exact.outcomes(solution, threads=threads), 3)  # type: ignore[misc]
        show(f"outcome table, {threads} thread(s)", f"{seconds:.3f} s")
    show("process, kernels already compiled", f"{process(None):.2f} s")
    with tempfile.TemporaryDirectory() as cache:
        show("process, kernels not compiled", f"{process(cache):.2f} s")


def odds(packages: dict[str, Package]) -> None:
    terms = terms_of(load("uth-ma"))
    compared = {
        name: f"{best(lambda package=package: river(package), 2) * 1_000:.1f} ms"  # type: ignore[misc]
        for name, package in packages.items()
    }
    for name, shown, gone, others in (
        ("after the river", BOARD, (), compared),
        ("after the flop", BOARD[:3], (), None),
        ("after the flop, a card dead", BOARD[:3], DEAD, None),
        ("before the flop", (), (), None),
    ):
        seconds = best(lambda shown=shown, gone=gone: exact.odds(terms, HOLE, shown, gone), 50)  # type: ignore[misc]
        show(f"odds {name}", f"{seconds * 1_000:.3f} ms", others)
    start = time.perf_counter()
    exact.odds(terms, HOLE, (), DEAD)
    show("odds before the flop, a card dead", f"{time.perf_counter() - start:.2f} s")


def river(package: Package) -> int:
    """Compare the player's score with that of each dealer's hand; payments are not computed."""
    left = [n for n, card in enumerate(DECK) if card not in {*HOLE, *BOARD}]
    board = [DECK.index(card) for card in BOARD]
    own = package.read(package.own([*(DECK.index(card) for card in HOLE), *board]))
    return sum(package.read(package.own([*pair, *board])) != own for pair in combinations(left, 2))


def evaluators(packages: dict[str, Package]) -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    one = np.argsort(rng.random((HANDS // 5, 52)), axis=1)[:, :7].astype(np.uint8)
    six = rng.integers(0, 52, (HANDS, 7)).astype(np.uint8)
    dealt = [Random(n).sample(range(52), 7) for n in range(PUBLIC_HANDS)]
    others = {}
    for name, package in packages.items():
        hands = [package.own(row) for row in dealt[: PUBLIC_HANDS if name != "pokerkit" else 500]]
        seconds = best(lambda read=package.read, hands=hands: [read(row) for row in hands], 2)  # type: ignore[misc]
        others[name] = f"{len(hands) / seconds / 1e6:.3f} M/s"
    for ref, rows, decks in (("uth-ma", one, "one deck"), ("shootout-sd", six, "six decks")):
        ranking = load(ref).ranking
        seconds = best(lambda rows=rows, ranking=ranking: exact.strengths(rows, ranking))  # type: ignore[misc]
        show(f"seven cards evaluated, {decks}", f"{len(rows) / seconds / 1e6:.1f} M/s",
             others if decks == "one deck" else None)  # fmt: skip


if __name__ == "__main__":
    installed = installed_packages()
    show("", "houseway", {name: name for name in installed}, "published")
    games()
    odds(installed)
    evaluators(installed)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    show("peak memory", f"{peak / 2**20:.2f} GB")
