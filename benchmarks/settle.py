"""Measure how many rounds of six seats are settled and how many hands are evaluated per second.

Rounds are lines of JSON. Two public evaluators evaluate hands for comparison. The last column divides each
rate by the first rate of its kind in the same run, so it hardly depends on the machine's speed. Run with
`make bench`; a slow result never fails a build.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from houseway.cards import DECK, Card, codes
from houseway.engine.settle_json import Window
from houseway.ranking import evaluator
from houseway.rules.loader import load

ROUNDS, HANDS, REPEATS = 5_000, 20_000, 5


def six_seats(rng: Random) -> bytes:
    """A random round of six seats with ante, blind, play and trips, as one line of JSON."""
    dealt = rng.sample(DECK, 19)
    seats = [
        {
            "seat": n + 1,
            "hole": codes(dealt[7 + 2 * n : 9 + 2 * n]),
            "ante": rng.choice(("5", "10", "15", "25")),
            "trips": "5",
            "play": rng.choice((0, 1, 2, 3, 4)),
        }
        for n in range(6)
    ]
    return msgspec.json.encode(
        {"rulebook": "uth-ma", "board": codes(dealt[:5]), "dealer": codes(dealt[5:7]), "seats": seats}
    )


def best(work: Callable[[Any], object], items: Iterable[Any]) -> float:
    """The items per second, in the best of several runs."""
    listed = list(items)
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        for item in listed:
            work(item)
        times.append(time.perf_counter() - start)
    return len(listed) / min(times)


def settle_rates() -> None:
    rng = Random("benchmark")
    lines = [six_seats(rng) for _ in range(ROUNDS)]
    window = Window()
    rate = best(lambda line: msgspec.json.encode(window.settle(msgspec.json.decode(line))), lines)
    print(f"{'settle, six seats, JSON in and out':<44}{rate:>12,.0f} rounds/s{'1.00':>9}")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rounds.jsonl"
        file.write_bytes(b"\n".join(lines * 4) + b"\n")
        command = [sys.executable, "-m", "houseway", "settle", str(file)]
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        whole = 4 * ROUNDS / (time.perf_counter() - start)
    print(f"{'the same by command, including start-up':<44}{whole:>12,.0f} rounds/s{whole / rate:>9.2f}")


def public_evaluators() -> dict[str, tuple[Callable[[list[Card]], Any], Callable[[Any], Any]]]:
    """The evaluators of other packages: how to prepare seven cards, and how to evaluate them."""
    evaluators: dict[str, tuple[Callable[[list[Card]], Any], Callable[[Any], Any]]] = {}
    try:
        from treys import Card as TreysCard
        from treys import Evaluator as TreysEvaluator

        treys = TreysEvaluator()
        evaluators["treys"] = (
            lambda held: [TreysCard.new(str(c)) for c in held],
            lambda held: treys.evaluate(held[:5], held[5:]),
        )
    except ImportError:
        print("treys is not installed")
    try:
        from pokerkit import Card as KitCard
        from pokerkit import StandardHighHand

        evaluators["pokerkit"] = (
            lambda held: tuple(KitCard.parse("".join(map(str, held)))),
            lambda held: StandardHighHand.from_game(held[:2], held[2:]),
        )
    except ImportError:
        print("pokerkit is not installed")
    return evaluators


def evaluation_rates() -> None:
    rng = Random("hands")
    ranking = load("uth-ma").ranking
    ours = evaluator(ranking.order, ranking.decks)
    hands = [rng.sample(DECK, 7) for _ in range(HANDS)]
    base = best(ours.strength, hands)
    print(f"{'seven cards evaluated, houseway':<44}{base:>12,.0f} hands/s{'1.0':>10}")
    for name, (prepare, evaluate) in public_evaluators().items():
        rate = best(evaluate, [prepare(held) for held in hands[: HANDS // 10]])
        print(f"{'seven cards evaluated, ' + name:<44}{rate:>12,.0f} hands/s{rate / base:>10.3f}")


if __name__ == "__main__":
    settle_rates()
    evaluation_rates()
