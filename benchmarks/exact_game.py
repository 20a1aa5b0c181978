"""How fast exact analysis is: the pass, the outcome table, one hand's odds, hands read in bulk.

Public evaluators are timed in the same run where they can do the same job; published computing times for
whole games stand beside the pass. Run with `make bench`; nothing here can fail a build.
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
from random import Random

import numpy as np

from houseway import exact
from houseway.cards import DECK, cards
from houseway.exact.pays import terms_of
from houseway.rules.loading import load

REPEATS, HANDS, PUBLIC_HANDS = 5, 5_000_000, 20_000
PROCESS = "from houseway import exact, load; exact.solve(load('uth-ma'))"
PUBLISHED = "published for the base game: 3 + 2 days (E. Jacobson)"


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Seconds of the quickest of several tries, after one that does not count."""
    work()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def show(name: str, figure: str, note: str = "") -> None:
    print(f"{name:<44}{figure:>14}  {note}".rstrip())


def process(cache: str | None) -> float:
    """Seconds of a process from start to result, with a cache folder of its own where one is given."""
    env = dict(os.environ) if cache is None else {**os.environ, "XDG_CACHE_HOME": cache}
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", PROCESS], env=env, check=True, capture_output=True)
    return time.perf_counter() - start


def games() -> None:
    terms = terms_of(load("uth-ma"))
    for threads in (1, 2):
        seconds = best(lambda threads=threads: exact.solve(terms, threads=threads))  # type: ignore[misc]
        show(f"pass, warm, {threads} thread(s)", f"{seconds:.3f} s", PUBLISHED if threads == 1 else "")
    solution = exact.solve(terms)
    show("outcome table", f"{best(lambda: exact.outcomes(solution), 2):.3f} s")
    show("process, compiled kernels kept", f"{process(None):.2f} s", "from start to result")
    with tempfile.TemporaryDirectory() as cache:
        show("process, nothing compiled yet", f"{process(cache):.2f} s", "from start to result")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    show("peak memory of this process", f"{peak / 2**20:.2f} GB")


def hands() -> None:
    terms = terms_of(load("uth-ma"))
    hole, board, dead = cards("Kd Qh"), cards("4s 5h 6d 8c 9d"), cards("Ah")
    for name, shown, gone in (
        ("before the flop", (), ()),
        ("after the flop", board[:3], ()),
        ("after the flop, a card dead", board[:3], dead),
        ("after the river", board, ()),
    ):
        seconds = best(lambda shown=shown, gone=gone: exact.odds(terms, hole, shown, gone), 50)  # type: ignore[misc]
        show(f"odds {name}", f"{seconds * 1_000:.3f} ms")
    start = time.perf_counter()
    exact.odds(terms, hole, (), dead)
    show("odds before the flop, a card dead", f"{time.perf_counter() - start:.2f} s")


def evaluators() -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    one = np.argsort(rng.random((HANDS // 5, 52)), axis=1)[:, :7].astype(np.uint8)
    six = rng.integers(0, 52, (HANDS, 7)).astype(np.uint8)
    for ref, rows, decks in (("uth-ma", one, "one deck"), ("shootout-sd", six, "six decks")):
        ranking = load(ref).ranking
        seconds = best(lambda rows=rows, ranking=ranking: exact.strengths(rows, ranking))  # type: ignore[misc]
        show(f"hands read in bulk, {decks}", f"{len(rows) / seconds / 1e6:.1f} M/s", "one thread")
    dealt = [Random(n).sample(range(52), 7) for n in range(PUBLIC_HANDS)]
    for name, reader in (("treys", treys), ("phevaluator", phevaluator)):
        try:
            read, sevens = reader(dealt)
        except ImportError:
            show(f"hands read one by one, {name}", "not installed")
            continue
        seconds = best(lambda read=read, sevens=sevens: [read(seven) for seven in sevens], 2)  # type: ignore[misc]
        show(f"hands read one by one, {name}", f"{PUBLIC_HANDS / seconds / 1e6:.2f} M/s")


def treys(dealt: list[list[int]]) -> tuple[Callable[[list[int]], object], list[list[int]]]:
    """The reader of treys, and the hands in its own cards."""
    module = import_module("treys")
    evaluate, card = module.Evaluator().evaluate, module.Card.new
    return lambda row: evaluate(row[:2], row[2:]), [[card(str(DECK[n])) for n in row] for row in dealt]


def phevaluator(dealt: list[list[int]]) -> tuple[Callable[[list[int]], object], list[list[int]]]:
    """The reader of phevaluator, whose cards are numbered as ours."""
    evaluate = import_module("phevaluator").evaluate_cards
    return lambda row: evaluate(*row), dealt


if __name__ == "__main__":
    games()
    hands()
    evaluators()
